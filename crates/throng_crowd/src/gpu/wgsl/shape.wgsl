// Places of goals: points, discs, lines and polygons, and how far away they are.

#import throng_crowd::constants::{constants, SITE_WORDS, POINT, DISC, LINE}
#import throng_crowd::tables::{table, table_number}

// Words of a site.
const SITE_KIND: u32 = 0u;
const SITE_FUZZ: u32 = 1u;
const SITE_CAPACITY: u32 = 2u;
const SITE_LIMITED: u32 = 3u;
const SITE_DEEPEST: u32 = 4u;
const SITE_FROM: u32 = 5u;
const SITE_TO: u32 = 7u;
const SITE_RADIUS: u32 = 9u;
const SITE_EDGES: u32 = 10u;
const SITE_EDGES_END: u32 = 11u;
const SITE_CENTRE: u32 = 12u;

fn site_row(site: u32) -> u32 {
    return constants.table_sites + site * SITE_WORDS;
}

fn table_pair(at: u32) -> vec2<f32> {
    return vec2<f32>(table_number(at), table_number(at + 1u));
}

fn closest_on_segment(a: vec2<f32>, b: vec2<f32>, p: vec2<f32>) -> vec2<f32> {
    let d = b - a;
    let along = (p.x - a.x) * d.x + (p.y - a.y) * d.y;
    let t = along / max(d.x * d.x + d.y * d.y, 1.1754944e-38);
    return a + d * clamp(t, 0.0, 1.0);
}

/// Whether a polygon holds a point (even-odd), and the point of its outline that is nearest.
struct Outline {
    inside: bool,
    closest: vec2<f32>,
    squared: f32,
}

fn outline(row: u32, p: vec2<f32>) -> Outline {
    var found = Outline(false, p, 3.0e38);
    for (var at = table(row + SITE_EDGES); at < table(row + SITE_EDGES_END); at += 4u) {
        let a = table_pair(at);
        let b = table_pair(at + 2u);
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            found.inside = !found.inside;
        }
        let q = closest_on_segment(a, b, p);
        let d = q - p;
        let squared = d.x * d.x + d.y * d.y;
        if squared < found.squared {
            found.squared = squared;
            found.closest = q;
        }
    }
    return found;
}

/// The point of a site nearest to `p`, `p` itself where it lies inside; and how deep inside it lies.
struct Nearest {
    point: vec2<f32>,
    depth: f32,
}

fn nearest_point(row: u32, p: vec2<f32>) -> Nearest {
    let kind = table(row + SITE_KIND);
    let a = table_pair(row + SITE_FROM);
    if kind == POINT {
        return Nearest(a, 0.0);
    }
    if kind == LINE {
        return Nearest(closest_on_segment(a, table_pair(row + SITE_TO), p), 0.0);
    }
    if kind == DISC {
        let radius = table_number(row + SITE_RADIUS);
        let d = p - a;
        let squared = d.x * d.x + d.y * d.y;
        let depth = max(radius - sqrt(squared), 0.0);
        if squared > radius * radius {
            return Nearest(a + radius * (d / sqrt(squared)), depth);
        }
        return Nearest(a + d, depth);
    }
    let found = outline(row, p);
    if found.inside {
        return Nearest(p, sqrt(found.squared));
    }
    return Nearest(found.closest, 0.0);
}

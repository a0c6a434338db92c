//! Who counts as a neighbour, and what is read from the list.

use glam::{DVec2, Vec2};
use throng_world::params::AvoidParams;

use super::super::neighbours::{
    Bodies, HEAD_ON, MOST, MOST_CANDIDATES, NEARLY_TOUCHING, PER_APPROACH, Query, SIDE_SHARPNESS,
    TOUCHING, WARINESS,
};
use super::Judge;

/// Somebody near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    /// From the agent to it, its velocity, the sum of the radii.
    pub(super) offset: DVec2,
    pub(super) velocity: DVec2,
    pub(super) touch: f64,
    /// Cosine between its heading and the direction of interest.
    pub(super) along: f64,
}

/// Everybody within the half ellipse ahead and the strip behind, in the order of the bins.
pub(super) fn neighbours(
    bodies: &Bodies<'_>,
    len: usize,
    query: &Query,
    judge: &mut Judge,
) -> Vec<Neighbour> {
    let i = query.agent;
    let at = |j: usize| DVec2::new(bodies.x[j].into(), bodies.y[j].into());
    let ahead = DVec2::new(query.ahead.0.into(), query.ahead.1.into());
    let reach = DVec2::new(query.reach.ahead.into(), query.reach.aside.into());
    let behind = f64::from(query.behind.min(query.reach.aside));
    let mut list = Vec::new();
    for j in candidates(bodies, len, query) {
        let offset = at(j) - at(i);
        let place = DVec2::new(offset.dot(ahead), -ahead.perp_dot(offset));
        let inside = judge.below((place / reach).length_squared(), 1.0, 1.0);
        if inside && judge.below(-behind, place.x, 1.0) {
            let heading = DVec2::new(bodies.heading_x[j].into(), bodies.heading_y[j].into());
            list.push(Neighbour {
                offset,
                velocity: DVec2::new(bodies.vx[j].into(), bodies.vy[j].into()),
                touch: f64::from(bodies.radius[i]) + f64::from(bodies.radius[j]),
                along: heading.dot(ahead),
            });
        }
    }
    list.truncate(MOST);
    list
}

/// Everybody else. Of a row of bins with too many in the box around the half ellipse, only those
/// next in line.
fn candidates(bodies: &Bodies<'_>, len: usize, query: &Query) -> Vec<usize> {
    let frame = bodies.bins.frame;
    let i = query.agent;
    let (here, ahead) = (bodies.x[i], query.ahead);
    let ends = [query.reach.ahead * ahead.0, -query.behind.min(query.reach.aside) * ahead.0];
    let wide = query.reach.aside * ahead.1.abs();
    let first = frame.column(here + ends[0].min(ends[1]) - wide);
    let last = frame.column(here + ends[0].max(ends[1]) + wide);
    let mut all = Vec::new();
    for row in 0..frame.rows {
        let of_row: Vec<usize> = (0..len).filter(|j| frame.row(bodies.y[*j]) == row).collect();
        let in_box = of_row.iter().copied();
        let in_box = in_box.filter(|j| (first..=last).contains(&frame.column(bodies.x[*j])));
        let in_box: Vec<usize> = in_box.collect();
        if in_box.len() > MOST_CANDIDATES {
            let before = in_box.iter().filter(|j| **j < i).count();
            let from = before.saturating_sub(MOST_CANDIDATES / 2);
            let from = from.min(in_box.len() - MOST_CANDIDATES);
            all.extend(&in_box[from..from + MOST_CANDIDATES]);
        } else {
            all.extend(of_row);
        }
    }
    all.retain(|j| *j != i);
    all
}

/// Seconds until a disc that moves with `velocity` first touches anybody, at most `horizon`: the
/// smaller root of |d - r t| = R. Who is touched already is hit at once when one moves towards it.
pub(super) fn time_to_collision(
    list: &[Neighbour],
    velocity: DVec2,
    horizon: f64,
    judge: &mut Judge,
) -> f64 {
    let (mut sure, mut doubtful) = (horizon, f64::INFINITY);
    for n in list {
        let r = velocity - n.velocity;
        let (a, b) = (r.length_squared(), n.offset.dot(r));
        let c = n.offset.length_squared() - n.touch * n.touch;
        let root2 = b * b - a * c;
        let gap = c.max(f64::from(TOUCHING));
        // Who is only grazed may as well be missed.
        let grazed = 1e-3 * a * (n.offset.length_squared() + n.touch * n.touch);
        let turns = 1e-5 * n.offset.length() * r.length();
        if b != 0.0 && b.abs() < turns && root2 > -grazed || b > 0.0 && root2.abs() < grazed {
            doubtful = doubtful.min(gap / (b.abs() + (root2.abs() + grazed).sqrt()));
        } else if b > 0.0 && root2 > 0.0 {
            sure = sure.min(gap / (b + root2.sqrt()));
        }
    }
    judge.doubt |= doubtful < sure;
    sure
}

/// Which side to keep to, -1 left to 1 right, and how much comes towards one.
pub(super) fn side(
    list: &[Neighbour],
    params: &AvoidParams,
    ahead: DVec2,
    reach: f64,
    judge: &mut Judge,
) -> (f64, f64) {
    let [mut lead, mut leaders, mut shun, mut against] = [0.0; 4];
    for n in list {
        let (forward, right) = (n.offset.dot(ahead), -ahead.perp_dot(n.offset));
        if !judge.below(0.0, forward, n.offset.length() * 0.1) {
            continue;
        }
        let near = (1.0 - forward / reach).max(0.0);
        let beside = (1.0 - right.abs() / f64::from(params.side_band)).max(0.0);
        let sharp = (right - f64::from(HEAD_ON)) * f64::from(SIDE_SHARPNESS);
        let to_the_right = sharp.clamp(-1.0, 1.0);
        let w = near * beside;
        if n.along > 0.0 {
            lead += w * n.along * to_the_right;
            leaders += w * n.along;
        }
        let from = f64::from(params.oncoming);
        let nears = (-n.velocity.dot(ahead) * f64::from(PER_APPROACH)).clamp(0.0, 1.0);
        let comes = nears * ((-n.along - from) / (1.0 - from)).max(0.0);
        shun += w * comes * to_the_right;
        against += w * comes;
    }
    // As much as others come towards one, one seeks shelter behind those who go along.
    let follow = f64::from(params.follow) * (against * f64::from(WARINESS)).min(1.0);
    ((follow * lead - shun) / (follow * leaders + against + 0.5), against)
}

/// The largest cosine to a direction of those whom one touches, or nearly, -1 where there is nobody; `None` where one of
/// them faces another way.
pub(super) fn touched_ahead(
    list: &[Neighbour],
    direction: DVec2,
    judge: &mut Judge,
) -> Option<f64> {
    let (mut sure, mut doubtful) = (-1.0_f64, -1.0_f64);
    for n in list {
        let distance = n.offset.length();
        let cosine = n.offset.dot(direction) / distance.max(0.01);
        let mut close = Judge::default();
        let touches = close.below(distance, n.touch + f64::from(NEARLY_TOUCHING), n.touch);
        if (touches || close.doubt) && close.below(n.along, 0.0, 1.0) {
            judge.doubt |= close.doubt;
            return None;
        }
        if close.doubt {
            doubtful = doubtful.max(cosine);
        } else if touches {
            sure = sure.max(cosine);
        }
    }
    judge.doubt |= doubtful > sure;
    Some(sure)
}

/// Metres one can go in a direction before touching somebody, were all to stand still but those who walk
/// off faster than `speed`, who have `anticipation` seconds of that behind them.
pub(super) fn headway(
    list: &[Neighbour],
    direction: DVec2,
    lane: f64,
    far: f64,
    (speed, anticipation): (f64, f64),
    judge: &mut Judge,
) -> f64 {
    let (mut sure, mut doubtful) = (far, f64::INFINITY);
    for n in list {
        let (along, aside) = (n.offset.dot(direction), direction.perp_dot(n.offset).abs());
        let gap = along - (n.touch * n.touch - aside * aside).max(0.0).sqrt();
        let off = (n.velocity.dot(direction) - speed).max(0.0);
        let gap = (gap + off * anticipation).max(0.0);
        let mut close = Judge::default();
        let blocks = close.below(0.0, along, n.offset.length() * 0.1)
            & close.below(aside, n.touch * lane, n.touch);
        if close.doubt {
            doubtful = doubtful.min(gap);
        } else if blocks {
            sure = sure.min(gap);
        }
    }
    judge.doubt |= doubtful < sure;
    sure
}

/// A vector in double precision.
pub(super) fn wide(v: Vec2) -> DVec2 {
    v.as_dvec2()
}

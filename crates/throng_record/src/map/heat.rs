//! Heat maps: what the people on a spot have in common, or a potential, as colours on the ground.

use super::layout::Layout;
use super::{Heat, MapExtras, Settings, ground};
use crate::draw::{ColorBar, ColorMap, Mask, Rgb, surface, theme, ticks};
use crate::{AgentFrame, Image, RecordError};
use glam::Vec2;
use throng_world::World;

/// Pixels of a cell of the heat map.
const CELL: usize = 4;
/// Reach of an agent (metres), at least `LEAST_REACH` cells.
const REACH: f32 = 1.2;
const LEAST_REACH: f32 = 2.2;
/// Densities below this do not show (part of the top).
const FADE_IN: f32 = 0.12;
const STRENGTH: f32 = 0.88;
/// Tops start from here: people per square metre, seconds.
const LEAST_DENSITY: f32 = 1.0;
const LEAST_WAIT: f32 = 10.0;

/// Which neighbouring cells people can see each other from: no wall lies between their middles.
struct Passages {
    columns: usize,
    rows: usize,
    /// Whether the middle of a cell is open ground (1) or in a wall (0).
    open: Vec<f32>,
    /// Whether the way is free to the next column, and to the next row.
    right: Vec<bool>,
    down: Vec<bool>,
}

impl Passages {
    /// Everything is open where there are no barriers.
    fn new((columns, rows): (usize, usize), layout: &Layout, barriers: Option<&Mask>) -> Self {
        let (width, height) = layout.map_size();
        let covered = |x: usize, y: usize| {
            let barrier = barriers.filter(|_| x < width && y < height);
            barrier.is_some_and(|b| b.at(layout.corner.0 + x, layout.corner.1 + y) > 0.5)
        };
        let middle = |cell: usize| cell * CELL + CELL / 2;
        let cells = || (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)));
        let free = |x: usize, y: usize| if covered(middle(x), middle(y)) { 0.0 } else { 1.0 };
        let across = |at: usize, x: usize, y: usize| !covered(middle(x) + at, middle(y));
        let along = |at: usize, x: usize, y: usize| !covered(middle(x), middle(y) + at);
        Self {
            columns,
            rows,
            open: cells().map(|(x, y)| free(x, y)).collect(),
            right: cells().map(|(x, y)| (0..=CELL).all(|at| across(at, x, y))).collect(),
            down: cells().map(|(x, y)| (0..=CELL).all(|at| along(at, x, y))).collect(),
        }
    }

    /// Whether all four cells from this one on see each other.
    fn square(&self, x: usize, y: usize) -> bool {
        let at = y * self.columns + x;
        let (next, below) = (x + 1 < self.columns, y + 1 < self.rows);
        let right = |at: usize| self.right[at];
        let down = |at: usize| self.down[at];
        next && below && right(at) && down(at) && down(at + 1) && right(at + self.columns)
    }
}

/// The sums of a heat map, kept from frame to frame.
pub(super) struct HeatLayer {
    columns: usize,
    rows: usize,
    weight: Vec<f32>,
    value: Vec<f32>,
    scratch: Vec<f32>,
    passages: Passages,
    /// Where no heat is shown; none without a heat map.
    solid: Option<Mask>,
    top: f32,
    low: f32,
}

/// Refuses what cannot be drawn.
pub(super) fn check(
    heat: Option<Heat>,
    frame: &AgentFrame<'_>,
    extras: &MapExtras<'_>,
) -> Result<(), RecordError> {
    let missing = |cause: &str| RecordError::BadFrame { step: frame.step, cause: cause.to_owned() };
    match heat {
        Some(Heat::Potential) if extras.potential.is_none() => {
            Err(missing("a heat map of the potential needs the potential"))
        }
        Some(Heat::Waiting) => match extras.waiting {
            None => Err(missing("a heat map of waiting needs everybody's waiting time")),
            Some(waiting) if waiting.len() != frame.len() => {
                Err(missing("waiting times and agents differ in number"))
            }
            Some(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// The colours of a heat map.
pub(super) fn color_map(heat: Heat) -> ColorMap {
    match heat {
        Heat::Density | Heat::Waiting => ColorMap::HEAT,
        Heat::Speed => ColorMap::PACE,
        Heat::Potential => theme::POTENTIAL_MAP,
    }
}

impl HeatLayer {
    pub(super) fn new(layout: &Layout, world: &World, settings: &Settings) -> Self {
        let (width, height) = layout.map_size();
        let (columns, rows) = (width.div_ceil(CELL) + 1, height.div_ceil(CELL) + 1);
        let empty = vec![0.0; columns * rows];
        let barriers = settings.heat.map(|_| ground::barriers(world, layout));
        Self {
            passages: Passages::new((columns, rows), layout, barriers.as_ref()),
            columns,
            rows,
            weight: empty.clone(),
            value: empty.clone(),
            scratch: empty,
            solid: settings.heat.map(|_| ground::solid(world, layout)),
            top: 0.0,
            low: 0.0,
        }
    }

    /// Draws the heat map, if one is asked for.
    pub(super) fn draw(
        &mut self,
        image: &mut Image,
        layout: &Layout,
        settings: &Settings,
        frame: &AgentFrame<'_>,
        extras: &MapExtras<'_>,
    ) {
        match settings.heat {
            None => {}
            Some(Heat::Potential) => self.draw_potential(image, layout, extras),
            Some(heat) => {
                self.gather(layout, heat, frame, extras);
                self.paint(image, layout, settings, heat);
            }
        }
    }

    /// The colour bar that explains it.
    pub(super) fn bar(&self, settings: &Settings) -> Option<ColorBar> {
        let heat = settings.heat?;
        let label = match heat {
            Heat::Density => "density (people/m²)",
            Heat::Speed => "mean speed (m/s)",
            Heat::Waiting => "waiting (s)",
            Heat::Potential => "way to the goal (m)",
        };
        Some(ColorBar {
            map: color_map(heat),
            low: f64::from(self.low),
            high: f64::from(self.top),
            label: label.to_owned(),
            note: String::new(),
        })
    }

    fn gather(
        &mut self,
        layout: &Layout,
        heat: Heat,
        frame: &AgentFrame<'_>,
        extras: &MapExtras<'_>,
    ) {
        self.weight.fill(0.0);
        self.value.fill(0.0);
        for i in 0..frame.len() {
            let at = layout.on_map(frame.position(i)) / CELL as f32 - 0.5;
            let value = match heat {
                Heat::Speed => frame.velocity(i).length(),
                Heat::Waiting => extras.waiting.map_or(0.0, |waiting| waiting[i]),
                Heat::Density | Heat::Potential => 0.0,
            };
            self.add(at, value);
        }
        let per_cell = CELL as f32 / layout.scale;
        let reach = (REACH / per_cell).max(LEAST_REACH);
        for field in [&mut self.weight, &mut self.value] {
            blur(field, &mut self.scratch, &self.passages, reach);
        }
        // People per cell to people per square metre; values stay sums until they are shown.
        let area = per_cell * per_cell;
        self.weight.iter_mut().zip(&mut self.value).for_each(|(weight, value)| {
            *value /= area;
            *weight /= area;
        });
    }

    /// Shares one agent among the four nearest cells; beside a wall it is all in its own.
    fn add(&mut self, at: Vec2, value: f32) {
        let first = at.floor();
        let part = at - first;
        let far = Vec2::new(self.columns as f32, self.rows as f32);
        // Also false for what is not a number.
        if !(first.cmpge(Vec2::NEG_ONE).all() && first.cmplt(far).all() && value.is_finite()) {
            return;
        }
        let inner = first.cmpge(Vec2::ZERO).all();
        if inner && !self.passages.square(first.x as usize, first.y as usize) {
            let own = (at + 0.5).floor().min(far - 1.0);
            let cell = own.y as usize * self.columns + own.x as usize;
            self.weight[cell] += 1.0;
            self.value[cell] += value;
            return;
        }
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (first.x as i64 + dx, first.y as i64 + dy);
            if x < 0 || y < 0 || x >= self.columns as i64 || y >= self.rows as i64 {
                continue;
            }
            let share = |offset: i64, part: f32| if offset == 0 { 1.0 - part } else { part };
            let weight = share(dx, part.x) * share(dy, part.y);
            let cell = y as usize * self.columns + x as usize;
            self.weight[cell] += weight;
            self.value[cell] += weight * value;
        }
    }

    fn paint(&mut self, image: &mut Image, layout: &Layout, settings: &Settings, heat: Heat) {
        let most = crest(&self.value, &self.weight, heat == Heat::Density);
        let least = match heat {
            Heat::Speed => settings.top_speed,
            Heat::Waiting => LEAST_WAIT,
            _ => LEAST_DENSITY,
        };
        let round = |top: f32| {
            let step = ticks::round_step(f64::from(top), 5);
            ((f64::from(top) / step).ceil() * step) as f32
        };
        let grown = if heat == Heat::Speed { least } else { round(most.max(least)) };
        self.top = settings.heat_top.unwrap_or(self.top.max(grown));
        let map = color_map(heat);
        // Mean values fade out where nobody is; densities by themselves.
        let full = if heat == Heat::Density { self.top * FADE_IN } else { 0.06 };
        let (width, height) = layout.map_size();
        for y in 0..height {
            for x in 0..width {
                let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / CELL as f32 - 0.5;
                let size = (self.columns, self.rows);
                // Cells in walls hold nobody, and do not count.
                let open = sample(&self.passages.open, size, at).max(0.25);
                let sum = sample(&self.weight, size, at);
                let weight = sum / open;
                let alpha = (weight / full).min(1.0);
                if alpha <= 0.01 {
                    continue;
                }
                let value = match heat {
                    Heat::Density => weight,
                    _ => sample(&self.value, size, at) / sum.max(1e-6),
                };
                let color = map.at(value / self.top);
                let free = free(self.solid.as_ref(), layout, x, y);
                let pixel = &mut image.row_mut(layout.corner.1 + y)[layout.corner.0 + x];
                *pixel = pixel.mix(color, alpha * STRENGTH * free);
            }
        }
    }

    fn draw_potential(&mut self, image: &mut Image, layout: &Layout, extras: &MapExtras<'_>) {
        let Some(potential) = extras.potential else { return };
        let finite = potential.as_slice().iter().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f32::INFINITY, 0.0f32), |(low, high), v| (low.min(v), high.max(v)));
        (self.low, self.top) = (low.min(high), high.max(low.min(high) + 1e-6));
        let step = ticks::round_step(f64::from(self.top - self.low), 16) as f32;
        let (width, height) = layout.map_size();
        for y in 0..height {
            for x in 0..width {
                let at = (layout.in_world(x, y) - potential.origin()) / potential.cell_size();
                let value = surface::sample(potential, at);
                if !value.is_finite() {
                    continue;
                }
                let color = theme::POTENTIAL_MAP.at((value - self.low) / (self.top - self.low));
                // Every other band a little darker: the eye follows equal distances.
                let band = (value / step).floor() as i64 % 2 == 0;
                let color = if band { color } else { color.mix(Rgb([20, 20, 40]), 0.07) };
                let free = free(self.solid.as_ref(), layout, x, y);
                let pixel = &mut image.row_mut(layout.corner.1 + y)[layout.corner.0 + x];
                *pixel = pixel.mix(color, STRENGTH * free);
            }
        }
    }
}

/// A density, or mean value, that few cells with people exceed: a single peak would pale all the rest.
fn crest(values: &[f32], weights: &[f32], density: bool) -> f32 {
    const BELOW: f32 = 0.995;
    let seen = values.iter().zip(weights).filter(|(_, weight)| **weight > 0.05);
    let mut seen: Vec<f32> =
        seen.map(|(value, weight)| if density { *weight } else { value / weight }).collect();
    if seen.is_empty() {
        return 0.0;
    }
    let at = ((seen.len() - 1) as f32 * BELOW) as usize;
    *seen.select_nth_unstable_by(at, f32::total_cmp).1
}

/// How much of a pixel of the map is not solid.
fn free(solid: Option<&Mask>, layout: &Layout, x: usize, y: usize) -> f32 {
    solid.map_or(1.0, |solid| 1.0 - solid.at(layout.corner.0 + x, layout.corner.1 + y))
}

fn sample(field: &[f32], (columns, rows): (usize, usize), at: Vec2) -> f32 {
    let at = at.clamp(Vec2::ZERO, Vec2::new(columns as f32 - 1.001, rows as f32 - 1.001));
    let (x, y) = (at.x as usize, at.y as usize);
    let (tx, ty) = (at.x - x as f32, at.y - y as f32);
    let first = y * columns + x;
    let row = |first: usize| field[first] * (1.0 - tx) + field[first + 1] * tx;
    row(first) * (1.0 - ty) + row(first + columns) * ty
}

/// Blurs by a tent of `reach` cells, along rows and then columns, up to the next wall. Keeps sums: what
/// a wall holds back stays on this side.
fn blur(field: &mut [f32], scratch: &mut [f32], passages: &Passages, reach: f32) {
    let Passages { columns, rows, right, down, .. } = passages;
    let (columns, rows) = (*columns, *rows);
    let radius = reach.ceil() as usize;
    let tent: Vec<f32> = (0..=radius).map(|i| (1.0 - i as f32 / (reach + 0.5)).max(0.0)).collect();
    let line = |from: &[f32], to: &mut [f32], free: &[bool], (start, step, count)| {
        for i in 0..count {
            let cell = |i: usize| start + i * step;
            let value = from[cell(i)];
            if value == 0.0 {
                continue;
            }
            let up = (i..count - 1).take_while(|&k| free[cell(k)]).take(radius).count();
            let back = (0..i).rev().take_while(|&k| free[cell(k)]).take(radius).count();
            let sum = |n: usize| tent[1..=n].iter().sum::<f32>();
            let share = value / (tent[0] + sum(up) + sum(back));
            to[cell(i)] += share * tent[0];
            (1..=up).for_each(|k| to[cell(i + k)] += share * tent[k]);
            (1..=back).for_each(|k| to[cell(i - k)] += share * tent[k]);
        }
    };
    scratch.fill(0.0);
    for y in 0..rows {
        line(field, scratch, right, (y * columns, 1, columns));
    }
    field.fill(0.0);
    for x in 0..columns {
        line(scratch, field, down, (x, columns, rows));
    }
}

//! The colours and sizes shared by all pictures, so that they look like one family.

use super::{ColorMap, Rgb};

/// Behind everything.
pub const PAGE: Rgb = Rgb([255, 255, 255]);
/// Titles and numbers.
pub const INK: Rgb = Rgb([31, 35, 40]);
/// Subtitles and notes.
pub const QUIET_INK: Rgb = Rgb([96, 103, 112]);
/// Frames around maps and bars.
pub const FRAME: Rgb = Rgb([120, 126, 134]);
/// Inside of walls.
pub const WALL: Rgb = Rgb([58, 62, 70]);
/// Rim of walls.
pub const WALL_EDGE: Rgb = Rgb([24, 26, 31]);
/// Free ground of cost 1 on a map without a field.
pub const GROUND: Rgb = Rgb([238, 240, 236]);
/// What the ground's colour tends to where walking costs most.
pub const SLOW_GROUND: Rgb = Rgb([84, 58, 34]);
/// Ground that cannot be reached.
pub const UNREACHABLE: Rgb = Rgb([226, 227, 230]);
/// Hatching of ground that cannot be reached.
pub const UNREACHABLE_HATCH: Rgb = Rgb([172, 175, 182]);
/// Goals and paths.
pub const ACCENT: Rgb = Rgb([226, 38, 60]);
/// Around goals and paths, to lift them off any ground.
pub const CASING: Rgb = Rgb([255, 255, 255]);

/// Distance or time to a goal: yellow at the goal, deep blue-violet far away. The darkest part of
/// viridis is left out so that far ground is not taken for wall.
pub const POTENTIAL_MAP: ColorMap = ColorMap::VIRIDIS.part(1.0, 0.14);

/// Text heights (em) in pixels.
pub const TITLE_SIZE: f32 = 22.0;
/// Second line of the title.
pub const SUBTITLE_SIZE: f32 = 14.0;
/// Labels of the legend and the scale bar.
pub const LABEL_SIZE: f32 = 13.0;
/// Notes, and labels inside a map.
pub const SMALL_SIZE: f32 = 11.5;

/// Pixels between two lines of hatching, along x.
const HATCH_PERIOD: f32 = 9.0;
/// Pixels of one line of hatching, along x.
const HATCH_LINE: f32 = 2.2;

/// How much of the pixel `(x, y)` a diagonal hatching covers, 0 to 1.
pub fn hatch(x: usize, y: usize) -> f32 {
    let along = (x + y) as f32 % HATCH_PERIOD;
    let from_line = along.min(HATCH_PERIOD - along);
    (HATCH_LINE / 2.0 + 0.5 - from_line).clamp(0.0, 1.0)
}

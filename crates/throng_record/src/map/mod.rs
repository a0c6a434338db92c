//! `CrowdMap`: the crowd seen from above, drawn for people, without a GPU.
//!
//! `layout` puts title, clock, map, legend and scale bar on the page; `ground` paints what stays
//! (terrain, walls, goals) once; `heat`, `trails`, `agents` and `labels` paint what moves; `panel`
//! writes the legend with its counts; `palette` gives everybody a colour.

mod agents;
mod ground;
mod heat;
mod labels;
mod layout;
mod palette;
mod panel;
#[cfg(test)]
mod tests;
mod trails;

use crate::draw::{ColorMap, Rgb};
use crate::{AgentFrame, Image, RecordError};
use glam::Vec2;
use heat::HeatLayer;
use layout::Layout;
use palette::Palette;
use throng_field::Grid;
use throng_world::World;
use throng_world::world::Rect;
use trails::Trails;

/// Width of a picture that does not say otherwise, in pixels.
const USUAL_WIDTH: usize = 1200;
/// Narrower pictures have no room for the legend.
const LEAST_WIDTH: usize = 320;

/// What the colour of a person says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// The group's colour.
    #[default]
    Group,
    /// What it does; whoever walks to a goal has the goal's colour.
    Action,
    /// How fast it is.
    Speed,
}

/// What the ground shows besides itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// People per square metre.
    Density,
    /// Mean speed of the people there (metres per second).
    Speed,
    /// Mean time the people there have waited (seconds), from [`MapExtras::waiting`].
    Waiting,
    /// A potential, from [`MapExtras::potential`].
    Potential,
}

/// Something to fear, where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HazardMark<'a> {
    /// Its middle (metres).
    pub position: Vec2,
    /// Its radius (metres).
    pub radius: f32,
    /// Its colour.
    pub color: [u8; 3],
    /// Its name, written beside it.
    pub name: &'a str,
}

/// What a frame shows besides the people.
#[derive(Clone, Copy, Debug, Default)]
pub struct MapExtras<'a> {
    /// For [`Heat::Potential`].
    pub potential: Option<&'a Grid<f32>>,
    /// For [`Heat::Waiting`]: how long everybody has waited (seconds), in the frame's order.
    pub waiting: Option<&'a [f32]>,
    /// Hazards; `None` takes the world's own at the frame's time.
    pub hazards: Option<&'a [HazardMark<'a>]>,
}

/// A map of a world with its people, frame after frame. What does not change is drawn once.
///
/// ```
/// use glam::Vec2;
/// use throng_record::{AgentFrame, ColorBy, CrowdMap, MapExtras};
/// use throng_world::World;
///
/// let world = World::open((40, 20), 1.0, Vec2::ZERO)?;
/// let frame = AgentFrame {
///     ids: &[7], x: &[3.0], y: &[4.0], vx: &[1.0], vy: &[0.0],
///     group: &[0], action: &[0], radius: &[0.3], ..AgentFrame::default()
/// };
/// let mut map = CrowdMap::new(&world).color_by(ColorBy::Speed).title("one walks").width(640);
/// let image = map.render(&frame, &MapExtras::default())?;
/// assert_eq!(image.width(), 640);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CrowdMap<'a> {
    world: &'a World,
    settings: Settings,
    drawn: Option<Drawn>,
}

/// What the picture should show.
#[derive(Clone, Debug)]
struct Settings {
    width: usize,
    view: Rect,
    color_by: ColorBy,
    heat: Option<Heat>,
    heat_top: Option<f32>,
    trail_seconds: f32,
    top_speed: f32,
    title: String,
    subtitle: String,
}

/// What is kept from one frame to the next.
struct Drawn {
    layout: Layout,
    palette: Palette,
    background: Image,
    heat: HeatLayer,
    trails: Trails,
    splats: agents::Splats,
    labels: labels::Labels,
}

impl<'a> CrowdMap<'a> {
    /// A map of the whole world, people coloured by group, titled as the world is.
    pub fn new(world: &'a World) -> Self {
        let fastest = world.groups.iter().map(|group| group.speed.max()).fold(0.0, f32::max);
        let settings = Settings {
            width: USUAL_WIDTH,
            view: world.bounds(),
            color_by: ColorBy::Group,
            heat: None,
            heat_top: None,
            trail_seconds: 0.0,
            top_speed: if fastest > 0.0 { fastest } else { 1.5 },
            title: world.title.clone(),
            subtitle: String::new(),
        };
        Self { world, settings, drawn: None }
    }

    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self.drawn = None;
        self
    }

    /// Width of the picture in pixels (1200 unless given, at least 320); its height follows.
    #[must_use]
    pub fn width(self, pixels: usize) -> Self {
        self.with(|s| s.width = pixels.max(LEAST_WIDTH))
    }

    /// Shows only this part of the world (metres).
    #[must_use]
    pub fn view(self, view: Rect) -> Self {
        self.with(|s| s.view = view)
    }

    /// What colours say.
    #[must_use]
    pub fn color_by(self, by: ColorBy) -> Self {
        self.with(|s| s.color_by = by)
    }

    /// Lays a heat map over the ground; people become small and dark.
    #[must_use]
    pub fn heat(self, heat: Heat) -> Self {
        self.with(|s| s.heat = Some(heat))
    }

    /// The value that gets the heat map's last colour; unless given it grows with what was seen.
    #[must_use]
    pub fn heat_top(self, top: f32) -> Self {
        self.with(|s| s.heat_top = (top > 0.0).then_some(top))
    }

    /// Draws where people went in the last seconds. Needs frames in sequence.
    #[must_use]
    pub fn trails(self, seconds: f32) -> Self {
        self.with(|s| s.trail_seconds = seconds.max(0.0))
    }

    /// The title; the world's own unless given, none if empty.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        let title = title.into();
        self.with(|s| s.title = title)
    }

    /// A second, quieter line below the title.
    #[must_use]
    pub fn subtitle(self, subtitle: impl Into<String>) -> Self {
        let subtitle = subtitle.into();
        self.with(|s| s.subtitle = subtitle)
    }

    /// The colours that mean something in the picture, for [`crate::ClipOptions::colors`].
    pub fn key_colors(&self) -> Vec<Rgb> {
        let palette = Palette::new(self.world, &self.settings);
        let mut colors = palette.key_colors();
        if let Some(heat) = self.settings.heat {
            colors.extend((0..=16).map(|i| heat::color_map(heat).at(i as f32 / 16.0)));
        }
        colors
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// When the frame's slices differ in length, or extras the heat map needs are missing.
    pub fn render(
        &mut self,
        frame: &AgentFrame<'_>,
        extras: &MapExtras<'_>,
    ) -> Result<Image, RecordError> {
        frame.check_lengths()?;
        heat::check(self.settings.heat, frame, extras)?;
        let (world, settings) = (self.world, &self.settings);
        let drawn = self.drawn.get_or_insert_with(|| Drawn::new(world, settings));
        let mut image = drawn.background.clone();
        let layout = &drawn.layout;
        drawn.heat.draw(&mut image, layout, settings, frame, extras);
        if settings.trail_seconds > 0.0 {
            drawn.trails.advance(layout, &drawn.palette, settings, frame);
            drawn.trails.draw(&mut image, layout);
        }
        let hazards = labels::hazards(world, frame.time, extras);
        labels::draw_hazards(&mut image, layout, &hazards);
        agents::draw(&mut image, layout, &drawn.palette, settings, frame, &mut drawn.splats);
        drawn.labels.draw(&mut image, world, layout, &hazards);
        layout.draw_clock(&mut image, frame);
        let sections = panel::sections(world, settings, &drawn.palette, frame, &hazards);
        let bar = drawn.heat.bar(settings);
        panel::draw(&mut image, layout, &sections, bar.as_ref());
        Ok(image)
    }
}

impl Drawn {
    fn new(world: &World, settings: &Settings) -> Self {
        let layout = Layout::new(world, settings);
        let palette = Palette::new(world, settings);
        let background = ground::draw(world, &layout);
        let (width, height) = layout.map_size();
        Self {
            heat: HeatLayer::new(&layout, world, settings),
            trails: Trails::new(width, height),
            splats: agents::Splats::new(width, height),
            labels: labels::Labels::default(),
            layout,
            palette,
            background,
        }
    }
}

/// Colours of speeds.
fn pace(settings: &Settings, speed: f32) -> Rgb {
    ColorMap::PACE.at(speed / settings.top_speed)
}

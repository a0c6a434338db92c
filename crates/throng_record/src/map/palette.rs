//! Everybody's colour.

use super::{ColorBy, Settings, pace};
use crate::AgentFrame;
use crate::draw::Rgb;
use throng_world::World;
use throng_world::world::Seek;

/// Colours that are told apart on green and grey ground, for what has none of its own.
const SPARE: [Rgb; 8] = [
    Rgb([33, 92, 171]),
    Rgb([214, 84, 24]),
    Rgb([122, 58, 158]),
    Rgb([201, 42, 92]),
    Rgb([20, 122, 120]),
    Rgb([138, 92, 20]),
    Rgb([84, 96, 170]),
    Rgb([92, 30, 60]),
];
/// Those who stand about.
const IDLE: Rgb = Rgb([92, 98, 108]);
/// Those who flee.
const FLEE: Rgb = Rgb([214, 20, 90]);
/// Lighter colours are darkened to this, or they vanish on the ground.
const LIGHTEST: f32 = 0.62;
/// A second action with the same goal is this much darker.
const SAME_GOAL: f32 = 0.3;

/// Colours of groups and actions.
pub(super) struct Palette {
    pub(super) groups: Vec<Rgb>,
    pub(super) actions: Vec<Rgb>,
}

impl Palette {
    pub(super) fn new(world: &World, _: &Settings) -> Self {
        let groups = world.groups.iter().map(|group| visible(Rgb(group.color))).collect();
        let mut seen = vec![0u32; world.goals.len()];
        let mut spare = SPARE.iter().cycle();
        let mut next = || spare.next().copied().unwrap_or(IDLE);
        let actions = world.actions.iter().map(|action| match action.seek {
            Seek::Goal(goal) => match world.goals.get(usize::from(goal)) {
                Some(kind) => {
                    let times = &mut seen[usize::from(goal)];
                    *times += 1;
                    let darker = SAME_GOAL * (*times - 1) as f32;
                    visible(Rgb(kind.color)).mix(Rgb([0, 0, 0]), darker.min(0.6))
                }
                None => next(),
            },
            Seek::Nothing => IDLE,
            Seek::Away => FLEE,
            Seek::Target => next(),
        });
        Self { groups, actions: actions.collect() }
    }

    pub(super) fn group(&self, index: u8) -> Rgb {
        pick(&self.groups, index)
    }

    pub(super) fn action(&self, index: u8) -> Rgb {
        pick(&self.actions, index)
    }

    /// The colour of the agent at index `i`.
    pub(super) fn of(&self, settings: &Settings, frame: &AgentFrame<'_>, i: usize) -> Rgb {
        match settings.color_by {
            ColorBy::Group => self.group(frame.group[i]),
            ColorBy::Action => self.action(frame.action[i]),
            ColorBy::Speed => pace(settings, frame.velocity(i).length()),
        }
    }

    pub(super) fn key_colors(&self) -> Vec<Rgb> {
        let speeds = (0..=8).map(|i| crate::draw::ColorMap::PACE.at(i as f32 / 8.0));
        let own = self.groups.iter().chain(&self.actions).copied();
        own.chain(SPARE).chain(speeds).chain([IDLE, FLEE]).collect()
    }
}

fn pick(colors: &[Rgb], index: u8) -> Rgb {
    let index = usize::from(index);
    colors.get(index).copied().unwrap_or(SPARE[index % SPARE.len()])
}

/// A colour that stands out on pale ground, of the same hue.
pub(super) fn visible(color: Rgb) -> Rgb {
    let lightness = color.lightness();
    if lightness <= LIGHTEST {
        return color;
    }
    color.mix(Rgb([0, 0, 0]), 1.0 - LIGHTEST / lightness)
}

//! Animations of a file as clips.

use glam::{Quat, Vec3};
use gltf::animation::{Interpolation as Kind, Property};

use super::skeleton::Tree;
use super::{Reading, Refusal};
use crate::clip::tracks::{Channel, Interpolation, Track};
use crate::clip::{Clip, Motion};

/// Names of motions that are over when they are over.
const ONCE: [&str; 10] = [
    "death",
    "die",
    "jump_start",
    "jump_land",
    "sit_down",
    "stand_up",
    "pickup",
    "throw",
    "lie_down",
    "spawn",
];

/// All animations; if there are none, one clip that stands at rest.
pub(super) fn read_all(reading: &mut Reading<'_>, tree: &Tree) -> Result<Vec<Clip>, Refusal> {
    let mut clips = Vec::new();
    for animation in reading.document.animations() {
        let index = animation.index();
        let mut tracks = Vec::new();
        for channel in animation.channels() {
            if channel.target().property() == Property::MorphTargetWeights {
                reading.notice("animations of morph targets are left out".to_owned());
                continue;
            }
            // What moves none of our joints moves nothing that is seen.
            if let Some(joint) = tree.of_node.get(&channel.target().node().index()) {
                tracks.push(track(reading, index, &channel, *joint)?);
            }
        }
        let ends = tracks.iter().filter_map(|t: &Track| t.times.last().copied());
        let duration = ends.fold(0.0_f32, f32::max);
        let name = animation.name().map_or_else(|| format!("clip {index}"), str::to_owned);
        let low = name.to_lowercase();
        let looping = !ONCE.iter().any(|once| low.contains(once));
        if tracks.is_empty() {
            reading.notice(format!("animation {index} ({name}) moves no bone and is left out"));
            continue;
        }
        let motion = Motion::Tracks(tracks);
        clips.push(Clip {
            name,
            duration,
            looping,
            stride: None,
            blend: 0.2,
            props: Vec::new(),
            motion,
        });
    }
    if clips.is_empty() {
        reading.notice("there are no animations: it stands at rest".to_owned());
        let motion = Motion::Tracks(Vec::new());
        let name = "rest".to_owned();
        clips.push(Clip {
            name,
            duration: 1.0,
            looping: true,
            stride: None,
            blend: 0.2,
            props: Vec::new(),
            motion,
        });
    }
    Ok(clips)
}

fn track(
    reading: &Reading<'_>,
    index: usize,
    channel: &gltf::animation::Channel<'_>,
    joint: usize,
) -> Result<Track, Refusal> {
    let refuse = |what: String| Refusal::Animation { index, what };
    let sampler = channel.sampler();
    let times: Vec<f32> =
        reading.buffers.floats::<1>(&sampler.input())?.into_iter().flatten().collect();
    if times.is_empty() {
        return Err(refuse("a channel has no keys".to_owned()));
    }
    if let Some(at) = times.windows(2).position(|w| w[1] < w[0]) {
        return Err(refuse(format!("key {} comes before key {at}", at + 1)));
    }
    let interpolation = match sampler.interpolation() {
        Kind::Step => Interpolation::Step,
        Kind::Linear => Interpolation::Linear,
        Kind::CubicSpline => Interpolation::Cubic,
    };
    let output = sampler.output();
    let vectors = || -> Result<Vec<Vec3>, Refusal> {
        Ok(reading.buffers.floats::<3>(&output)?.into_iter().map(Vec3::from).collect())
    };
    let (channel, found) = match channel.target().property() {
        Property::Rotation => {
            let list = reading.buffers.floats::<4>(&output)?.into_iter();
            // Tangents of cubic keys are no turns, and keep their length.
            let cubic = interpolation == Interpolation::Cubic;
            let turn = |(i, q): (usize, [f32; 4])| {
                let q = Quat::from_array(q);
                let key = !cubic || i % 3 == 1;
                if key && q.length_squared() > 1e-12 {
                    q.normalize()
                } else if key {
                    Quat::IDENTITY
                } else {
                    q
                }
            };
            let list: Vec<Quat> = list.enumerate().map(turn).collect();
            let found = list.len();
            (Channel::Rotation(list), found)
        }
        Property::Scale => {
            let list = vectors()?;
            let found = list.len();
            (Channel::Scale(list), found)
        }
        _ => {
            let list = vectors()?;
            let found = list.len();
            (Channel::Translation(list), found)
        }
    };
    let wanted = times.len() * if interpolation == Interpolation::Cubic { 3 } else { 1 };
    if found != wanted {
        return Err(refuse(format!("{found} values for {wanted} keys")));
    }
    Ok(Track { joint, times, interpolation, channel })
}

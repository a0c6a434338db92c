//! If these fail, what the GPU will play is not what was animated, or takes too much room.

use glam::Vec3;
use throng_character::{BakedClips, Character};

use super::{Dice, froblin};

fn exact(character: &Character, clip: usize, time: f32) -> Vec<Vec3> {
    let pose = character.clips[clip].pose(&character.skeleton, time);
    let matrices = character.skeleton.flatten(&pose);
    throng_character::sheet::draw::skinned(&character.levels[0].mesh, &matrices).0
}

pub(super) fn worst_error(
    character: &Character,
    baked: &BakedClips,
    pairs: usize,
) -> (f32, String) {
    let mut dice = Dice(11);
    let mesh = &character.levels[0].mesh;
    let mut worst = (0.0_f32, String::new());
    for _ in 0..pairs {
        let clip = (dice.roll() * character.clips.len() as f32) as usize;
        let time = dice.between(0.0, character.clips[clip].duration);
        let truth = exact(character, clip, time);
        // Every seventh vertex, another seventh each time.
        let first = (dice.roll() * 7.0) as usize;
        for v in (first..mesh.positions.len()).step_by(7) {
            let p = baked.skin(clip, time, mesh.positions[v], mesh.joints[v], mesh.weights[v]);
            let off = p.distance(truth[v]);
            if off > worst.0 {
                worst = (off, format!("{} at {time:.3} s, vertex {v}", baked.names[clip]));
            }
        }
    }
    worst
}

#[test]
fn baked_clips_follow_the_exact_ones() {
    let (character, baked) = froblin();
    let (off, place) = worst_error(character, baked, 1000);
    println!("worst {:.3} % of the height: {place}", off * 100.0);
    assert!(off <= 0.005, "{:.3} % of the body height at {place}", off * 100.0);
}

#[test]
fn all_clips_are_small_and_without_waste() {
    let (character, baked) = froblin();
    let sizes = baked.sizes();
    println!("{} clips, {} joints, {sizes:?}", baked.table.len(), baked.joints);
    assert!(character.clips.len() >= 40, "{} clips", character.clips.len());
    assert!(sizes.bytes <= 4_000_000, "{} bytes", sizes.bytes);
    assert!(
        sizes.padding * 20 <= sizes.bytes,
        "{} of {} bytes are padding",
        sizes.padding,
        sizes.bytes
    );
    // Back to back: each begins where the last ended, and the last ends with the rows.
    let mut next = 0;
    for clip in &baked.table {
        assert_eq!(clip.first, next);
        next += clip.keys;
    }
    assert_eq!(next as usize * baked.joints as usize, baked.rows.len());
}

#[test]
fn every_action_of_the_valley_has_a_clip() {
    let (character, _) = froblin();
    let wanted = "idle idle_tap idle_scratch walk_slow walk walk_fast walk_tired walk_loaded run flee stumble turn_left \
        turn_right eat mine lift carry drop queue talk wave sit_down sit sleep get_up fear cough push look_around celebrate";
    for name in wanted.split_whitespace() {
        assert!(character.clip(name).is_some(), "there is no clip `{name}`");
    }
    let mut names: Vec<&str> = character.clips.iter().map(|clip| clip.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|w| w[0] != w[1]), "two clips have one name");
}

#[test]
fn loops_close_and_nothing_jumps() {
    let (character, _) = froblin();
    for clip in &character.clips {
        let at = |time: f32| character.skeleton.places(&clip.pose(&character.skeleton, time));
        let steps = (clip.duration * 240.0).ceil() as usize;
        let mut last = at(0.0);
        let rounds = if clip.looping { steps + 4 } else { steps };
        for i in 1..=rounds {
            let now = at(i as f32 * clip.duration / steps as f32);
            for (joint, (a, b)) in last.iter().zip(&now).enumerate() {
                let moved = a.translation.distance(b.translation);
                // Twelve body heights a second would be a blow, not a motion.
                let limit = 12.0 * clip.duration / steps as f32;
                assert!(
                    moved < limit,
                    "{}: {} jumps by {moved} at step {i} of {steps}",
                    clip.name,
                    character.skeleton.joints[joint].name
                );
            }
            last = now;
        }
    }
}

#[test]
fn joints_are_not_wrung() {
    // A candy wrapper is a child turned far about its own bone against its parent.
    let (character, _) = froblin();
    let skeleton = &character.skeleton;
    let chains =
        [("forearm", "hand"), ("upper_arm", "forearm"), ("thigh", "shin"), ("shin", "foot")];
    for clip in &character.clips {
        for i in 0..40 {
            let pose = clip.pose(skeleton, clip.duration * i as f32 / 40.0);
            for (bone, child) in chains {
                for side in ["l", "r"] {
                    let [Some(_), Some(c)] =
                        [bone, child].map(|name| skeleton.find(&format!("{name}.{side}")))
                    else {
                        panic!("no bone {bone}.{side}");
                    };
                    let axis = skeleton.joints[c].rest.translation;
                    let turn = throng_character::clip::ik::twist(pose[c].rotation, axis);
                    let angle = 2.0 * turn.w.abs().clamp(0.0, 1.0).acos();
                    assert!(
                        angle < 1.75,
                        "{}: {child}.{side} is wrung by {angle:.2} at {i}/40",
                        clip.name
                    );
                }
            }
        }
    }
}

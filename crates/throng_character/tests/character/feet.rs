//! If these fail, feet slide, float or sink.

use glam::Vec3;
use throng_character::{BakedClips, Character};

use super::froblin;

/// Vertices of a foot's sole: those of heel and ball that touch the ground at rest.
fn sole(character: &Character, side: &str) -> [Vec<usize>; 2] {
    let mesh = &character.levels[0].mesh;
    let find =
        |name: &str| character.skeleton.find(&format!("{name}.{side}")).expect("a foot") as u16;
    let [foot, toes] = [find("foot"), find("toes")];
    let low = |v: &usize| mesh.positions[*v].z < 0.018;
    let of =
        |joint: u16| move |v: &usize| mesh.joints[*v][0] == joint && mesh.weights[*v][0] > 0.75;
    let all = 0..mesh.positions.len();
    let heel =
        all.clone().filter(low).filter(of(foot)).filter(|v| mesh.positions[*v].x < -0.02).collect();
    let ball = all.filter(low).filter(of(toes)).collect();
    [heel, ball]
}

fn middle(
    character: &Character,
    baked: &BakedClips,
    clip: usize,
    time: f32,
    vertices: &[usize],
) -> Vec3 {
    let mesh = &character.levels[0].mesh;
    let all = vertices
        .iter()
        .map(|v| baked.skin(clip, time, mesh.positions[*v], mesh.joints[*v], mesh.weights[*v]));
    all.sum::<Vec3>() / vertices.len() as f32
}

#[test]
fn feet_stand_while_the_body_goes_on() {
    let (character, baked) = froblin();
    let n = 200;
    for (index, clip) in character.clips.iter().enumerate() {
        let Some(stride) = clip.stride else { continue };
        let sign = if clip.name.contains("back") { -1.0 } else { 1.0 };
        let mut worst = 0.0_f32;
        for side in ["l", "r"] {
            let [heel, ball] = sole(character, side);
            assert!(
                heel.len() > 2 && ball.len() > 2,
                "the sole has {} and {} vertices",
                heel.len(),
                ball.len()
            );
            for part in [&heel, &ball] {
                // In the world: where the body is, and the foot on it, over two rounds.
                let track: Vec<Vec3> = (0..2 * n)
                    .map(|i| {
                        let share = i as f32 / n as f32;
                        let p =
                            middle(character, baked, index, share.fract() * clip.duration, part);
                        p + Vec3::X * stride * sign * share
                    })
                    .collect();
                let rest =
                    part.iter().map(|v| character.levels[0].mesh.positions[*v].z).sum::<f32>()
                        / part.len() as f32;
                // On the ground: as low as at rest, for a while.
                let down = |i: usize| track[i].z < rest + 0.0035;
                let mut start = 0;
                while start < track.len() {
                    if !down(start) {
                        start += 1;
                        continue;
                    }
                    let end = (start..track.len()).find(|i| !down(*i)).unwrap_or(track.len());
                    let planted = &track[start..end];
                    let far = planted
                        .iter()
                        .map(|p| (*p - planted[planted.len() / 2]).truncate().length());
                    worst = worst.max(far.fold(0.0, f32::max));
                    start = end;
                }
                let lowest = track.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
                assert!(lowest > -0.012, "{}: a foot sinks to {lowest}", clip.name);
                assert!(lowest < 0.02, "{}: a foot never comes down: {lowest}", clip.name);
            }
        }
        let step = stride * 0.5;
        println!("{:<12} slides {:.2} % of a step", clip.name, worst / step * 100.0);
        assert!(
            worst < 0.03 * step,
            "{}: a foot slides {:.2} % of a step",
            clip.name,
            worst / step * 100.0
        );
    }
}

#[test]
fn time_follows_the_way() {
    let (character, _) = froblin();
    let walk = &character.clips[character.clip("walk").expect("walk")];
    let stride = walk.stride.expect("a stride");
    let time = walk.time_of_distance(stride * 7.25).expect("a time");
    assert!((time - 0.25 * walk.duration).abs() < 1e-3 * walk.duration);
    let idle = &character.clips[character.clip("idle").expect("idle")];
    assert!(idle.time_of_distance(1.0).is_none());
}

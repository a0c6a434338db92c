//! Behaviour of both backends.

use super::super::buffers::TALLY;
use super::world::townspeople;
use super::{SCENES, Share, agents_of, stages};
use crate::dice::Dice;

/// If this fails, people of the two backends do different things. Exact for actions, flags and places;
/// times drawn from a normal distribution to 1e-3 of themselves, for want of the same logarithm.
#[test]
fn behaviour_is_exactly_equal() {
    let mut dice = Dice::new(77);
    let (mut times, mut changed, mut admitted, mut fallen) = (Share::default(), 0, 0, 0);
    for k in 0..SCENES {
        let mut crowd = townspeople(&mut dice, k);
        let (len, dt) = (crowd.len(), [0.05, 0.2][k % 2]);
        let stages = stages(&crowd, dt);
        let before = crowd.agents.clone();
        crowd.behave(dt);
        let (want, busy) = (crowd.agents.clone(), crowd.busy.clone());
        stages.run(|work, pass| work.behave.record(pass));
        let got = agents_of(&stages, &mut crowd, 0);
        assert_eq!(got.traits[..len], want.traits[..len], "scene {k}");
        assert_eq!(got.site[..len], want.site[..len], "scene {k}");
        assert_eq!(crowd.busy, busy, "scene {k}");
        for i in 0..len {
            let near = |got: f32, want: f32| {
                if got == want { 0.0 } else { (got - want).abs() / want.abs().max(1.0) }
            };
            times.add(near(got.left[i], want.left[i]), 1e-3);
            times.add(near(got.clip[i], want.clip[i]), 1e-5);
            times.add(near(got.tired[i], want.tired[i]), 1e-5);
            times.add(near(got.slow[i], want.slow[i]), 1e-5);
            if want.extended {
                times.add(near(got.dose[i], want.dose[i]), 1e-6);
                assert_eq!(got.party[i], want.party[i]);
            }
            changed += usize::from(want.traits[i] != before.traits[i]);
            admitted += usize::from(want.site[i] != before.site[i]);
        }
        let tally = stages.gpu.read::<u32>(&stages.buffers.tally, TALLY.len()).unwrap();
        let totals = crowd.totals();
        let want = [totals.removed, totals.arrived, totals.travels, totals.stuck];
        assert_eq!(tally[..4].iter().map(|&v| u64::from(v)).collect::<Vec<_>>(), want);
        assert_eq!(u64::from(tally[8]), totals.incapacitated);
        fallen += tally[8];
    }
    assert!(changed > 1000 && admitted > 100, "{changed} changed, {admitted} admitted");
    assert!(fallen > 50, "{fallen} fell");
    times.expect("times of actions", 1.0);
}

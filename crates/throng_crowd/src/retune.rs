//! Other parameters while it runs.

use throng_world::params::Params;

use crate::crowd::{Crowd, check};
use crate::error::CrowdError;

impl Crowd {
    /// The parameters that hold now.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Lets other parameters hold from the next step on. Those that the crowd's memory is laid out by
    /// (`bin.size`, `navigate.target_fields`, `navigate.wall_margin`, `navigate.door_side…`) stay as they are.
    ///
    /// # Errors
    /// When one of these differs or a number makes no sense; nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), CrowdError> {
        let (old, new) = (&self.params, &params);
        let laid_out = [
            ("bin.size", old.bin.size, new.bin.size),
            (
                "navigate.target_fields",
                old.navigate.target_fields as f32,
                new.navigate.target_fields as f32,
            ),
            ("navigate.wall_margin", old.navigate.wall_margin, new.navigate.wall_margin),
            ("navigate.door_side", old.navigate.door_side, new.navigate.door_side),
            (
                "navigate.door_side_reach",
                old.navigate.door_side_reach,
                new.navigate.door_side_reach,
            ),
            ("navigate.door_side_span", old.navigate.door_side_span, new.navigate.door_side_span),
        ];
        for (what, was, value) in laid_out {
            if was.to_bits() != value.to_bits() {
                let must = "left as it was when the crowd was made";
                return Err(CrowdError::BadNumber { what, value: f64::from(value), must });
            }
        }
        check(&params)?;
        let behave = &params.behave;
        let tables = &mut self.tables;
        tables.flee_from = behave.flee_from;
        tables.flee_full = behave.flee_full;
        tables.flee_speed = behave.flee_speed;
        tables.slow_when_tired = behave.tired_slows;
        if !self.hazards.is_empty() {
            tables.allow_fleeing();
        }
        self.world.params = params.clone();
        self.params = params;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Crowd, CrowdOptions};
    use throng_world::{BuildOptions, Scene};

    /// If this fails, a parameter is not obeyed, or one that cannot be changed breaks the crowd.
    #[test]
    fn parameters_hold_from_the_next_step_on() {
        let world = || {
            let scene = Scene::builtin("bottleneck").expect("it ships");
            scene.build(&BuildOptions::default()).expect("it is sound")
        };
        let mut crowd = Crowd::new(world(), CrowdOptions::default()).expect("a crowd");
        let mut same = Crowd::new(world(), CrowdOptions::default()).expect("a crowd");
        let mut params = crowd.params().clone();
        params.avoid.time_gap *= 3.0;
        crowd.set_params(params.clone()).expect("it makes sense");
        assert_eq!(crowd.params(), &params);
        for _ in 0..40 {
            crowd.step(0.05).expect("a step");
            same.step(0.05).expect("a step");
        }
        assert_ne!(crowd.hash(), same.hash());
        params.bin.size = 3.0;
        let refused = crowd.set_params(params.clone()).expect_err("bins are laid out");
        assert!(refused.to_string().contains("bin.size"), "{refused}");
        params.bin.size = same.params().bin.size;
        params.avoid.horizon = f32::NAN;
        assert!(crowd.set_params(params).is_err());
        crowd.step(0.05).expect("a step");
    }
}

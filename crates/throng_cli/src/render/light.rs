//! `--time`, `--sun`, `--haze`, `--brightness`: the light of a picture; and where baked light is kept.

use crate::failure::Failure;
use crate::progress::Progress;
use std::path::PathBuf;
use throng::World;
use throng_render::lightmap::{Options, Source};
use throng_render::{Cast, Light, Renderer};

/// What is said about the light.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LightArgs {
    /// Hour of the day by the sun: 12:00 is noon, in June at 47° north
    #[arg(long, value_name = "HH:MM", value_parser = hours, conflicts_with = "sun")]
    time: Option<f32>,
    /// Where the sun stands: degrees clockwise from north, and above the horizon
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = sun, allow_hyphen_values = true)]
    sun: Option<[f32; 2]>,
    /// Thickness of the air, where real air is 1 [default: 2, since places are small]
    #[arg(long, value_name = "TIMES", value_parser = factor)]
    haze: Option<f32>,
    /// Lightness of the picture
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = factor)]
    brightness: f32,
    /// Folder for baked light, which is made once per scene and sun [default: throng/light in the user's
    /// cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_light_map")]
    light_cache: Option<PathBuf>,
    /// No baked light: every place is lit as if it were in the open
    #[arg(long)]
    no_light_map: bool,
}

impl Default for LightArgs {
    fn default() -> Self {
        Self {
            time: None,
            sun: None,
            haze: None,
            brightness: 1.0,
            light_cache: None,
            no_light_map: false,
        }
    }
}

fn hours(text: &str) -> Result<f32, String> {
    let parts = text.split_once(':').and_then(|(h, m)| {
        let (h, m) = (h.parse::<u8>().ok()?, m.parse::<u8>().ok()?);
        (h < 24 && m < 60 && text.len() <= 5).then(|| f32::from(h) + f32::from(m) / 60.0)
    });
    parts.ok_or_else(|| "must be an hour of the day as 16:30".into())
}

fn sun(text: &str) -> Result<[f32; 2], String> {
    let numbers = text.split_once(',').and_then(|(a, e)| {
        let (a, e) = (a.trim().parse::<f32>().ok()?, e.trim().parse::<f32>().ok()?);
        (a.is_finite() && (-90.0..=90.0).contains(&e)).then_some([a, e])
    });
    numbers.ok_or_else(|| "must be two angles as 240,35; the second from -90 to 90".into())
}

fn factor(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=1000.0).contains(&number) => Ok(number),
        _ => Err("must be a number from 0 to 1000".into()),
    }
}

impl LightArgs {
    /// Brings a world up in a renderer, and lights it.
    pub(crate) fn furnish(
        &self,
        renderer: &mut Renderer,
        world: &World,
        quiet: bool,
    ) -> Result<(), Failure> {
        renderer.options.light = self.of(world);
        renderer.set_world(world, Vec::new()).map_err(super::failed)?;
        let folder = crate::cache::folder("characters");
        let cast = Cast::load(world, folder.as_deref()).map_err(super::failed)?;
        renderer.set_cast(world, &cast).map_err(super::failed)?;
        self.bake(renderer, quiet)
    }

    /// The light of a world as it is wanted.
    fn of(&self, world: &World) -> Light {
        let mut light = Light::of_world(world);
        if let Some(hours) = self.time {
            light = light.at_hour(hours);
        }
        if let Some([azimuth, elevation]) = self.sun {
            light = light.with_sun(azimuth, elevation);
        }
        light.haze = self.haze.unwrap_or(light.haze);
        light.brightness *= self.brightness;
        light
    }

    /// Bakes the light of the renderer's place, or takes it from the cache.
    fn bake(&self, renderer: &mut Renderer, quiet: bool) -> Result<(), Failure> {
        if self.no_light_map {
            return Ok(());
        }
        let folder = self.light_cache.clone().or_else(|| crate::cache::folder("light"));
        let progress = (!quiet).then(|| Progress::new("light of the place, %", 100));
        let told = |share: f32| {
            if let Some(progress) = &progress {
                progress.at((share * 100.0) as u64);
            }
        };
        let source = renderer
            .bake_light(folder.as_deref(), &Options::default(), &told)
            .map_err(super::failed)?;
        if let (Some(progress), Some(Source::Rebuilt(file, reason))) = (&progress, &source) {
            let file = file.display();
            progress.say(&format!("{file} was no light map any more ({reason}); made anew"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{hours, sun};

    /// If this fails, an hour that is none is taken for another.
    #[test]
    fn hours_and_angles_are_read_or_refused() {
        assert_eq!(hours("16:30"), Ok(16.5));
        assert_eq!(hours("00:00"), Ok(0.0));
        for bad in ["", "16", "24:00", "12:60", "-1:00", "12:30:10", "a:b"] {
            assert!(hours(bad).is_err(), "{bad}");
        }
        assert_eq!(sun("240, 35"), Ok([240.0, 35.0]));
        assert_eq!(sun("-20,-3"), Ok([-20.0, -3.0]));
        for bad in ["", "240", "1,91", "nan,3", "1,2,3"] {
            assert!(sun(bad).is_err(), "{bad}");
        }
    }
}

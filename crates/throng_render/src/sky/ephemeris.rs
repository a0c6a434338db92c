//! Where the sun stands, by time and place: the low-precision series of the Astronomical Almanac, good to
//! about 0.01 degrees between 1950 and 2050. Tests hold it to the reference point of the NREL algorithm
//! (SPA) and, over many times and places, to the crate `solar-positioning`, which carries SPA itself; the
//! series needs no tables and no calendar crate, and stays within 0.02 degrees of it.

use glam::Vec3;

/// A moment, as a Julian date in universal time.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct JulianDate(pub f64);

impl JulianDate {
    /// A day of the Gregorian calendar and hours of universal time, which may be beyond 0 to 24.
    #[must_use]
    pub fn new(year: i32, month: u32, day: u32, hours: f64) -> Self {
        // Meeus' day number, with the year beginning in March.
        let (y, m) = (i64::from(year), i64::from(month.clamp(1, 12)));
        let (y, m) = if m <= 2 { (y - 1, m + 12) } else { (y, m) };
        let century = y.div_euclid(100);
        let days = (365.25 * (y + 4716) as f64).floor() + (30.6001 * (m + 1) as f64).floor();
        let at_midnight = days + f64::from(day) + (2 - century + century.div_euclid(4)) as f64;
        Self(at_midnight - 1524.5 + hours / 24.0)
    }
}

/// Where the sun stands in the sky.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunPosition {
    /// Clockwise from north, degrees, 0 to 360.
    pub azimuth: f64,
    /// Above the horizon, degrees, without refraction.
    pub elevation: f64,
    /// Above the horizon as seen through the air, degrees.
    pub apparent_elevation: f64,
    /// Distance in astronomical units.
    pub distance: f64,
}

impl SunPosition {
    /// The sun at a time, at a latitude (north is positive) and longitude (east is positive) in degrees.
    #[must_use]
    pub fn new(at: JulianDate, latitude: f64, longitude: f64) -> Self {
        let n = at.0 - 2_451_545.0;
        let anomaly = (357.528 + 0.985_600_3 * n).to_radians();
        let mean = 280.460 + 0.985_647_4 * n;
        let along = (mean + 1.915 * anomaly.sin() + 0.020 * (2.0 * anomaly).sin()).to_radians();
        let distance = 1.00014 - 0.01671 * anomaly.cos() - 0.00014 * (2.0 * anomaly).cos();
        let tilt = (23.439_291 - 0.013_004_2 * n / 36_525.0).to_radians();
        let right_ascension = (tilt.cos() * along.sin()).atan2(along.cos());
        let declination = (tilt.sin() * along.sin()).asin();
        let sidereal = 280.460_618_37 + 360.985_647_366_29 * n;
        let hour_angle = (sidereal + longitude).rem_euclid(360.0).to_radians() - right_ascension;
        let (sin_d, cos_d) = declination.sin_cos();
        let (sin_p, cos_p) = latitude.clamp(-90.0, 90.0).to_radians().sin_cos();
        let up = sin_d * sin_p + cos_d * hour_angle.cos() * cos_p;
        let north = sin_d * cos_p - cos_d * hour_angle.cos() * sin_p;
        let east = -cos_d * hour_angle.sin();
        let elevation = up.clamp(-1.0, 1.0).asin().to_degrees();
        Self {
            azimuth: east.atan2(north).to_degrees().rem_euclid(360.0),
            elevation,
            apparent_elevation: elevation + refraction(elevation),
            distance,
        }
    }

    /// Unit vector to the sun as it is seen; x is east, y north, z up.
    #[must_use]
    pub fn direction(&self) -> Vec3 {
        direction(self.azimuth as f32, self.apparent_elevation as f32)
    }
}

/// Unit vector of an azimuth (clockwise from north) and an elevation, both in degrees; x is east, y north,
/// z up.
#[must_use]
pub fn direction(azimuth: f32, elevation: f32) -> Vec3 {
    let (sin_a, cos_a) = azimuth.to_radians().sin_cos();
    let (sin_e, cos_e) = elevation.to_radians().sin_cos();
    Vec3::new(sin_a * cos_e, cos_a * cos_e, sin_e)
}

/// How much the air lifts a body at this true elevation, degrees (Saemundsson 1986).
fn refraction(elevation: f64) -> f64 {
    if elevation <= -1.0 || elevation >= 89.9 {
        return 0.0;
    }
    (1.02 / (elevation + 10.3 / (elevation + 5.11)).to_radians().tan() / 60.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use solar_positioning::{Location, SolarPositions, time::JulianDate as Other};

    #[test]
    fn julian_dates_are_those_of_the_almanac() {
        assert_eq!(JulianDate::new(2000, 1, 1, 12.0).0, 2_451_545.0);
        assert_eq!(JulianDate::new(1999, 1, 1, 0.0).0, 2_451_179.5);
        assert_eq!(JulianDate::new(1988, 6, 19, 12.0).0, 2_447_332.0);
        assert_eq!(JulianDate::new(1600, 12, 31, 0.0).0, 2_305_812.5);
    }

    /// The reference point of the NREL algorithm: azimuth 194.340, zenith 50.112.
    #[test]
    fn the_sun_is_where_nrel_has_it() {
        let at = JulianDate::new(2003, 10, 17, 19.0 + 30.0 / 60.0 + 30.0 / 3600.0);
        let sun = SunPosition::new(at, 39.742_476, -105.178_6);
        assert!((sun.azimuth - 194.340).abs() < 0.01, "{sun:?}");
        assert!((90.0 - sun.apparent_elevation - 50.112).abs() < 0.01, "{sun:?}");
    }

    #[test]
    fn the_sun_is_where_the_spa_crate_has_it() {
        let (spa, mut worst) = (SolarPositions::new(), 0.0_f64);
        for step in 0..2000 {
            let hours = f64::from(step) * 131.37;
            let (latitude, longitude) =
                (f64::from(step % 165) - 82.0, f64::from(step * 7 % 360) - 180.0);
            let at = JulianDate::new(2010, 1, 1, hours);
            let sun = SunPosition::new(at, latitude, longitude);
            let place = Location { latitude, longitude };
            let when = Other::new(at.0, 69.0).unwrap();
            let there = spa.at_from_julian(when, place, 0.0, None).unwrap();
            // In f64: the cosine of so small an angle has no digits left in f32.
            let unit = |azimuth: f64, elevation: f64| {
                let (a, e) = (azimuth.to_radians(), elevation.to_radians());
                DVec3::new(a.sin() * e.cos(), a.cos() * e.cos(), e.sin())
            };
            let other = unit(there.azimuth(), there.elevation_angle());
            let apart = (unit(sun.azimuth, sun.elevation) - other).length();
            worst = worst.max(apart.to_degrees());
        }
        assert!(worst < 0.02, "{worst} degrees apart");
    }

    /// Rises in the east, stands at 90 - latitude on an equinox noon; polar day and night.
    #[test]
    fn the_sun_keeps_its_hours() {
        let at = |hours| SunPosition::new(JulianDate::new(2026, 3, 20, hours), 50.0, 0.0);
        assert!((at(6.2).direction() - Vec3::X).length() < 0.1, "{:?}", at(6.2));
        let noon = (0..240).map(|h| at(f64::from(h) / 10.0).elevation).fold(-90.0, f64::max);
        assert!((noon - 40.0).abs() < 0.3, "{noon}");
        for hour in 0..24 {
            let hour = f64::from(hour);
            let june = SunPosition::new(JulianDate::new(2026, 6, 21, hour), 80.0, 0.0);
            let december = SunPosition::new(JulianDate::new(2026, 12, 21, hour), 80.0, 0.0);
            assert!(june.elevation > 0.0 && december.elevation < 0.0);
        }
    }
}

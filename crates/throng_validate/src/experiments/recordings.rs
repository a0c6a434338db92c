//! The recordings, with where to measure. Areas and lines of the bottleneck and the corridors are those of
//! the PedPy notebooks where they have some.

use super::{Format, FreeSpeed, Geometry, Kind, Recording, Way};
use crate::measure::{Area, Line};

/// The default population.
const ADULTS: &[Kind] = &[Kind { share: 1.0, traits: "" }];

/// Pupils of grades 5 and 6. Two kinds of people is our reading of the recording: the first push through, the last stand
/// at ease, and some who stood near the door at first left last. Radius, shares, speeds, gaps and pushes were all chosen
/// on this recording, to meet its means; there is no other of children to try them on.
const PUPILS: &[Kind] = &[
    Kind {
        share: 2.0 / 3.0,
        traits: "radius = 0.13\nspeed = { mean = 1.6, deviation = 0.15 }\n\
                 time_gap = 0.2\nstanding_gap = 0.1\naggression = 5\n",
    },
    Kind {
        share: 1.0 / 3.0,
        traits: "radius = 0.13\nspeed = { mean = 1.3, deviation = 0.15 }\n\
                 time_gap = 1.6\nstanding_gap = 2\n",
    },
];

const METRES: f64 = 1.0;
const CENTIMETRES: f64 = 0.01;

const HERMES_WAYS: &[Way] =
    &[Way { starts: Area::new(-1.0, 4.0, 2.8, 8.0), leaves: Area::new(-1.0, -6.5, 2.8, -6.0) }];

/// HERMES 2009, corridor of 1.8 m along y, entered from above.
const fn hermes(id: &'static str, file: &'static str) -> Recording {
    Recording {
        id,
        file,
        format: Format::Text { scale: CENTIMETRES, fps: 16.0 },
        geometry: Geometry::Wkt("walkable_area.wkt"),
        ways: HERMES_WAYS,
        closed: &[],
        area: Area::new(0.0, -2.0, 1.8, 2.0),
        line: Line::new(0.0, 0.0, 1.8, 0.0),
        pass: (Line::new(-1.0, 3.5, 2.8, 3.5), Line::new(-1.0, -3.5, 2.8, -3.5)),
        stands: false,
        // Zhang, Klingsch, Schadschneider and Seyfried, J. Stat. Mech. (2011) P06004.
        free_speed: FreeSpeed::Measured(1.55, 0.18),
        people: ADULTS,
    }
}

/// All that have geometry.
pub const RECORDINGS: &[Recording] = &[
    Recording {
        id: "bottleneck-wuppertal-2018",
        file: "bottleneck-wuppertal-2018/040_c_56_h-.txt",
        format: Format::Text { scale: METRES, fps: 25.0 },
        geometry: Geometry::Wkt("walkable_area.wkt"),
        ways: &[Way {
            starts: Area::new(-3.5, -2.0, 3.5, 8.0),
            leaves: Area::new(-3.5, -2.0, 3.5, -1.6),
        }],
        // The lanes outside of the barriers.
        closed: &[Area::new(-3.5, -0.3, -3.05, 0.0), Area::new(3.05, -0.3, 3.5, 0.0)],
        area: Area::new(-0.4, 0.5, 0.4, 1.3),
        line: Line::new(-0.4, 0.0, 0.4, 0.0),
        pass: (Line::new(-2.8, 2.0, 2.8, 2.0), Line::new(-0.4, 0.0, 0.4, 0.0)),
        stands: true,
        free_speed: FreeSpeed::Unknown,
        people: ADULTS,
    },
    Recording {
        id: "bottleneck-school-2014",
        file: "bottleneck-school-2014/00_01a.h5",
        format: Format::Hdf5,
        geometry: Geometry::Inside,
        ways: &[Way {
            starts: Area::new(-4.0, -4.0, 4.0, 6.0),
            leaves: Area::new(-4.0, -4.0, 4.0, -2.5),
        }],
        closed: &[Area::new(-4.0, -0.1, -2.3, 0.1), Area::new(2.3, -0.1, 4.0, 0.1)],
        area: Area::new(-0.4, 0.8, 0.4, 1.6),
        line: Line::new(-0.5, 0.0, 0.5, 0.0),
        pass: (Line::new(-4.0, 2.0, 4.0, 2.0), Line::new(-0.5, 0.0, 0.5, 0.0)),
        stands: true,
        free_speed: FreeSpeed::Unknown,
        people: PUPILS,
    },
    hermes("hermes-uo-050", "unidirectional-hermes-2009/uo-050-180-180.txt"),
    hermes("hermes-uo-100", "unidirectional-hermes-2009/uo-100-180-180.txt"),
    hermes("hermes-uo-180", "unidirectional-hermes-2009/uo-180-180-180.txt"),
    Recording {
        id: "unidirectional-500",
        file: "unidirectional-corridor-500/traj_UNI_CORR_500_01.txt",
        format: Format::Text { scale: METRES, fps: 25.0 },
        geometry: Geometry::Wkt("walkable_area.wkt"),
        ways: &[Way {
            starts: Area::new(0.0, -1.5, 6.5, 6.5),
            leaves: Area::new(-6.5, -1.5, -5.5, 6.5),
        }],
        closed: &[Area::new(-6.0, -1.5, 5.0, -0.9), Area::new(-6.0, 5.9, 5.0, 6.5)],
        area: Area::new(-2.0, 0.0, 2.0, 5.0),
        line: Line::new(0.0, 0.0, 0.0, 5.0),
        pass: (Line::new(3.5, -1.5, 3.5, 6.5), Line::new(-3.5, -1.5, -3.5, 6.5)),
        stands: false,
        // 0.3 people per m².
        free_speed: FreeSpeed::AsWalked,
        people: ADULTS,
    },
    Recording {
        id: "bidirectional-400",
        file: "bidirectional-corridor-400/bi_corr_400_b_03.txt",
        format: Format::Text { scale: CENTIMETRES, fps: 25.0 },
        geometry: Geometry::Wkt("walkable_area.wkt"),
        ways: &[
            Way { starts: Area::new(-6.5, -1.5, 0.0, 6.5), leaves: Area::new(4.6, -1.5, 5.5, 6.5) },
            Way {
                starts: Area::new(0.0, -1.5, 5.5, 6.5),
                leaves: Area::new(-6.5, -1.5, -5.7, 6.5),
            },
        ],
        closed: &[Area::new(-5.0, -1.5, 5.0, -0.9), Area::new(-5.0, 4.9, 5.0, 6.5)],
        area: Area::new(-2.0, 0.0, 2.0, 4.1),
        line: Line::new(0.0, 0.0, 0.0, 4.1),
        pass: (Line::new(-3.5, -1.5, -3.5, 6.5), Line::new(3.5, -1.5, 3.5, 6.5)),
        stands: false,
        free_speed: FreeSpeed::Unknown,
        people: ADULTS,
    },
    Recording {
        id: "corner",
        file: "corner/traj.txt",
        format: Format::Text { scale: METRES, fps: 16.0 },
        geometry: Geometry::JupedsimXml("geo.xml"),
        ways: &[Way {
            starts: Area::new(0.0, -3.0, 5.0, 0.0),
            leaves: Area::new(-3.0, 4.0, 0.0, 5.0),
        }],
        closed: &[],
        area: Area::new(-3.0, -3.0, 0.0, 0.0),
        line: Line::new(-3.0, 2.0, 0.0, 2.0),
        pass: (Line::new(2.5, -3.0, 2.5, 0.0), Line::new(-3.0, 2.5, 0.0, 2.5)),
        stands: false,
        // HERMES 2009, as above.
        free_speed: FreeSpeed::Measured(1.55, 0.18),
        people: ADULTS,
    },
];

/// Recordings that are there and are not compared, and why.
pub const NOT_COMPARED: &[(&str, &str)] = &[
    ("jupedsim-output/trajectories.sqlite", "simulated, a reference of the format"),
    ("single-file/n34_cam2.csv", "neither geometry nor frame rate are documented at the source"),
    (
        "ucy-zara01/obsmat.txt",
        "an open street: some obstacles are known, what may be walked on is not",
    ),
];

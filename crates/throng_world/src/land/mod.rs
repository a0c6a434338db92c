//! Land: valleys and cities made from a seed, and heights read from files.

mod city;
mod heights;
mod valley;

pub(crate) use city::{CityPlan, city};
pub(crate) use heights::{HeightFault, parse_esri, parse_hgt, parse_png};
pub(crate) use valley::valley;

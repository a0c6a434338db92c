//! Measures of trajectories, as PedPy takes them: the same for a simulated crowd and for a recorded one.
//!
//! Schrödter and the PedPy team, "PedPy - Pedestrian trajectory analyzer" (doi:10.5281/zenodo.7194992);
//! Zhang, "Pedestrian fundamental diagrams: comparative analysis of experiments in different geometries"
//! (2012), chapter 2, has the definitions (methods A to D).

mod area;
mod density;
mod distribution;
mod flow;
mod ks;
mod lanes;
mod neighbour;
mod polygon;
mod speed;
mod stat;
mod voronoi;

pub use area::Area;
pub use density::{classic_density, density_series};
pub use distribution::{gamma_cdf, lognormal_cdf, normal_cdf, uniform_cdf, weibull_cdf};
pub use flow::{Crossing, Line, count_over_time, crossings, steady_flow, times_between};
pub use ks::{KsTest, ks_one_sample, ks_two_samples};
pub use lanes::lane_order;
pub use neighbour::{headways_on_ring, nearest_distances};
pub use polygon::Region;
pub use speed::{
    individual_speeds, mean_speed_in, speed_at, start_of_motion, velocity_at, walked_speed,
};
pub use stat::{
    Points, bins, deviation, mean, mean_of, median, quantile, rank_correlation, slope_of,
    slope_through_origin,
};
pub use voronoi::{VoronoiCell, voronoi_cells, voronoi_density};

//! Avoid: how everybody really goes, with others and walls in the way.
//!
//! Takes positions, velocities, radii, bins and preferred velocities; gives new velocities, and
//! whether the way ahead was free. Parameters: [`AvoidParams`]. Two models, one seam ([`Model`]):
//!
//! * `throng`, the default. Seven directions on both sides of the preferred one and the present
//!   heading are compared by how far one would get in them before touching somebody, given everybody's
//!   velocity (the cost of Moussaïd, Helbing and Theraulaz 2011, eq. 1); the best is refined to a
//!   continuous angle. The speed keeps a time gap to whoever is ahead (ibid., eq. 2), which makes the
//!   flow-density curve human. Ties are broken to the right; a present direction is kept unless
//!   another is better by some margin, so nobody wavers; somebody who gets nowhere looks to all sides
//!   and is heavier in contact.
//! * `froblins`, the 2008 chapter's as written (section 3.2.2): five directions to the right,
//!   fitness w t + ½ g·v + ½, turn limit. Kept to show what was cured.
//!
//! Neighbours come from a range that shrinks with local density, so the work per agent stays flat.

mod cpu;
mod froblins;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
mod neighbours;
#[cfg(test)]
mod reference;
mod throng;

pub(crate) use cpu::{AvoidInput, avoid};

pub use throng_world::params::{AvoidParams, Model};

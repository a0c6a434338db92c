//! The place and its crowd as pictures: culled, lit and drawn on the GPU, headless or into any texture
//! view of a host.
//!
//! World axes: x and y are the ground in metres, z is up.

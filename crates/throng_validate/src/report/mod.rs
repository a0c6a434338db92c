//! What is told of a run: a table, JSON, and a page with pictures and plots.

mod picture;
mod plot;
mod table;

pub use picture::Picture;
pub use plot::{Plot, Series, Style};
pub use table::{json, table};

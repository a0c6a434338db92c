//! What is told of a run: a table, JSON, and a page with pictures and plots.

mod html;
mod picture;
mod plot;
mod svg;
mod table;

pub use html::{html, write};
pub use picture::Picture;
pub use plot::{Plot, Series, Style};
pub use table::{json, table};

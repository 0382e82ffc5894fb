//! Records: what a run leaves behind for people and other programs.

mod collection;
mod file;
mod series;
mod vtp;

pub use collection::Collection;
pub use file::{Trouble, finish_draft, sync_folder, write_draft, write_whole};
pub use series::{SeriesFile, shortest};
pub use vtp::{contacts, grains};

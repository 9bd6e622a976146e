//! Stored conversations: loads an app's history, and restores a snapshot.

mod check;
mod load;
mod merge;
mod relink;
mod repair;
mod restore;

pub use merge::merge_calls;
pub use repair::{Repair, RepairCode};

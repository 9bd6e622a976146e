//! Conversations that were kept: loaded from an app, or restored from a snapshot.

mod check;
mod load;
mod loaded_replies;
mod merge;
mod repair;
mod restore;

pub use merge::merge_calls;
pub use repair::{Repair, RepairCode};

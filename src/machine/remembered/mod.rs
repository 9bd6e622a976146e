//! Decisions that the user asked to remember. They are applied to later calls, too.

mod decision;
mod pending_index;
#[allow(clippy::module_inception)]
mod remembered;

pub use decision::{Digest, RememberedDecision};
pub(super) use pending_index::PendingIndex;
pub use remembered::Remembered;

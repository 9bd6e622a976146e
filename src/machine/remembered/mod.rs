//! Decisions that the user asked to remember. They are applied to later calls, too.

mod decision;
#[allow(clippy::module_inception)]
mod remembered;

pub use decision::{Digest, RememberedDecision};
pub use remembered::Remembered;

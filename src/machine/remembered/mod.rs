//! Decisions that the user wants remembered: they answer later calls too.

mod asked;
mod decision;
#[allow(clippy::module_inception)]
mod remembered;

pub(super) use asked::AskedIndex;
pub use decision::{Digest, RememberedDecision};
pub use remembered::Remembered;

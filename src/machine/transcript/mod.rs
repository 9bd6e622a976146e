//! The messages in order: the only copy of the conversation.
//!
//! The transcript finds calls and approvals, counts what the current step waits for, and lists unsent decisions and
//! changes for the view. All of these are updated with each change, so their cost depends on the change and not on the
//! length of the conversation. [`Transcript::update`] is the only way to change a call, and keeps them up to date.

mod calls;
mod changes;
mod message;
mod parts;
mod saving;
mod step;
mod step_and_turn;
#[allow(clippy::module_inception)]
mod transcript;

pub use calls::ApprovalOwner;
pub use changes::Change;
pub(super) use message::first_of_step;
pub use message::{Message, Part, PartPos, Role};
pub use step::PageTools;
pub use transcript::Transcript;

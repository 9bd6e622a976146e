//! The ordered messages: the only copy of the conversation.
//!
//! It finds calls and approvals, knows what the current step waits for and what was not sent yet, and notes what changed
//! since the view last looked: so that each of these costs what changed, not what there is. All of that is kept up to date
//! in one place, [`Transcript::update`], through which every change to a call goes.

mod calls;
mod changes;
mod message;
mod parts;
mod saving;
mod step;
#[allow(clippy::module_inception)]
mod transcript;
mod whereabouts;

pub use calls::ApprovalOwner;
pub use changes::Change;
pub use message::{Message, Part, PartPos, Role};
pub use step::PageTools;
pub use transcript::Transcript;

//! The policies of the host and of the user: what a user message and a denial do to calls that wait for a decision, and
//! which decisions are applied to later calls.

mod on_deny;
mod on_user_message;
mod recall;
mod remembered;

pub use on_deny::OnDeny;
pub use on_user_message::OnUserMessage;
pub use remembered::{Digest, Remembered, RememberedDecision};

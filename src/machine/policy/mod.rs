//! The policies of the host: what a user message and a denial do to calls that wait for a decision.

mod on_deny;
mod on_user_message;

pub use on_deny::OnDeny;
pub use on_user_message::OnUserMessage;

//! The commands of the user, and of the clock that acts for them. A command may be refused, and then changes nothing.

mod cancel;
mod deadline;
mod regenerate;
mod respond;
mod rewrite;
mod send_message;

pub use respond::{Respond, RespondOutcome};
pub use send_message::Sent;

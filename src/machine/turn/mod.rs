//! What is under way with the backend, and why nothing is sent.
//!
//! [`Exchange`] says what is under way; it changes by the table in [`transition`](exchange_transition) alone. [`Turn`] is
//! what is known of everything after the user's last message beside the messages: how it ended, and what holds decisions
//! back. [`Waiting`] says who must act for the chat to go on.

mod ending;
mod exchange;
mod hold;
mod reply;
mod transition;
#[allow(clippy::module_inception)]
mod turn;
mod waiting;

pub use ending::{Ending, StreamEnd, TurnStatus};
pub use exchange::Exchange;
pub use hold::{Hold, Holds};
pub use reply::{About, Followed, LastReply, Opened, Reconnect, Replay, Reply};
pub use transition::{ExchangeInput, ExchangeState, ExchangeTransition, exchange_transition};
pub use turn::Turn;
pub use waiting::{Waiting, WaitsOn};

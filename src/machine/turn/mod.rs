//! The exchange with the backend, and the state of the turn.
//!
//! [`Exchange`] is the exchange of submissions and replies. Its state changes only as the table in
//! [`transition`](exchange_transition) says; what it stores about the open reply can change without a transition.
//! [`Turn`] is the state of the turn besides its messages: how it ended, and why decisions are held. [`Waiting`] is the
//! set of those who must act next.

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
pub use reply::{About, Followed, LastReply, Reconnect, Replay, Reply};
pub use transition::{ExchangeInput, ExchangeState, ExchangeTransition, exchange_transition};
pub use turn::Turn;
pub use waiting::{Waiting, WaitsOn};

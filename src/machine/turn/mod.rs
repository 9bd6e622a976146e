//! The state of the turn besides its messages: how it ended, why decisions are held, and who must act next.

mod ending;
mod hold;
#[allow(clippy::module_inception)]
mod turn;
mod waits_on;

pub use ending::{Ending, StreamEnd, TurnStatus};
pub use hold::{Hold, Holds};
pub use turn::Turn;
pub use waits_on::{Waiting, WaitsOn};

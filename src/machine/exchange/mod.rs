//! The exchange of submissions and replies with the backend.
//!
//! The state of [`Exchange`] changes only by the table in [`transition`](exchange_transition); what it stores about the
//! open reply can change without a transition. An event is admitted (`admit.rs`), opens a reply (`open.rs`), and writes
//! into its message (`reply_message.rs`, `content.rs`). The reply ends with an event (`end.rs`), or because its stream
//! ends or is lost (`stream_end.rs`). What a reply says a second time is found by `replay`.

mod abandoned;
mod admit;
mod content;
mod end;
#[allow(clippy::module_inception)]
mod exchange;
mod open;
mod replay;
mod reply;
mod reply_message;
mod stream_end;
mod transition;

pub use admit::{Admission, Brings};
pub use exchange::Exchange;
pub use replay::Opening;
pub(super) use replay::{Meant, agrees};
pub use reply::{About, Followed, LastReply, Reconnect, Replay, Reply};
pub(super) use stream_end::RECONNECT_MS;
pub use transition::{ExchangeInput, ExchangeState, ExchangeTransition, exchange_transition};

//! The `on_deny` policy. `src/machine/on_deny.rs` applies it.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// What the denial of one call does to the other calls of its step. The text of a variant is its value in the
    /// option `onDeny`.
    #[derive(Default)]
    pub enum OnDeny {
        /// Nothing: each call is decided on its own.
        #[default]
        Continue = "continue",
        /// Skips undecided calls, and the model continues.
        SkipRest = "skip-rest",
        /// Skips undecided calls and approvals that were not sent. Nothing is sent until the user writes a message.
        EndTurn = "end-turn",
        /// Acts as [`OnDeny::SkipRest`] on a denial with a reason, and as [`OnDeny::EndTurn`] on one without.
        ByReason = "by-reason",
    }
}

//! The `on_user_message` policy. `settle_pending` in `advance.rs` applies it when a queued message could be sent; with
//! a protocol whose decisions are answers, `push_answers` in `answers.rs` calls it while the reply runs.
//! `send_user_message` refuses a message with `Block`. `passing.rs` applies `Pass`.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// What a user message does to calls that wait for a decision. The text of a variant is its value in the option
    /// `onUserMessage`.
    #[derive(Default)]
    pub enum OnUserMessage {
        /// Denies them, with a reason that the model can read.
        #[default]
        DenyPending = "deny-pending",
        /// Cancels them.
        CancelPending = "cancel-pending",
        /// Queues the message until they are decided.
        Queue = "queue",
        /// Refuses the message. The composer keeps the text.
        Block = "block",
        /// Sends the message at once, and they stay pending, if the backend accepts that
        /// ([`Options::takes_messages`](crate::machine::Options::takes_messages)). Otherwise acts as [`Self::Queue`].
        Pass = "pass",
    }
}

//! How a call settled.

use crate::machine::Payload;
use crate::machine::enumerated::enumerated;

enumerated! {
    /// How a call settled.
    pub enum OutcomeKind {
        /// It ran and gave an output.
        Executed = "executed",
        /// It ran, or was about to, and failed.
        Failed = "failed",
        /// The user, a policy or the backend denied it.
        Denied = "denied",
        /// The user withdrew it without an answer.
        Cancelled = "cancelled",
        /// The turn went on or ended without it.
        Interrupted = "interrupted",
        /// Another call of its step was denied, and the policy skipped this one.
        Skipped = "skipped",
        /// No answer came in time.
        Expired = "expired",
    }
}

impl OutcomeKind {
    /// Whether the tool itself gave the result. Every other result is written by this client.
    #[must_use]
    pub const fn is_from_tool(self) -> bool {
        matches!(self, OutcomeKind::Executed | OutcomeKind::Failed)
    }

    /// Whether the call was closed without an answer or a result.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(self, OutcomeKind::Cancelled | OutcomeKind::Interrupted)
    }
}

/// How a call settled, and what is known about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// How.
    pub kind: OutcomeKind,
    /// The reason given, if one was.
    pub reason: Payload,
    /// Closed without a result, but after it may have started: that it did not run must not be said.
    pub may_have_run: bool,
}

impl Outcome {
    /// An outcome without a reason, of a call that cannot have run unseen.
    #[must_use]
    pub const fn new(kind: OutcomeKind) -> Self {
        Self { kind, reason: Payload::NONE, may_have_run: false }
    }
}

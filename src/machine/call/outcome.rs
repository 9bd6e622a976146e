//! How a call settled.

use crate::machine::Payload;
use crate::machine::enumerated::enumerated;

enumerated! {
    /// How a call settled.
    pub enum OutcomeKind {
        /// The tool ran and gave an output.
        Executed = "executed",
        /// The tool failed, while or before it ran.
        Failed = "failed",
        /// The user, a policy or the backend denied the call.
        Denied = "denied",
        /// The user cancelled the call.
        Cancelled = "cancelled",
        /// The turn continued or ended without a result of the call.
        Interrupted = "interrupted",
        /// The policy skipped the call because another call of its step was denied.
        Skipped = "skipped",
        /// The approval expired without a decision.
        Expired = "expired",
    }
}

/// What an outcome says about a call: reading a history, resending and the texts for the model depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutcomeClass {
    /// The tool or the backend gave the result: it is read and sent unchanged. Toolgate writes every other result.
    FromTool,
    /// The call was denied or skipped, or its approval expired: its tool never ran.
    Denial,
    /// The call was cancelled or interrupted before a result: its tool may have started (see `may_have_run`).
    Closed,
}

impl OutcomeKind {
    const fn class(self) -> OutcomeClass {
        match self {
            OutcomeKind::Executed | OutcomeKind::Failed => OutcomeClass::FromTool,
            OutcomeKind::Denied | OutcomeKind::Skipped | OutcomeKind::Expired => OutcomeClass::Denial,
            OutcomeKind::Cancelled | OutcomeKind::Interrupted => OutcomeClass::Closed,
        }
    }

    /// Whether the tool gave the result. Toolgate writes every other result.
    #[must_use]
    pub const fn is_from_tool(self) -> bool {
        matches!(self.class(), OutcomeClass::FromTool)
    }

    /// Whether the call was cancelled or interrupted before a result.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(self.class(), OutcomeClass::Closed)
    }

    /// Whether the call was denied or skipped, or its approval expired: it never ran.
    #[must_use]
    pub const fn is_denial(self) -> bool {
        matches!(self.class(), OutcomeClass::Denial)
    }
}

/// How a call settled, with details.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The way in which it settled.
    pub kind: OutcomeKind,
    /// The reason given, if any.
    pub reason: Payload,
    /// Whether the call was closed after its tool may have started. If so, no text may claim that it did not run.
    pub may_have_run: bool,
}

impl Outcome {
    /// An outcome without a reason. `may_have_run` is false.
    #[must_use]
    pub const fn new(kind: OutcomeKind) -> Self {
        Self { kind, reason: Payload::NONE, may_have_run: false }
    }
}

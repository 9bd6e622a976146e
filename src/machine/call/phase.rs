//! The phases of a tool call.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// The phase of a tool call: the seven states of a part on the wire, with finer distinctions where they decide what
    /// may happen next. In the order of a call's life.
    pub enum Phase {
        /// The model is still writing the input.
        InputStreaming,
        /// The model is still writing the input, and approval was requested already: the request waits for the input.
        RequestWaits,
        /// The input is complete, and no approval was requested.
        InputAvailable,
        /// The user is to decide.
        ApprovalRequested,
        /// The backend is to decide: its own policy decides, and the user sees no buttons.
        AutomaticRequest,
        /// The user approved, and no request to the server with the approval was sent.
        Approved,
        /// The approval was sent, or the backend made it. The backend acts next.
        Submitted,
        /// Denied, skipped or expired: the call will not run.
        Denied,
        /// There is a preliminary output, and more will follow.
        Preliminary,
        /// The tool ran and gave its output.
        OutputAvailable,
        /// The call failed, or was closed without a result.
        OutputError,
        /// The denial is final: the backend has confirmed it, or the conversation continued after it.
        OutputDenied,
    }
}

impl Phase {
    /// The part's state on the wire. Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
    #[must_use]
    pub const fn state(self) -> &'static str {
        match self {
            Phase::InputStreaming | Phase::RequestWaits => "input-streaming",
            Phase::InputAvailable => "input-available",
            Phase::ApprovalRequested | Phase::AutomaticRequest => "approval-requested",
            Phase::Approved | Phase::Submitted | Phase::Denied => "approval-responded",
            Phase::Preliminary | Phase::OutputAvailable => "output-available",
            Phase::OutputError => "output-error",
            Phase::OutputDenied => "output-denied",
        }
    }

    /// Everything that is true of a call because of its phase alone. The methods below read it.
    const fn facts(self) -> Facts {
        match self {
            Phase::InputStreaming => OPEN | STREAMING,
            Phase::RequestWaits => OPEN | STREAMING | REVOCABLE,
            Phase::InputAvailable => RANK | OPEN | STARTED,
            Phase::ApprovalRequested => (2 * RANK) | OPEN | REQUESTED | REVOCABLE,
            // The backend decides itself, and may have started the tool before it reports that.
            Phase::AutomaticRequest => (2 * RANK) | OPEN | REQUESTED | STARTED,
            Phase::Approved => (3 * RANK) | OPEN | APPROVED | OWED | REVOCABLE,
            Phase::Submitted => (3 * RANK) | OPEN | APPROVED | OWED | STARTED,
            Phase::Denied => (4 * RANK) | OPEN | DENIED | SETTLED,
            Phase::Preliminary => (5 * RANK) | OPEN | OWED | STARTED,
            Phase::OutputAvailable | Phase::OutputError => (7 * RANK) | SETTLED,
            Phase::OutputDenied => (7 * RANK) | DENIED | SETTLED,
        }
    }

    #[inline(never)] // it is called in dozens of places
    const fn has(self, fact: Facts) -> bool {
        self.facts() & fact != 0
    }

    /// Whether the model is still writing the input.
    #[must_use]
    pub const fn is_streaming(self) -> bool {
        self.has(STREAMING)
    }

    /// Whether the approval request waits for a decision of the user or of the backend.
    #[must_use]
    pub const fn is_requested(self) -> bool {
        self.has(REQUESTED)
    }

    /// Whether the call was approved and has no output yet. The approval may not be sent yet.
    #[must_use]
    pub const fn is_approved(self) -> bool {
        self.has(APPROVED)
    }

    /// Whether the call was denied or skipped, or its approval expired.
    #[must_use]
    pub const fn is_denied(self) -> bool {
        self.has(DENIED)
    }

    /// Whether the call has a final result. A denial counts as one as soon as it is decided.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        self.has(SETTLED)
    }

    /// Whether the call may still settle, or its denial become final.
    #[must_use]
    pub const fn is_open(self) -> bool {
        self.has(OPEN)
    }

    /// Whether a tool may have started in this phase. If so, closing the call must not claim that it did not run.
    #[must_use]
    pub const fn may_have_started(self) -> bool {
        self.has(STARTED)
    }

    /// Whether the call was approved, and its result is still missing. The approval may not be sent yet.
    #[must_use]
    pub const fn owes_result(self) -> bool {
        self.has(OWED)
    }

    /// Whether its approval can still be withdrawn or superseded: the user was asked and has not denied it, and no
    /// approval was sent.
    #[must_use]
    pub const fn is_revocable(self) -> bool {
        self.has(REVOCABLE)
    }

    /// Whether the backend may report that the call was decided otherwise: no result of it is known.
    #[must_use]
    pub const fn is_overrulable(self) -> bool {
        self.has(OPEN | DENIED)
    }

    /// How far a call has progressed. A call that was closed without a result has the next lower rank.
    #[must_use]
    pub const fn rank(self) -> u16 {
        self.facts() / RANK
    }
}

/// Facts, each with a bit of its own. The bits above them are the rank.
type Facts = u16;
const OPEN: Facts = 1;
const STREAMING: Facts = 1 << 1;
const REQUESTED: Facts = 1 << 2;
const APPROVED: Facts = 1 << 3;
const DENIED: Facts = 1 << 4;
const SETTLED: Facts = 1 << 5;
const OWED: Facts = 1 << 6;
const STARTED: Facts = 1 << 7;
const REVOCABLE: Facts = 1 << 8;
const RANK: Facts = 1 << 9;

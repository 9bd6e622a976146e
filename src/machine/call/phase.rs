//! The phases of a tool call.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// The phase of a tool call: the seven states of a part on the wire, with the distinctions inside them that decide what
    /// may happen next. In the order of a call's life.
    pub enum Phase {
        /// The model is still writing the input.
        InputStreaming,
        /// The input is complete; no approval was asked for (yet).
        InputAvailable,
        /// The user is asked.
        ApprovalRequested,
        /// The backend asks itself: its own policy answers, and the user never sees buttons.
        AutomaticRequest,
        /// The user approved; no request that carries the approval was sent.
        Approved,
        /// The approval was sent, or the backend gave it itself. Whatever comes next is the backend's.
        Submitted,
        /// Denied, skipped or expired: the call will not run.
        Denied,
        /// There is an output, and the backend says that more will follow.
        Preliminary,
        /// The call ran and gave its output.
        OutputAvailable,
        /// The call failed, or was closed without a result.
        OutputError,
        /// The denial is on record: the backend has confirmed it, or the conversation went on after it.
        OutputDenied,
    }
}

impl Phase {
    /// The part's state on the wire. Source: AI SDK, `UIToolInvocation` in `ui/ui-messages.ts`.
    #[must_use]
    pub const fn state(self) -> &'static str {
        match self {
            Phase::InputStreaming => "input-streaming",
            Phase::InputAvailable => "input-available",
            Phase::ApprovalRequested | Phase::AutomaticRequest => "approval-requested",
            Phase::Approved | Phase::Submitted | Phase::Denied => "approval-responded",
            Phase::Preliminary | Phase::OutputAvailable => "output-available",
            Phase::OutputError => "output-error",
            Phase::OutputDenied => "output-denied",
        }
    }

    /// Whether the call has its result for good. A denial is settled the moment it is decided.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        match self {
            Phase::Denied | Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => true,
            Phase::InputStreaming
            | Phase::InputAvailable
            | Phase::ApprovalRequested
            | Phase::AutomaticRequest
            | Phase::Approved
            | Phase::Submitted
            | Phase::Preliminary => false,
        }
    }

    /// Whether a tool may have begun to run in this phase, so that closing the call must not say that it did not.
    #[must_use]
    pub const fn may_have_started(self) -> bool {
        match self {
            Phase::InputAvailable | Phase::Submitted | Phase::Preliminary => true,
            Phase::InputStreaming
            | Phase::ApprovalRequested
            | Phase::AutomaticRequest
            | Phase::Approved
            | Phase::Denied
            | Phase::OutputAvailable
            | Phase::OutputError
            | Phase::OutputDenied => false,
        }
    }

    /// Whether an approval was sent and its result is still to come.
    #[must_use]
    pub const fn owes_result(self) -> bool {
        match self {
            Phase::Approved | Phase::Submitted | Phase::Preliminary => true,
            Phase::InputStreaming
            | Phase::InputAvailable
            | Phase::ApprovalRequested
            | Phase::AutomaticRequest
            | Phase::Denied
            | Phase::OutputAvailable
            | Phase::OutputError
            | Phase::OutputDenied => false,
        }
    }
}

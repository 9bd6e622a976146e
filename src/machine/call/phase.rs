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

    /// Whether the model is still writing the input.
    #[must_use]
    pub const fn is_streaming(self) -> bool {
        matches!(self, Phase::InputStreaming | Phase::RequestWaits)
    }

    /// Whether the call has a final result. A denial counts as one as soon as it is decided.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        match self {
            Phase::Denied | Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => true,
            Phase::InputStreaming
            | Phase::RequestWaits
            | Phase::InputAvailable
            | Phase::ApprovalRequested
            | Phase::AutomaticRequest
            | Phase::Approved
            | Phase::Submitted
            | Phase::Preliminary => false,
        }
    }

    /// Whether a tool may have started in this phase. If so, closing the call must not claim that it did not run.
    #[must_use]
    pub const fn may_have_started(self) -> bool {
        match self {
            // A backend that decides by itself may have started the tool before it says so.
            Phase::InputAvailable | Phase::AutomaticRequest | Phase::Submitted | Phase::Preliminary => true,
            Phase::InputStreaming
            | Phase::RequestWaits
            | Phase::ApprovalRequested
            | Phase::Approved
            | Phase::Denied
            | Phase::OutputAvailable
            | Phase::OutputError
            | Phase::OutputDenied => false,
        }
    }

    /// Whether the call was approved, and its result is still missing. The approval may not be sent yet.
    #[must_use]
    pub const fn owes_result(self) -> bool {
        match self {
            Phase::Approved | Phase::Submitted | Phase::Preliminary => true,
            Phase::InputStreaming
            | Phase::RequestWaits
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

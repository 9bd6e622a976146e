//! What can happen to a tool call.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// What can happen to a tool call: inputs of the backend first, then of the user and the host, then of the turn.
    pub enum Input {
        /// The backend starts the input, or starts it again.
        InputStart,
        /// The backend adds to the input.
        InputDelta,
        /// The backend gives the complete input.
        InputAvailable,
        /// The backend updates the input of a known call: it completes it, or replaces it.
        InputUpdate,
        /// The backend replaces the input after a decision on it that was not sent: the decision is void.
        DecisionVoid,
        /// The backend reports that the input is invalid.
        InputError,
        /// The backend requests approval, with an approval id that is new for this call.
        Request,
        /// The backend repeats an approval request with the same approval id.
        RequestAgain,
        /// The backend announces an approval request that it will decide itself.
        AutomaticRequest,
        /// The backend approves the call itself, or reports an approval made elsewhere.
        BackendApproved,
        /// The backend denies the call itself, or reports a denial made elsewhere.
        BackendDenied,
        /// The backend no longer asks this client for the decision, and does not say what was decided.
        RequestWithdrawn,
        /// The backend gives a preliminary output: more will follow.
        Preliminary,
        /// The backend gives the final output.
        Output,
        /// The backend reports that the call failed.
        Error,
        /// The backend reports that the call was denied.
        OutputDenied,
        /// The user, or a policy of this client, approves.
        Approve,
        /// The user, or a policy of this client, denies.
        Deny,
        /// The policy skips this call because another call of the step was denied.
        Skip,
        /// The approval expired without a decision.
        Expire,
        /// The page ran the tool, and gives its output.
        PageOutput,
        /// The page ran the tool, which failed.
        PageError,
        /// The user cancels.
        Cancel,
        /// A request to the server with the approval was sent.
        Sent,
        /// The turn continued or ended without the call.
        Interrupt,
        /// The conversation continued after a denial.
        ConfirmDenial,
    }
}

/// What the backend reports on a known call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum ReportKind {
    /// More of its input.
    Input,
    /// Its output or its failure, preliminary or final.
    Result,
    /// That it was denied. A denial is not content of a reply.
    Denial,
}

impl Input {
    /// What the backend reports on the call; `None` if this input is another event, or comes from the user, the host or
    /// the turn.
    pub(in crate::machine) const fn report(self) -> Option<ReportKind> {
        match self {
            Input::InputDelta => Some(ReportKind::Input),
            Input::Preliminary | Input::Output | Input::Error => Some(ReportKind::Result),
            Input::OutputDenied => Some(ReportKind::Denial),
            Input::InputStart
            | Input::InputAvailable
            | Input::InputUpdate
            | Input::DecisionVoid
            | Input::InputError
            | Input::Request
            | Input::RequestAgain
            | Input::AutomaticRequest
            | Input::BackendApproved
            | Input::BackendDenied
            | Input::RequestWithdrawn
            | Input::Approve
            | Input::Deny
            | Input::Skip
            | Input::Expire
            | Input::PageOutput
            | Input::PageError
            | Input::Cancel
            | Input::Sent
            | Input::Interrupt
            | Input::ConfirmDenial => None,
        }
    }

    /// Whether this starts, continues, completes or replaces the call's input.
    pub(in crate::machine) const fn is_of_input(self) -> bool {
        matches!(self, Input::InputStart | Input::InputDelta | Input::InputAvailable | Input::InputUpdate)
    }

    /// Whether this is a result from the backend, preliminary or final, or its denial. Results of the page don't count.
    #[must_use]
    pub const fn is_backend_result(self) -> bool {
        matches!(self.report(), Some(ReportKind::Result | ReportKind::Denial))
    }
}

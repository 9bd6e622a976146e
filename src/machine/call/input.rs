//! What can happen to a tool call.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// What can happen to a tool call: first by the backend, then by the user and the host, then by the turn.
    pub enum Input {
        /// The backend begins the input (again).
        InputStart,
        /// The backend adds to the input.
        InputDelta,
        /// The backend gives the complete input.
        InputAvailable,
        /// The backend says that the input is unusable.
        InputError,
        /// The backend asks the user, under an approval id that is new for this call.
        Request,
        /// The backend repeats a request under the same approval id.
        RequestAgain,
        /// The backend announces a request that it will answer itself.
        AutomaticRequest,
        /// The backend approves by itself, or reports an approval from elsewhere.
        BackendApproved,
        /// The backend denies by itself, or reports a denial from elsewhere.
        BackendDenied,
        /// The backend gives an output and says that more will follow.
        Preliminary,
        /// The backend gives the output.
        Output,
        /// The backend says that the call failed.
        Error,
        /// The backend says that the call was denied.
        OutputDenied,
        /// The user (or a policy of this client) approves.
        Approve,
        /// The user (or a policy of this client) denies.
        Deny,
        /// Another call of the step was denied, and the policy skips this one.
        Skip,
        /// No answer came in time.
        Expire,
        /// The page ran the tool.
        PageOutput,
        /// The page ran the tool, and it failed.
        PageError,
        /// The user cancels.
        Cancel,
        /// A request that carries the approval was sent.
        Sent,
        /// The turn went on, or ended, without the call.
        Interrupt,
        /// The conversation goes on after a denial.
        ConfirmDenial,
    }
}

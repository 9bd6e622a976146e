//! What each cause does to a tool call in each phase: the one table behind everything.
//!
//! [`verdict`] is total and has no catch-all arm, so a new phase or cause does not compile until
//! its whole row or column is decided. `tests/host/transitions.md` is this function, printed.

use super::Code;

/// Where a tool call stands. The seven states of a part on the wire, with the distinctions inside
/// them that decide what may happen next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The model is still writing the input.
    InputStreaming,
    /// The input is complete; nobody asked for an approval (yet).
    InputAvailable,
    /// The user is asked.
    ApprovalRequested,
    /// The backend asks itself: its own policy answers, the user never sees buttons.
    AutomaticRequest,
    /// The user approved; no request that carries it has left.
    Approved,
    /// The approval has left, or the backend gave it itself. Whatever comes next is the backend's.
    Submitted,
    /// Denied, skipped or expired: it will not run.
    Denied,
    /// Some output is there, and the backend says that it is not the last.
    Preliminary,
    /// It ran and gave its output.
    OutputAvailable,
    /// It failed, or was closed without a result.
    OutputError,
    /// The denial is on record with the backend or behind the conversation.
    OutputDenied,
}

/// What can happen to a tool call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
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
    /// The user (or a policy of the client) approves.
    Approve,
    /// The user (or a policy of the client) denies.
    Deny,
    /// Another call of the step was denied, and the policy skips this one.
    Skip,
    /// Nobody answered in time.
    Expire,
    /// A request that carries the approval has left the browser.
    Sent,
    /// The backend gives an output and says that more will come.
    Preliminary,
    /// The backend gives the output.
    Output,
    /// The backend says that the call failed.
    Error,
    /// The backend says that the call was denied.
    OutputDenied,
    /// The host ran the tool in the browser.
    ClientOutput,
    /// The host ran the tool in the browser, and it failed.
    ClientError,
    /// The user cancels.
    Cancel,
    /// The turn went on, or ended, without the call.
    Interrupt,
    /// The conversation moves past a denial.
    ConfirmDenial,
}

/// What to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The call goes into this phase.
    Go(Phase),
    /// The call goes into this phase, and something went wrong on the way: an anomaly is raised.
    GoAmiss(Phase, Code),
    /// The phase stays; what came is taken in.
    Keep,
    /// Nothing changes, and nothing is wrong with that.
    Ignore,
    /// Nothing changes, and the backend contradicts itself: an anomaly is raised.
    Anomaly(Code),
    /// The answer is compared with the one on record: a duplicate, or refused.
    Recorded,
    /// The caller is told that this cannot be.
    Refuse(Code),
}

impl Phase {
    /// Every phase, in the order of a call's life.
    pub const ALL: [Phase; 11] = [
        Phase::InputStreaming,
        Phase::InputAvailable,
        Phase::ApprovalRequested,
        Phase::AutomaticRequest,
        Phase::Approved,
        Phase::Submitted,
        Phase::Denied,
        Phase::Preliminary,
        Phase::OutputAvailable,
        Phase::OutputError,
        Phase::OutputDenied,
    ];

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
}

impl Cause {
    /// Every cause: first the backend's, then the user's and the host's, then the turn's.
    pub const ALL: [Cause; 23] = [
        Cause::InputStart,
        Cause::InputDelta,
        Cause::InputAvailable,
        Cause::InputError,
        Cause::Request,
        Cause::RequestAgain,
        Cause::AutomaticRequest,
        Cause::BackendApproved,
        Cause::BackendDenied,
        Cause::Preliminary,
        Cause::Output,
        Cause::Error,
        Cause::OutputDenied,
        Cause::Approve,
        Cause::Deny,
        Cause::Skip,
        Cause::Expire,
        Cause::ClientOutput,
        Cause::ClientError,
        Cause::Cancel,
        Cause::Sent,
        Cause::Interrupt,
        Cause::ConfirmDenial,
    ];
}

/// [`judge`] for every phase and cause, worked out by the compiler: a table is a third of the code's size.
static VERDICTS: [[Verdict; Cause::ALL.len()]; Phase::ALL.len()] = {
    let mut table = [[Verdict::Ignore; Cause::ALL.len()]; Phase::ALL.len()];
    let mut row = 0;
    while row < Phase::ALL.len() {
        let mut column = 0;
        while column < Cause::ALL.len() {
            let (phase, cause) = (Phase::ALL[row], Cause::ALL[column]);
            table[phase as usize][cause as usize] = judge(phase, cause);
            column += 1;
        }
        row += 1;
    }
    table
};

/// What `cause` does to a call in `phase`.
#[must_use]
pub fn verdict(phase: Phase, cause: Cause) -> Verdict {
    VERDICTS[phase as usize][cause as usize]
}

const fn judge(phase: Phase, cause: Cause) -> Verdict {
    use Verdict::{Anomaly, Go, GoAmiss, Ignore, Keep, Recorded, Refuse};
    match phase {
        Phase::InputStreaming => match cause {
            Cause::InputStart | Cause::InputDelta => Keep,
            Cause::InputAvailable => Go(Phase::InputAvailable),
            Cause::InputError | Cause::Error => Go(Phase::OutputError),
            Cause::Request => Go(Phase::ApprovalRequested),
            Cause::AutomaticRequest => Go(Phase::AutomaticRequest),
            Cause::Preliminary => Go(Phase::Preliminary),
            Cause::Output => Go(Phase::OutputAvailable),
            Cause::OutputDenied => Go(Phase::OutputDenied),
            Cause::Interrupt => Go(Phase::OutputError),
            Cause::BackendApproved | Cause::BackendDenied | Cause::RequestAgain => Anomaly(Code::UnknownApproval),
            Cause::Approve | Cause::Deny => Refuse(Code::UnknownApproval),
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::Busy),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::InputAvailable => match cause {
            Cause::InputStart | Cause::InputDelta => Ignore,
            Cause::InputAvailable => Keep,
            Cause::InputError | Cause::Error | Cause::ClientError => Go(Phase::OutputError),
            Cause::Request => Go(Phase::ApprovalRequested),
            Cause::AutomaticRequest => Go(Phase::AutomaticRequest),
            Cause::Preliminary => Go(Phase::Preliminary),
            Cause::Output | Cause::ClientOutput => Go(Phase::OutputAvailable),
            Cause::OutputDenied => Go(Phase::OutputDenied),
            Cause::Cancel | Cause::Interrupt => Go(Phase::OutputError),
            Cause::BackendApproved | Cause::BackendDenied | Cause::RequestAgain => Anomaly(Code::UnknownApproval),
            Cause::Approve | Cause::Deny => Refuse(Code::UnknownApproval),
            Cause::Skip | Cause::Expire | Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::ApprovalRequested => match cause {
            // The user is looking at this input: it does not change under the question.
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::InputError => GoAmiss(Phase::OutputError, Code::ApprovalPending),
            Cause::Request => Go(Phase::ApprovalRequested),
            Cause::RequestAgain | Cause::AutomaticRequest => Ignore,
            Cause::BackendApproved => Go(Phase::Submitted),
            Cause::BackendDenied => Go(Phase::Denied),
            Cause::Approve => Go(Phase::Approved),
            Cause::Deny | Cause::Skip | Cause::Expire => Go(Phase::Denied),
            // It ran without the approval: that is the truth, and it has to be said.
            Cause::Preliminary => GoAmiss(Phase::Preliminary, Code::ApprovalPending),
            Cause::Output => GoAmiss(Phase::OutputAvailable, Code::ApprovalPending),
            Cause::Error => GoAmiss(Phase::OutputError, Code::ApprovalPending),
            Cause::OutputDenied => Go(Phase::OutputDenied),
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::ApprovalPending),
            Cause::Cancel | Cause::Interrupt => Go(Phase::OutputError),
            Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::AutomaticRequest => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::RequestAgain | Cause::AutomaticRequest => Ignore,
            Cause::Request => Go(Phase::ApprovalRequested),
            Cause::BackendApproved => Go(Phase::Submitted),
            Cause::BackendDenied => Go(Phase::Denied),
            Cause::Preliminary => Go(Phase::Preliminary),
            Cause::Output => Go(Phase::OutputAvailable),
            Cause::InputError | Cause::Error => Go(Phase::OutputError),
            Cause::OutputDenied => Go(Phase::OutputDenied),
            Cause::Approve | Cause::Deny => Refuse(Code::AlreadyDecided),
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::ApprovalPending),
            Cause::Interrupt => Go(Phase::OutputError),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::Approved => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendApproved => Ignore,
            Cause::Request | Cause::BackendDenied => Anomaly(Code::AlreadyDecided),
            // The backend went ahead before it could know of the approval.
            Cause::Preliminary => GoAmiss(Phase::Preliminary, Code::AlreadyDecided),
            Cause::Output => GoAmiss(Phase::OutputAvailable, Code::AlreadyDecided),
            Cause::InputError | Cause::Error => GoAmiss(Phase::OutputError, Code::AlreadyDecided),
            Cause::OutputDenied => GoAmiss(Phase::OutputDenied, Code::AlreadyDecided),
            Cause::Approve | Cause::Deny => Recorded,
            Cause::Sent => Go(Phase::Submitted),
            Cause::ClientOutput => Go(Phase::OutputAvailable),
            Cause::ClientError => Go(Phase::OutputError),
            Cause::Cancel | Cause::Interrupt => Go(Phase::OutputError),
            // The turn is ended before the approval left.
            Cause::Skip => Go(Phase::Denied),
            Cause::Expire | Cause::ConfirmDenial => Ignore,
        },
        Phase::Submitted => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendApproved => Ignore,
            Cause::Request => Go(Phase::ApprovalRequested),
            Cause::BackendDenied => Go(Phase::Denied),
            Cause::Preliminary => Go(Phase::Preliminary),
            Cause::Output | Cause::ClientOutput => Go(Phase::OutputAvailable),
            Cause::InputError | Cause::Error | Cause::ClientError => Go(Phase::OutputError),
            Cause::OutputDenied => Go(Phase::OutputDenied),
            Cause::Approve | Cause::Deny => Recorded,
            Cause::Cancel | Cause::Interrupt => Go(Phase::OutputError),
            Cause::Skip | Cause::Expire | Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::Denied => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendDenied => Ignore,
            Cause::Request | Cause::BackendApproved => Anomaly(Code::AlreadyDecided),
            Cause::Preliminary | Cause::Output => Anomaly(Code::AlreadySettled),
            Cause::InputError | Cause::Error => Anomaly(Code::AlreadySettled),
            Cause::OutputDenied | Cause::ConfirmDenial => Go(Phase::OutputDenied),
            Cause::Approve | Cause::Deny => Recorded,
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::AlreadySettled),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::Interrupt => Ignore,
        },
        Phase::Preliminary => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Ignore,
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendApproved => Ignore,
            Cause::Request | Cause::BackendDenied => Anomaly(Code::AlreadyDecided),
            Cause::Preliminary => Keep,
            Cause::Output => Go(Phase::OutputAvailable),
            Cause::InputError | Cause::Error => Go(Phase::OutputError),
            Cause::OutputDenied => Anomaly(Code::AlreadySettled),
            Cause::Approve | Cause::Deny => Recorded,
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::Busy),
            Cause::Interrupt => Go(Phase::OutputError),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::ConfirmDenial => Ignore,
        },
        Phase::OutputAvailable | Phase::OutputError => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Anomaly(Code::AlreadySettled),
            Cause::InputError | Cause::Request | Cause::BackendDenied => Anomaly(Code::AlreadySettled),
            Cause::Preliminary | Cause::Output | Cause::Error => Anomaly(Code::AlreadySettled),
            Cause::OutputDenied => Anomaly(Code::AlreadySettled),
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendApproved => Ignore,
            Cause::Approve | Cause::Deny => Recorded,
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::AlreadySettled),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::Interrupt | Cause::ConfirmDenial => {
                Ignore
            }
        },
        Phase::OutputDenied => match cause {
            Cause::InputStart | Cause::InputDelta | Cause::InputAvailable => Anomaly(Code::AlreadySettled),
            Cause::InputError | Cause::Request | Cause::BackendApproved => Anomaly(Code::AlreadySettled),
            Cause::Preliminary | Cause::Output | Cause::Error => Anomaly(Code::AlreadySettled),
            Cause::RequestAgain | Cause::AutomaticRequest | Cause::BackendDenied => Ignore,
            Cause::OutputDenied => Ignore,
            Cause::Approve | Cause::Deny => Recorded,
            Cause::ClientOutput | Cause::ClientError => Refuse(Code::AlreadySettled),
            Cause::Skip | Cause::Expire | Cause::Cancel | Cause::Sent | Cause::Interrupt | Cause::ConfirmDenial => {
                Ignore
            }
        },
    }
}

//! The table of tool calls: what each input does in each phase.
//!
//! [`transition`] is total and has no catch-all arm, so a new phase or input does not compile until its whole row or
//! column is decided. `tests/host/tables/call.md` is this function, printed.

use super::{Effect, Input, OutcomeKind, Phase};
use crate::machine::Code;

/// What an input does to a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transition {
    /// Changes the phase, with this effect.
    To(Phase, Effect),
    /// Changes the phase, with this effect, and reports an anomaly.
    ToWithAnomaly(Phase, Effect, Code),
    /// Stores the input's data and keeps the phase.
    Update,
    /// Changes nothing. This input is normal here.
    Ignore,
    /// Changes nothing, and reports an anomaly: the backend contradicts itself.
    Anomaly(Code),
    /// Compares the decision with the one already made: it is a duplicate, or refused.
    CompareWithDecision,
    /// Refuses the command.
    Refuse(Code),
}

impl Transition {
    /// Whether the input's data is stored.
    #[must_use]
    pub const fn is_accepted(self) -> bool {
        match self {
            Transition::To(..) | Transition::ToWithAnomaly(..) | Transition::Update => true,
            Transition::Ignore | Transition::Anomaly(_) | Transition::CompareWithDecision | Transition::Refuse(_) => {
                false
            }
        }
    }

    /// The new phase, if the phase changes.
    #[must_use]
    pub const fn target(self) -> Option<Phase> {
        match self {
            Transition::To(phase, _) | Transition::ToWithAnomaly(phase, _, _) => Some(phase),
            Transition::Update
            | Transition::Ignore
            | Transition::Anomaly(_)
            | Transition::CompareWithDecision
            | Transition::Refuse(_) => None,
        }
    }
}

const PHASES: usize = Phase::ALL.len();
const INPUTS: usize = Input::ALL.len();

/// The results of [`decide`] for every phase and input, computed at compile time. A table takes a third of the code's
/// size.
static TABLE: [[Transition; INPUTS]; PHASES] = {
    let mut table = [[Transition::Ignore; INPUTS]; PHASES];
    let mut row = 0;
    while row < PHASES {
        let mut column = 0;
        while column < INPUTS {
            table[row][column] = decide(Phase::ALL[row], Input::ALL[column]);
            column += 1;
        }
        row += 1;
    }
    table
};

/// What `input` does to a call in `phase`.
#[must_use]
pub fn transition(phase: Phase, input: Input) -> Transition {
    TABLE[phase as usize][input as usize]
}

const fn decide(phase: Phase, input: Input) -> Transition {
    use Effect::{
        Ask, Close, CompleteInput, ConfirmDenial, DenyByBackend, DenyByClient, HoldDecision, Nothing, Proceed,
        RecordDenial,
    };
    use Effect::{Settle, SettleByPage};
    use OutcomeKind::{Cancelled, Denied, Executed, Expired, Failed, Interrupted, Skipped};
    use Transition::{Anomaly, CompareWithDecision, Ignore, Refuse, To, ToWithAnomaly, Update};
    match phase {
        Phase::InputStreaming => match input {
            Input::InputUpdate => To(Phase::InputAvailable, CompleteInput),
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta => Update,
            Input::InputAvailable => To(Phase::InputAvailable, CompleteInput),
            Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)),
            Input::Request => To(Phase::RequestWaits, Nothing),
            Input::AutomaticRequest => To(Phase::AutomaticRequest, CompleteInput),
            Input::Preliminary => To(Phase::Preliminary, Nothing),
            Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::BackendApproved | Input::BackendDenied | Input::RequestAgain => Anomaly(Code::UnknownApproval),
            Input::Approve | Input::Deny => Refuse(Code::UnknownApproval),
            Input::PageOutput | Input::PageError => Refuse(Code::Busy),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::RequestWaits => match input {
            Input::InputUpdate => To(Phase::ApprovalRequested, Ask),
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta => Update,
            Input::InputAvailable => To(Phase::ApprovalRequested, Ask),
            Input::InputError => To(Phase::OutputError, Settle(Failed)),
            Input::Request => To(Phase::RequestWaits, Nothing),
            Input::RequestAgain | Input::AutomaticRequest => Ignore,
            Input::BackendApproved => To(Phase::Submitted, CompleteInput),
            Input::BackendDenied => To(Phase::Denied, DenyByBackend),
            Input::RequestWithdrawn => To(Phase::InputStreaming, Nothing),
            // As for a pending request: the tool ran without an approval.
            Input::Preliminary => ToWithAnomaly(Phase::Preliminary, Nothing, Code::ApprovalPending),
            Input::Output => ToWithAnomaly(Phase::OutputAvailable, Settle(Executed), Code::ApprovalPending),
            Input::Error => ToWithAnomaly(Phase::OutputError, Settle(Failed), Code::ApprovalPending),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            // Nobody decides on half of an input.
            Input::Approve | Input::Deny => Refuse(Code::Busy),
            Input::PageOutput | Input::PageError => Refuse(Code::Busy),
            Input::Cancel => To(Phase::OutputError, Close(Cancelled)),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::Skip | Input::Expire | Input::Sent | Input::ConfirmDenial => Ignore,
        },
        Phase::InputAvailable => match input {
            Input::InputUpdate => Update,
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta => Ignore,
            Input::InputAvailable => Update,
            Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)),
            Input::PageError => To(Phase::OutputError, SettleByPage(Failed)),
            Input::Request => To(Phase::ApprovalRequested, Ask),
            Input::AutomaticRequest => To(Phase::AutomaticRequest, CompleteInput),
            Input::Preliminary => To(Phase::Preliminary, Nothing),
            Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
            Input::PageOutput => To(Phase::OutputAvailable, SettleByPage(Executed)),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            Input::Cancel => To(Phase::OutputError, Close(Cancelled)),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::BackendApproved | Input::BackendDenied | Input::RequestAgain => Anomaly(Code::UnknownApproval),
            Input::Approve | Input::Deny => Refuse(Code::UnknownApproval),
            Input::Skip | Input::Expire | Input::Sent | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::ApprovalRequested => match input {
            // The user is looking at this input. Only an update changes it, which is shown and reported.
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::InputUpdate => Update,
            Input::DecisionVoid => Ignore,
            Input::InputError => ToWithAnomaly(Phase::OutputError, Settle(Failed), Code::ApprovalPending),
            Input::Request => To(Phase::ApprovalRequested, Ask),
            Input::RequestAgain | Input::AutomaticRequest => Ignore,
            Input::BackendApproved => To(Phase::Submitted, Nothing),
            Input::BackendDenied => To(Phase::Denied, DenyByBackend),
            Input::Approve => To(Phase::Approved, HoldDecision),
            Input::Deny => To(Phase::Denied, DenyByClient(Denied)),
            Input::Skip => To(Phase::Denied, DenyByClient(Skipped)),
            Input::Expire => To(Phase::Denied, DenyByClient(Expired)),
            // Somebody else decides, as with an automatic request.
            Input::RequestWithdrawn => To(Phase::AutomaticRequest, Nothing),
            // The tool ran without an approval. The result is true, so it is shown, with an anomaly.
            Input::Preliminary => ToWithAnomaly(Phase::Preliminary, Nothing, Code::ApprovalPending),
            Input::Output => ToWithAnomaly(Phase::OutputAvailable, Settle(Executed), Code::ApprovalPending),
            Input::Error => ToWithAnomaly(Phase::OutputError, Settle(Failed), Code::ApprovalPending),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            Input::PageOutput | Input::PageError => Refuse(Code::ApprovalPending),
            Input::Cancel => To(Phase::OutputError, Close(Cancelled)),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::Sent | Input::ConfirmDenial => Ignore,
        },
        Phase::AutomaticRequest => match input {
            Input::InputUpdate => Update,
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::RequestAgain | Input::AutomaticRequest => Ignore,
            Input::Request => To(Phase::ApprovalRequested, Ask),
            Input::BackendApproved => To(Phase::Submitted, Nothing),
            Input::BackendDenied => To(Phase::Denied, DenyByBackend),
            Input::Preliminary => To(Phase::Preliminary, Nothing),
            Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
            Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            Input::Approve | Input::Deny => Refuse(Code::AlreadyDecided),
            Input::PageOutput | Input::PageError => Refuse(Code::ApprovalPending),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::Approved => match input {
            Input::InputUpdate => Anomaly(Code::AlreadyDecided),
            Input::DecisionVoid => To(Phase::ApprovalRequested, Ask),
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendApproved => Ignore,
            Input::Request | Input::BackendDenied => Anomaly(Code::AlreadyDecided),
            // The backend continued before it could know about the approval.
            Input::Preliminary => ToWithAnomaly(Phase::Preliminary, Proceed, Code::AlreadyDecided),
            Input::Output => ToWithAnomaly(Phase::OutputAvailable, Settle(Executed), Code::AlreadyDecided),
            Input::InputError | Input::Error => ToWithAnomaly(Phase::OutputError, Settle(Failed), Code::AlreadyDecided),
            Input::OutputDenied => ToWithAnomaly(Phase::OutputDenied, RecordDenial, Code::AlreadyDecided),
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::Sent => To(Phase::Submitted, Nothing),
            Input::PageOutput => To(Phase::OutputAvailable, SettleByPage(Executed)),
            Input::PageError => To(Phase::OutputError, SettleByPage(Failed)),
            Input::Cancel => To(Phase::OutputError, Close(Cancelled)),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            // The turn ends before the approval is sent.
            Input::Skip => To(Phase::Denied, DenyByClient(Skipped)),
            Input::Expire | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::Submitted => match input {
            Input::InputUpdate => Anomaly(Code::AlreadyDecided),
            // Its answer could not be sent.
            Input::DecisionVoid => To(Phase::ApprovalRequested, Ask),
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendApproved => Ignore,
            Input::Request => To(Phase::ApprovalRequested, Ask),
            Input::BackendDenied => To(Phase::Denied, DenyByBackend),
            Input::Preliminary => To(Phase::Preliminary, Nothing),
            Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
            Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)),
            Input::PageOutput => To(Phase::OutputAvailable, SettleByPage(Executed)),
            Input::PageError => To(Phase::OutputError, SettleByPage(Failed)),
            Input::OutputDenied => To(Phase::OutputDenied, RecordDenial),
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::Cancel => To(Phase::OutputError, Close(Cancelled)),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::Skip | Input::Expire | Input::Sent | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::Denied => match input {
            Input::InputUpdate => Anomaly(Code::AlreadyDecided),
            Input::DecisionVoid => To(Phase::ApprovalRequested, Ask),
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendDenied => Ignore,
            Input::Request | Input::BackendApproved => Anomaly(Code::AlreadyDecided),
            Input::Preliminary | Input::Output => Anomaly(Code::AlreadySettled),
            Input::InputError | Input::Error => Anomaly(Code::AlreadySettled),
            Input::OutputDenied | Input::ConfirmDenial => To(Phase::OutputDenied, ConfirmDenial),
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::PageOutput | Input::PageError => Refuse(Code::AlreadySettled),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::Interrupt => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::Preliminary => match input {
            Input::InputUpdate | Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Ignore,
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendApproved => Ignore,
            Input::Request | Input::BackendDenied => Anomaly(Code::AlreadyDecided),
            Input::Preliminary => Update,
            Input::Output => To(Phase::OutputAvailable, Settle(Executed)),
            Input::InputError | Input::Error => To(Phase::OutputError, Settle(Failed)),
            Input::OutputDenied => Anomaly(Code::AlreadySettled),
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::PageOutput | Input::PageError => Refuse(Code::Busy),
            Input::Interrupt => To(Phase::OutputError, Close(Interrupted)),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::OutputAvailable | Phase::OutputError => match input {
            Input::InputUpdate => Anomaly(Code::AlreadySettled),
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Anomaly(Code::AlreadySettled),
            Input::InputError | Input::Request | Input::BackendDenied => Anomaly(Code::AlreadySettled),
            Input::Preliminary | Input::Output | Input::Error => Anomaly(Code::AlreadySettled),
            Input::OutputDenied => Anomaly(Code::AlreadySettled),
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendApproved => Ignore,
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::PageOutput | Input::PageError => Refuse(Code::AlreadySettled),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent => Ignore,
            Input::Interrupt | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
        Phase::OutputDenied => match input {
            Input::InputUpdate => Anomaly(Code::AlreadySettled),
            Input::DecisionVoid => Ignore,
            Input::InputStart | Input::InputDelta | Input::InputAvailable => Anomaly(Code::AlreadySettled),
            Input::InputError | Input::Request | Input::BackendApproved => Anomaly(Code::AlreadySettled),
            Input::Preliminary | Input::Output | Input::Error => Anomaly(Code::AlreadySettled),
            Input::RequestAgain | Input::AutomaticRequest | Input::BackendDenied => Ignore,
            Input::OutputDenied => Ignore,
            Input::Approve | Input::Deny => CompareWithDecision,
            Input::PageOutput | Input::PageError => Refuse(Code::AlreadySettled),
            Input::Skip | Input::Expire | Input::Cancel | Input::Sent => Ignore,
            Input::Interrupt | Input::ConfirmDenial => Ignore,
            Input::RequestWithdrawn => Ignore,
        },
    }
}

//! Refusals: what the machine refuses, and why.

use super::enumerated::enumerated;
use super::{Id, Input, Phase, ToolPart};

enumerated! {
    /// The stable code of a refusal. The host shows it as `ToolGateError.code`.
    pub enum Code {
        /// No approval has this id.
        UnknownApproval = "unknown-approval",
        /// No tool call with this id is in the transcript.
        UnknownCall = "unknown-call",
        /// No outgoing item with this id exists.
        UnknownOutgoing = "unknown-outgoing",
        /// The approval is decided, and this decision is the opposite one.
        AlreadyDecided = "already-decided",
        /// The call has its result, which cannot change.
        AlreadySettled = "already-settled",
        /// The call waits for a decision of the user.
        ApprovalPending = "approval-pending",
        /// Newer content (a message, a step or an edit) closed the approval.
        Superseded = "superseded",
        /// The call's input is not the one that was shown or approved.
        StaleInput = "stale-input",
        /// The backend cannot take an edited input.
        EditUnsupported = "edit-unsupported",
        /// Approvals are pending, and the policy refuses messages until they are decided.
        MessageBlocked = "message-blocked",
        /// A request to the server is under way, and must end first.
        Busy = "busy",
        /// The backend sent something that its protocol does not allow.
        MalformedEvent = "malformed-event",
        /// Sending the item again could decide a newer approval request.
        RepeatUnsafe = "repeat-unsafe",
    }
}

enumerated! {
    /// The reason for a refusal. The host has a message for each.
    pub enum RefusalReason {
        /// No approval has this id.
        NoApproval,
        /// The id given for an approval is a call's id.
        CallForApproval,
        /// Newer content superseded the approval.
        Closed,
        /// The approval already has the opposite decision.
        Decided,
        /// The call settled before it was decided.
        Withdrawn,
        /// The backend decides this approval itself.
        Automatic,
        /// The digests of the shown input and the current input differ.
        Stale,
        /// No call has this id.
        NoCall,
        /// An output for a call that waits for the user's decision.
        OutputUnasked,
        /// An output for a call that does not accept one yet.
        OutputEarly,
        /// An output for a call that has a result or is denied.
        OutputLate,
        /// A message while approvals are pending.
        Blocked,
        /// A change to earlier messages while a request to the server is under way.
        UnderWay,
        /// No message has this id.
        NoMessage,
        /// No outgoing item has this id.
        NoItem,
        /// A retry of an item that was delivered or is under way.
        NotUndelivered,
        /// The backend referred to an unknown call.
        Unnamed,
        /// The backend used an approval id that another open call has.
        ForeignApproval,
        /// The backend repeated an approval request that is closed.
        ClosedApproval,
        /// The backend decided an approval that it never requested.
        NeverAsked,
        /// The backend sent an event that the call's phase does not allow.
        Contradiction,
        /// The backend requested approval of a call that a later step or message follows.
        PastStep,
        /// An event lacks a property that its type requires.
        Malformed,
        /// The approval's id is reused, and the decision does not name the input that was shown.
        ReusedApproval,
        /// Content arrived that no request to the server asked for, while a request is about to be sent.
        Unasked,
        /// Content arrived with no open reply and no message to add it to.
        NoReply,
        /// A retry of an answer that the backend could take for a decision on a newer approval request.
        UnsafeRetry,
        /// A user message with the id of another message.
        KnownMessage,
        /// A decision on a call whose input still arrives.
        InputArrives,
        /// Too many replies in a row have calls with invalid inputs.
        InvalidInputs,
    }
}

/// A refused input, which changed nothing. Commands return it; for an event of the backend it becomes an anomaly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// The reason, for the host's message.
    pub why: RefusalReason,
    /// The id of the call concerned.
    pub call: Option<Id>,
    /// The id of the approval concerned.
    pub approval: Option<Id>,
    /// The call's phase.
    pub phase: Option<Phase>,
    /// The input that the call's phase does not allow, for `RefusalReason::Contradiction`.
    pub input: Option<Input>,
    /// For a malformed event: its type and the invalid property, as numbers of the codec's names.
    pub detail: Option<(u8, u8)>,
}

impl Refusal {
    /// A refusal without a call.
    #[must_use]
    pub fn new(code: Code, why: RefusalReason) -> Self {
        Self { code, why, call: None, approval: None, phase: None, input: None, detail: None }
    }

    /// Sets the call's id.
    #[must_use]
    pub fn on_call(mut self, id: Id) -> Self {
        self.call = Some(id);
        self
    }

    /// Sets the approval's id.
    #[must_use]
    pub fn on_approval(mut self, id: Id) -> Self {
        self.approval = Some(id);
        self
    }

    /// Sets the call's id, its approval's id and its phase.
    #[must_use]
    #[inline(never)] // it is called in many places
    pub fn about(mut self, part: &ToolPart) -> Self {
        self.call = Some(part.call);
        self.approval = part.approval_id();
        self.phase = Some(part.phase());
        self
    }

    /// Sets the input.
    #[must_use]
    pub fn by(mut self, input: Input) -> Self {
        self.input = Some(input);
        self
    }
}

//! What the machine refuses, and why.

use super::enumerated::enumerated;
use super::{Id, Input, Phase, ToolPart};

enumerated! {
    /// The stable name of a refusal. The host shows it as `ToolGateError.code`.
    pub enum Code {
        /// No approval request with this id was ever seen.
        UnknownApproval = "unknown-approval",
        /// No tool call with this id is in the transcript.
        UnknownCall = "unknown-call",
        /// No outgoing item with this id exists.
        UnknownOutgoing = "unknown-outgoing",
        /// The approval has its one decision, and this is the opposite one.
        AlreadyDecided = "already-decided",
        /// The call has its result; nothing may change it.
        AlreadySettled = "already-settled",
        /// The call still waits for the user's answer.
        ApprovalPending = "approval-pending",
        /// A later message, step or edit closed the approval.
        Superseded = "superseded",
        /// The call's input is not the one that was shown or approved.
        StaleInput = "stale-input",
        /// The backend cannot take an edited input.
        EditUnsupported = "edit-unsupported",
        /// Approvals are pending, and the policy lets no message past them.
        MessageBlocked = "message-blocked",
        /// A request is under way; this has to wait for its end.
        Busy = "busy",
        /// The backend sent something that its protocol does not allow.
        MalformedEvent = "malformed-event",
        /// Sending the item again could answer a newer request.
        RepeatUnsafe = "repeat-unsafe",
    }
}

enumerated! {
    /// What is wrong, in the machine's terms. The host has a sentence for each.
    pub enum RefusalReason {
        /// No approval has this id.
        NoApproval,
        /// The id given for an approval is a call's.
        CallForApproval,
        /// Something newer took the approval's place.
        Closed,
        /// The approval has the opposite decision.
        Decided,
        /// The call settled before it was answered.
        Withdrawn,
        /// The backend's own policy answers.
        Automatic,
        /// The digests of the shown and the present input differ.
        Stale,
        /// No call has this id.
        NoCall,
        /// An output for a call that waits for the user.
        OutputUnasked,
        /// An output for a call that is not ready for one.
        OutputEarly,
        /// An output for a call that has its result, or is denied.
        OutputLate,
        /// A message while approvals are pending.
        Blocked,
        /// A change to what was said, while a request is under way.
        UnderWay,
        /// No message has this id.
        NoMessage,
        /// No outgoing item has this id.
        NoItem,
        /// A retry of an item that needs none.
        NotUndelivered,
        /// The backend referred to a call that it never named.
        Unnamed,
        /// The backend gave an approval's id to another call that is open.
        ForeignApproval,
        /// The backend asked again for an approval that is closed.
        ClosedApproval,
        /// The backend answered an approval that it never asked for.
        NeverAsked,
        /// The backend did something to a call that its phase does not allow.
        Contradiction,
        /// The backend asked for an approval of a call that a later step or message follows.
        PastStep,
        /// An event lacks what its type needs.
        Malformed,
        /// The approval's id was used before, and the answer does not name the input that was shown.
        ReusedApproval,
        /// Content came, unasked, while a request is about to be sent.
        Unasked,
        /// Content came with no reply open and no message to add it to.
        NoReply,
        /// A retry of an answer that the backend could take for one to a newer request.
        UnsafeRetry,
        /// A message of the user whose id another message has.
        KnownMessage,
    }
}

/// A refused input: nothing changed. Users' acts return it, backends' events raise it as an anomaly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Which rule refused it.
    pub code: Code,
    /// What is wrong.
    pub why: RefusalReason,
    /// The call concerned.
    pub call: Option<Id>,
    /// The approval concerned.
    pub approval: Option<Id>,
    /// The call's phase.
    pub phase: Option<Phase>,
    /// What came, for a contradiction.
    pub input: Option<Input>,
    /// For a malformed event: its type and the property that is wrong, in the codec's numbering.
    pub detail: Option<(u8, u8)>,
}

impl Refusal {
    /// A refusal that concerns no call in particular.
    #[must_use]
    pub fn new(code: Code, why: RefusalReason) -> Self {
        Self { code, why, call: None, approval: None, phase: None, input: None, detail: None }
    }

    /// Names the call concerned.
    #[must_use]
    pub fn on_call(mut self, id: Id) -> Self {
        self.call = Some(id);
        self
    }

    /// Names the approval concerned.
    #[must_use]
    pub fn on_approval(mut self, id: Id) -> Self {
        self.approval = Some(id);
        self
    }

    /// Names the call concerned, its approval and its phase.
    #[must_use]
    pub fn about(mut self, part: &ToolPart) -> Self {
        self.call = Some(part.call);
        self.approval = part.approval.as_ref().map(|approval| approval.id);
        self.phase = Some(part.phase());
        self
    }

    /// Names the input that came.
    #[must_use]
    pub fn by(mut self, input: Input) -> Self {
        self.input = Some(input);
        self
    }
}

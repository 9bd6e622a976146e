//! What the machine refuses, and why.

use super::{Cause, Id, Phase, ToolPart};

/// The stable name of a refusal. The host shows it as `ToolGateError.code`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// No approval request with this id was ever seen.
    UnknownApproval,
    /// No tool call with this id is in the transcript.
    UnknownCall,
    /// No outgoing item with this id exists.
    UnknownOutgoing,
    /// The approval has its one decision, and this is the opposite one.
    AlreadyDecided,
    /// The call has its result; nothing may change it.
    AlreadySettled,
    /// The call still waits for the user's answer.
    ApprovalPending,
    /// A later message, step or edit closed the approval.
    Superseded,
    /// The call's input is not the one that was shown or approved.
    StaleInput,
    /// The backend cannot take an edited input.
    EditUnsupported,
    /// Approvals are pending, and the policy lets no message past them.
    MessageBlocked,
    /// A request is on its way; this has to wait for its end.
    Busy,
    /// The backend sent something that its protocol does not allow.
    MalformedEvent,
}

impl Code {
    /// The code as it appears in `ToolGateError.code`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::UnknownApproval => "unknown-approval",
            Code::UnknownCall => "unknown-call",
            Code::UnknownOutgoing => "unknown-outgoing",
            Code::AlreadyDecided => "already-decided",
            Code::AlreadySettled => "already-settled",
            Code::ApprovalPending => "approval-pending",
            Code::Superseded => "superseded",
            Code::StaleInput => "stale-input",
            Code::EditUnsupported => "edit-unsupported",
            Code::MessageBlocked => "message-blocked",
            Code::Busy => "busy",
            Code::MalformedEvent => "malformed-event",
        }
    }
}

/// What is wrong, in the machine's terms. The host has a sentence for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// No approval has this id.
    NoApproval,
    /// The id given for an approval is a call's.
    CallForApproval,
    /// Something later took the approval's place.
    Closed,
    /// The approval has the opposite decision.
    Decided,
    /// The call settled before anybody answered.
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
    /// A change to what was said, while a request is on its way.
    UnderWay,
    /// No message has this id.
    NoMessage,
    /// No outgoing item has this id.
    NoItem,
    /// A retry of an item that needs none.
    NotUndelivered,
    /// The backend spoke of a call that it never named.
    Unnamed,
    /// The backend gave a call's id to another tool.
    Renamed,
    /// The backend gave an approval's id to another call.
    ForeignApproval,
    /// The backend asked again for an approval that is closed.
    ClosedApproval,
    /// The backend answered an approval that it never asked for.
    NeverAsked,
    /// The backend gave a call another input after its approval was asked.
    Changed,
    /// The backend did something to a call that its phase does not allow.
    Contradiction,
    /// The backend asked for an approval of a call behind which a later step or message stands.
    PastStep,
    /// An event lacks what its type needs.
    Malformed,
}

/// A refused input: nothing changed. Users' acts return it, backends' events raise it as an anomaly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Which rule refused it.
    pub code: Code,
    /// What is wrong.
    pub why: Why,
    /// The call concerned.
    pub call: Option<Id>,
    /// The approval concerned.
    pub approval: Option<Id>,
    /// Where the call stood.
    pub phase: Option<Phase>,
    /// What came, for a contradiction.
    pub cause: Option<Cause>,
    /// For a malformed event: its type and the property that is wrong, in the codec's numbering.
    pub detail: Option<(u8, u8)>,
}

impl Refusal {
    /// A refusal that concerns no call in particular.
    #[must_use]
    pub fn new(code: Code, why: Why) -> Self {
        Self { code, why, call: None, approval: None, phase: None, cause: None, detail: None }
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

    /// Names the call concerned, its approval and where it stood.
    #[must_use]
    pub fn about(mut self, part: &ToolPart) -> Self {
        self.call = Some(part.call);
        self.approval = part.approval.as_ref().map(|approval| approval.id);
        self.phase = Some(part.phase);
        self
    }
}

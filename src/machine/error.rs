//! What the machine refuses, and why.

use super::Id;

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

/// A refused input: nothing changed. Users' acts return it, backends' events raise it as an anomaly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Which rule refused it.
    pub code: Code,
    /// What happened and what would have been right, in one or two sentences.
    pub message: String,
    /// The call concerned.
    pub call: Option<Id>,
    /// The approval concerned.
    pub approval: Option<Id>,
}

impl Refusal {
    /// A refusal that concerns no call in particular.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), call: None, approval: None }
    }

    /// Names the call concerned.
    #[must_use]
    pub fn on_call(mut self, id: &str) -> Self {
        self.call = Some(id.into());
        self
    }

    /// Names the approval concerned.
    #[must_use]
    pub fn on_approval(mut self, id: &str) -> Self {
        self.approval = Some(id.into());
        self
    }
}

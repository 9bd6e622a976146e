//! The errors of a [`Gate`](super::Gate): a stable code, and a sentence that says what is wrong and what would be
//! right.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::Store;
use crate::machine::{Code, Input, Refusal, RefusalReason};
use crate::wire::{Name, enum_names};
use serde::{Serialize, Serializer};

/// Why a gate refused something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GateError {
    /// What was refused.
    pub code: ErrorCode,
    /// The id of the tool call concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The id of the approval concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
    pub(super) message: String,
}

/// The stable code of a [`GateError`]. A code never changes its meaning; later releases may add codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The state machine refused a command or an event.
    Refused(Code),
    /// A snapshot was changed, or was written by another version.
    BadSnapshot,
    /// An argument has the wrong form.
    InvalidArgument,
}

impl ErrorCode {
    /// The code's text, the same as `ToolGateError.code` of the npm package.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorCode::Refused(code) => code.as_str(),
            ErrorCode::BadSnapshot => "bad-snapshot",
            ErrorCode::InvalidArgument => "invalid-argument",
        }
    }
}

/// As the code's text.
impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for GateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl core::error::Error for GateError {}

impl GateError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, tool_call_id: None, approval_id: None, message: message.into() }
    }

    /// The error for a refusal of the machine.
    pub(super) fn refused(store: &Store, refusal: &Refusal) -> Self {
        let text = |id| store.text(id).to_string();
        let (tool_call_id, approval_id) = (refusal.call.map(text), refusal.approval.map(text));
        let message = message(refusal, &quoted(tool_call_id.as_deref()), &quoted(approval_id.as_deref()));
        Self { code: ErrorCode::Refused(refusal.code), tool_call_id, approval_id, message }
    }
}

/// An id in quotes, shortened: a very long id must not produce a very long message.
fn quoted(id: Option<&str>) -> String {
    let id = id.unwrap_or_default();
    match id.char_indices().nth(120) {
        Some((end, _)) => format!("{:?}", format!("{}…", &id[..end])),
        None => format!("{id:?}"),
    }
}

/// The message of a refusal. `call` and `approval` are ids in quotes.
fn message(refusal: &Refusal, call: &str, approval: &str) -> String {
    let state = refusal.phase.map_or("", |phase| enum_names::state(phase).text());
    match refusal.why {
        RefusalReason::NoApproval => {
            format!("No approval has the id {approval}. Use the approval_id of an entry of pending().")
        }
        RefusalReason::CallForApproval if refusal.approval.is_none() => {
            format!("{call} is the id of a tool call, not of an approval. The call has no approval request.")
        }
        RefusalReason::CallForApproval => {
            format!("{call} is the id of a tool call, not of an approval. Its approval id is {approval}.")
        }
        RefusalReason::Closed => {
            format!("Approval {approval} was superseded by later content or an edit. Decide an entry of pending().")
        }
        RefusalReason::Decided => {
            format!("Approval {approval} was already decided the other way ({state}) and cannot be changed.")
        }
        RefusalReason::Withdrawn => format!(
            "Approval {approval} was withdrawn: its call settled ({state}) before a decision. Decide an entry of pending()."
        ),
        RefusalReason::Automatic => {
            format!("Approval {approval} is decided by the backend. The user cannot decide it.")
        }
        RefusalReason::Stale => format!(
            "Approval {approval} was decided for an input that call {call} no longer has. Show the current input and ask again."
        ),
        RefusalReason::NoCall => format!("No tool call has the id {call}. Use the toolCallId of a part."),
        RefusalReason::OutputUnasked => format!("Call {call} waits for the user. Decide its approval first."),
        RefusalReason::OutputEarly => format!(
            "Call {call} does not accept an output now ({state}). Wait until its input, or its streamed output, is complete."
        ),
        RefusalReason::OutputLate => {
            format!("Call {call} already settled ({state}) and keeps its result. A denied call needs no output.")
        }
        RefusalReason::Blocked => {
            "Approvals are pending, and on_user_message is Block. Decide or cancel them first.".into()
        }
        RefusalReason::UnderWay => "A request is in flight. Stop it, or wait until its reply ends.".into(),
        RefusalReason::NoMessage => "Unknown message id. Use an id of messages().".into(),
        RefusalReason::NoItem => "Unknown item id. Use an id of outgoing() or undelivered().".into(),
        RefusalReason::NotUndelivered => "This item cannot be sent again. Only items of undelivered() can.".into(),
        RefusalReason::Unnamed => {
            format!("The backend referred to unknown tool call {call}. It must send the tool name and input first.")
        }
        RefusalReason::ForeignApproval => {
            format!("Ignored a request for approval {approval} of call {call}: that approval belongs to another call.")
        }
        RefusalReason::ClosedApproval => {
            format!("Ignored a repeated request for approval {approval}: that approval is no longer pending.")
        }
        RefusalReason::NeverAsked => {
            format!("Ignored a response to approval {approval}: that approval was never requested.")
        }
        RefusalReason::Contradiction => contradiction(refusal, call, approval, state),
        RefusalReason::PastStep => format!(
            "Ignored a request for approval {approval} of call {call}: a later step or message follows that call."
        ),
        RefusalReason::Malformed => malformed(refusal.detail),
        RefusalReason::ReusedApproval => format!(
            "The backend reused the id of approval {approval} for call {call}. Pass the input_digest of the entry of pending() that was shown."
        ),
        RefusalReason::Unasked => {
            "Ignored a reply that no request asked for: a request is ready, but was not sent yet.".into()
        }
        RefusalReason::NoReply => "Ignored content outside of a reply: no assistant message can contain it.".into(),
        RefusalReason::UnsafeRetry => format!(
            "The answer to approval {approval} may have arrived, and a copy of it could answer a newer request. Call cancel() instead of retry()."
        ),
        RefusalReason::KnownMessage => {
            "Another message has this id. Use a new id, or pass `replace` to replace a message.".into()
        }
        RefusalReason::InvalidInputs => {
            "The model wrote arguments that are not valid JSON in four replies in a row. Call resume() to let it try again."
                .into()
        }
        RefusalReason::InputArrives => format!(
            "Approval {approval} cannot be decided yet: the input of call {call} is still arriving. Decide an entry of pending()."
        ),
    }
}

fn malformed(detail: Option<(u8, u8)>) -> String {
    let name = |number: u8| Name::of(number.into()).map_or("", Name::text);
    match detail.map(|(kind, property)| (name(kind), name(property))) {
        Some((kind, property)) if kind != Name::Type.text() => {
            format!("Ignored {kind}: missing or unknown {property}.")
        }
        Some(_) | None => "Ignored an event that is not an object with a string `type`.".into(),
    }
}

fn contradiction(refusal: &Refusal, call: &str, approval: &str, state: &str) -> String {
    let arrived = refusal.input.map_or("an event", arrived);
    match refusal.code {
        Code::ApprovalPending => format!(
            "Call {call} received {arrived} while approval {approval} was pending. The backend did not wait for the user. The call shows what it received."
        ),
        // Requests, responses and inputs are ignored then. A result is true, so it is shown.
        Code::AlreadyDecided if arrived.starts_with("an approval") || arrived == "another input" => {
            format!("Ignored {arrived} for call {call} ({state}): it contradicts the decision.")
        }
        Code::AlreadyDecided => {
            format!("Call {call} received {arrived} before its approval was sent. The call shows what it received.")
        }
        Code::UnknownApproval => {
            format!("Ignored {arrived} for call {call} ({state}): its approval was never requested.")
        }
        _ if state == Name::ApprovalResponded.text() || state == Name::OutputDenied.text() => {
            format!("Ignored {arrived} for call {call}: the call was denied and has no result.")
        }
        _ => format!("Ignored {arrived} for call {call}: the call already settled ({state})."),
    }
}

/// The words for what the backend sent about a call.
fn arrived(input: Input) -> &'static str {
    match input {
        Input::InputStart | Input::InputDelta | Input::InputAvailable => "an input",
        Input::InputUpdate | Input::DecisionVoid => "another input",
        Input::InputError => "an input error",
        Input::Request | Input::RequestAgain | Input::AutomaticRequest => "an approval request",
        Input::BackendApproved | Input::BackendDenied => "an approval response",
        Input::RequestWithdrawn => "a withdrawal of its approval request",
        Input::Preliminary | Input::Output => "an output",
        Input::Error => "an error",
        Input::OutputDenied => "a denial",
        Input::Approve
        | Input::Deny
        | Input::Skip
        | Input::Expire
        | Input::PageOutput
        | Input::PageError
        | Input::Cancel
        | Input::Sent
        | Input::Interrupt
        | Input::ConfirmDenial => "an event",
    }
}

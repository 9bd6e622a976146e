//! What a program shows of a chat: pending approvals, undelivered items, and who must act.

use alloc::string::String;
use alloc::vec::Vec;

use crate::machine::{Ending, ItemState, RepairCode, Status, TurnStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// An approval that the user can decide now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingApproval {
    /// The approval's id, which [`respond`](super::Gate::respond) takes. It is not the tool call's id.
    pub approval_id: String,
    /// The id of the call that needs approval.
    pub tool_call_id: String,
    /// The tool's name.
    pub tool_name: String,
    /// The call's input, as the model wrote it. It has not been validated.
    pub input: Json,
    /// SHA-256 of the input, in hex. [`Decision::shown`](super::Decision::shown) binds a decision to it.
    pub input_digest: String,
    /// When the request arrived, in ms since 1970.
    pub requested_at: u64,
    /// When the request expires, in ms since 1970. `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}

/// An item to send to the backend.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outgoing {
    /// The item's number, for `claim`, `mark_sent`, `mark_failed`, `retry` and [`ReplyTo::request`](super::ReplyTo).
    pub id: u32,
    /// The idempotency key. The same decisions have the same key, also in a restored gate and on a retry.
    pub key: String,
    /// The approvals whose decisions the item carries.
    pub approval_ids: Vec<String>,
    /// The request body that the AI SDK's own client would send: `{ id, messages, trigger, messageId? }`.
    pub body: Json,
    /// 1 for the first attempt, one more for each `retry`.
    pub attempt: u32,
}

/// An item that was not delivered, or whose delivery is not confirmed. See [`retry`](super::Gate::retry) and
/// [`cancel`](super::Gate::cancel).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Undelivered {
    /// The item's number.
    pub id: u32,
    /// The idempotency key, the same on every attempt.
    pub key: String,
    /// The approvals whose decisions the item carries.
    pub approval_ids: Vec<String>,
    /// The number of attempts so far.
    pub attempt: u32,
    /// Failed, unconfirmed or stalled.
    pub state: ItemState,
    /// The error that was passed to `mark_failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Who must act before the chat can continue, and on what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum WaitingFor {
    /// The user, to decide approvals.
    User {
        /// The approvals.
        approval_ids: Vec<String>,
    },
    /// The program, to run calls of local tools.
    Tool {
        /// The calls.
        tool_call_ids: Vec<String>,
    },
    /// The program, to claim and send items.
    Host {
        /// The items.
        ids: Vec<u32>,
    },
    /// The backend, to reply. The user can stop it.
    Reply,
    /// Somebody, to call `resume`: decisions are held after `stop`, or after a reply that ended badly.
    Resume,
    /// The user, to retry or to cancel items.
    Retry {
        /// The items.
        ids: Vec<u32>,
    },
    /// The user, to cancel items that cannot be repeated safely.
    Cancel {
        /// The items.
        ids: Vec<u32>,
    },
}

/// The state of the turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The status of the turn.
    pub status: TurnStatus,
    /// How its last reply ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// How many approvals wait for the user.
    pub undecided: u32,
    /// How many approvals are decided.
    pub decided: u32,
    /// Who must act. Empty if only the user's next message is awaited.
    pub waiting_for: Vec<WaitingFor>,
}

/// A chat at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GateView {
    /// What the chat is doing.
    pub status: Status,
    /// The messages, as the AI SDK's `UIMessage`s. Tool parts also have `outcome` and `delivery`.
    pub messages: Vec<Json>,
    /// The user's messages that are queued.
    pub queued: Vec<Json>,
    /// The approvals that the user can decide.
    pub pending: Vec<PendingApproval>,
    /// The items that were not delivered.
    pub undelivered: Vec<Undelivered>,
    /// The state of the turn.
    pub turn: Turn,
}

/// One repair of a loaded history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repair {
    /// What was repaired.
    pub code: RepairCode,
    /// The id of the repaired call, if it was a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

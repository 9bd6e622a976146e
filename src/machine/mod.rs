//! The state machine that decides what happens to an AI's tool calls.
//!
//! [`Machine`] is sans-I/O: the host reports what happened with methods, and reads what to do next. The machine never
//! calls the host, has no clock and no randomness, knows no protocol, and never looks into a value. Its methods come in
//! four families:
//!
//! - **the backend's events** (`exchange`, `backend`): never fail, in any order. An event that cannot be used becomes
//!   an [`Event::Anomaly`];
//! - **commands of the user and the host** (`user`, `outbox`, `history`): may be refused with a `Refusal`, and then
//!   change nothing;
//! - **state** (`machine.rs`, `waiting.rs`): `transcript`, `status`, `waiting` … only read;
//! - **reports**: `take_events` and `take_changes` return each entry once.
//!
//! A folder has a state and the rules that change it. The files with the state do not know the machine. Three states
//! have a total transition table: a `call`, the `exchange` with the backend, and an item of the `outbox`; the
//! `transcript`, the `turn` and the policies (`policy`) have none. A file says in its first lines what it changes
//! without a table. The files beside this one are what the folders share: `apply.rs` changes a call and all that
//! depends on it, `advance.rs` decides what is sent next, and `waiting.rs` who must act next. Three rules always hold:
//! - an outgoing item is started once;
//! - the decisions of a step are sent only after everybody has acted whom the step waits for (`may_submit`). Answers
//!   and user messages have conditions of their own, in `outbox/answers.rs` and `advance.rs`;
//! - [`Machine::waiting`] names somebody who can act, or nothing is left to do.

mod backend;
mod call;
pub(crate) mod enumerated;
mod exchange;
mod history;
mod ledger;
mod outbox;
mod policy;
mod transcript;
mod turn;
mod user;

mod advance;
mod apply;
mod error;
mod event;
mod id;
mod identity;
#[allow(clippy::module_inception)]
mod machine;
mod options;
mod payload;
mod reads;
mod sorted;
mod waiting;

pub use backend::{CallReport, InputUpdate, Request};
use call::ReportKind;
pub use call::{
    Approval, DecidedBy, Decision, Delivery, Effect, Input, Outcome, OutcomeKind, Phase, Reread, ToolPart, Transition,
    WaitsFor, transition,
};
pub use error::{Code, Refusal, RefusalReason};
pub use event::Event;
pub use exchange::{
    About, Admission, Brings, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, LastReply, Opening,
    Reconnect, Reply, exchange_transition,
};
use exchange::{Followed, Meant, RECONNECT_MS, Replay, agrees};
pub use history::{Repair, RepairCode, merge_calls};
pub use id::{CallKey, Id, IdMap};
pub use ledger::Ledger;
pub use machine::{Machine, Status};
pub use options::{Options, ProtocolTrait};
pub use outbox::{
    Carried, DeliveryState, Item, ItemInput, ItemState, ItemTransition, Kind, Outbox, Queue, Queued, item_transition,
};
pub use payload::Payload;
pub use policy::{Digest, OnDeny, OnUserMessage, Remembered, RememberedDecision};
#[cfg(all(debug_assertions, feature = "std"))]
pub use reads::reads;
use transcript::first_of_step;
pub use transcript::{ApprovalOwner, Change, Message, PageTools, Part, PartPos, Role, Transcript};
pub use turn::{Ending, Hold, Holds, StreamEnd, Turn, TurnStatus, Waiting, WaitsOn};
pub use user::{Respond, RespondOutcome, Sent};

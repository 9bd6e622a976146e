//! The state machine that decides what happens to an AI's tool calls.
//!
//! [`Machine`] is sans-I/O: whatever happened goes in by a method, and what has to be done is read
//! off it. It never calls out, has no clock and no randomness, knows no protocol and looks into no
//! value. Its methods come in four families:
//!
//! - **what is so** (`machine.rs`, `waiting.rs`): `transcript`, `status`, `waiting`, `outgoing` … read only;
//! - **what the backend did** (`admit.rs`, `reply*.rs`, `backend_*.rs`, `stream_end.rs`): never fail, in whatever order
//!   they come: what cannot be used becomes an [`Event::Anomaly`];
//! - **what the user and the host do** (`respond.rs`, `user.rs`, `deliver.rs`, …): fail with a `Refusal` and then have
//!   changed nothing;
//! - **what to report**: `take_events`, `take_changes`, each thing once.
//!
//! What has a state of its own has a folder and fields of its own, and each changes by one total table: a `call`, the
//! `turn`'s exchange with the backend, an item of the `outbox`. The files in this folder only coordinate them. Three
//! rules hold everywhere. An outgoing item is started once. Whatever decides that something may be sent asks
//! [`Machine::waiting`]. And in every state it names who can act, or nothing is left to do.

mod call;
mod enumerated;
mod history;
mod ledger;
mod outbox;
mod policy;
mod remembered;
mod transcript;
mod turn;

mod admit;
mod answers;
mod apply;
mod backend_calls;
mod backend_requests;
mod deadline;
mod deliver;
mod earlier_reply;
mod error;
mod event;
mod id;
mod identity;
mod left_over;
#[allow(clippy::module_inception)]
mod machine;
mod on_deny;
mod payload;
mod recall;
mod release;
mod reply;
mod reply_end;
mod reply_start;
mod respond;
mod retry;
mod rewrite;
mod stream_end;
mod user;
mod waiting;
mod which_call;

pub use admit::{Admission, Brings};
pub use backend_calls::{Opening, Result};
pub use backend_requests::Request;
pub use call::{
    Approval, DecidedBy, Decision, Delivery, Effect, Input, Outcome, OutcomeKind, Phase, ToolPart, Transition,
    WaitsFor, transition,
};
pub use error::{Code, Refusal, RefusalReason};
pub use event::Event;
pub use history::{Repair, RepairCode, merge_calls};
pub use id::{CallKey, Id, IdMap};
pub use ledger::Ledger;
pub use machine::{Machine, Status};
pub use outbox::{
    Carried, DeliveryState, Item, ItemInput, ItemState, ItemTransition, Kind, Outbox, Queue, Queued, item_transition,
};
pub use payload::Payload;
pub use policy::{OnDeny, OnUserMessage, Options};
pub use remembered::{Digest, Remembered, RememberedDecision};
pub use respond::{Respond, RespondOutcome};
pub use transcript::{ApprovalOwner, Change, Message, PageTools, Part, PartPos, Role, Transcript};
pub use turn::{
    About, Ending, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, Hold, Holds, LastReply, Reconnect,
    Reply, StreamEnd, Turn, TurnStatus, Waiting, WaitsOn, exchange_transition,
};
pub use user::Sent;

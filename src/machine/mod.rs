//! The state machine that decides what happens to an AI's tool calls.
//!
//! [`Machine`] is sans-I/O: the host reports what happened with methods, and reads what to do next. The machine never
//! calls the host, has no clock and no randomness, knows no protocol, and never looks into a value. Its methods come in
//! four families:
//!
//! - **state** (`machine.rs`, `waiting.rs`; `outgoing` is in `deliver.rs`): `transcript`, `status`, `waiting` … only
//!   read;
//! - **the backend's events** (`admit.rs`, `reply*.rs`, `backend_*.rs`, `stream_end.rs`): never fail, in any order. An
//!   event that cannot be used becomes an [`Event::Anomaly`];
//! - **commands of the user and the host** (`respond.rs`, `user.rs`, `deliver.rs`, …): may be refused with a `Refusal`,
//!   and then change nothing;
//! - **reports**: `take_events` and `take_changes` return each entry once.
//!
//! Three things have a state of their own, each with a folder and one total transition table: a `call`, the `turn`'s
//! exchange with the backend, and an item of the `outbox`. The files in this folder coordinate them; each file says in
//! its first lines which states change without the table. Three rules always hold:
//! - an outgoing item is started once;
//! - the decisions of a step are sent only after everybody has acted whom the step waits for (`may_submit`). Answers
//!   and user messages have conditions of their own, in `answers.rs` and `release.rs`;
//! - [`Machine::waiting`] names somebody who can act, or nothing is left to do.

mod call;
pub(crate) mod enumerated;
mod history;
mod ledger;
mod outbox;
mod policy;
mod remembered;
mod transcript;
mod turn;

mod abandoned;
mod admit;
mod answers;
mod apply;
mod backend_calls;
mod backend_decisions;
mod backend_requests;
mod deadline;
mod deliver;
mod earlier_reply;
mod error;
mod event;
mod id;
mod identity;
mod input_update;
#[allow(clippy::module_inception)]
mod machine;
mod on_deny;
mod open_requests;
mod options;
mod passing;
mod payload;
mod reads;
mod recall;
mod reconcile;
mod release;
mod repeated_requests;
mod reply_content;
mod reply_end;
mod reply_message;
mod reply_start;
mod respond;
mod retry;
mod rewrite;
mod sorted;
mod stream_end;
mod user;
mod waiting;
mod which_call;

pub use admit::{Admission, Brings};
pub use backend_calls::CallReport;
pub use backend_requests::Request;
use call::ReportKind;
pub use call::{
    Approval, DecidedBy, Decision, Delivery, Effect, Input, Outcome, OutcomeKind, Phase, Reread, ToolPart, Transition,
    WaitsFor, transition,
};
pub use error::{Code, Refusal, RefusalReason};
pub use event::Event;
pub use history::{Repair, RepairCode, merge_calls};
pub use id::{CallKey, Id, IdMap};
pub use input_update::InputUpdate;
pub use ledger::Ledger;
pub use machine::{Machine, Status};
pub use options::{Options, ProtocolTrait};
pub use outbox::{
    Carried, DeliveryState, Item, ItemInput, ItemState, ItemTransition, Kind, Outbox, Queue, Queued, item_transition,
};
pub use payload::Payload;
pub use policy::{OnDeny, OnUserMessage};
#[cfg(all(debug_assertions, feature = "std"))]
pub use reads::reads;
pub use remembered::{Digest, Remembered, RememberedDecision};
pub use respond::{Respond, RespondOutcome};
use transcript::first_of_step;
pub use transcript::{ApprovalOwner, Change, Message, PageTools, Part, PartPos, Role, Transcript};
pub use turn::{
    About, Ending, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, Hold, Holds, LastReply, Reconnect,
    Reply, StreamEnd, Turn, TurnStatus, Waiting, WaitsOn, exchange_transition,
};
pub use user::Sent;
pub use which_call::Opening;

//! The state machine that decides what happens to an AI's tool calls.
//!
//! [`Machine`] is sans-I/O: whatever happened goes in by a method, and what has to be done is read
//! off it. It never calls out, has no clock and no randomness, knows no protocol and looks into no
//! value. Its methods come in four families:
//!
//! - **what is so**: `transcript`, `status`, `turn`, `outgoing`, `undelivered` … read only;
//! - **what the backend did**: `begin`, `content`, `tool`, `stream_ended` … never fail: what cannot
//!   be used becomes an [`Event::Anomaly`];
//! - **what the user and the host do**: `respond`, `send_user_message`, `cancel`, `claim` …
//!   fail with a [`Refusal`] and then have changed nothing;
//! - **what to tell**: `take_events`, `take_changes`, each thing once.
//!
//! Three rules hold everywhere. A call's phase changes by [`verdict`] alone. An outgoing item is
//! started once. And whatever state the machine is in, the user's next message has a way out.

mod answers;
mod barrier;
mod calls;
mod deadline;
mod decide;
mod delivery;
mod ending;
mod error;
mod event;
mod id;
mod identity;
mod load;
#[allow(clippy::module_inception)]
mod machine;
mod memory;
mod on_deny;
mod options;
mod part;
mod payload;
mod reply;
mod retry;
mod rewrite;
mod saved;
mod table;
mod transcript;
mod transition;
mod turn;
mod user;

pub use calls::Request;
pub use decide::Answer;
pub use delivery::{Item, Trigger};
pub use error::{Code, Refusal, Why};
pub use event::Event;
pub use id::{ById, Id};
pub use load::{Repair, RepairCode, merge_calls};
pub use machine::{Machine, Status};
pub use memory::{Digest, Memory};
pub use on_deny::Rule;
pub use options::{OnDeny, OnUserMessage, Options};
pub use part::{Approval, Author, Decision, DeliveryState, Outcome, OutcomeKind, ToolPart};
pub use payload::Payload;
pub use reply::{About, Admission};
pub use saved::{Saved, SavedReply};
pub use table::{Cause, Phase, Verdict, verdict};
pub use transcript::{At, Change, Holder, Message, Part, Role, Transcript};
pub use turn::{Ending, StreamEnd, Turn, TurnStatus};
pub use user::Sent;

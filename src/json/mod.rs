//! A gate over `serde_json` values, for Rust programs: terminals, desktop apps, servers, and pages in Rust.
//!
//! ```
//! use serde_json::json;
//! use toolgate::json::{Decision, Gate, GateOptions, ReplyTo};
//! use toolgate::machine::StreamEnd;
//!
//! let mut gate = Gate::new("chat-1", &GateOptions::default());
//! gate.send_user_message(&json!({ "text": "Delete the old logs" }), None)?;
//! let request = gate.outgoing().remove(0);
//! assert!(gate.claim(request.id)); // then send request.body, with the header Idempotency-Key: request.key
//!
//! // The events of the reply:
//! let about = ReplyTo { request: Some(request.id), ..ReplyTo::default() };
//! for event in [
//!     json!({ "type": "start", "messageId": "m1" }),
//!     json!({ "type": "start-step" }),
//!     json!({ "type": "tool-input-available", "toolCallId": "c1", "toolName": "delete", "input": {} }),
//!     json!({ "type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1" }),
//!     json!({ "type": "finish-step" }),
//!     json!({ "type": "finish" }),
//! ] {
//!     gate.receive(&event, about);
//! }
//! gate.stream_ended(StreamEnd::Finished, about);
//!
//! let shown = gate.pending().remove(0);
//! assert_eq!(shown.input, json!({}));
//! gate.respond(&shown.approval_id, &Decision::deny("Keep this week's").shown(&shown))?;
//!
//! // One request with the decision. The denied call has no output: the model reads that it did not run.
//! let request = gate.outgoing().remove(0);
//! let part = &request.body["messages"][1]["parts"][1];
//! assert_eq!(part["approval"], json!({ "id": "a1", "approved": false, "reason": "Keep this week's" }));
//! # Ok::<(), toolgate::json::GateError>(())
//! ```

mod canonical;
mod checksum;
mod error;
mod event;
mod gate;
mod options;
mod outgoing;
mod partial;
mod reading;
mod saved;
mod store;
mod store_values;
mod value;
mod view;

pub use canonical::digest;
pub use error::{ErrorCode, GateError};
pub use event::GateEvent;
pub use gate::{Decision, Gate, ReplyTo};
pub use options::{GateOptions, ResultTexts};
pub use partial::PartialInput;
pub use saved::{SNAPSHOT_VERSION, SavedGate};
pub use store::Store;
pub use value::Value;
pub use view::{GateView, Outgoing, PendingApproval, Repair, Turn, Undelivered, WaitingFor};

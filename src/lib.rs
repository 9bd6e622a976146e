//! Toolgate decides what happens to the tool calls of an AI chat.
//!
//! An AI calls a tool, and the user is asked first. This crate owns the state of each call: what the user may decide,
//! what must be sent to the backend, and what the model reads about calls that did not run.
//!
#![cfg_attr(feature = "json", doc = "```")]
#![cfg_attr(not(feature = "json"), doc = "```ignore")]
//! use serde_json::json;
//! use toolgate::json::{Decision, Gate, GateOptions, ReplyTo};
//! use toolgate::machine::StreamEnd;
//!
//! # fn now_ms() -> u64 { 1_800_000_000_000 }
//! let mut gate = Gate::new("chat-1", &GateOptions::default(), now_ms());
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
//!     gate.receive(&event, about, now_ms());
//! }
//! gate.stream_ended(StreamEnd::Finished, about);
//!
//! let shown = gate.pending().remove(0);
//! gate.respond(&shown.approval_id, &Decision::deny("Keep this week's").shown(&shown))?;
//!
//! // One request with the decision. The denied call has no output: the model reads that it did not run.
//! let request = gate.outgoing().remove(0);
//! let part = &request.body["messages"][1]["parts"][1];
//! assert_eq!(part["approval"], json!({ "id": "a1", "approved": false, "reason": "Keep this week's" }));
//! # Ok::<(), toolgate::json::GateError>(())
//! ```
//!
//! The crate has four layers, and a layer imports only lower ones:
//!
//! - [`machine`]: the state machine. It owns every tool call's approval state, what must be sent
//!   to the backend, and the transcript. No I/O, no clock, no randomness, no JSON, no JS.
//! - [`wire`]: reads AI SDK events and stored histories into the machine, writes its transcript as messages, and saves
//!   its state.
#![cfg_attr(feature = "json", doc = "- [`json`]: a gate over `serde_json` values, for Rust programs.")]
#![cfg_attr(not(feature = "json"), doc = "- `json`: a gate over `serde_json` values, for Rust programs.")]
//! - `wasm`: the boundary to JavaScript of the npm package `toolgate`, compiled for the wasm target only.
//!
//! # Features
//!
//! - `std` (default): nothing but the standard library itself. Without it the crate needs `alloc`.
//! - `json`: the module `json`.
//! - `serde`: `Serialize` and `Deserialize` of enums; part of `json`.
//! - `js`: the boundary to JavaScript. Only the build of the npm package needs it.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "json")]
pub mod json;
pub mod machine;
pub mod wire;

#[cfg(all(feature = "js", target_family = "wasm"))]
mod wasm;

mod prelude;
#[cfg(feature = "serde")]
mod texts_as_json;

/// The published file has no standard library: nothing could print a panic's message there, and the code that formats
/// it would be a large part of the download. JavaScript sees a trap, and the gate then sends nothing more.
#[cfg(all(feature = "js", not(feature = "std"), target_family = "wasm"))]
mod artifact {
    #[global_allocator]
    static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        core::arch::wasm32::unreachable()
    }
}

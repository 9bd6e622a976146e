//! Toolgate decides what happens to the tool calls of an AI chat.
//!
//! The crate is three floors, and a floor imports only lower ones:
//!
//! - [`machine`]: the state machine. It owns every tool call's approval state, what must be sent
//!   to the backend, and the transcript. No I/O, no clock, no randomness, no JSON, no JS.
//! - [`wire`]: one codec per backend protocol. A codec reads a backend's events into the machine
//!   and writes the machine's transcript in the backend's own words.
//! - `wasm`: the boundary to JavaScript, compiled for the wasm target only.
//!
//! TypeScript users meet none of this: they use the npm package `toolgate`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod machine;
pub mod wire;

#[cfg(target_family = "wasm")]
mod wasm;

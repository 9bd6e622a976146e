//! The AI SDK form of a chat, and the form in which a chat is saved, over the host's values.
//!
//! A codec reads a backend's events into the [`machine`](crate::machine) and writes the machine's transcript in the
//! backend's format. It makes no decisions: only the machine decides whether an event may change anything. The AI SDK's
//! codec is here; other protocols are TypeScript, and convert to and from the AI SDK's form. Values are reached through
//! [`Values`], so the same code runs on JavaScript objects in the browser and on `serde_json` values in native tests.

pub mod ai_sdk;
pub mod enum_names;
mod host_values;
mod idempotency_key;
mod item_decisions;
mod names;
mod result_texts;
pub mod snapshot;

pub use host_values::{ValueKind, Values, time};
pub use idempotency_key::key_material;
pub use item_decisions::decisions;
pub use names::{Name, OmitKeys};
pub use result_texts::{Text, Texts};

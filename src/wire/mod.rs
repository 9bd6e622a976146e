//! The AI SDK form of a chat, and the form in which a chat is saved, over the host's values.
//!
//! A codec reads a backend's events into the [`machine`](crate::machine) and writes the machine's transcript in the
//! backend's words. It takes no decision: whether an event may change anything is the machine's to say. The AI SDK's codec is
//! here; those of other protocols are TypeScript, over this one's form. Values are reached through [`Values`], so the same
//! code runs on JavaScript objects in the browser and on `serde_json` values in native tests.

pub mod ai_sdk;
mod default_texts;
pub mod enum_names;
mod host_values;
mod idempotency_key;
mod item_decisions;
mod names;
pub mod snapshot;

pub use default_texts::Texts;
pub use host_values::{Sort, Values, time};
pub use idempotency_key::key_material;
pub use item_decisions::decisions;
pub use names::{Name, Without};

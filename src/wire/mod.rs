//! Codecs: one per backend protocol, and what they share.
//!
//! A codec reads a backend's events into the [`machine`](crate::machine) and writes the machine's
//! transcript in the backend's words. It takes no decision: whether an event may change anything is
//! the machine's to say. Values are reached through [`Values`], so the same codec runs on JavaScript
//! objects in the browser and on `serde_json` values in native tests.

pub mod ai_sdk;
mod key;
mod names;
pub mod snapshot;
mod texts;
mod told;
mod values;
pub mod words;

pub use key::key_material;
pub use names::{Name, Without};
pub use texts::Texts;
pub use told::decisions;
pub use values::{Sort, Values, time};

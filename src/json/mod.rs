//! A gate over `serde_json` values, for Rust programs: terminals, desktop apps, servers, and pages in Rust.
//!
//! The [first page](crate) has an example.

mod canonical;
mod checksum;
mod error;
mod event;
mod gate;
mod model_messages;
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

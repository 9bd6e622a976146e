//! The outbox: outgoing items, and the user's queued messages.
//!
//! An item is listed until it is claimed, and only one caller can claim it. Its state changes only by the table in
//! [`transition`](item_transition). Only `retry` (or a user message, if repeating the item is harmless) makes an item
//! ready again, with the same key and body. `deliver.rs` has the commands of the host that sends them.

mod answers;
mod deliver;
mod item;
#[allow(clippy::module_inception)]
mod outbox;
mod passing;
mod queue;
mod retry;
mod state;
mod transition;

pub use item::{Carried, Item, Kind};
pub use outbox::Outbox;
pub use queue::{Queue, Queued};
pub use state::{DeliveryState, ItemState};
pub use transition::{ItemInput, ItemTransition, item_transition};

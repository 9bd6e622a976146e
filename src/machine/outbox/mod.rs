//! What has to reach the backend: outgoing items, and the user's messages that are queued.
//!
//! An item is listed until it is claimed, and claimed by one caller only. Its state changes by the table in
//! [`transition`](item_transition) alone, and only `retry` (or, where repeating is harmless, the user's message) makes one
//! ready a second time, with the same key and body.

mod item;
#[allow(clippy::module_inception)]
mod outbox;
mod queue;
mod state;
mod transition;

pub use item::{Carried, Item, Kind};
pub use outbox::Outbox;
pub use queue::{Queue, Queued};
pub use state::{DeliveryState, ItemState};
pub use transition::{ItemInput, ItemTransition, item_transition};

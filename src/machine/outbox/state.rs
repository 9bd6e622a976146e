//! The delivery states of outgoing items and of decisions.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// The delivery state of an outgoing item.
    pub enum ItemState {
        /// It may be sent now.
        Ready = "ready",
        /// It was sent, and the backend has not responded.
        InFlight = "in-flight",
        /// The backend has received it, and its reply is open or awaited.
        Replying = "replying",
        /// The backend has received it, and nothing more is expected.
        Done = "done",
        /// It could not be sent.
        Failed = "failed",
        /// It may or may not have arrived.
        Unconfirmed = "unconfirmed",
        /// The backend has received it, and its reply ended empty, or without results for approved calls in it.
        Stalled = "stalled",
    }
}

enumerated! {
    /// The delivery state of a decision, as the view shows it.
    pub enum DeliveryState {
        /// It is not in a request to the server yet.
        Held = "held",
        /// It is in a request to the server that may be sent now.
        Ready = "ready",
        /// It was sent, and the backend has not responded.
        InFlight = "in-flight",
        /// The backend has received it.
        Acknowledged = "acknowledged",
        /// It could not be sent.
        Failed = "failed",
        /// It may or may not have arrived.
        Unconfirmed = "unconfirmed",
    }
}

impl ItemState {
    /// The delivery state of the decisions in an item with this state.
    #[must_use]
    pub const fn delivery(self) -> DeliveryState {
        match self {
            ItemState::Ready => DeliveryState::Ready,
            ItemState::InFlight => DeliveryState::InFlight,
            ItemState::Replying | ItemState::Done | ItemState::Stalled => DeliveryState::Acknowledged,
            ItemState::Failed => DeliveryState::Failed,
            ItemState::Unconfirmed => DeliveryState::Unconfirmed,
        }
    }

    /// Whether the item needs the user's attention.
    #[must_use]
    pub const fn is_undelivered(self) -> bool {
        match self {
            ItemState::Failed | ItemState::Unconfirmed | ItemState::Stalled => true,
            ItemState::Ready | ItemState::InFlight | ItemState::Replying | ItemState::Done => false,
        }
    }

    /// Whether the item was sent, and its result is still open.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        match self {
            ItemState::InFlight | ItemState::Replying => true,
            ItemState::Ready | ItemState::Done | ItemState::Failed | ItemState::Unconfirmed | ItemState::Stalled => {
                false
            }
        }
    }
}

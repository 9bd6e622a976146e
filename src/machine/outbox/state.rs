//! How far an outgoing item got.

use crate::machine::enumerated::enumerated;

enumerated! {
    /// How far an outgoing item got.
    pub enum ItemState {
        /// May be sent now.
        Ready = "ready",
        /// Was sent; the backend has not answered.
        InFlight = "in-flight",
        /// The backend has it, and its reply is arriving or awaited.
        Replying = "replying",
        /// The backend has it, and nothing more is expected.
        Done = "done",
        /// Could not be sent.
        Failed = "failed",
        /// May or may not have arrived.
        Unconfirmed = "unconfirmed",
        /// The backend has it, and its reply ended without what it owed.
        Stalled = "stalled",
    }
}

enumerated! {
    /// How far a decision got, as the view shows it.
    pub enum DeliveryState {
        /// Decided, and not in a request yet.
        Held = "held",
        /// In a request that may be sent now.
        Ready = "ready",
        /// Sent; the backend has not answered.
        InFlight = "in-flight",
        /// The backend answered.
        Acknowledged = "acknowledged",
        /// Could not be sent.
        Failed = "failed",
        /// May or may not have arrived.
        Unconfirmed = "unconfirmed",
    }
}

impl ItemState {
    /// How far the decisions got that an item in this state carries.
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

    /// Whether the user has to do something about it.
    #[must_use]
    pub const fn is_undelivered(self) -> bool {
        match self {
            ItemState::Failed | ItemState::Unconfirmed | ItemState::Stalled => true,
            ItemState::Ready | ItemState::InFlight | ItemState::Replying | ItemState::Done => false,
        }
    }

    /// Whether it was sent, and what comes of it is still to be seen.
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

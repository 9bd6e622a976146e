//! What the machine tells its host about, once each.

use super::{DeliveryState, Id, Outcome, Payload, Phase, Refusal};
use crate::prelude::*;

/// Something that happened. Events are for logs and listeners: nothing that must not be lost is
/// told by an event alone.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A call went from one phase to another.
    Transition {
        /// The call.
        call: Id,
        /// Its tool.
        tool: Id,
        /// From; none for a call that is new.
        from: Option<Phase>,
        /// To.
        to: Phase,
        /// The approval that is asked for, when one is.
        approval: Option<Id>,
        /// Its outcome, once it has settled.
        outcome: Option<Outcome>,
    },
    /// An approval got its one decision.
    Decision {
        /// The approval.
        approval: Id,
        /// Its call.
        call: Id,
        /// The answer.
        approved: bool,
        /// The reason given.
        reason: Payload,
    },
    /// A call settled: this is what the model will be told.
    Result {
        /// The call.
        call: Id,
        /// Its tool.
        tool: Id,
        /// How it settled.
        outcome: Outcome,
        /// The output or the error's text, where there is one.
        output: Payload,
    },
    /// An outgoing item went on its way.
    Delivery {
        /// The item.
        item: u32,
        /// From; none for an item that is new.
        from: Option<DeliveryState>,
        /// To; none for an item that was withdrawn.
        to: Option<DeliveryState>,
        /// How often it has been tried, from 1.
        attempt: u32,
    },
    /// The backend sent something that changes nothing, and should not have.
    Anomaly(Refusal),
    /// A reply ended without the results it owes: nothing more leaves by itself.
    Stalled {
        /// The item whose reply it was.
        item: Option<u32>,
        /// The approvals it carried.
        approvals: Vec<Id>,
    },
}

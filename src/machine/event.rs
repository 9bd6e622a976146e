//! What the machine reports to its host, once each.

use super::{CallKey, DeliveryState, Id, Outcome, Payload, Phase, Refusal};
use crate::prelude::*;

/// Something that happened. Events are for logs and listeners: nothing that must not be lost is reported by an event alone.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A call went from one phase to another.
    Transition {
        /// The call's id.
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
        key: CallKey,
        /// The call's id.
        call: Id,
        /// The answer.
        approved: bool,
        /// The reason given.
        reason: Payload,
    },
    /// A call settled: this is what the model will read.
    Result {
        /// The call.
        key: CallKey,
        /// Its id.
        call: Id,
        /// Its tool.
        tool: Id,
        /// How it settled.
        outcome: Outcome,
        /// The output or the error's text, where there is one.
        output: Payload,
    },
    /// An outgoing item changed how far it got.
    Delivery {
        /// The item.
        item: u32,
        /// From; none for an item that is new.
        from: Option<DeliveryState>,
        /// To; none for an item that was withdrawn.
        to: Option<DeliveryState>,
        /// How often it was tried, from 1.
        attempt: u32,
    },
    /// The backend sent something that changes nothing, and should not have.
    Anomaly(Refusal),
    /// A reply ended without the results it owes: nothing more is sent automatically.
    Stalled {
        /// The item whose reply it was.
        item: u32,
        /// The approvals it carried.
        approvals: Vec<Id>,
    },
}

impl Event {
    /// Every value that it holds.
    pub(super) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        match self {
            Event::Decision { reason, .. } => each(*reason),
            Event::Result { output, outcome, .. } => {
                each(*output);
                each(outcome.reason);
            }
            Event::Transition { outcome: Some(outcome), .. } => each(outcome.reason),
            Event::Transition { .. } | Event::Delivery { .. } | Event::Anomaly(_) | Event::Stalled { .. } => {}
        }
    }

    /// Every id that it holds.
    pub(super) fn ids(&self, each: &mut dyn FnMut(Id)) {
        match self {
            Event::Transition { call, tool, approval, .. } => {
                [Some(*call), Some(*tool), *approval].into_iter().flatten().for_each(each);
            }
            Event::Decision { approval, call, .. } => [*approval, *call].into_iter().for_each(each),
            Event::Result { call, tool, .. } => [*call, *tool].into_iter().for_each(each),
            Event::Anomaly(refusal) => [refusal.call, refusal.approval].into_iter().flatten().for_each(each),
            Event::Stalled { approvals, .. } => approvals.iter().copied().for_each(each),
            Event::Delivery { .. } => {}
        }
    }
}

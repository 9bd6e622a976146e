//! The events that the machine reports to its host, each once.

use super::{CallKey, DeliveryState, Id, Outcome, Payload, Phase, Refusal};
use crate::prelude::*;

/// Something that happened, for logs and listeners. Information that must not be lost is never in an event only.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A call changed its phase.
    Transition {
        /// The call's id.
        call: Id,
        /// The tool's name.
        tool: Id,
        /// The old phase; `None` for a new call.
        from: Option<Phase>,
        /// The new phase.
        to: Phase,
        /// The approval that is requested, if one is.
        approval: Option<Id>,
        /// The outcome, if the call has settled.
        outcome: Option<Outcome>,
    },
    /// The backend changed the complete input of a call, or its tool.
    InputChanged {
        /// The call's id.
        call: Id,
        /// The tool's name now.
        tool: Id,
        /// Its approval, if one was requested.
        approval: Option<Id>,
        /// Whether a decision on the old input is void. The user is asked again.
        decision_void: bool,
    },
    /// An approval was decided.
    Decision {
        /// The approval's id.
        approval: Id,
        /// The call's key.
        key: CallKey,
        /// The call's id.
        call: Id,
        /// Whether it was approved.
        approved: bool,
        /// The reason given, if any.
        reason: Payload,
    },
    /// A call settled. This is the result that the model will read.
    Result {
        /// The call's key.
        key: CallKey,
        /// The call's id.
        call: Id,
        /// The tool's name.
        tool: Id,
        /// How it settled.
        outcome: Outcome,
        /// The output, or the text of the error, if there is one.
        output: Payload,
    },
    /// The delivery of an outgoing item changed.
    Delivery {
        /// The item's number.
        item: u32,
        /// The old state; `None` for a new item.
        from: Option<DeliveryState>,
        /// The new state; `None` for a withdrawn item.
        to: Option<DeliveryState>,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// The backend sent an unexpected event.
    Anomaly(Refusal),
    /// A reply ended empty, or without results for approved calls in its request. Nothing more is sent automatically.
    Stalled {
        /// The number of the item that the reply answers.
        item: u32,
        /// The approvals in the item.
        approvals: Vec<Id>,
    },
}

impl Event {
    /// Visits every value that the event holds.
    pub(super) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        match self {
            Event::Decision { reason, .. } => each(*reason),
            Event::Result { output, outcome, .. } => {
                each(*output);
                each(outcome.reason);
            }
            Event::Transition { outcome: Some(outcome), .. } => each(outcome.reason),
            Event::Transition { .. }
            | Event::InputChanged { .. }
            | Event::Delivery { .. }
            | Event::Anomaly(_)
            | Event::Stalled { .. } => {}
        }
    }

    /// Visits every id that the event holds.
    pub(super) fn ids(&self, each: &mut dyn FnMut(Id)) {
        match self {
            Event::Transition { call, tool, approval, .. } => {
                each_of(&[Some(*call), Some(*tool), *approval], each);
            }
            Event::InputChanged { call, tool, approval, .. } => each_of(&[Some(*call), Some(*tool), *approval], each),
            Event::Decision { approval, call, .. } => [*approval, *call].into_iter().for_each(each),
            Event::Result { call, tool, .. } => [*call, *tool].into_iter().for_each(each),
            Event::Anomaly(refusal) => each_of(&[refusal.call, refusal.approval], each),
            Event::Stalled { approvals, .. } => approvals.iter().copied().for_each(each),
            Event::Delivery { .. } => {}
        }
    }
}

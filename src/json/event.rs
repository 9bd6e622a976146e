//! The events of a gate, each reported once.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{GateError, Store};
use crate::machine::{DeliveryState, Event, Id, OutcomeKind};
use crate::wire::{Name, enum_names};
use serde::Serialize;
use serde_json::Value as Json;

/// Something that happened, for logs. Information that must not be lost is never in an event only.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum GateEvent {
    /// A call changed its state.
    Transition {
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// The state before, such as `approval-requested`; `None` for a new call.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<&'static str>,
        /// The state now.
        to: &'static str,
    },
    /// The backend changed the complete input of a call, or its tool.
    InputChanged {
        /// The call's id.
        tool_call_id: String,
        /// The tool's name now.
        tool_name: String,
        /// Its approval, if one was requested.
        #[serde(skip_serializing_if = "Option::is_none")]
        approval_id: Option<String>,
        /// Whether a decision on the old input is void. The user is asked again.
        decision_void: bool,
    },
    /// An approval was decided.
    Decision {
        /// The approval's id.
        approval_id: String,
        /// The call's id.
        tool_call_id: String,
        /// Whether it was approved.
        approved: bool,
        /// The reason given, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A call settled.
    ToolResult {
        /// The call's id.
        tool_call_id: String,
        /// The tool's name.
        tool_name: String,
        /// How it settled.
        outcome: OutcomeKind,
        /// Whether it may have run although it has no result.
        may_have_run: bool,
        /// Its output, or the text of its error, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Json>,
    },
    /// The delivery of an outgoing item changed.
    Delivery {
        /// The item's number.
        id: u32,
        /// The state now; `None` for a withdrawn item.
        to: Option<DeliveryState>,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// The backend sent something unexpected. Nothing was lost, and no decision was taken back.
    Anomaly {
        /// What was unexpected.
        error: GateError,
    },
    /// Older events were dropped, because the program did not take them.
    Dropped {
        /// How many.
        count: usize,
    },
    /// A reply ended empty, or without results for approved calls in its request. Nothing more is sent automatically.
    Stalled {
        /// The item's number.
        id: u32,
        /// The approvals in the item.
        approval_ids: Vec<String>,
    },
}

impl GateEvent {
    /// The event with texts and values instead of numbers.
    pub(super) fn read(store: &Store, event: &Event) -> Self {
        let text = |id: Id| store.text(id).to_string();
        match event {
            Event::Transition { call, tool, from, to, .. } => GateEvent::Transition {
                tool_call_id: text(*call),
                tool_name: text(*tool),
                from: from.map(enum_names::state).map(Name::text),
                to: enum_names::state(*to).text(),
            },
            Event::InputChanged { call, tool, approval, decision_void } => GateEvent::InputChanged {
                tool_call_id: text(*call),
                tool_name: text(*tool),
                approval_id: approval.map(text),
                decision_void: *decision_void,
            },
            Event::Decision { approval, call, approved, reason, .. } => GateEvent::Decision {
                approval_id: text(*approval),
                tool_call_id: text(*call),
                approved: *approved,
                reason: store.take(*reason).as_text().map(Into::into),
            },
            Event::Result { call, tool, outcome, output, .. } => GateEvent::ToolResult {
                tool_call_id: text(*call),
                tool_name: text(*tool),
                outcome: outcome.kind,
                may_have_run: outcome.may_have_run,
                result: output.is_some().then(|| store.to_json(*output)),
            },
            Event::Delivery { item, to, attempt, .. } => GateEvent::Delivery { id: *item, to: *to, attempt: *attempt },
            Event::Anomaly(refusal) => GateEvent::Anomaly { error: GateError::refused(store, refusal) },
            Event::Stalled { item, approvals } => {
                GateEvent::Stalled { id: *item, approval_ids: approvals.iter().copied().map(text).collect() }
            }
        }
    }
}

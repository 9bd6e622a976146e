//! Events and refusals, as plain objects for the host.

use wasm_bindgen::prelude::*;

use super::host::JsValues;
use crate::machine::{Author, Event, Item, Machine, Outcome, Refusal};
use crate::wire::{Name, Values};

/// A refusal, to be thrown: `{ code, message, toolCallId?, approvalId? }`.
pub fn refusal(values: &JsValues, refusal: &Refusal) -> JsValue {
    let mut object = values.object();
    values.set_text(&mut object, Name::Code, refusal.code.as_str());
    values.set_text(&mut object, Name::Message, &refusal.message);
    if let Some(call) = &refusal.call {
        values.set_text(&mut object, Name::ToolCallId, call);
    }
    if let Some(approval) = &refusal.approval {
        values.set_text(&mut object, Name::ApprovalId, approval);
    }
    object
}

fn outcome(values: &JsValues, outcome: &Outcome) -> JsValue {
    let mut object = values.object();
    values.set_text(&mut object, Name::Kind, outcome.kind.as_str());
    values.set(&mut object, Name::Reason, &values.load(outcome.reason));
    if outcome.may_have_run {
        values.set_flag(&mut object, Name::MayHaveRun, true);
    }
    object
}

/// One event.
pub fn event(values: &JsValues, machine: &Machine, event: &Event) -> JsValue {
    let mut object = values.object();
    let to = &mut object;
    match event {
        Event::Transition { call, tool, from, to: phase, outcome: settled } => {
            values.set_name(to, Name::Type, Name::Transition);
            values.set_text(to, Name::ToolCallId, call);
            values.set_text(to, Name::ToolName, tool);
            if let Some(from) = from {
                values.set_text(to, Name::From, from.state());
            }
            values.set_text(to, Name::To, phase.state());
            if let Some(settled) = settled {
                values.set(to, Name::Outcome, &outcome(values, settled));
            }
        }
        Event::Decision { approval, call, approved, reason } => {
            values.set_name(to, Name::Type, Name::Decision);
            values.set_text(to, Name::ApprovalId, approval);
            values.set_text(to, Name::ToolCallId, call);
            values.set_flag(to, Name::Approved, *approved);
            values.set(to, Name::Reason, &values.load(*reason));
            let author = machine.transcript().call(call).and_then(|part| part.decision()).map(|decision| decision.by);
            let by = match author {
                Some(Author::Policy) => "policy",
                Some(Author::Backend) => "backend",
                Some(Author::User) | None => "user",
            };
            values.set_text(to, Name::By, by);
        }
        Event::Result { call, tool, outcome: settled, output } => {
            values.set_name(to, Name::Type, Name::ToolResult);
            values.set_text(to, Name::ToolCallId, call);
            values.set_text(to, Name::ToolName, tool);
            values.set(to, Name::Outcome, &outcome(values, settled));
            values.set(to, Name::Result, &values.load(*output));
        }
        Event::Delivery { item, from, to: state, attempt } => {
            values.set_name(to, Name::Type, Name::Delivery);
            values.set(to, Name::Item, &JsValue::from(*item));
            if let Some(from) = from {
                values.set_text(to, Name::From, from.as_str());
            }
            values.set_text(to, Name::To, state.map_or(Name::Withdrawn.text(), |state| state.as_str()));
            values.set(to, Name::Attempt, &JsValue::from(*attempt));
            if let Some(error) = machine.item(*item).and_then(|item| item.error.as_deref()) {
                values.set_text(to, Name::Error, error);
            }
        }
        Event::Anomaly(anomaly) => {
            values.set_name(to, Name::Type, Name::Anomaly);
            values.set(to, Name::Error, &refusal(values, anomaly));
        }
        Event::Stalled { item, approvals } => {
            values.set_name(to, Name::Type, Name::Stalled);
            if let Some(item) = item {
                values.set(to, Name::Item, &JsValue::from(*item));
            }
            values.set(to, Name::Approvals, &ids(values, approvals.iter().map(|id| &**id)));
        }
    }
    object
}

/// An outgoing item, without its body.
pub fn item(values: &JsValues, item: &Item, material: &str) -> JsValue {
    let mut object = values.object();
    let to = &mut object;
    values.set(to, Name::Item, &JsValue::from(item.id));
    values.set_text(to, Name::Key, material);
    values.set(to, Name::Approvals, &ids(values, item.approvals.iter().map(|id| &**id)));
    values.set(to, Name::Attempt, &JsValue::from(item.attempt));
    values.set_text(to, Name::State, if item.stalled { Name::Stalled.text() } else { item.state.as_str() });
    let trigger = match item.trigger {
        crate::machine::Trigger::Submit => Name::SubmitMessage,
        crate::machine::Trigger::Regenerate => Name::RegenerateMessage,
    };
    values.set_name(to, Name::Trigger, trigger);
    if let Some(message) = &item.message_id {
        values.set_text(to, Name::MessageId, message);
    }
    if let Some(error) = &item.error {
        values.set_text(to, Name::Error, error);
    }
    values.set(to, Name::Value, &values.load(item.body));
    object
}

fn ids<'a>(values: &JsValues, ids: impl Iterator<Item = &'a str>) -> JsValue {
    let mut list = values.array();
    ids.for_each(|id| values.push(&mut list, &values.string(id)));
    list
}

//! Events, refusals and items, as plain objects for the host.

use crate::machine::{Author, Event, Id, Item, Machine, Outcome, Payload, Refusal, Trigger};
use crate::wire::{Name, Values, key_material};

/// A refusal: `{ code, why, toolCallId?, approvalId?, state?, cause?, detail? }`. Its sentence is the host's.
pub fn refusal<V: Values>(values: &V, machine: &Machine, refusal: &Refusal) -> Payload {
    let to = values.object();
    values.set_text(to, Name::Code, refusal.code.as_str());
    values.set_number(to, Name::Why, f64::from(refusal.why as u8));
    id(values, machine, to, Name::ToolCallId, refusal.call);
    id(values, machine, to, Name::ApprovalId, refusal.approval);
    if let Some(phase) = refusal.phase {
        values.set_text(to, Name::State, phase.state());
    }
    if let Some(cause) = refusal.cause {
        values.set_number(to, Name::Cause, f64::from(cause as u8));
    }
    if let Some((kind, property)) = refusal.detail {
        values.set_text(to, Name::Detail, Name::ALL[usize::from(kind)].text());
        values.set_text(to, Name::Key, Name::ALL[usize::from(property)].text());
    }
    to
}

fn id<V: Values>(values: &V, machine: &Machine, to: Payload, name: Name, id: Option<Id>) {
    if let Some(id) = id {
        values.set_text(to, name, machine.text(id));
    }
}

fn outcome<V: Values>(values: &V, to: Payload, outcome: &Outcome) {
    let object = values.object();
    values.set_text(object, Name::Kind, outcome.kind.as_str());
    values.set(object, Name::Reason, outcome.reason);
    if outcome.may_have_run {
        values.set_flag(object, Name::MayHaveRun, true);
    }
    values.set(to, Name::Outcome, object);
}

/// One event.
pub fn event<V: Values>(values: &V, machine: &Machine, event: &Event) -> Payload {
    let to = values.object();
    match event {
        Event::Transition { call, tool, from, to: phase, outcome: settled } => {
            values.set_name(to, Name::Type, Name::Transition);
            id(values, machine, to, Name::ToolCallId, Some(*call));
            id(values, machine, to, Name::ToolName, Some(*tool));
            if let Some(from) = from {
                values.set_text(to, Name::From, from.state());
            }
            values.set_text(to, Name::To, phase.state());
            if let Some(settled) = settled {
                outcome(values, to, settled);
            }
        }
        Event::Decision { approval, call, approved, reason } => {
            values.set_name(to, Name::Type, Name::Decision);
            id(values, machine, to, Name::ApprovalId, Some(*approval));
            id(values, machine, to, Name::ToolCallId, Some(*call));
            values.set_flag(to, Name::Approved, *approved);
            values.set(to, Name::Reason, *reason);
            let decision = machine.transcript().call(*call).and_then(|part| part.decision());
            let by = match decision.map(|decision| decision.by) {
                Some(Author::Policy) => "policy",
                Some(Author::Backend) => "backend",
                Some(Author::User) | None => "user",
            };
            values.set_text(to, Name::By, by);
        }
        Event::Result { call, tool, outcome: settled, output } => {
            values.set_name(to, Name::Type, Name::ToolResult);
            id(values, machine, to, Name::ToolCallId, Some(*call));
            id(values, machine, to, Name::ToolName, Some(*tool));
            outcome(values, to, settled);
            values.set(to, Name::Result, *output);
        }
        Event::Delivery { item, from, to: state, attempt } => {
            values.set_name(to, Name::Type, Name::Delivery);
            values.set_number(to, Name::Item, (*item).into());
            if let Some(from) = from {
                values.set_text(to, Name::From, from.as_str());
            }
            values.set_text(to, Name::To, state.map_or("withdrawn", |state| state.as_str()));
            values.set_number(to, Name::Attempt, (*attempt).into());
            if let Some(error) = machine.item(*item).and_then(|item| item.error.as_deref()) {
                values.set_text(to, Name::Error, error);
            }
        }
        Event::Anomaly(anomaly) => {
            values.set_name(to, Name::Type, Name::Anomaly);
            values.set(to, Name::Error, refusal(values, machine, anomaly));
        }
        Event::Stalled { item, approvals } => {
            values.set_name(to, Name::Type, Name::Stalled);
            values.set_number(to, Name::Item, item.unwrap_or(0).into());
            values.set(to, Name::Approvals, ids(values, machine, approvals));
        }
    }
    to
}

/// An outgoing item, without its body.
pub fn item<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Item, item.id.into());
    let key = values.array();
    for (tag, text) in key_material(machine, item) {
        values.push(key, values.string(tag));
        values.push(key, values.string(text));
    }
    values.set(to, Name::Key, key);
    values.set(to, Name::Approvals, ids(values, machine, &item.approvals));
    values.set_number(to, Name::Attempt, item.attempt.into());
    values.set_text(to, Name::State, if item.stalled { "stalled" } else { item.state.as_str() });
    let trigger = match item.trigger {
        Trigger::Submit => Name::SubmitMessage,
        Trigger::Regenerate => Name::RegenerateMessage,
    };
    values.set_name(to, Name::Trigger, trigger);
    id(values, machine, to, Name::MessageId, item.message_id);
    if let Some(error) = &item.error {
        values.set_text(to, Name::Error, error);
    }
    values.set(to, Name::Value, item.body);
    to
}

fn ids<V: Values>(values: &V, machine: &Machine, ids: &[Id]) -> Payload {
    let list = values.array();
    ids.iter().for_each(|&id| values.push(list, values.string(machine.text(id))));
    list
}

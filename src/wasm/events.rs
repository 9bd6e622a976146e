//! Events, refusals and items, as plain objects for the host.

use crate::machine::{Author, DeliveryState, Event, Id, Item, Machine, Memory, Outcome, Payload, Refusal, Trigger};
use crate::wire::{Name, Values, key_material, words};

/// A refusal: `{ code, why, toolCallId?, approvalId?, state?, cause?, detail? }`. Its sentence is the host's.
pub fn refusal<V: Values>(values: &V, refusal: &Refusal) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Code, f64::from(refusal.code as u8));
    values.set_number(to, Name::Why, f64::from(refusal.why as u8));
    id(values, to, Name::ToolCallId, refusal.call);
    id(values, to, Name::ApprovalId, refusal.approval);
    if let Some(phase) = refusal.phase {
        values.set_name(to, Name::State, words::state(phase));
    }
    if let Some(cause) = refusal.cause {
        values.set_number(to, Name::Cause, f64::from(cause as u8));
    }
    if let Some((kind, property)) = refusal.detail {
        values.set_number(to, Name::Detail, kind.into());
        values.set_number(to, Name::Key, property.into());
    }
    to
}

fn id<V: Values>(values: &V, to: Payload, name: Name, id: Option<Id>) {
    if let Some(id) = id {
        values.set_id(to, name, id);
    }
}

fn outcome<V: Values>(values: &V, to: Payload, outcome: &Outcome) {
    let object = values.object();
    values.set_name(object, Name::Kind, words::outcome(outcome.kind));
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
        Event::Transition { call, tool, from, to: phase, approval, outcome: settled } => {
            values.set_name(to, Name::Type, Name::Transition);
            id(values, to, Name::ToolCallId, Some(*call));
            id(values, to, Name::ToolName, Some(*tool));
            if let Some(from) = from {
                values.set_name(to, Name::From, words::state(*from));
            }
            values.set_name(to, Name::To, words::state(*phase));
            id(values, to, Name::ApprovalId, *approval);
            if let Some(settled) = settled {
                outcome(values, to, settled);
            }
        }
        Event::Decision { approval, call, approved, reason } => {
            values.set_name(to, Name::Type, Name::Decision);
            id(values, to, Name::ApprovalId, Some(*approval));
            id(values, to, Name::ToolCallId, Some(*call));
            values.set_flag(to, Name::Approved, *approved);
            values.set(to, Name::Reason, *reason);
            let decision = machine.transcript().call(*call).and_then(|part| part.decision());
            values.set_name(to, Name::By, words::author(decision.map_or(Author::User, |decision| decision.by)));
        }
        Event::Result { call, tool, outcome: settled, output } => {
            values.set_name(to, Name::Type, Name::ToolResult);
            id(values, to, Name::ToolCallId, Some(*call));
            id(values, to, Name::ToolName, Some(*tool));
            outcome(values, to, settled);
            values.set(to, Name::Result, *output);
            if let Some(part) = machine.transcript().call(*call).filter(|part| part.unwritten) {
                values.set_flag(to, Name::Rewrite, true);
                values.set(to, Name::Input, part.input);
            }
        }
        Event::Delivery { item, from, to: state, attempt } => {
            values.set_name(to, Name::Type, Name::Delivery);
            values.set_number(to, Name::Item, (*item).into());
            if let Some(from) = from {
                values.set_name(to, Name::From, words::delivery(*from));
            }
            values.set_name(to, Name::To, state.map_or(Name::Withdrawn, words::delivery));
            values.set_number(to, Name::Attempt, (*attempt).into());
            match machine.item(*item) {
                Some(item) if *state == Some(DeliveryState::Failed) => values.set(to, Name::Error, item.error),
                // What it is, for the log: by the time that somebody lists what may leave, it may have been withdrawn.
                Some(item) if *state == Some(DeliveryState::Ready) => {
                    values.set(to, Name::Key, key_material(values, machine.transcript(), item));
                    values.set(to, Name::Approvals, ids(values, &item.approvals));
                }
                _ => {}
            }
        }
        Event::Anomaly(anomaly) => {
            values.set_name(to, Name::Type, Name::Anomaly);
            values.set(to, Name::Error, refusal(values, anomaly));
        }
        Event::Stalled { item, approvals } => {
            values.set_name(to, Name::Type, Name::Stalled);
            values.set_number(to, Name::Item, item.unwrap_or(0).into());
            values.set(to, Name::Approvals, ids(values, approvals));
        }
    }
    to
}

/// An outgoing item, without its body.
pub fn item<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Item, item.id.into());
    if item.is_answer() {
        values.set_name(to, Name::Kind, Name::Answer);
    }
    values.set(to, Name::Key, key_material(values, machine.transcript(), item));
    values.set(to, Name::Approvals, ids(values, &item.approvals));
    values.set_number(to, Name::Attempt, item.attempt.into());
    values.set_name(to, Name::State, if item.stalled { Name::Stalled } else { words::delivery(item.state) });
    let trigger = match item.trigger {
        Trigger::Submit | Trigger::Answer => Name::SubmitMessage,
        Trigger::Regenerate => Name::RegenerateMessage,
    };
    values.set_name(to, Name::Trigger, trigger);
    id(values, to, Name::MessageId, item.message_id);
    values.set(to, Name::Error, item.error);
    values.set(to, Name::Value, item.body);
    to
}

/// A remembered decision.
pub fn memory<V: Values>(values: &V, memory: &Memory) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Id, memory.id.into());
    values.set_id(to, Name::ToolName, memory.tool);
    values.set_flag(to, Name::Approved, memory.approved);
    values.set(to, Name::Reason, memory.reason);
    values.set_name(to, Name::For, if memory.always { Name::Always } else { Name::Chat });
    id(values, to, Name::InputDigest, memory.input);
    values.set_number(to, Name::DecidedAt, memory.decided_at as f64);
    if let Some(end) = memory.expires_at {
        values.set_number(to, Name::ExpiresAt, end as f64);
    }
    to
}

fn ids<V: Values>(values: &V, ids: &[Id]) -> Payload {
    let list = values.array();
    ids.iter().for_each(|&id| values.push_id(list, id));
    list
}

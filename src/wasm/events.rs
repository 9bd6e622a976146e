//! Writes events, refusals and items as plain objects for the host.

use crate::machine::{
    DecidedBy, DeliveryState, Event, Id, Item, ItemState, Kind, Machine, Outcome, Payload, Refusal, RememberedDecision,
};
use crate::prelude::*;
use crate::wire::{Name, Values, enum_names, key_material};

/// A refusal: `{ code, why, toolCallId?, approvalId?, state?, cause?, detail? }`. The host adds the message.
pub fn refusal<V: Values>(values: &V, refusal: &Refusal) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Code, f64::from(refusal.code as u8));
    values.set_number(to, Name::Why, f64::from(refusal.why as u8));
    id(values, to, Name::ToolCallId, refusal.call);
    id(values, to, Name::ApprovalId, refusal.approval);
    if let Some(phase) = refusal.phase {
        values.set_name(to, Name::State, enum_names::state(phase));
    }
    if let Some(input) = refusal.input {
        values.set_number(to, Name::Cause, f64::from(input as u8));
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
    values.set_name(object, Name::Kind, enum_names::outcome(outcome.kind));
    values.set(object, Name::Reason, outcome.reason);
    if outcome.may_have_run {
        values.set_flag(object, Name::MayHaveRun, true);
    }
    values.set(to, Name::Outcome, object);
}

/// Writes one event.
pub fn event<V: Values>(values: &V, machine: &Machine, event: &Event) -> Payload {
    let to = values.object();
    match event {
        Event::Transition { call, tool, from, to: phase, approval, outcome: settled } => {
            values.set_name(to, Name::Type, Name::Transition);
            id(values, to, Name::ToolCallId, Some(*call));
            id(values, to, Name::ToolName, Some(*tool));
            if let Some(from) = from {
                values.set_name(to, Name::From, enum_names::state(*from));
            }
            values.set_name(to, Name::To, enum_names::state(*phase));
            id(values, to, Name::ApprovalId, *approval);
            if let Some(settled) = settled {
                outcome(values, to, settled);
            }
        }
        Event::Decision { approval, key, call, approved, reason } => {
            values.set_name(to, Name::Type, Name::Decision);
            id(values, to, Name::ApprovalId, Some(*approval));
            id(values, to, Name::ToolCallId, Some(*call));
            let part = machine.transcript().call(*key);
            id(values, to, Name::ToolName, part.map(|part| part.name));
            values.set_flag(to, Name::Approved, *approved);
            values.set(to, Name::Reason, *reason);
            let decision = part.and_then(|part| part.decision());
            let by = decision.map_or(DecidedBy::User, |decision| decision.by);
            values.set_name(to, Name::By, enum_names::decided_by(by));
        }
        Event::Result { key, call, tool, outcome: settled, output } => {
            values.set_name(to, Name::Type, Name::ToolResult);
            id(values, to, Name::ToolCallId, Some(*call));
            id(values, to, Name::ToolName, Some(*tool));
            outcome(values, to, settled);
            values.set(to, Name::Result, *output);
            if let Some(part) = machine.transcript().call(*key).filter(|part| part.awaits_rewrite()) {
                values.set_number(to, Name::Rewrite, f64::from(key.0) + 1.0);
                values.set(to, Name::Input, part.input);
            }
        }
        Event::Delivery { item, from, to: state, attempt } => {
            values.set_name(to, Name::Type, Name::Delivery);
            values.set_number(to, Name::Item, (*item).into());
            if let Some(from) = from {
                values.set_name(to, Name::From, enum_names::delivery(*from));
            }
            values.set_name(to, Name::To, state.map_or(Name::Withdrawn, enum_names::delivery));
            values.set_number(to, Name::Attempt, (*attempt).into());
            match machine.item(*item) {
                Some(item) if *state == Some(DeliveryState::Failed) => values.set(to, Name::Error, item.error),
                // Described here for the log: the item may be withdrawn before the host lists it.
                Some(item) if *state == Some(DeliveryState::Ready) => {
                    values.set(to, Name::Key, key_material(values, machine.transcript(), item));
                    values.set(to, Name::Approvals, ids(values, &item.approvals().collect::<Vec<_>>()));
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
            values.set_number(to, Name::Item, (*item).into());
            values.set(to, Name::Approvals, ids(values, approvals));
        }
    }
    to
}

/// Writes an outgoing item, without its body.
pub fn item<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Item, item.id.into());
    if item.is_answer() {
        values.set_name(to, Name::Kind, Name::Answer);
    }
    // The key is frozen with the body, because its material may change.
    if item.key.is_some() {
        values.set(to, Name::Digest, item.key);
    } else {
        values.set(to, Name::Key, key_material(values, machine.transcript(), item));
    }
    values.set(to, Name::Approvals, ids(values, &item.approvals().collect::<Vec<_>>()));
    values.set_number(to, Name::Attempt, item.attempt.into());
    let stalled = item.state() == ItemState::Stalled;
    let state = if stalled { Name::Stalled } else { enum_names::delivery(item.state().delivery()) };
    values.set_name(to, Name::State, state);
    let trigger = match item.kind {
        Kind::Step | Kind::Message | Kind::Answer => Name::SubmitMessage,
        Kind::Regenerate => Name::RegenerateMessage,
    };
    values.set_name(to, Name::Trigger, trigger);
    id(values, to, Name::MessageId, item.message_id);
    values.set(to, Name::Error, item.error);
    values.set(to, Name::Value, item.body);
    to
}

/// Writes a remembered decision.
pub fn remembered<V: Values>(values: &V, decision: &RememberedDecision) -> Payload {
    let to = values.object();
    values.set_number(to, Name::Id, decision.id.into());
    values.set_id(to, Name::ToolName, decision.tool);
    values.set_flag(to, Name::Approved, decision.approved);
    values.set(to, Name::Reason, decision.reason);
    values.set_name(to, Name::For, if decision.always { Name::Always } else { Name::Chat });
    id(values, to, Name::InputDigest, decision.input);
    values.set_number(to, Name::DecidedAt, decision.decided_at as f64);
    if let Some(end) = decision.expires_at {
        values.set_number(to, Name::ExpiresAt, end as f64);
    }
    to
}

fn ids<V: Values>(values: &V, ids: &[Id]) -> Payload {
    let list = values.array();
    ids.iter().for_each(|&id| values.push_id(list, id));
    list
}

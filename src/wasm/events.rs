//! Writes events and items as records, and refusals and remembered decisions as plain objects.

use super::record::Record;
use crate::machine::{
    DecidedBy, DeliveryState, Event, Id, Item, ItemState, Kind, Machine, Payload, Refusal, RememberedDecision,
};
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

/// Adds an event: its type, then its fields in the order in which they are written here.
pub fn event<V: Values>(record: &mut Record, values: &V, machine: &Machine, event: &Event) {
    match event {
        Event::Transition { call, tool, from, to, approval, outcome } => {
            record.all(&[Name::Transition as u32, call.number(), tool.number()]);
            record.name(from.map(enum_names::state));
            record.name(Some(enum_names::state(*to)));
            record.id(*approval);
            record.outcome(outcome.as_ref());
        }
        Event::InputChanged { call, tool, approval, decision_void } => {
            record.all(&[Name::InputChanged as u32, call.number(), tool.number()]);
            record.id(*approval);
            record.add((*decision_void).into());
        }
        Event::Decision { approval, key, call, approved, reason } => {
            let part = machine.transcript().call(*key);
            let decision = part.and_then(|part| part.decision());
            let by = decision.map_or(DecidedBy::User, |decision| decision.by);
            record.all(&[Name::Decision as u32, approval.number(), call.number()]);
            record.id(part.map(|part| part.name));
            record.all(&[(*approved).into(), reason.0, enum_names::decided_by(by) as u32]);
        }
        Event::Result { key, call, tool, outcome, output } => {
            // Counted from 1, because 0 means that no rewrite is awaited.
            let awaited = machine.transcript().call(*key).filter(|part| part.awaits_rewrite());
            record.all(&[Name::ToolResult as u32, call.number(), tool.number()]);
            record.outcome(Some(outcome));
            record.all(&[output.0, awaited.map_or(0, |_| key.0 + 1), awaited.map_or(0, |part| part.input.0)]);
        }
        Event::Delivery { item, from, to, attempt } => {
            record.all(&[Name::Delivery as u32, *item]);
            record.name(from.map(enum_names::delivery));
            record.name(Some(to.map_or(Name::Withdrawn, enum_names::delivery)));
            record.add(*attempt);
            let of = |state: DeliveryState| machine.item(*item).filter(|_| *to == Some(state));
            record.value(of(DeliveryState::Failed).map_or(Payload::NONE, |item| item.error));
            // Described here for the log: the item may be withdrawn before the host lists it.
            let ready = of(DeliveryState::Ready);
            record.value(ready.map_or(Payload::NONE, |item| key_material(values, machine, item)));
            let list = record.begin_list();
            if let Some(item) = ready {
                item.approvals().for_each(|approval| record.add(approval.number()));
            }
            record.end_list(list);
        }
        Event::Anomaly(anomaly) => record.all(&[Name::Anomaly as u32, refusal(values, anomaly).0]),
        Event::Stalled { item, approvals } => {
            record.all(&[Name::Stalled as u32, *item]);
            record.list(&mut approvals.iter().copied().map(Id::number));
        }
    }
}

/// Adds an outgoing item, without its body, in the order in which the fields are written here.
pub fn item<V: Values>(record: &mut Record, values: &V, machine: &Machine, item: &Item) {
    let stalled = item.state() == ItemState::Stalled;
    let state = if stalled { Name::Stalled } else { enum_names::delivery(item.state().delivery()) };
    // The key is frozen with the body, because its material may change.
    let material = if item.key.is_some() { Payload::NONE } else { key_material(values, machine, item) };
    let again = item.kind == Kind::Regenerate;
    let is_answer = item.kind == Kind::Answer;
    record.all(&[item.id, is_answer.into(), item.key.0, material.0, item.attempt, state as u32, again.into()]);
    record.id(item.message_id);
    // Empty if all messages after the last reply are new.
    let new = machine.new_messages(item).unwrap_or_default();
    record.all(&[item.error.0, item.body.0, new.start as u32, new.end as u32]);
    record.list(&mut item.approvals().map(Id::number));
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

//! Kept histories in which a message or an approval stands twice.
//!
//! Calls that stand twice are the machine's to merge: it knows which copy knows more. What stands around
//! them (texts, files) only a codec can compare.

use super::load::Reading;
use crate::machine::{
    At, ById, Holder, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, Role, merge_calls,
};
use crate::prelude::*;
use crate::wire::{Name, Values};

/// Leaves out what a message repeats of an earlier one, and gives every message and approval an id of its own.
pub(super) fn mend_doubles<V: Values>(r: &mut Reading<V>, messages: &mut Vec<Message>) {
    let mut by_id: ById<At> = ById::default();
    let mut by_call: ById<At> = ById::default();
    let mut emptied = Vec::new();
    for index in 0..messages.len() {
        let (earlier, rest) = messages.split_at_mut(index);
        let Some(message) = rest.first_mut() else { break };
        let named = by_id.get(message.id);
        let copied = named.or(message.calls().find_map(|tool| by_call.get(tool.call)));
        if let Some(copied) = copied.and_then(|at| earlier.get(at.message)) {
            let mut same = common_parts(r.values, copied, message);
            if named.is_none() {
                // What stands behind the last call in common may be said twice.
                same = message.parts[..same].iter().rposition(|part| part.tool().is_some()).map_or(0, |last| last + 1);
            }
            drop_copied(message, same);
            if message.parts.is_empty() {
                emptied.push(index);
            }
        }
        if named.is_some() {
            r.mended(RepairCode::DuplicateMessage);
            message.id = r.values.fresh();
            message.source = Payload::NONE;
        }
        let at = At { message: index, part: 0 };
        by_id.set(message.id, Some(at));
        for tool in message.calls() {
            by_call.set(tool.call, Some(by_call.get(tool.call).unwrap_or(at)));
        }
    }
    for &index in emptied.iter().rev() {
        messages.remove(index);
    }
    merge_calls(messages, &mut r.repairs);
    // Without an id or a call to tell by, only the same answer twice in a row is a copy.
    messages.dedup_by(|message, before| {
        let copied = message.role == Role::Assistant
            && before.role == message.role
            && said(before).next().is_some()
            && said(before).count() == said(message).count()
            && said(before).zip(said(message)).all(|(a, b)| is_same(r.values, a, b));
        if copied {
            r.mended(RepairCode::DuplicateMessage);
        }
        copied
    });
    let mut holders: ById<Holder> = ById::default();
    for message in messages {
        one_call_each(r, message, &mut holders);
    }
}

/// How many parts the two messages have in common, from their beginning on.
fn common_parts<V: Values>(values: &V, a: &Message, b: &Message) -> usize {
    let parts = a.parts.iter().zip(&b.parts);
    if a.role != b.role { 0 } else { parts.take_while(|(a, b)| is_same(values, a, b)).count() }
}

/// The parts of a message but for calls that never were one.
fn said(message: &Message) -> impl Iterator<Item = &Part> {
    message.parts.iter().filter(|part| part.tool().is_none_or(|tool| tool.input_complete))
}

fn is_same<V: Values>(values: &V, a: &Part, b: &Part) -> bool {
    let text = |value| values.get(value, Name::Text);
    match (a, b) {
        (Part::StepStart, Part::StepStart) => true,
        (Part::Tool(a), Part::Tool(b)) => a.call == b.call && values.same(a.input, b.input),
        (Part::Content { kind: in_a, value: a }, Part::Content { kind: in_b, value: b }) => {
            in_a == in_b && (values.same(*a, *b) || (values.is_text(text(*a)) && values.same(text(*a), text(*b))))
        }
        _ => false,
    }
}

/// Drops the first parts. Calls stay: the machine merges them with their copies.
fn drop_copied(message: &mut Message, same: usize) {
    let mut place = 0;
    message.parts.retain(|part| {
        place += 1;
        place > same || matches!(part, Part::Tool(_))
    });
    message.source = Payload::NONE;
}

/// An approval belongs to one call: a second call that has it too cannot be answered by it.
fn one_call_each<V: Values>(r: &mut Reading<V>, message: &mut Message, holders: &mut ById<Holder>) {
    let mut closed = false;
    for part in &mut message.parts {
        let Part::Tool(tool) = part else { continue };
        let Some(approval) = &mut tool.approval else { continue };
        let own = Holder::Call(tool.call);
        if holders.get(approval.id).is_none_or(|holder| holder == own) {
            holders.set(approval.id, Some(own));
            continue;
        }
        closed = true;
        if matches!(tool.phase, Phase::Denied | Phase::OutputDenied) {
            approval.id = r.values.fresh();
        } else {
            tool.approval = None;
            let may_have_run = matches!(tool.phase, Phase::Approved | Phase::Submitted | Phase::Preliminary);
            if !tool.phase.is_settled() {
                tool.phase = Phase::OutputError;
                tool.output = Payload::NONE;
                tool.outcome = Some(Outcome { kind: OutcomeKind::Interrupted, reason: Payload::NONE, may_have_run });
            }
        }
        r.repair(RepairCode::DuplicateApproval, tool.call, tool.phase);
    }
    if closed {
        message.source = Payload::NONE;
    }
}

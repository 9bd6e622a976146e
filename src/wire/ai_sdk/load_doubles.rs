//! Kept histories in which a message or an approval stands twice.
//!
//! Calls that stand twice are the machine's to merge: it knows which copy knows more. What stands around
//! them (texts, files) only a codec can compare.

use super::load::Reading;
use crate::machine::{At, ById, Holder, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, Role};
use crate::prelude::*;
use crate::wire::{Name, Values};

/// Leaves out what a message repeats of an earlier one, and gives every message and approval an id of its own.
pub(super) fn mend_doubles<V: Values>(r: &mut Reading<V>, messages: &mut Vec<Message>) {
    let mut by_id: ById<At> = ById::default();
    let mut by_call: ById<At> = ById::default();
    let mut holders: ById<Holder> = ById::default();
    let mut read: Vec<Message> = Vec::new();
    for mut message in core::mem::take(messages) {
        let named = by_id.get(message.id);
        let shared = message.calls().find_map(|tool| by_call.get(tool.call));
        let copied = match named.or(shared) {
            Some(at) => read.get(at.message),
            None => read.last().filter(|_| message.role == Role::Assistant),
        };
        let mut same = copied.map_or(0, |copied| common_parts(r.values, copied, &message));
        // Without an id or a call to tell by, only the same answer twice in a row is a copy.
        let whole = same > 0 && copied.is_some_and(|copied| same == copied.parts.len().max(message.parts.len()));
        if named.is_none() && !whole {
            same = message.parts[..same].iter().rposition(|part| part.tool().is_some()).map_or(0, |last| last + 1);
        }
        if named.is_some() || shared.is_some() || whole {
            if named.is_some() || (shared.is_none() && whole) {
                r.mended(RepairCode::DuplicateMessage);
            }
            drop_copied(&mut message, same);
            if message.parts.is_empty() {
                continue;
            }
        }
        if named.is_some() {
            message.id = r.values.fresh();
            message.source = Payload::NONE;
        }
        let at = At { message: read.len(), part: 0 };
        by_id.set(message.id, Some(at));
        for tool in message.calls() {
            by_call.set(tool.call, Some(by_call.get(tool.call).unwrap_or(at)));
        }
        one_call_each(r, &mut message, &mut holders);
        read.push(message);
    }
    *messages = read;
}

/// How many parts the two messages have in common, from their beginning on.
fn common_parts<V: Values>(values: &V, a: &Message, b: &Message) -> usize {
    let text = |value| values.get(value, Name::Text);
    let same = |(a, b): &(&Part, &Part)| match (a, b) {
        (Part::StepStart, Part::StepStart) => true,
        (Part::Tool(a), Part::Tool(b)) => a.call == b.call && values.same(a.input, b.input),
        (Part::Content { kind: in_a, value: a }, Part::Content { kind: in_b, value: b }) => {
            in_a == in_b && (values.same(*a, *b) || (values.is_text(text(*a)) && values.same(text(*a), text(*b))))
        }
        _ => false,
    };
    if a.role != b.role { 0 } else { a.parts.iter().zip(&b.parts).take_while(same).count() }
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

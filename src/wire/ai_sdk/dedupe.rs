//! Kept histories in which a message or an approval is there twice.
//!
//! Calls that are there twice are the machine's to merge: it knows which copy knows more. What surrounds them (texts,
//! files) only a codec can compare.

use super::load::Reading;
use crate::machine::{
    Id, IdMap, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, Role, ToolPart, merge_calls,
};
use crate::prelude::*;
use crate::wire::{Name, Values, Without};

/// Leaves out what a message repeats of an earlier one, and gives every message and approval an id of its own.
pub(super) fn remove_copies<V: Values>(r: &mut Reading<V>, messages: &mut Vec<Message>) {
    let mut by_id: IdMap<usize> = IdMap::default();
    let mut by_call: IdMap<usize> = IdMap::default();
    let mut emptied = Vec::new();
    let mut turn = 0;
    for index in 0..messages.len() {
        let (earlier, rest) = messages.split_at_mut(index);
        let Some(message) = rest.first_mut() else { break };
        if message.role == Role::User {
            turn = index + 1;
        }
        let named = by_id.get(message.id);
        // A call's id may come again in another turn.
        let by_calls = || message.calls().find_map(|tool| by_call.get(tool.call)).filter(|&at| at >= turn);
        if let Some(copied) = named.or_else(by_calls).and_then(|at| earlier.get(at)) {
            let mut same = common_parts(r.values, copied, message);
            if named.is_none() {
                // What follows the last call in common may be said twice.
                same = message.parts[..same].iter().rposition(|part| part.tool().is_some()).map_or(0, |last| last + 1);
            }
            if same > 0 {
                drop_copied(message, same);
            }
            if message.parts.is_empty() {
                emptied.push(index);
            }
        }
        if named.is_some() {
            r.repaired(RepairCode::DuplicateMessage);
            message.id = r.values.fresh();
            message.source = Payload::NONE;
        }
        by_id.set(message.id, Some(index));
        for tool in message.calls() {
            let first = by_call.get(tool.call).filter(|&at| at >= turn);
            by_call.set(tool.call, Some(first.unwrap_or(index)));
        }
    }
    for &index in emptied.iter().rev() {
        messages.remove(index);
    }
    let values = r.values;
    merge_calls(messages, &mut r.repairs, &|a, b| values.same(a, b));
    // Without an id or a call to tell by, only the same answer twice in a row is a copy.
    messages.dedup_by(|message, before| {
        let copied = message.role == Role::Assistant
            && before.role == message.role
            && said(before).next().is_some()
            && said(before).count() == said(message).count()
            && said(before).zip(said(message)).all(|(a, b)| is_same(values, a, b))
            && said(message).all(|part| part.tool().is_none());
        if copied {
            r.repaired(RepairCode::DuplicateMessage);
        }
        copied
    });
    let mut owners = Owners::default();
    for message in messages {
        one_call_each(r, message, &mut owners);
        for part in &mut message.parts {
            if let Part::Tool(tool) = part
                && drop_kept_outcome(r, tool)
            {
                message.source = Payload::NONE;
            }
        }
    }
}

/// An outcome that was read is written anew; one that stayed in the metadata would be there whatever comes.
fn drop_kept_outcome<V: Values>(r: &mut Reading<V>, tool: &mut ToolPart) -> bool {
    let metadata = r.values.get(tool.fields, Name::CallProviderMetadata);
    if !r.values.has(metadata, Name::Toolgate) {
        return false;
    }
    let fields = r.values.rest(tool.fields, Without::Nothing);
    r.values.set(fields, Name::CallProviderMetadata, r.values.rest(metadata, Without::Toolgate));
    tool.fields = r.values.keep(fields);
    if tool.outcome().is_none() {
        r.repair(RepairCode::InvalidValue, tool.call, tool.phase());
    }
    true
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

/// Who has which approval: the call's id, and the step that it is in.
#[derive(Default)]
struct Owners {
    owners: IdMap<(Id, usize)>,
    /// How many steps there were.
    steps: usize,
}

/// An approval belongs to one call: a second call of the step that has it too cannot be answered by it. In a later step, its id
/// has come again.
fn one_call_each<V: Values>(r: &mut Reading<V>, message: &mut Message, owners: &mut Owners) {
    let mut closed = false;
    owners.steps += 1;
    for part in &mut message.parts {
        let Part::Tool(tool) = part else {
            owners.steps += usize::from(*part == Part::StepStart);
            continue;
        };
        let phase = tool.phase();
        let Some(approval) = &mut tool.approval else { continue };
        let known = owners.owners.get(approval.id);
        if known.is_none_or(|(_, step)| step != owners.steps) {
            owners.owners.set(approval.id, Some((tool.call, owners.steps)));
            approval.reused_id = known.is_some();
            continue;
        }
        closed = true;
        if matches!(phase, Phase::Denied | Phase::OutputDenied) {
            approval.id = r.values.fresh();
        } else {
            tool.approval = None;
            let may_have_run = matches!(phase, Phase::Approved | Phase::Submitted | Phase::Preliminary);
            if !phase.is_settled() {
                tool.output = Payload::NONE;
                let outcome = Outcome { may_have_run, ..Outcome::new(OutcomeKind::Interrupted) };
                tool.read_as(Phase::OutputError, Some(outcome));
            }
        }
        r.repair(RepairCode::DuplicateApproval, tool.call, tool.phase());
    }
    if closed {
        message.source = Payload::NONE;
    }
}

//! Removes duplicate messages and approvals from stored histories.
//!
//! The machine merges duplicate calls, because it knows which copy is more complete. Only a codec can compare the parts
//! around them, such as texts and files.

use super::reading::Reading;
use crate::machine::{
    Id, IdMap, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, Role, ToolPart, merge_calls,
};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, Values};

/// Removes parts that repeat those of an earlier message, and makes the ids of messages and approvals unique.
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
        // A call's id may be reused in another turn.
        let by_calls = || message.calls().find_map(|tool| by_call.get(tool.call)).filter(|&at| at >= turn);
        if let Some(copied) = named.or_else(by_calls).and_then(|at| earlier.get(at)) {
            let mut common = common_parts(r.values, copied, message);
            if named.is_none() {
                // Parts after the last common call may be repeated on purpose.
                common =
                    message.parts[..common].iter().rposition(|part| part.tool().is_some()).map_or(0, |last| last + 1);
            }
            if common > 0 {
                drop_copied(message, common);
            }
            if message.parts.is_empty() {
                emptied.push(index);
            }
        }
        if named.is_some() {
            r.repaired(RepairCode::DuplicateMessage);
            message.id = r.values.new_id();
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
    merge_calls(messages, &mut r.repairs, &|a, b| values.deep_equal(a, b));
    // Without a common id or call, only two identical replies in a row count as copies.
    messages.dedup_by(|message, before| {
        let copied = message.role == Role::Assistant
            && before.role == message.role
            && complete_parts(before).next().is_some()
            && complete_parts(before).count() == complete_parts(message).count()
            && complete_parts(before).zip(complete_parts(message)).all(|(a, b)| is_same(values, a, b))
            && complete_parts(message).all(|part| part.tool().is_none());
        if copied {
            r.repaired(RepairCode::DuplicateMessage);
        }
        copied
    });
    let mut owners = Owners::default();
    for message in messages {
        make_approvals_unique(r, message, &mut owners);
        for part in &mut message.parts {
            if let Part::Tool(tool) = part
                && drop_stored_outcome(r, tool)
            {
                message.source = Payload::NONE;
            }
        }
    }
}

/// Removes the stored outcome from the metadata of a call. It is written again from the state, and a stale copy would
/// stay otherwise. The mark of a call that the page runs stays.
fn drop_stored_outcome<V: Values>(r: &mut Reading<V>, tool: &mut ToolPart) -> bool {
    let metadata = r.values.get(tool.fields, Name::CallProviderMetadata);
    let own = r.values.get(metadata, Name::Toolgate);
    tool.in_page = r.values.flag(own, Name::RunsInPage) == Some(true);
    if !r.values.has(metadata, Name::Toolgate) || (tool.in_page && !r.values.has(own, Name::Outcome)) {
        return false;
    }
    let fields = r.values.omit(tool.fields, OmitKeys::Nothing);
    r.values.set(fields, Name::CallProviderMetadata, r.values.omit(metadata, OmitKeys::Toolgate));
    tool.fields = r.values.retain(fields);
    if tool.outcome().is_none() {
        r.repair(RepairCode::InvalidValue, tool.call, tool.phase());
    }
    true
}

/// How many parts the two messages have in common, from the start.
fn common_parts<V: Values>(values: &V, a: &Message, b: &Message) -> usize {
    let parts = a.parts.iter().zip(&b.parts);
    if a.role != b.role { 0 } else { parts.take_while(|(a, b)| is_same(values, a, b)).count() }
}

/// The parts of a message, without calls whose input was never complete.
fn complete_parts(message: &Message) -> impl Iterator<Item = &Part> {
    message.parts.iter().filter(|part| part.tool().is_none_or(|tool| tool.input_complete))
}

fn is_same<V: Values>(values: &V, a: &Part, b: &Part) -> bool {
    let text = |value| values.get(value, Name::Text);
    match (a, b) {
        (Part::StepStart, Part::StepStart) => true,
        (Part::Tool(a), Part::Tool(b)) => a.call == b.call && values.deep_equal(a.input, b.input),
        (Part::Content { kind: in_a, value: a }, Part::Content { kind: in_b, value: b }) => {
            in_a == in_b
                && (values.deep_equal(*a, *b) || (values.is_text(text(*a)) && values.deep_equal(text(*a), text(*b))))
        }
        _ => false,
    }
}

/// Removes the first parts. Calls stay, because the machine merges them with their copies.
fn drop_copied(message: &mut Message, common: usize) {
    let mut place = 0;
    message.parts.keep(|part| {
        place += 1;
        place > common || matches!(part, Part::Tool(_))
    });
    message.source = Payload::NONE;
}

/// The owner of each approval id: the call, and the number of its step.
#[derive(Default)]
struct Owners {
    owners: IdMap<(Id, usize)>,
    /// How many steps were seen.
    steps: usize,
}

/// An approval belongs to one call. A second call with the same approval in the same step cannot be decided by it; in a
/// later step, the id is reused.
fn make_approvals_unique<V: Values>(r: &mut Reading<V>, message: &mut Message, owners: &mut Owners) {
    let mut closed = false;
    owners.steps += 1;
    for part in &mut message.parts {
        let Part::Tool(tool) = part else {
            owners.steps += usize::from(matches!(part, Part::StepStart));
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
        if phase.is_denied() {
            approval.id = r.values.new_id();
        } else {
            tool.approval = None;
            let may_have_run = phase.owes_result();
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

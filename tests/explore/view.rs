//! 15: the view shows the current state. A host updates its view only where the machine reported a change, and reads it
//! only when the revision increased. The result must equal a view that is built from scratch.

use crate::apply::Applied;
use crate::rules::{Holds, holds};
use crate::symmetry::{Mix, number};
use std::hash::{Hash, Hasher};
use toolgate::machine::{Change, Ending, Item, Machine, Message, Part, PartPos, WaitsOn};

/// Checks that the machine reported every change that an input caused.
pub fn check(before: &Machine, applied: &Applied, after: &Machine) -> Holds {
    let (was, is) = (messages(before), messages(after));
    let changes = &applied.changes;
    let new = |message| changes.contains(&Change::New(message));
    let whole = |message| new(message) || changes.contains(&Change::Message(message));
    let part = |message, part| changes.contains(&Change::Part(PartPos { message, part }));
    for (index, (head, parts)) in is.iter().enumerate() {
        let Some((old_head, old)) = was.get(index) else {
            let noted = whole(index) || (0..parts.len()).any(|at| part(index, at));
            holds(15, noted, || format!("message {index} is new, but was not reported"))?;
            continue;
        };
        holds(15, head == old_head || whole(index), || {
            format!("the head of message {index} changed, but was not reported")
        })?;
        let fewer = parts.len() < old.len();
        holds(15, !fewer || whole(index), || format!("message {index} has fewer parts, but was not reported"))?;
        for (at, shown) in parts.iter().enumerate() {
            let noted = match old.get(at) {
                Some(old) => old == shown || new(index) || part(index, at),
                None => whole(index) || part(index, at),
            };
            holds(15, noted, || format!("part {at} of message {index} changed, but was not reported"))?;
        }
    }
    // Only the message of the open reply can be hidden.
    let hidden = after.transcript().messages().iter().enumerate().skip(after.shown_messages());
    holds(15, hidden.map(|(index, _)| Some(index)).all(|index| index == after.current_message()), || {
        "a message is hidden that the open reply does not write".to_owned()
    })?;
    let changed = was != is || facts(before) != facts(after);
    holds(15, !changed || before.revision() != after.revision(), || {
        "the view changed without a new revision".to_owned()
    })
}

/// Everything that a view shows of a machine.
pub fn of(machine: &Machine) -> impl PartialEq + use<> {
    (messages(machine), facts(machine))
}

/// A hash of each message's head, and of each of its parts.
fn messages(machine: &Machine) -> Vec<(u64, Vec<u64>)> {
    let shown = |message: &Message| {
        let parts = message.parts.iter().map(|part| match part {
            Part::Tool(tool) => {
                let mut mix = Mix::default();
                tool.hash_without_names(&|_| 0, &mut mix);
                let delivery = machine.delivery(tool).map(|state| state.as_str());
                (tool.call, tool.approval.as_ref().map(|asked| asked.id), delivery).hash(&mut mix);
                mix.finish()
            }
            Part::Content { kind, value } => number((kind, value)),
            Part::StepStart => 1,
        });
        (number((message.id, message.role.as_str(), message.fields)), parts.collect())
    };
    machine.transcript().messages().iter().take(machine.shown_messages()).map(shown).collect()
}

/// A hash of everything else that a view shows.
fn facts(machine: &Machine) -> u64 {
    let mut mix = Mix::default();
    let turn = machine.turn().ending().map(Ending::as_str);
    (machine.status().as_str(), machine.turn_status().as_str(), turn, machine.counts()).hash(&mut mix);
    machine.pending().for_each(|part| part.key().hash(&mut mix));
    machine.runnable_calls().for_each(|part| part.key().hash(&mut mix));
    machine.shown_step().hash(&mut mix);
    for queued in machine.queue().messages() {
        let id = queued.message.id;
        (id, machine.passing_item(queued).map(Item::state)).hash(&mut mix);
    }
    machine.outbox().undelivered().for_each(|item| (item.id, item.state(), item.error).hash(&mut mix));
    for &whom in WaitsOn::ALL {
        machine.waiting().on(whom).hash(&mut mix);
        machine.awaited_calls(whom).for_each(|part| part.key().hash(&mut mix));
        machine.awaited_items(whom).hash(&mut mix);
    }
    mix.finish()
}

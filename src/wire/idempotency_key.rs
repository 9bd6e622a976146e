//! Idempotency keys: every tab and every attempt sends the same decision with the same key.

use super::{Name, Values};
use crate::machine::{Carried, Id, Item, Kind, Machine, Part, Payload, Transcript};

/// The material of an item's key: a list of tags and ids whose digest is the key. Two tabs that send the same item have
/// the same list.
///
/// Ids may repeat, so they don't identify a decision alone. The list also has the user message that began the turn, the
/// call, the input that was shown, and how often the call's id was used earlier in the turn. An item with user messages
/// (also edited ones) adds these and their contents. A regeneration adds the ids of the last message and of the reply
/// to replace. Both add the item's number, so that sending the same words twice gives two keys.
pub fn key_material<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let list = values.array();
    let add = |tag: Name, id| {
        values.push_name(list, tag);
        values.push_id(list, id);
    };
    item.turn.into_iter().for_each(|turn| add(Name::User, turn));
    for carried in &item.carried {
        if let Some(approval) = carried.approval {
            let verdict = if carried.approved { Name::Approved } else { Name::Denied };
            add(if carried.cancelled { Name::Cancelled } else { verdict }, approval);
        }
        add(if carried.output { Name::Output } else { Name::Call }, carried.id);
        push_call(values, machine.transcript(), carried, list);
    }
    for &message in &item.messages {
        add(Name::Id, message);
        push_content(values, machine, message, list);
    }
    if item.kind == Kind::Regenerate {
        add(Name::Trigger, item.after.unwrap_or_default());
        item.replaced.into_iter().for_each(|replaced| add(Name::MessageId, replaced));
    }
    if item.asks_for_reply() || item.only_continues() {
        // A user may ask for the same thing twice: these are two requests to the server.
        values.push_number(list, item.id.into());
    }
    list
}

/// Adds the contents of a message, because an edited message may keep its id.
fn push_content<V: Values>(values: &V, machine: &Machine, message: Id, list: Payload) {
    let Some(message) = machine.message(message) else { return };
    for part in &message.parts {
        let Part::Content { value, .. } = part else { continue };
        values.digest(*value).into_iter().for_each(|digest| values.push_id(list, digest));
    }
}

/// Adds what distinguishes the call from others with its id: how many of these were before it in the turn, the input
/// that was shown, and the user's edit.
fn push_call<V: Values>(values: &V, transcript: &Transcript, carried: &Carried, list: Payload) {
    let Some(part) = transcript.call(carried.call) else { return };
    values.push_number(list, part.repeats().into());
    let shown = part.models_input();
    let push_digest = |input: Payload| match values.digest(values.partial_value(input)) {
        Some(digest) => values.push_id(list, digest),
        None => values.push_number(list, 0.0),
    };
    push_digest(shown);
    if carried.approved && part.input != shown {
        push_digest(part.input);
    }
}

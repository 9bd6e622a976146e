//! Idempotency keys: the same decision has the same key, wherever it is sent from.

use super::{Name, Values};
use crate::machine::{Holder, Item, Payload, Transcript, Trigger};

/// What an item's key is the digest of: a list of tags, each with an id, nothing of which differs
/// between two tabs that send the same.
///
/// The decisions alone name a step's submission. A message, an edited history or a regeneration is
/// named by its messages as well, so that the same words sent twice are two requests.
pub fn key_material<V: Values>(values: &V, transcript: &Transcript, item: &Item) -> Payload {
    let list = values.array();
    let add = |tag: Name, id| {
        values.push_name(list, tag);
        values.push_id(list, id);
    };
    for (&approval, &granted) in item.approvals.iter().zip(&item.granted) {
        add(if granted { Name::Approved } else { Name::Denied }, approval);
        if let Some(Holder::Call(call)) = transcript.approval(approval)
            && let Some(part) = transcript.call(call).filter(|_| granted)
            && part.decision().is_some_and(|decision| decision.original.is_some())
        {
            values.push(list, part.input);
        }
    }
    if item.cancels {
        values.push_name(list, Name::Cancelled);
    }
    item.outputs.iter().for_each(|&call| add(Name::Output, call));
    item.messages.iter().for_each(|&message| add(Name::Id, message));
    if item.trigger == Trigger::Regenerate {
        add(Name::Trigger, item.behind.unwrap_or_default());
        // The same wish twice is two requests.
        values.push_number(list, item.id.into());
    }
    list
}

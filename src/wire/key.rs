//! Idempotency keys: the same decision has the same key, wherever it is sent from.

use super::{Name, Values};
use crate::machine::{Item, Machine, Payload, Trigger};

/// What an item's key is the digest of: a list of tags, each with an id, nothing of which differs
/// between two tabs that send the same.
///
/// The decisions alone name a step's submission. A message, an edited history or a regeneration is
/// named by its messages as well, so that the same words sent twice are two requests.
pub fn key_material<V: Values>(values: &V, machine: &Machine, item: &Item) -> Payload {
    let list = values.array();
    let add = |tag: Name, id| {
        values.push_name(list, tag);
        values.push_id(list, id);
    };
    for &call in &item.calls {
        let Some(part) = machine.transcript().call(call) else { continue };
        let carried = part.approval.as_ref().filter(|approval| item.approvals.contains(&approval.id));
        let decided = carried.and_then(|approval| Some((approval.id, approval.decision.as_ref()?.approved)));
        match decided {
            Some((id, true)) => add(Name::Approved, id),
            Some((id, false)) => add(Name::Denied, id),
            None => add(Name::Output, call),
        }
    }
    item.messages.iter().for_each(|&message| add(Name::Id, message));
    if item.trigger == Trigger::Regenerate {
        let last = machine.transcript().last().map(|message| message.id);
        add(Name::Trigger, last.unwrap_or_default());
        // The same wish twice is two requests.
        values.push_number(list, item.id.into());
    }
    list
}

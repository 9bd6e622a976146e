//! Idempotency keys: the same decision has the same key, wherever it is sent from.

use crate::machine::{Item, Machine, Trigger};

/// What an item's key is the digest of: pairs of a tag and a text, nothing of which differs between
/// two tabs that send the same.
///
/// The decisions alone name a step's submission. A message, an edited history or a regeneration is
/// named by its messages as well, so that the same words sent twice are two requests.
#[must_use]
pub fn key_material<'a>(machine: &'a Machine, item: &Item) -> Vec<(&'static str, &'a str)> {
    let mut material = Vec::new();
    for &call in &item.calls {
        let Some(part) = machine.transcript().call(call) else { continue };
        let carried = part.approval.as_ref().filter(|approval| item.approvals.contains(&approval.id));
        let decided = carried.and_then(|approval| Some((approval.id, approval.decision.as_ref()?.approved)));
        material.push(match decided {
            Some((id, true)) => ("approved", machine.text(id)),
            Some((id, false)) => ("denied", machine.text(id)),
            None => ("output", machine.text(call)),
        });
    }
    material.extend(item.messages.iter().map(|&message| ("message", machine.text(message))));
    if item.trigger == Trigger::Regenerate {
        let last = machine.transcript().last().map_or("", |message| machine.text(message.id));
        material.push(("regenerate", last));
    }
    material
}

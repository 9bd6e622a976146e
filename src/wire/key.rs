//! Idempotency keys: the same decision has the same key, wherever it is sent from.

use crate::machine::{Item, Machine, Trigger};

/// What an item's key is the digest of: its content, and nothing that differs between two tabs.
///
/// The decisions alone name a step's submission. A message, an edited history or a regeneration is
/// named by its messages as well, so that the same words sent twice are two requests.
#[must_use]
pub fn key_material(machine: &Machine, chat: &str, item: &Item) -> String {
    let mut material = String::from("toolgate-1");
    let mut add = |tag: &str, text: &str| {
        // Lengths keep ids apart that contain the separators.
        material.push_str(&format!("|{tag}{}:{text}", text.len()));
    };
    add("chat", chat);
    for call in &item.calls {
        let Some(part) = machine.transcript().call(call) else { continue };
        let carried = part.approval.as_ref().filter(|approval| item.approvals.contains(&approval.id));
        match carried.and_then(|approval| approval.decision.as_ref().map(|decision| (&approval.id, decision.approved)))
        {
            Some((id, true)) => add("approved", id),
            Some((id, false)) => add("denied", id),
            None => add("output", call),
        }
    }
    for message in &item.messages {
        add("message", message);
    }
    if item.trigger == Trigger::Regenerate {
        let last = machine.transcript().last().map_or("", |message| &message.id);
        add("regenerate", last);
        add("number", &item.id.to_string());
    }
    material
}

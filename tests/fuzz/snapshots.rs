//! Damaged snapshots. One that is still valid may be restored, and later steps must then break no rule.

use crate::chat::Chat;
use crate::damage::{any, id};
use crate::perform::perform_unseen;
use crate::rng::Rng;
use serde_json::{Value as Json, json};

/// The lists of a snapshot, damaged in a few places.
pub fn damaged(rng: &mut Rng, saved: &[Json; 3]) -> Json {
    let mut lists = saved.clone();
    for _ in 0..=rng.weighted(&[6, 2, 1]) {
        let which = rng.weighted(&[12, 2, 2]);
        let Json::Array(list) = &mut lists[which] else { continue };
        damage(rng, list, which);
    }
    Json::Array(lists.into())
}

fn damage(rng: &mut Rng, list: &mut Vec<Json>, which: usize) {
    if list.is_empty() || rng.once_in(30) {
        return list.push(other(rng, which, &Json::Null));
    }
    let place = rng.below(list.len());
    match rng.weighted(&[10, 2, 2, 1, 1]) {
        0 => list[place] = other(rng, which, &list[place]),
        1 => drop(list.remove(place)),
        2 => list.insert(place, list[place].clone()),
        3 => {
            let other = rng.below(list.len());
            list.swap(place, other);
        }
        _ => list.truncate(place),
    }
}

fn other(rng: &mut Rng, which: usize, was: &Json) -> Json {
    let number = was.as_f64().unwrap_or_default();
    match (which, rng.below(8)) {
        (_, 0) => any(rng, 1),
        (0, 1 | 2) => json!(number + 1.0),
        (0, 3) => json!(number - 1.0),
        (0, 4) => json!(*rng.pick(&[1e30, -1.0, 0.5, 1_073_741_823.0, 9_007_199_254_740_991.0])),
        (0, _) => json!(rng.below(12)),
        (1, _) => json!(id(rng)),
        (_, _) => any(rng, 2),
    }
}

/// Steps for a restored chat.
pub fn after(rng: &mut Rng, chat: &Chat) -> Json {
    (0..rng.below(6)).map(|_| crate::steps::unseen(rng, chat)).collect()
}

/// Restores a snapshot if it is accepted, and performs these steps.
pub fn revive(chat: &Chat, saved: &Json, steps: &Json) {
    let list = |place: usize| saved[place].clone();
    let Some(mut revived) = chat.revived_chat(&[list(0), list(1), list(2)]) else { return };
    sound(&revived);
    for step in steps.as_array().into_iter().flatten() {
        perform_unseen(&mut revived, step);
        sound(&revived);
    }
    // Everything can be shown, and every request can be written.
    let _ = revived.facts();
    let again = revived.restored_unseen();
    assert_eq!(again.saved(), again.restored_unseen().saved(), "invariant 10: a second restore changes something");
}

/// Checks that all counters are right, which holds in every state.
pub fn sound(chat: &Chat) {
    assert!(chat.machine.transcript().is_counted_right(), "a counter of the transcript is wrong");
    assert!(chat.machine.outbox().is_counted_right(), "a counter of the outbox is wrong");
}

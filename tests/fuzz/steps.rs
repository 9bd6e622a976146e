//! The steps of a case, as JSON, so that a failing case can be printed and run again.

use crate::chat::Chat;
use crate::chunks::chunk;
use crate::damage::id;
use crate::histories::history;
use crate::rng::Rng;
use serde_json::{Value as Json, json};
use toolgate::machine::StreamEnd;

/// A step that is possible now.
pub fn step(rng: &mut Rng, chat: &Chat) -> Json {
    let next = chat.machine.outbox().next();
    let about = |rng: &mut Rng| match rng.below(20) {
        0..3 => json!([next.saturating_sub(1), null, null]),
        3 | 4 => json!([rng.below(4), rng.below(3), null]),
        5 => json!([null, null, *rng.pick(&["start", "offset"])]),
        6 => json!([next.saturating_sub(1), null, *rng.pick(&["start", "offset"])]),
        _ => json!([null, null, null]),
    };
    match rng.weighted(&[60, 10, 12, 2, 6, 2, 2, 8, 3, 5, 3, 3, 4, 3, 3, 1, 2, 1]) {
        0 => json!(["event", chunk(rng, chat), about(rng)]),
        1 => {
            let how = if rng.flag() { "finished" } else { rng.pick(StreamEnd::ALL).as_str() };
            json!(["end", how, about(rng)])
        }
        2 => json!(["respond", approval(rng, chat), rng.flag(), *rng.pick(&["", "", "no"])]),
        3 => json!(["respond-all", rng.flag()]),
        4 => json!(["user", if rng.once_in(6) { id(rng) } else { chat.new_message() }, replaced(rng, chat)]),
        5 => json!(["regenerate", replaced(rng, chat)]),
        6 => json!(["output", call(rng, chat), rng.flag()]),
        7 => json!(["claim"]),
        8 => json!([*rng.pick(&["sent", "failed"]), next.saturating_sub(rng.below(3) as u32)]),
        9 => json!([*rng.pick(&["cancel", "stop", "resume", "retry"])]),
        10 => json!(["restore"]),
        11 => json!(["way-out"]),
        12 => json!(["load", history(rng, chat)]),
        13 => json!(["tick", rng.below(200)]),
        14 => json!(["remember", approval(rng, chat), rng.flag(), rng.once_in(4).then_some(500)]),
        15 => json!(["forget", rng.below(3)]),
        16 => json!(["rewrite", call(rng, chat), *rng.pick(&["rewritten", ""])]),
        _ => json!(["reconnecting"]),
    }
}

/// A step for a stream that is read without checking every state: mostly an event.
pub fn reading(rng: &mut Rng, chat: &Chat) -> Json {
    if rng.once_in(8) {
        json!(["unseen", unseen(rng, chat)])
    } else {
        json!(["read", chunk(rng, chat), [null, null, null]])
    }
}

/// A step for a chat whose states are not checked.
pub fn unseen(rng: &mut Rng, chat: &Chat) -> Json {
    loop {
        let step = step(rng, chat);
        if ["event", "end", "respond", "claim", "cancel", "stop", "resume", "retry", "user", "reconnecting", "output"]
            .contains(&step[0].as_str().unwrap_or_default())
        {
            return step;
        }
    }
}

fn approval(rng: &mut Rng, chat: &Chat) -> String {
    let known: Vec<_> = chat.machine.transcript().approvals().map(|(id, _)| chat.text(id).to_string()).collect();
    if known.is_empty() || rng.once_in(8) { id(rng) } else { rng.pick(&known).clone() }
}

fn call(rng: &mut Rng, chat: &Chat) -> String {
    let messages = chat.machine.transcript().messages().iter();
    let known: Vec<_> = messages.flat_map(|m| m.calls()).map(|part| chat.text(part.call).to_string()).collect();
    if known.is_empty() || rng.once_in(8) { id(rng) } else { rng.pick(&known).clone() }
}

/// The id of a message to replace; usually none.
fn replaced(rng: &mut Rng, chat: &Chat) -> Json {
    let messages = chat.machine.transcript().messages();
    if messages.is_empty() || !rng.once_in(4) {
        return Json::Null;
    }
    json!(&*chat.text(rng.pick(messages).id))
}

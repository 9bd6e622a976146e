//! Events of the stream, valid or damaged.

use crate::chat::Chat;
use crate::damage::{any, id, perhaps};
use crate::rng::Rng;
use serde_json::{Value as Json, json};
use toolgate::wire::Name;

/// An event that a backend could send now, possibly damaged.
pub fn chunk(rng: &mut Rng, chat: &Chat) -> Json {
    if rng.once_in(40) {
        return any(rng, 2);
    }
    let mut chunk = if rng.weighted(&[3, 2]) == 0 { of_calls(rng) } else { of_the_rest(rng, chat) };
    perhaps(rng, &mut chunk);
    chunk
}

fn call(rng: &mut Rng) -> String {
    if rng.once_in(12) { id(rng) } else { (*rng.pick(&["c1", "c2", "c3"])).to_owned() }
}

/// An approval id, which mostly has the number of its call.
fn approval(rng: &mut Rng, call: &str) -> String {
    if rng.once_in(8) { id(rng) } else { call.replace('c', "a") }
}

/// Whether a name is the type of a chunk about a call. `tool-call` and `tool-result` are the types of a model message's
/// parts.
fn is_of_calls(kind: &str) -> bool {
    kind.starts_with("tool-") && !["tool-call", "tool-result"].contains(&kind)
}

/// How often a chunk about a call has this type, relative to the others.
fn weight(kind: &str) -> usize {
    match kind {
        "tool-input-available" | "tool-approval-request" => 6,
        "tool-output-available" => 4,
        "tool-input-start" | "tool-input-delta" | "tool-input-update" | "tool-approval-response" => 2,
        _ => 1,
    }
}

fn of_calls(rng: &mut Rng) -> Json {
    let call = call(rng);
    let approval = approval(rng, &call);
    let input = if rng.once_in(8) { any(rng, 2) } else { json!({ "of": call }) };
    let tool = *rng.pick(&["edit", "edit", "edit", "edit", "locate", "search"]);
    let kinds: Vec<&str> = Name::ALL.iter().map(|name| name.text()).filter(|kind| is_of_calls(kind)).collect();
    let weights: Vec<usize> = kinds.iter().map(|kind| weight(kind)).collect();
    let mut chunk = match kinds[rng.weighted(&weights)] {
        "tool-input-start" => json!({ "type": "tool-input-start", "toolCallId": call, "toolName": tool }),
        "tool-input-delta" => json!({ "type": "tool-input-delta", "toolCallId": call, "inputTextDelta": "{}" }),
        "tool-input-available" => {
            json!({ "type": "tool-input-available", "toolCallId": call, "toolName": tool, "input": input })
        }
        "tool-input-update" if rng.once_in(3) => {
            json!({ "type": "tool-input-update", "toolCallId": call, "title": "Edits" })
        }
        "tool-input-update" => {
            let input = if rng.flag() { input } else { json!({ "of": "another" }) };
            json!({ "type": "tool-input-update", "toolCallId": call, "input": input })
        }
        "tool-input-error" => {
            json!({ "type": "tool-input-error", "toolCallId": call, "toolName": tool, "input": input, "errorText": "bad" })
        }
        "tool-approval-request" => {
            json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": approval, "signature": "s" })
        }
        "tool-approval-response" => {
            json!({ "type": "tool-approval-response", "approvalId": approval, "approved": rng.flag(), "reason": "so" })
        }
        "tool-output-available" if rng.once_in(4) => {
            json!({ "type": "tool-output-available", "toolCallId": call, "output": 1, "preliminary": true })
        }
        "tool-output-available" => {
            json!({ "type": "tool-output-available", "toolCallId": call, "output": any(rng, 2) })
        }
        "tool-output-error" => json!({ "type": "tool-output-error", "toolCallId": call, "errorText": "disk full" }),
        // Any other chunk, also one that is not listed here, has the fields that most chunks need.
        kind => json!({ "type": kind, "toolCallId": call, "toolName": tool, "approvalId": approval, "input": input }),
    };
    let marked = json!({ "toolgate": { "runsInPage": true } });
    let odd = [("isAutomatic", json!(true)), ("providerExecuted", json!(true)), ("dynamic", json!(true))];
    for (name, value) in odd.into_iter().chain([("providerMetadata", marked)]) {
        if rng.once_in(12) {
            chunk[name] = value;
        }
    }
    chunk
}

fn of_the_rest(rng: &mut Rng, chat: &Chat) -> Json {
    let text = (*rng.pick(&["t1", "t2"])).to_owned();
    match rng.weighted(&[4, 1, 3, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 1, 1]) {
        0 => json!({ "type": "start", "messageId": chat.next_message() }),
        1 => {
            let known: Vec<String> =
                chat.machine.transcript().messages().iter().map(|message| chat.text(message.id).to_string()).collect();
            match known.is_empty() || rng.flag() {
                true => json!({ "type": "start" }),
                false => json!({ "type": "start", "messageId": rng.pick(&known) }),
            }
        }
        2 => json!({ "type": "start-step" }),
        3 => json!({ "type": "finish-step" }),
        4 => json!({ "type": "reset-step" }),
        5 => json!({ "type": "text-start", "id": text }),
        6 => json!({ "type": "text-delta", "id": text, "delta": "word " }),
        7 => json!({ "type": "text-end", "id": text }),
        8 => json!({ "type": "finish", "finishReason": *rng.pick(&["stop", "tool-calls", "interrupted"]) }),
        9 => json!({ "type": *rng.pick(&["error", "abort"]), "errorText": "overloaded" }),
        10 => {
            json!({ "type": *rng.pick(&["reasoning-start", "reasoning-delta", "reasoning-end"]), "id": text, "delta": "hm" })
        }
        11 => json!({ "type": "data-weather", "id": "w", "data": any(rng, 2), "transient": rng.once_in(4) }),
        12 => json!({ "type": "message-metadata", "messageMetadata": { "model": any(rng, 1) } }),
        13 => json!({ "type": "file", "mediaType": "text/plain", "url": "data:,x" }),
        _ => {
            json!({ "type": *rng.pick(&["of-tomorrow", "tool-of-tomorrow", "__proto__"]), "toolCallId": "c1", "n": any(rng, 2) })
        }
    }
}

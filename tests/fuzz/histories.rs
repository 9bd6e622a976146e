//! Stored histories, possibly damaged: the messages that a chat shows, sends, or passes to the model, or random ones.

use crate::chat::Chat;
use crate::damage::{any, id, perhaps};
use crate::rng::Rng;
use serde_json::{Value as Json, json};
use toolgate::wire::ai_sdk::Shape;

/// A history that an app could load now.
pub fn history(rng: &mut Rng, chat: &Chat) -> Json {
    let mut history = match rng.below(8) {
        0 => chat.ui_messages(Shape::View),
        1 => chat.ui_messages(Shape::Body),
        2 => chat.history(),
        3 | 4 => (0..rng.below(6)).map(|_| model_message(rng)).collect(),
        _ => (0..rng.below(6)).map(|_| ui_message(rng)).collect(),
    };
    perhaps(rng, &mut history);
    perhaps(rng, &mut history);
    if rng.once_in(60) { any(rng, 3) } else { history }
}

fn message_id(rng: &mut Rng) -> String {
    if rng.once_in(3) { id(rng) } else { format!("x{}", rng.below(40)) }
}

fn call(rng: &mut Rng) -> String {
    if rng.once_in(10) { id(rng) } else { format!("c{}", rng.below(5)) }
}

fn approval(rng: &mut Rng, call: &str) -> String {
    if rng.once_in(10) { id(rng) } else { call.replace('c', "a") }
}

fn ui_message(rng: &mut Rng) -> Json {
    let role = *rng.pick(&["user", "assistant", "assistant", "assistant", "system"]);
    let parts: Vec<Json> = if role == "assistant" {
        (0..rng.below(5)).map(|_| part(rng)).collect()
    } else {
        vec![json!({ "type": "text", "text": "words" })]
    };
    json!({ "id": message_id(rng), "role": role, "parts": parts })
}

fn part(rng: &mut Rng) -> Json {
    match rng.below(6) {
        0 => json!({ "type": "step-start" }),
        1 => json!({ "type": "text", "text": "words", "state": "done" }),
        2 => json!({ "type": "data-weather", "data": any(rng, 1) }),
        _ => tool_part(rng),
    }
}

fn tool_part(rng: &mut Rng) -> Json {
    const STATES: [&str; 8] = [
        "input-streaming",
        "input-available",
        "approval-requested",
        "approval-responded",
        "approval-responded",
        "output-available",
        "output-error",
        "output-denied",
    ];
    let call = call(rng);
    let state = *rng.pick(&STATES);
    let mut part = json!({ "type": "tool-edit", "toolCallId": call, "state": state, "input": { "of": call } });
    let mut approved = None;
    match state {
        "approval-responded" => approved = Some(rng.flag()),
        "output-denied" => approved = Some(false),
        "output-available" => part["output"] = any(rng, 1),
        "output-error" => part["errorText"] = json!("disk full"),
        _ => {}
    }
    if state.starts_with("approval") || approved.is_some() {
        part["approval"] = json!({ "id": approval(rng, &call) });
    }
    if let Some(approved) = approved {
        part["approval"]["approved"] = json!(approved);
    }
    let kept = *rng.pick(&["cancelled", "interrupted", "denied", "skipped", "expired", "executed"]);
    let metadata = json!({ "toolgate": { "outcome": kept, "mayHaveRun": rng.flag(), "reason": "so" } });
    for (name, value) in [
        ("preliminary", json!(true)),
        ("providerExecuted", json!(true)),
        ("title", json!("Edit")),
        ("callProviderMetadata", metadata),
    ] {
        if rng.once_in(12) {
            part[name] = value;
        }
    }
    part
}

fn model_message(rng: &mut Rng) -> Json {
    match rng.below(6) {
        0 => json!({ "role": "user", "content": "words" }),
        1 => json!({ "role": "user", "content": [{ "type": "text", "text": "words" }] }),
        2 => json!({ "role": "system", "content": "words" }),
        3 => json!({ "role": "tool", "content": (0..rng.below(4)).map(|_| answer(rng)).collect::<Vec<_>>() }),
        _ => json!({ "role": "assistant", "content": (0..rng.below(4)).map(|_| said(rng)).collect::<Vec<_>>() }),
    }
}

fn said(rng: &mut Rng) -> Json {
    let call = call(rng);
    match rng.below(6) {
        0 => json!({ "type": "text", "text": "words" }),
        1 => json!({ "type": "tool-approval-request", "approvalId": approval(rng, &call), "toolCallId": call }),
        2 => answer(rng),
        _ => json!({ "type": "tool-call", "toolCallId": call, "toolName": "edit", "input": any(rng, 1),
            "providerExecuted": rng.once_in(8) }),
    }
}

fn answer(rng: &mut Rng) -> Json {
    let call = call(rng);
    if rng.once_in(3) {
        return json!({ "type": "tool-approval-response", "approvalId": approval(rng, &call), "approved": rng.flag() });
    }
    let kind = *rng.pick(&["text", "json", "error-text", "execution-denied", "content"]);
    let output = json!({ "type": kind, "value": "words", "reason": "no" });
    json!({ "type": "tool-result", "toolCallId": call, "toolName": "edit", "output": output })
}

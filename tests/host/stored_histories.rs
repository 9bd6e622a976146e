//! Builds histories as apps store them, and checks the rules that apply to all of them.

use crate::chat::Chat;
use crate::history::{refused, unsound};
use crate::way_out::assert_way_out;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use toolgate::json::Value;
use toolgate::machine::{Repair, ToolPart};
use toolgate::wire::ai_sdk::Shape;

/// A user message whose text is its id.
pub fn user(id: &str) -> Json {
    json!({ "id": id, "role": "user", "parts": [text(id)] })
}

/// A text part.
pub fn text(text: &str) -> Json {
    json!({ "type": "text", "text": text })
}

/// An assistant message with one step that has these parts.
pub fn assistant(id: &str, parts: &[Json]) -> Json {
    let mut all = vec![json!({ "type": "step-start" })];
    all.extend_from_slice(parts);
    json!({ "id": id, "role": "assistant", "parts": all })
}

/// A call of the tool `edit` in this state.
pub fn part(call: &str, state: &str) -> Json {
    json!({ "type": "tool-edit", "toolCallId": call, "state": state, "input": { "of": call } })
}

/// A call in this state, with more properties.
pub fn part_with(call: &str, state: &str, more: Json) -> Json {
    let mut part = part(call, state);
    for (name, value) in more.as_object().expect("properties") {
        part[name] = value.clone();
    }
    part
}

/// A call that was executed.
pub fn ran(call: &str) -> Json {
    part_with(call, "output-available", json!({ "output": "done" }))
}

/// A call with a pending approval.
pub fn asked(call: &str, approval: &str) -> Json {
    part_with(call, "approval-requested", json!({ "approval": { "id": approval } }))
}

/// A call whose approval is decided.
pub fn answered(call: &str, approval: &str, approved: bool) -> Json {
    part_with(call, "approval-responded", json!({ "approval": { "id": approval, "approved": approved } }))
}

/// A repair as text: its code, the call's id, and the call's state after the repair.
pub fn repair_texts(chat: &Chat, repairs: &[Repair]) -> Vec<String> {
    let words = repairs.iter().map(|repair| {
        let mut word = repair.code.as_str().to_owned();
        for more in [repair.call.map(|call| chat.text(call).to_string()), repair.phase.map(|p| p.state().to_owned())] {
            word.extend(more.map(|more| format!(" {more}")));
        }
        word
    });
    words.collect()
}

/// A chat that loaded this history with exactly these repairs.
///
/// It also checks, whatever was repaired: the history object is unchanged, loading sends nothing, the repaired messages
/// need no further repairs, their model history is valid and stable, and the user's next message is sent in a request
/// that a backend accepts.
pub fn load_repaired(history: Json, repairs: &[&str]) -> Chat {
    let mut chat = Chat::default();
    let given = Value::from_json(history.clone());
    let report = chat.load_value(given.clone());
    assert_eq!(repair_texts(&chat, &report), repairs, "the repairs of {history:#}");
    assert_eq!(given.to_json(), history, "loading modified the history");
    assert!(chat.listed().is_empty(), "loading sent something");
    is_whole(&chat);
    chat
}

/// Fails if a chat that only loaded a history cannot continue.
pub fn is_whole(chat: &Chat) {
    let calls = || chat.machine.transcript().messages().iter().flat_map(|message| message.calls());
    let (mut ids, mut approvals) = (BTreeSet::new(), BTreeSet::new());
    let mut is_new = |part: &ToolPart| {
        ids.insert(part.call) && part.approval.as_ref().is_none_or(|approval| approvals.insert(approval.id))
    };
    // Closed calls with the same id may be equal, and are then merged when they are loaded again.
    if calls().all(&mut is_new) {
        is_stable(chat);
    }
    if let Some(wrong) = unsound(&chat.history(), &BTreeSet::new()) {
        panic!("{wrong} in {:#}", chat.history());
    }
    assert_way_out(chat);
    let mut chat = chat.clone();
    chat.cancel();
    chat.user("the next message");
    let body = chat.body(chat.item(chat.listed()[0]));
    if let Some(wrong) = refused(&body["messages"]) {
        panic!("{wrong} in {body:#}");
    }
}

/// Fails if the loaded messages change when they are loaded again.
fn is_stable(chat: &Chat) {
    for shape in [Shape::View, Shape::Body] {
        let kept = chat.ui_messages(shape);
        let mut again = Chat::default();
        let report = again.load(kept.clone());
        assert_eq!(repair_texts(&again, &report), [""; 0], "repaired messages need repairs: {kept:#}");
        let [shown, whole] = [&again, chat].map(|chat| with_errors_as_shown(chat.history()));
        assert_eq!(shown, whole, "the model history of repaired messages differs after loading them: {kept:#}");
        let [wire, kept] = [&again, chat].map(|chat| with_bare_boundaries(chat.ui_messages(Shape::Body)));
        assert_eq!(wire, kept, "the request with repaired messages differs after loading them");
    }
    let history = chat.history();
    let mut again = Chat::default();
    again.load(history.clone());
    assert_eq!(again.history().to_string(), history.to_string(), "loading and assembling changed the history");
}

/// Removes unknown properties of step boundaries: a message that is written again does not have them.
fn with_bare_boundaries(mut messages: Json) -> Json {
    let parts = messages.as_array_mut().into_iter().flatten().filter_map(|message| message["parts"].as_array_mut());
    for part in parts.flatten().filter(|part| part["type"] == "step-start") {
        *part = json!({ "type": "step-start" });
    }
    messages
}

/// Replaces errors that are not texts with `unknown error`: a `UIMessage` can only contain the text of an error.
fn with_errors_as_shown(mut history: Json) -> Json {
    let contents = history.as_array_mut().into_iter().flatten().filter_map(|message| message["content"].as_array_mut());
    for entry in contents.flatten().filter(|entry| entry["output"]["type"] == "error-json") {
        if !entry["output"]["value"].is_string() {
            entry["output"]["value"] = json!("unknown error");
        }
    }
    history
}

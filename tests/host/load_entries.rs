//! Stored histories with entries that are not messages, or with values that no schema allows.

use crate::chat::Chat;
use crate::stored_histories::{assistant, load_repaired, part_with, ran, text, user};
use serde_json::{Value as Json, json};
use toolgate::json::Value;
use toolgate::wire::ai_sdk::Shape;

fn message_with(parts: Json) -> Json {
    json!([user("m1"), { "id": "r1", "role": "assistant", "parts": parts }])
}

/// The number of parts of the message with this index.
fn parts(chat: &Chat, message: usize) -> usize {
    chat.machine.transcript().messages()[message].parts.len()
}

#[test]
fn entries_that_are_not_messages_are_skipped() {
    let history = json!([null, 7, "text", [], {}, { "role": "alien", "parts": [] }, { "id": "x" }, user("m1")]);
    let chat = load_repaired(history, &["malformed"; 7]);
    assert_eq!(chat.said(), ["m1"]);
}

#[test]
fn a_history_that_is_not_an_array_is_refused_and_changes_nothing() {
    for history in [json!({ "no": "array" }), json!(null), json!("[]"), json!(7)] {
        let mut chat = Chat::asking(1);
        assert_eq!(chat.try_load(Value::from_json(history)), None);
        assert_eq!((chat.pending().as_str(), chat.said()), ("a1", vec!["m1".to_owned()]));
    }
}

#[test]
fn a_message_whose_parts_are_not_an_array_is_skipped() {
    for parts in [json!(null), json!("parts"), json!({ "0": text("x") }), json!(3)] {
        let chat = load_repaired(message_with(parts), &["malformed"]);
        assert_eq!(chat.said(), ["m1"]);
    }
}

#[test]
fn entries_that_are_not_parts_are_skipped() {
    let chat =
        load_repaired(message_with(json!([null, 7, "x", [], {}, { "type": 5 }, text("kept")])), &["malformed"; 6]);
    assert_eq!(chat.said(), ["m1", "kept"]);
}

#[test]
fn a_text_part_without_a_text_is_skipped() {
    let broken = json!([{ "type": "text" }, { "type": "text", "text": 5 }, { "type": "reasoning", "text": null }]);
    assert_eq!(parts(&load_repaired(message_with(broken), &["malformed"; 3]), 1), 0);
}

#[test]
fn a_file_without_a_url_or_media_type_is_skipped() {
    let broken = json!([
        { "type": "file", "mediaType": "image/png" }, { "type": "file", "url": "data:,x" },
        { "type": "reasoning-file", "mediaType": null, "url": "data:,x" },
        { "type": "file", "mediaType": "image/png", "url": "data:,x" },
    ]);
    assert_eq!(parts(&load_repaired(message_with(broken), &["malformed"; 3]), 1), 1);
}

#[test]
fn a_call_without_an_id_or_a_name_is_skipped() {
    let broken = json!([
        { "type": "tool-edit", "state": "input-available", "input": {} },
        { "type": "tool-edit", "toolCallId": 7, "state": "input-available", "input": {} },
        { "type": "dynamic-tool", "toolCallId": "c1", "state": "input-available", "input": {} },
        { "type": "dynamic-tool", "toolName": 7, "toolCallId": "c2", "state": "input-available", "input": {} },
    ]);
    let chat = load_repaired(message_with(broken), &["malformed", "malformed", "malformed c1", "malformed c2"]);
    assert_eq!(parts(&chat, 1), 0);
}

#[test]
fn an_id_that_is_not_a_string_is_replaced() {
    for id in [json!(7), json!(null), json!({})] {
        let chat = load_repaired(json!([{ "id": id, "role": "user", "parts": [text("m1")] }]), &["invalid-value"]);
        assert!(chat.ui_messages(Shape::Body)[0]["id"].is_string());
    }
}

#[test]
fn an_empty_message_is_skipped_unless_it_is_the_assistants() {
    let empty = |role: &str| json!({ "id": role, "role": role, "parts": [] });
    let chat = load_repaired(json!([empty("system"), empty("user"), empty("assistant")]), &["malformed"; 2]);
    assert_eq!(chat.ui_messages(Shape::Body), json!([empty("assistant")]));
    let emptied = json!([{ "id": "m1", "role": "user", "parts": [null] }]);
    assert_eq!(load_repaired(emptied, &["malformed"]).ui_messages(Shape::Body), json!([]));
}

#[test]
fn optional_values_that_are_null_or_have_a_wrong_type_are_removed() {
    for (name, value) in [
        ("title", json!(null)),
        ("title", json!(5)),
        ("providerExecuted", json!(null)),
        ("providerExecuted", json!("yes")),
        ("callProviderMetadata", json!(null)),
        ("callProviderMetadata", json!([])),
        ("resultProviderMetadata", json!("x")),
        ("toolMetadata", json!(null)),
        ("preliminary", json!(null)),
        ("errorText", json!(null)),
        ("approval", json!(null)),
        ("approval", json!("a1")),
        ("approval", json!([])),
    ] {
        let call = part_with("c1", "output-available", json!({ "output": "done", name: value, "unknown": null }));
        let chat = load_repaired(json!([user("m1"), assistant("r1", &[call])]), &["invalid-value c1 output-available"]);
        let part = chat.wire_part("c1").unwrap();
        assert_eq!(part.get(name), None, "{name}");
        // Properties that no schema has are not repaired.
        assert_eq!(part.get("unknown"), Some(&Json::Null));
    }
}

#[test]
fn metadata_of_content_that_is_null_is_removed() {
    let text = json!({ "type": "text", "text": "x", "providerMetadata": null, "state": "done" });
    let chat = load_repaired(message_with(json!([text])), &["invalid-value"]);
    assert_eq!(chat.ui_messages(Shape::Body)[1]["parts"], json!([{ "type": "text", "text": "x", "state": "done" }]));
}

#[test]
fn an_input_or_output_that_json_dropped_becomes_null() {
    let lost = json!({ "type": "tool-edit", "toolCallId": "c1", "state": "output-available" });
    let chat = load_repaired(json!([user("m1"), assistant("r1", &[lost])]), &["invalid-value c1 output-available"]);
    let part = chat.wire_part("c1").unwrap();
    assert_eq!((&part["input"], &part["output"]), (&Json::Null, &Json::Null));
    assert!(part.get("input").is_some() && part.get("output").is_some());
}

#[test]
fn a_valid_history_needs_no_repairs() {
    let metadata =
        json!({ "output": 1, "callProviderMetadata": { "p": {} }, "title": "Edit", "providerExecuted": false });
    let parts = [text("Hello"), part_with("c1", "output-available", metadata), ran("c2")];
    let history = json!([user("m1"), assistant("r1", &parts), user("m2")]);
    assert_eq!(load_repaired(history.clone(), &[]).ui_messages(Shape::Body), history);
}

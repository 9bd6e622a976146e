//! Content that is extended or updated: a text by its deltas, app data by its id.

use crate::chat::Chat;
use serde_json::json;
use toolgate::machine::Code;
use toolgate::wire::ai_sdk::Shape;

#[test]
fn deltas_of_a_text_in_a_removed_message_are_ignored() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.more(|reply| reply.start("r1").raw(json!({ "type": "text-start", "id": "t1" })).finish());
    chat.end(toolgate::machine::StreamEnd::Finished);
    chat.regenerate(None).unwrap();
    let item = chat.claim();
    chat.more_of(item, |reply| reply.raw(json!({ "type": "data-weather", "data": 1 })));
    chat.more_of(item, |reply| reply.raw(json!({ "type": "text-delta", "id": "t1", "delta": "late" })));
    assert_eq!(chat.anomalies().last(), Some(&Code::MalformedEvent));
    assert_eq!(chat.ui_messages(Shape::View)[1]["parts"], json!([{ "type": "data-weather", "data": 1 }]));
}

#[test]
fn later_data_does_not_update_data_that_a_reset_removed() {
    let mut chat = Chat::default();
    let data = |value: u32| json!({ "type": "data-weather", "id": "w", "data": value });
    chat.more(|reply| reply.start("r1").step().raw(data(1)).raw(data(2)));
    assert_eq!(chat.ui_messages(Shape::View)[0]["parts"][1]["data"], 2);
    chat.more(|reply| reply.reset().text("Words.").raw(data(3)));
    let parts = chat.ui_messages(Shape::View)[0]["parts"].clone();
    assert_eq!((parts[1]["text"].clone(), parts[2]["data"].clone()), (json!("Words."), json!(3)));
}

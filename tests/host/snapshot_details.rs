//! Snapshots: details of the state that a restore must preserve.

use crate::chat::Chat;
use crate::stored_histories::{answered, assistant};
use serde_json::json;
use toolgate::machine::{DeliveryState, Reconnect, Sent, StreamEnd};
use toolgate::wire::Values;
use toolgate::wire::ai_sdk::{self, Shape};

#[test]
fn a_restored_store_contains_the_values_that_the_machine_refers_to() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let restored = chat.restored();
    let mut named = 0;
    restored.machine.payloads(&mut |payload| named += u32::from(payload.is_some() && restored.store.is_some(payload)));
    assert!(named > 0);
}

#[test]
fn the_text_of_an_unfinished_input_survives_a_restore() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1").input_delta("c1", "{\"path\": \"a"));
    chat.end(StreamEnd::Error);
    let shown = chat.ui_messages(toolgate::wire::ai_sdk::Shape::View);
    assert_eq!(shown[1]["parts"][1]["rawInput"], "{\"path\": \"a");
    assert_eq!(chat.restored().ui_messages(toolgate::wire::ai_sdk::Shape::View), shown);
}

#[test]
fn an_unfinished_input_continues_after_a_restore_and_for_a_follower() {
    let texts: [(&str, &[&str]); 3] =
        [("json", &["{}"]), ("json", &["{\"path\"", ": \"a\"", "}"]), ("text", &["fn ", "main", "() {}"])];
    for (encoding, deltas) in texts {
        for arrived in 0..=deltas.len() {
            let mut chat = Chat::default();
            chat.user("m1");
            chat.claim();
            let start = json!({
                "type": "tool-input-start", "toolCallId": "c1", "toolName": "edit", "inputEncoding": encoding,
            });
            chat.stream(|reply| reply.raw(start));
            chat.more(|reply| deltas[..arrived].iter().fold(reply, |reply, delta| reply.input_delta("c1", delta)));
            assert_eq!(chat.followed().ui_messages(Shape::View), chat.ui_messages(Shape::View), "{encoding} {arrived}");
            chat.end(StreamEnd::Disconnected);
            let mut restored = chat.restored().restored();
            for delta in &deltas[arrived..] {
                for chat in [&mut chat, &mut restored] {
                    chat.reconnected(Reconnect::Offset, |reply| reply.input_delta("c1", delta));
                }
                assert_eq!(restored.ui_messages(Shape::View), chat.ui_messages(Shape::View), "{encoding} {arrived}");
            }
            let part = &restored.ui_messages(Shape::View)[1]["parts"][1];
            assert_eq!(part["rawInput"], deltas.concat(), "{encoding} {arrived}");
            assert!(!part["input"].is_null(), "{encoding} {arrived}");
        }
    }
}

#[test]
fn the_text_of_an_unfinished_input_is_removed_once_the_input_is_complete() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1").input_delta("c1", "{"));
    chat.end(StreamEnd::Disconnected);
    let mut restored = chat.restored();
    assert_eq!(restored.ui_messages(Shape::View)[1]["parts"][1]["rawInput"], "{");
    for chat in [&mut chat, &mut restored] {
        chat.reconnected(Reconnect::Offset, |reply| reply.request("c1", "a1"));
        assert_eq!(chat.ui_messages(Shape::View)[1]["parts"][1]["rawInput"], "{");
        chat.more(|reply| reply.call("c1"));
        assert_eq!(chat.pending(), "a1");
        assert_eq!(chat.ui_messages(Shape::View)[1]["parts"][1].get("rawInput"), None);
    }
}

#[test]
fn a_message_queued_for_a_reply_that_a_restore_ended_waits_for_resume() {
    let mut chat = Chat::default();
    chat.more(|reply| reply.start("r1").text("Nobody asked."));
    assert_eq!(chat.user("m1"), Sent::Queued);
    let mut chat = chat.restored();
    assert_eq!((chat.waits_for().as_str(), chat.listed()), ("resume", vec![]));
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m1");
}

#[test]
fn decisions_held_for_a_lost_stream_are_held_after_a_restore() {
    let mut chat = Chat::asking(1);
    chat.reconnecting();
    chat.approve("a1");
    let mut chat = chat.restored();
    assert_eq!((chat.waits_for().as_str(), chat.delivery("c1")), ("resume", Some(DeliveryState::Held)));
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn a_retry_of_a_message_that_a_load_removed_survives_a_restore() {
    let mut chat = Chat::default();
    chat.user("m1");
    let item = chat.claim();
    chat.load(json!([]));
    chat.end(StreamEnd::Disconnected);
    chat.retry(item).unwrap();
    let mut chat = chat.restored();
    assert_eq!(chat.claim(), item);
}

#[test]
fn a_chat_with_an_unsent_system_message_can_be_restored() {
    for queued in [false, true] {
        let mut chat = Chat::default();
        if queued {
            chat.more(|reply| reply.start("r1").text("Well"));
        }
        let sent = chat.act(|chat| {
            let message = chat.store.json_value(json!({ "id": "m1", "role": "system", "text": "Be brief." }));
            let message = ai_sdk::user_message(&chat.store, message, chat.store.make("m1"));
            chat.machine.send_user_message(message, None)
        });
        assert_eq!(sent.unwrap(), if queued { Sent::Queued } else { Sent::Sent });
        assert!(chat.revived_chat(&chat.saved_lists()).is_some(), "queued: {queued}");
        let mut restored = chat.restored();
        if queued {
            restored.resume();
        }
        let item = restored.claim();
        assert_eq!(restored.messages(item), "m1");
    }
}

#[test]
fn a_reply_continues_after_a_load_with_fewer_parts_of_its_message_and_a_restore() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.more(|reply| reply.start("r1").output("c1").text("Done."));
    let shown = chat.ui_messages(Shape::View);
    let id = shown[1]["id"].clone();
    chat.load(json!([shown[0], { "id": id, "role": "assistant", "parts": [] }]));
    chat.followed();
    chat.restored();
    chat.more(|reply| reply.step().text("More."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.restored().facts(), chat.facts());
}

#[test]
fn a_loaded_reply_whose_only_step_was_reset_can_be_restored() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.load(json!([assistant("r1", &[answered("c1", "a1", true)])]));
    chat.more(|reply| reply.reset());
    let restored = chat.restored();
    assert_eq!(restored.pending(), "");
}

//! Approvals of an edited input, and decisions that the backend is asked to remember.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{Code, Event, OnDeny, Phase, RespondOutcome, StreamEnd};

/// The inputs that the codec receives with the only listed decision: the original and the edited one.
fn codec_inputs(chat: &Chat) -> (serde_json::Value, serde_json::Value) {
    let told = chat.decisions(chat.listed()[0]);
    (told[0]["input"].clone(), told[0]["editedInput"].clone())
}

#[test]
fn the_edited_input_is_shown_and_the_codec_receives_both_inputs() {
    let mut chat = Chat::asking(1);
    assert_eq!(chat.approve_with("a1", json!({ "path": "b" })), Ok(RespondOutcome::Accepted));
    assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "path": "b" }));
    assert_eq!(codec_inputs(&chat), (json!({ "of": "c1" }), json!({ "path": "b" })));
    assert_eq!(chat.decisions(chat.listed()[0])[0]["outcome"], "approved");
}

#[test]
fn a_second_edit_is_ignored_like_a_second_decision() {
    let mut chat = Chat::asking(1);
    chat.approve_with("a1", json!(1)).unwrap();
    assert_eq!(chat.approve_with("a1", json!(2)), Ok(RespondOutcome::Duplicate));
    assert_eq!(codec_inputs(&chat).1, json!(1));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
}

#[test]
fn the_edited_input_is_part_of_the_key_and_survives_a_restore() {
    let mut chat = Chat::asking(2);
    let mut plain = chat.clone();
    chat.approve_with("a1", json!({ "path": "b" })).unwrap();
    chat.approve("a2");
    plain.respond_all(&["a1", "a2"], true);
    let key = |chat: &Chat| chat.key(chat.item(chat.listed()[0]));
    assert_ne!(key(&chat), key(&plain));
    let again = chat.restored();
    assert_eq!((key(&again), codec_inputs(&again)), (key(&chat), codec_inputs(&chat)));
}

#[test]
fn the_backend_may_repeat_the_call_with_either_input() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve_with("a1", json!({ "path": "b" })).unwrap();
    chat.more(|reply| reply.call("c1").call_with("edit", "c1", json!({ "path": "b" })));
    assert_eq!(chat.anomalies(), []);
    assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "path": "b" }));
    // An event with a third input is another call, to which the approval does not apply.
    chat.more(|reply| reply.call_with("edit", "c1", json!({ "path": "x" })));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::InputAvailable, vec![]));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn a_withdrawn_approval_restores_the_original_input() {
    let mut chat = Chat::with_on_deny(OnDeny::EndTurn).that_asks(2);
    chat.approve_with("a1", json!({ "path": "b" })).unwrap();
    chat.deny("a2");
    assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "of": "c1" }));
    assert_eq!(chat.listed(), NONE);
}

/// The edit was never sent, so the backend decided on the model's input.
#[test]
fn a_decision_of_the_backend_voids_an_edit_that_was_not_sent() {
    for approved in [true, false] {
        let mut chat = Chat::answering(1);
        chat.approve_with("a1", json!({ "path": "b" })).unwrap();
        chat.more(|reply| reply.response("a1", approved));
        assert_eq!(
            (chat.listed(), chat.wire_part("c1").unwrap()["input"].clone()),
            (NONE.to_vec(), json!({ "of": "c1" }))
        );
        let is_void = |event: &Event| matches!(event, Event::InputChanged { decision_void: true, .. });
        assert_eq!(chat.events.iter().filter(|event| is_void(event)).count(), 1);
    }
    // An edit that was sent is what the backend runs.
    let mut chat = Chat::answering(1);
    chat.approve_with("a1", json!({ "path": "b" })).unwrap();
    chat.claim();
    chat.more(|reply| reply.response("a1", true));
    assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "path": "b" }));
}

/// The backend did not wait for the approval, so it ran or denied the model's input.
#[test]
fn a_result_before_the_edit_was_sent_is_about_the_models_input() {
    for denied in [true, false] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.approve_with("a1", json!({ "path": "b" })).unwrap();
        chat.more(|reply| if denied { reply.denied("c1") } else { reply.output("c1") });
        assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "of": "c1" }), "{denied}");
        assert_eq!(chat.anomalies(), [Code::AlreadyDecided]);
    }
}

#[test]
fn an_edit_of_a_call_without_a_pending_approval_changes_nothing() {
    let mut chat = Chat::asking(1);
    assert_eq!(chat.approve_with("a9", json!(1)), Err(Code::UnknownApproval));
    chat.deny("a1");
    assert_eq!(chat.approve_with("a1", json!(1)), Err(Code::AlreadyDecided));
    assert_eq!(chat.wire_part("c1").unwrap()["input"], json!({ "of": "c1" }));
}

#[test]
fn an_edit_survives_a_load_of_the_history() {
    let mut chat = Chat::answering(1);
    chat.approve_with("a1", json!({ "path": "b" })).unwrap();
    chat.end(StreamEnd::Disconnected);
    let history = chat.ui_messages(toolgate::wire::ai_sdk::Shape::Body);
    chat.load(history);
    let item = chat.undelivered()[0];
    let told = chat.decisions(item);
    assert_eq!((&told[0]["input"], &told[0]["editedInput"]), (&json!({ "of": "c1" }), &json!({ "path": "b" })));
}

#[test]
fn the_codec_receives_whether_the_user_wants_the_decision_to_be_remembered() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    chat.remember("a1", true);
    chat.approve("a2");
    let told: Vec<_> = chat.listed().iter().map(|&item| chat.decisions(item)[0]["remember"].clone()).collect();
    assert_eq!(told, [json!("chat"), json!(null)]);
    let again = chat.restored();
    assert_eq!(again.decisions(again.listed()[0])[0]["remember"], "chat");
}

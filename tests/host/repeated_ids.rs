//! Repeated ids: which call an event is about, which call has an approval, and how keys differ.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{asked, assistant};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, OnUserMessage, Phase, Reconnect, Respond, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// The phases of the calls with this id, oldest first.
fn phases(chat: &Chat, call: &str) -> Vec<Phase> {
    let id = chat.store.find(call).expect("the id is known");
    let mut phases: Vec<Phase> = chat.machine.transcript().calls_named(id).map(|(_, part)| part.phase()).collect();
    phases.reverse();
    phases
}

/// A chat in which `c1` ran after its approval, and another call with the id `c1` is open in the next turn.
fn ran_before() -> Chat {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    chat.user("m2");
    chat.claim();
    chat.reply(|reply| reply.call("c1"));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::InputAvailable]);
    chat
}

fn other_output() -> Json {
    json!({ "type": "tool-output-available", "toolCallId": "c1", "output": "other" })
}

#[test]
fn a_late_result_of_an_earlier_request_does_not_settle_a_newer_call_with_the_same_id() {
    let mut chat = ran_before();
    chat.more_of(2, |reply| reply.raw(other_output()));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::InputAvailable]);
}

#[test]
fn a_reply_that_names_an_earlier_message_adds_no_content_and_settles_no_newer_call() {
    let mut chat = ran_before();
    let first = chat.machine.transcript().messages()[1].id;
    let first = chat.text(first).to_string();
    let said = chat.said();
    chat.more(|reply| reply.start(&first).raw(other_output()).text("Who reads this?"));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::InputAvailable]);
    assert_eq!(chat.said(), said);
}

#[test]
fn a_reply_that_names_an_earlier_message_refers_to_the_same_message_after_a_load() {
    let mut chat = ran_before();
    let first = chat.machine.transcript().messages()[1].id;
    let first = chat.text(first).to_string();
    chat.more(|reply| reply.start(&first));
    let Json::Array(kept) = chat.ui_messages(Shape::Body) else { panic!("messages are a list") };
    let mut moved = chat.clone();
    chat.load(json!(kept[2..]));
    chat.more(|reply| reply.raw(other_output()));
    assert_eq!(phases(&chat, "c1"), [Phase::InputAvailable]);
    assert_eq!(chat.said(), chat.restored().said());
    chat.load(json!([]));
    assert_eq!(chat.restored().said(), [""; 0]);
    // If the history contains the message, at another position, the reply still refers to it.
    let text = json!({ "type": "text", "text": "before" });
    let before = json!({ "id": "m0", "role": "user", "parts": [text] });
    moved.load([vec![before], kept].concat().into());
    moved.more(|reply| reply.raw(other_output()));
    assert_eq!(phases(&moved, "c1"), [Phase::OutputAvailable, Phase::InputAvailable]);
}

#[test]
fn a_reply_continues_after_a_load_without_its_message_and_is_shown() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.more(|reply| reply.text("Lost."));
    chat.load(json!([]));
    chat.more(|reply| reply.text("Found."));
    assert_eq!((chat.said(), chat.machine.shown_messages()), (vec!["Found.".to_owned()], 1));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["Found."]);
}

#[test]
fn a_replay_that_opens_an_id_with_another_input_closes_the_open_call() {
    for how in [Reconnect::Start, Reconnect::Offset] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.approve("a1");
        chat.reconnected(how, |reply| reply.call_with("edit", "c1", json!({ "of": "all" })).request("c1", "b1"));
        assert_eq!(phases(&chat, "c1"), [Phase::OutputError, Phase::ApprovalRequested], "{how:?}");
        assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded), "{how:?}");
        chat.approve("b1");
        chat.more(|reply| reply.step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.sendable(), "b1", "{how:?}");
    }
}

#[test]
fn a_replay_that_opens_the_id_of_a_page_tools_call_for_another_tool_closes_the_open_call() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_with("locate", "c1", json!({})));
    chat.reconnected(Reconnect::Start, |reply| reply.input_start("c1"));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputError, Phase::InputStreaming]);
    assert_eq!((chat.page_output("c1", false), chat.waits_for().as_str()), (Err(Code::Busy), "reply"));
}

#[test]
fn of_two_calls_with_one_id_an_output_of_the_page_settles_the_one_that_waits_for_it() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    let located = json!({ "type": "tool-locate", "toolCallId": "c1", "state": "input-available", "input": {} });
    chat.load(json!([assistant("r1", &[located, asked("c1", "a1")])]));
    assert_eq!(phases(&chat, "c1"), [Phase::InputAvailable, Phase::ApprovalRequested]);
    assert_eq!(chat.page_output("c1", false), Ok(()));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::ApprovalRequested]);
}

#[test]
fn a_repeated_result_settles_a_newer_call_only_if_that_call_awaits_a_result() {
    let mut chat = ran_before();
    chat.more(|reply| reply.request("c1", "a2").output("c1"));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::ApprovalRequested, vec![]));
    chat.approve("a2");
    chat.claim();
    chat.more(|reply| reply.output("c1"));
    assert_eq!(chat.phase("c1"), Phase::OutputAvailable);
}

#[test]
fn in_a_replay_the_second_opening_of_an_id_is_its_second_call() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call("c1").output("c1").text("Again.").step().call("c1"));
    chat.end(StreamEnd::Disconnected);
    let again = |reply: crate::stream::Stream| reply.step().call("c1").output("c1").text("Again.").step().call("c1");
    chat.reconnected(Reconnect::Start, |reply| again(reply).output("c1"));
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::OutputAvailable]);
}

/// A chat whose step was sent: `c1` is approved, `c2` has run, and `c3` is denied.
fn sent() -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c2").output("c2").ask("c1", "a1").ask("c3", "a3"));
    chat.approve("a1");
    chat.deny("a3");
    chat.claim();
    chat
}

#[test]
fn calls_that_a_server_repeats_are_not_doubled_until_it_requests_their_approval() {
    let mut chat = sent();
    chat.more(|reply| reply.start("r9").call("c2"));
    assert_eq!(phases(&chat, "c2"), [Phase::OutputAvailable]);
    chat.more(|reply| reply.request("c2", "a2"));
    assert_eq!((phases(&chat, "c2").len(), chat.pending().as_str()), (2, "a2"));
}

#[test]
fn a_denied_call_that_is_opened_again_is_another_call() {
    let mut chat = sent();
    chat.more(|reply| reply.start("r9").call("c3").output("c3"));
    assert_eq!((phases(&chat, "c3").len(), chat.phase("c3")), (2, Phase::OutputAvailable));
}

#[test]
fn an_opening_with_another_input_is_another_call_and_an_update_is_not() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_with("edit", "c1", json!(1)).call_with("edit", "c1", json!(2)));
    let input = |chat: &Chat| chat.store.to_json(chat.part("c1").input);
    assert_eq!((phases(&chat, "c1").len(), input(&chat)), (2, json!(2)));
    chat.more(|reply| reply.update("c1", json!(3)));
    assert_eq!((phases(&chat, "c1").len(), input(&chat)), (2, json!(3)));
}

/// Providers refuse a step in which an id occurs twice.
#[test]
fn of_two_calls_with_one_id_a_request_has_the_settled_one_in_an_earlier_step() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.call_with("edit", "c1", json!("other")).request("c1", "a2").text("Or this?"));
    chat.approve("a2");
    chat.more(|reply| reply.ask("c2", "a3").step_done().finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a3");
    assert_eq!(phases(&chat, "c1"), [Phase::Denied, Phase::Approved]);
    let body = chat.body(chat.item(chat.listed()[0]));
    let parts = body["messages"][1]["parts"].as_array().expect("parts");
    let shown = parts.iter().map(|part| format!("{} {}", part["toolCallId"], part["state"])).collect::<Vec<_>>();
    let [none, denied, first, second] =
        ["null null", r#""c1" "output-denied""#, r#""c1" "approval-responded""#, r#""c2" "approval-responded""#];
    assert_eq!(shown, [none, denied, none, first, r#"null "done""#, second], "{body:#}");
    chat.claim();
    chat.more(|reply| reply.output("c1").output("c2").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(phases(&chat, "c1"), [Phase::OutputDenied, Phase::OutputAvailable]);
}

#[test]
fn a_call_that_ran_and_comes_again_in_its_step_keeps_its_result() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    let again = |reply: crate::stream::Stream, input| reply.call_with("edit", "c1", json!(input));
    chat.stream(|reply| again(again(again(reply, 1).output("c1"), 2).output("c1"), 3).request("c1", "a1"));
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    assert_eq!(phases(&chat, "c1"), [Phase::OutputAvailable, Phase::OutputAvailable, Phase::Approved]);
    let history = chat.history();
    let inputs =
        history.as_array().expect("a list").iter().flat_map(|entry| entry["content"].as_array().expect("parts"));
    let calls = inputs.filter(|part| part["type"] == "tool-call").map(|part| part["input"].clone());
    assert_eq!(calls.collect::<Vec<_>>(), [json!(1), json!(2), json!(3)]);
}

#[test]
fn a_decision_on_a_reused_approval_id_must_name_the_shown_input() {
    let mut chat = Chat::answering(1);
    chat.deny("a1");
    assert_eq!(chat.sendable(), "a1");
    chat.more(|reply| reply.call("c2").request("c2", "a1"));
    assert_eq!((chat.listed(), chat.pending().as_str()), (NONE.to_vec(), "a1"));
    let reason = toolgate::machine::Payload::NONE;
    let approval = chat.store.make("a1");
    let answer = Respond { approval, approved: true, reason, as_shown: None, edited: None };
    let refused = chat.act(|chat| chat.machine.respond(answer)).map_err(|refusal| refusal.code);
    assert_eq!(refused, Err(Code::StaleInput));
    chat.approve("a1");
}

#[test]
fn a_reset_withdraws_the_answers_about_the_calls_that_it_removes() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    chat.more(|reply| reply.reset());
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn in_a_replay_content_after_a_reset_is_new() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.text("One.").step().text("Two."));
    chat.end(StreamEnd::Disconnected);
    chat.reconnected(Reconnect::Start, |reply| reply.step().text("One.").step().text("Two.").reset().text("Three."));
    assert_eq!(chat.said(), ["m1", "One.", "Three."]);
}

/// The key of the only ready item.
fn key(chat: &Chat) -> String {
    chat.key(chat.item(chat.listed()[0]))
}

#[test]
fn the_same_ids_in_another_turn_have_another_key() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let first = key(&chat);
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    chat.user("m2");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1"));
    chat.approve("a1");
    assert_ne!(first, key(&chat));
}

#[test]
fn the_same_ids_in_another_step_have_another_key() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let first = key(&chat);
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Once more.").step().ask("c1", "a1"));
    chat.approve("a1");
    assert_ne!(first, key(&chat));
}

#[test]
fn the_same_ids_after_a_reset_have_another_key() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let first = key(&chat);
    chat.claim();
    chat.more(|reply| reply.reset().ask("c1", "a1"));
    chat.approve("a1");
    assert_ne!(first, key(&chat));
}

#[test]
fn the_same_ids_for_another_input_have_another_key() {
    let key = |input: Json| {
        let mut chat = Chat::default();
        chat.user("m1");
        chat.claim();
        chat.reply(|reply| reply.call_with("edit", "c1", input).request("c1", "a1"));
        chat.approve("a1");
        key(&chat)
    };
    assert_eq!(key(json!({ "path": "a" })), key(json!({ "path": "a" })));
    assert_ne!(key(json!({ "path": "a" })), key(json!({ "path": "b" })));
}

#[test]
fn a_request_with_two_messages_has_another_key_than_a_request_with_one_of_them() {
    let key = |messages: &[&str]| {
        let mut chat = Chat::asking_in_a_stream(0);
        for message in messages {
            chat.user(message);
        }
        chat.more(|reply| reply.text("Hello.").step_done().finish());
        chat.end(StreamEnd::Finished);
        key(&chat)
    };
    assert_ne!(key(&["m2", "m3"]), key(&["m3"]));
}

#[test]
fn a_key_does_not_change_after_the_claim() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    let first = chat.key(chat.item(item));
    chat.act(|chat| {
        let other = chat.kept(json!("other"));
        chat.machine.freeze(item, other, other, &mut |_| {});
    });
    assert_eq!(chat.key(chat.item(item)), first);
}

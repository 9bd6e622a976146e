//! Whose call is it: the page's, or the server's.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{asked, assistant, user};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{Options, OutcomeKind, Phase, ProtocolTrait, StreamEnd, TurnStatus};

/// A chat whose server runs every tool that the page does not list. The page lists `locate`.
fn with_server() -> Chat {
    let mut chat = Chat::default();
    let locate = chat.store.make("locate");
    chat.set_options(|options| {
        options.page_tools.names = vec![locate];
        options.page_tools.rest = false;
    });
    chat
}

/// A call that the backend marks as one of the page.
fn question(reply: Stream, call: &str) -> Stream {
    reply.raw(json!({
        "type": "tool-input-available", "toolCallId": call, "toolName": "ask", "input": { "of": call },
        "providerMetadata": { "agent": { "id": 7 }, "toolgate": { "runsInPage": true } },
    }))
}

#[test]
fn a_call_of_the_server_blocks_nothing_after_the_reply() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call("c1").ask("c2", "a2"));
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("user c2, reply", ""));
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("user c2", ""));
    chat.approve("a2");
    assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("a2", "host 2"));
    // The request goes without the call, so it is closed there and, once the request is sent, here.
    let part = chat.wire_part("c1").unwrap();
    assert_eq!((&part["state"], &part["errorText"]), (&json!("output-error"), &json!("May have run.")));
    assert_eq!(chat.phase("c1"), Phase::InputAvailable);
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn a_turn_with_nothing_but_a_call_of_the_server_is_done() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1"));
    assert_eq!((chat.machine.turn_status(), chat.waits_for().as_str()), (TurnStatus::Done, ""));
    chat.cancel();
    assert_eq!(chat.phase("c1"), Phase::InputAvailable, "the server may be running it");
    chat.user("m2");
    assert_eq!((chat.sendable().as_str(), chat.outcome("c1")), ("m2", Some((OutcomeKind::Interrupted, true))));
}

#[test]
fn the_page_may_still_give_the_output_of_a_call_of_the_server() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").call_of("locate", "c2"));
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("tool c2", "c2"));
    assert_eq!(chat.page_output("c1", false), Ok(()));
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.page_output("c2", false), Ok(()));
    assert_eq!(chat.sendable(), "output of c1 output of c2");
}

#[test]
fn a_late_result_of_a_call_of_the_server_settles_it() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").ask("c2", "a2"));
    chat.more(|reply| reply.output("c1"));
    chat.approve("a2");
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn without_a_list_a_call_without_a_result_is_the_pages() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1"));
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("tool c1", "c1"));
    let mut options = Options::default();
    options.set_traits(1 << ProtocolTrait::RunsRest as u32);
    assert!(options.page_tools.rest);
    options.set_traits(0);
    assert!(!options.page_tools.rest);
}

#[test]
fn a_call_that_the_backend_marks_is_the_pages_whatever_its_tool() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| question(reply, "c1").ask("c2", "a2"));
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("user c2, tool c1", "c1"));
    chat.approve("a2");
    assert_eq!(chat.listed(), NONE);
    let mut restored = chat.restored();
    for chat in [&mut restored, &mut chat] {
        assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("tool c1", "c1"));
        chat.page_output("c1", false).unwrap();
        assert_eq!(chat.sendable(), "a2 output of c1");
    }
}

#[test]
fn an_update_may_mark_a_call_as_the_pages() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    let mark = json!({
        "type": "tool-input-update", "toolCallId": "c1", "providerMetadata": { "toolgate": { "runsInPage": true } },
    });
    chat.reply(|reply| reply.call("c1").raw(mark));
    assert_eq!(chat.waits_for(), "tool c1");
}

#[test]
fn a_loaded_call_keeps_the_mark_and_loses_a_stale_outcome() {
    let marked = |own: Json| {
        json!({
            "type": "tool-ask", "toolCallId": "c1", "state": "input-available", "input": { "of": "c1" },
            "callProviderMetadata": { "agent": { "id": 7 }, "toolgate": own },
        })
    };
    let mut chat = with_server();
    let repairs = chat.load(json!([user("m1"), assistant("r1", &[marked(json!({ "runsInPage": true }))])]));
    assert_eq!(repairs, []);
    assert_eq!((chat.waits_for().as_str(), chat.runnable().as_str()), ("tool c1", "c1"));
    assert_eq!(chat.wire_part("c1").unwrap()["callProviderMetadata"]["toolgate"], json!({ "runsInPage": true }));
    let stale = json!({ "runsInPage": true, "outcome": "cancelled" });
    assert_eq!(chat.load(json!([user("m1"), assistant("r1", &[marked(stale)])])).len(), 1);
    assert_eq!(chat.waits_for(), "tool c1");
    // A history of model messages has it in the options for the provider.
    let options = json!({ "toolgate": { "runsInPage": true } });
    let call = json!({
        "type": "tool-call", "toolCallId": "c1", "toolName": "ask", "input": {}, "providerOptions": options,
    });
    chat.load(json!([{ "role": "user", "content": "Well?" }, { "role": "assistant", "content": [call] }]));
    assert_eq!(chat.waits_for(), "tool c1");
}

#[test]
fn a_closed_call_keeps_the_mark_beside_its_outcome() {
    let mut chat = with_server();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| question(reply, "c1"));
    chat.cancel();
    let stored = chat.wire_part("c1").unwrap()["callProviderMetadata"].clone();
    let own = json!({ "outcome": "cancelled", "reason": "never mind", "mayHaveRun": true, "runsInPage": true });
    assert_eq!(stored, json!({ "agent": { "id": 7 }, "toolgate": own }));
}

#[test]
fn a_loaded_call_of_the_server_does_not_hold_the_decisions_of_its_step() {
    let mut chat = with_server();
    let call = json!({ "type": "tool-list", "toolCallId": "c1", "state": "input-available", "input": {} });
    chat.load(json!([user("m1"), assistant("r1", &[call, asked("c2", "a2")])]));
    assert_eq!(chat.waits_for(), "user c2");
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a2");
}

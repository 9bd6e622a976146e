//! The backend updates the input of a known call.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{
    Code, DecidedBy, DeliveryState, Event, OnDeny, OutcomeKind, Payload, Phase, Reconnect, Respond, StreamEnd,
};

fn input(chat: &Chat) -> Json {
    chat.store.to_json(chat.part("c1").input)
}

/// Changes the input of `c1`.
fn change(reply: Stream) -> Stream {
    reply.update("c1", json!({ "of": "another" }))
}

/// The reported changes of inputs since the last call: whether each made a decision void.
fn changes(chat: &mut Chat) -> Vec<bool> {
    let events = chat.take_events().into_iter();
    let changes = events.filter_map(|event| match event {
        Event::InputChanged { decision_void, .. } => Some(decision_void),
        _ => None,
    });
    changes.collect()
}

#[test]
fn an_update_of_an_unknown_call_is_an_anomaly() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(change);
    assert_eq!(chat.anomalies(), [Code::UnknownCall]);
    assert_eq!(chat.machine.transcript().messages()[1].calls().count(), 0);
}

#[test]
fn an_update_completes_an_input_that_arrives() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.input_start("c1").input_delta("c1", r#"{"of":"c"#));
    chat.more(|reply| {
        reply.raw(json!({ "type": "tool-input-update", "toolCallId": "c1", "toolName": "write", "title": "Writes" }))
    });
    assert_eq!((chat.phase("c1"), &*chat.text(chat.part("c1").name)), (Phase::InputStreaming, "write"));
    chat.more(|reply| reply.request("c1", "a1").update("c1", json!({ "of": "c" })));
    assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!({ "of": "c" })));
    assert_eq!(changes(&mut chat).len(), 0);
}

#[test]
fn an_update_replaces_the_input_of_a_call_that_runs_on_the_server() {
    let (mut chat, _) = Chat::waiting();
    let update = json!({
        "type": "tool-input-update", "toolCallId": "c1", "toolName": "write", "input": [1], "title": "Writes",
        "providerMetadata": { "own": { "id": 7 } },
    });
    chat.stream(|reply| reply.call("c1").raw(update));
    assert_eq!((chat.phase("c1"), input(&chat)), (Phase::InputAvailable, json!([1])));
    assert_eq!(chat.wire_part("c1").unwrap()["type"], "tool-write");
    assert_eq!(chat.wire_part("c1").unwrap()["title"], "Writes");
    assert_eq!(chat.wire_part("c1").unwrap()["callProviderMetadata"], json!({ "own": { "id": 7 } }));
    assert_eq!(changes(&mut chat), [false]);
    chat.more(|reply| reply.automatic("c2", "a2").update("c2", json!(2)));
    assert_eq!((chat.phase("c2"), changes(&mut chat)), (Phase::AutomaticRequest, vec![false]));
}

#[test]
fn a_pending_approval_is_bound_to_the_new_input() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(change);
    assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!({ "of": "another" })));
    assert_eq!(changes(&mut chat), [false]);
    let approval = chat.store.make("a1");
    let outdated = Respond { approval, approved: true, reason: Payload::NONE, as_shown: Some(false), edited: None };
    let refused = chat.act(|chat| chat.machine.respond(outdated)).map_err(|refusal| refusal.code);
    assert_eq!(refused, Err(Code::StaleInput));
    chat.approve("a1");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.decisions(item)[0]["input"], json!({ "of": "another" }));
}

#[test]
fn a_decision_that_was_not_sent_is_void_and_the_user_is_asked_again() {
    for approved in [true, false] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.respond("a1", approved, "because").unwrap();
        assert_eq!(chat.machine.counts(), (0, 1));
        chat.more(change);
        assert_eq!((chat.pending(), chat.state("c1")), ("a1".to_owned(), "approval-requested"));
        assert_eq!((chat.machine.counts(), chat.delivery("c1"), chat.outcome("c1")), ((1, 0), None, None));
        assert_eq!(changes(&mut chat), [true]);
        chat.more(|reply| reply.step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.sendable(), "");
        chat.respond("a1", !approved, "").unwrap();
        assert_eq!(chat.sendable(), "a1");
    }
}

#[test]
fn a_ready_item_with_a_void_decision_is_taken_back() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a1 a2");
    chat.more(change);
    assert_eq!((chat.sendable(), chat.pending()), (String::new(), "a1".to_owned()));
    assert_eq!(chat.delivery("c2"), Some(DeliveryState::Held));
    chat.approve("a1");
    assert_eq!(chat.sendable(), "a1 a2");
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    chat.approve("a2");
    chat.more(change);
    assert_eq!((chat.sendable(), chat.pending()), ("a2".to_owned(), "a1".to_owned()));
}

#[test]
fn a_decision_that_was_sent_stays() {
    for approved in [true, false] {
        let mut chat = Chat::answering(1);
        chat.respond("a1", approved, "").unwrap();
        chat.claim();
        chat.more(change);
        assert_eq!((chat.pending(), input(&chat)), (String::new(), json!({ "of": "c1" })));
        assert_eq!(chat.anomalies(), [Code::AlreadyDecided]);
        chat.more(|reply| reply.update("c1", json!({ "of": "c1" })));
        assert_eq!(chat.anomalies(), []);
    }
    // A retry repeats what may have arrived.
    let (mut chat, item) = Chat::failed();
    chat.retry(item).unwrap();
    chat.more(change);
    assert_eq!((chat.pending(), chat.sendable()), (String::new(), "a1 a2".to_owned()));
}

#[test]
fn an_edited_approval_is_void_and_the_models_own_input_is_not_another_one() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve_with("a1", json!({ "of": "mine" })).unwrap();
    chat.more(|reply| reply.update("c1", json!({ "of": "c1" })).update("c1", json!({ "of": "mine" })));
    assert_eq!((chat.phase("c1"), changes(&mut chat)), (Phase::Approved, vec![]));
    chat.more(change);
    assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!({ "of": "another" })));
    chat.deny("a1");
    assert_eq!(input(&chat), json!({ "of": "another" }));
}

#[test]
fn an_equal_input_changes_only_the_other_properties() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    let update = json!({ "type": "tool-input-update", "toolCallId": "c1", "input": { "of": "c1" }, "title": "Edits" });
    chat.more(|reply| reply.raw(update));
    assert_eq!((chat.phase("c1"), changes(&mut chat)), (Phase::Approved, vec![]));
    assert_eq!(chat.wire_part("c1").unwrap()["title"], "Edits");
}

#[test]
fn another_tool_is_another_input() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.more(|reply| reply.raw(json!({ "type": "tool-input-update", "toolCallId": "c1", "toolName": "write" })));
    assert_eq!((chat.pending(), changes(&mut chat)), ("a1".to_owned(), vec![true]));
    assert_eq!(input(&chat), json!({ "of": "c1" }));
}

#[test]
fn a_settled_call_ignores_an_update_and_reports_another_input() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.call("c2").output("c2").update("c2", json!({ "of": "c2" })));
    assert_eq!(chat.anomalies(), []);
    chat.more(|reply| reply.update("c2", json!({ "of": "another" })));
    assert_eq!(chat.anomalies(), [Code::AlreadySettled]);
    assert_eq!(chat.wire_part("c2").unwrap()["input"], json!({ "of": "c2" }));
}

#[test]
fn remembered_decisions_apply_to_the_new_input_only_if_they_match_it() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.call_with("edit", "c2", json!({ "of": "another" })).request("c2", "a2"));
    chat.approve("a1");
    chat.remember("a1", true);
    chat.more(|reply| reply.call_with("edit", "c3", json!({ "of": "c1" })).request("c3", "a3"));
    assert_eq!((chat.phase("c3"), chat.pending()), (Phase::Approved, "a2".to_owned()));
    // The remembered decision is on the old input.
    chat.more(|reply| reply.update("c3", json!({ "of": "a third" })));
    assert_eq!(chat.pending(), "a2 a3");
    // And a decision on the new one decides calls that have it now, and no others.
    chat.more(|reply| reply.update("c3", json!({ "of": "another" })));
    chat.approve("a2");
    chat.remember("a2", true);
    assert_eq!((chat.phase("c3"), chat.pending()), (Phase::Approved, String::new()));
    chat.more(|reply| reply.update("c3", json!({ "of": "c1" })));
    let by = chat.part("c3").decision().map(|decision| decision.by);
    assert_eq!((chat.phase("c3"), by), (Phase::Approved, Some(DecidedBy::Remembered)));
}

#[test]
fn a_pending_call_is_not_decided_by_a_decision_on_its_old_input() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| {
        let twins = reply.call_with("edit", "c2", json!({ "of": "c1" })).request("c2", "a2");
        twins.call_with("edit", "c3", json!({ "of": "c3" })).request("c3", "a3")
    });
    // The index of pending calls is built here.
    chat.approve("a3");
    chat.remember("a3", true);
    chat.more(|reply| reply.update("c2", json!({ "of": "another" })));
    chat.approve("a1");
    chat.remember("a1", true);
    assert_eq!(chat.pending(), "a2");
}

#[test]
fn a_void_denial_does_not_skip_the_rest_any_more() {
    for on_deny in [OnDeny::SkipRest, OnDeny::EndTurn] {
        let mut chat = Chat::with_on_deny(on_deny).that_asks(2);
        chat.deny("a1");
        assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Skipped, false)));
        chat.more(change);
        assert_eq!(
            (chat.pending(), chat.rule(), chat.outcome("c2")),
            ("a1".to_owned(), "", Some((OutcomeKind::Skipped, false)))
        );
        chat.approve("a1");
        assert_eq!(chat.sendable(), "a1 a2");
    }
}

#[test]
fn a_skipped_call_with_another_input_is_skipped_again_while_the_denial_applies() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest).that_asks(2);
    chat.deny("a2");
    chat.more(change);
    assert_eq!((chat.pending(), chat.outcome("c1")), (String::new(), Some((OutcomeKind::Skipped, false))));
    assert_eq!((input(&chat), changes(&mut chat)), (json!({ "of": "another" }), vec![true]));
    assert_eq!(chat.sendable(), "a1 a2");
}

#[test]
fn a_rewrite_that_was_awaited_for_a_void_denial_is_not_awaited_any_more() {
    let mut chat = Chat::asking(1);
    chat.set_options(|options| options.rewrites = true);
    chat.deny("a1");
    assert_eq!(chat.waits_for(), "rewrite");
    chat.more(change);
    assert_eq!(chat.waits_for(), "user c1");
}

#[test]
fn a_replay_repeats_updates_without_an_effect() {
    let told = |reply: Stream| {
        let reply = reply.start("r1").step().ask("c1", "a1");
        reply.update("c1", json!(1)).update("c1", json!(2)).update("c1", json!(3))
    };
    for how in [StreamEnd::Disconnected, StreamEnd::Finished] {
        let (mut chat, _) = Chat::waiting();
        chat.more(told);
        chat.approve("a1");
        chat.end(how);
        for chat in [&mut chat.restored(), &mut chat] {
            chat.take_events();
            chat.reconnected(Reconnect::Start, told);
            assert_eq!((chat.phase("c1"), input(chat), changes(chat)), (Phase::Approved, json!(3), vec![]));
            assert_eq!(chat.machine.transcript().messages()[1].calls().count(), 1);
            // Beyond the known end, an update is new.
            chat.reconnected(Reconnect::Start, |reply| reply.update("c1", json!(1)));
            assert_eq!((chat.pending(), input(chat)), ("a1".to_owned(), json!(1)));
        }
    }
}

#[test]
fn an_update_outside_of_a_reply_changes_a_call_of_the_last_step() {
    let mut chat = Chat::asking(1);
    chat.more(change);
    assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!({ "of": "another" })));
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.waits_for(), "user c1");
}

#[test]
fn a_request_that_is_repeated_with_another_prompt_shows_that() {
    let mut chat = Chat::asking_in_a_stream(1);
    let request = json!({
        "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1",
        "approvalDescriptor": { "prompt": "Delete it?" },
    });
    chat.more(|reply| reply.raw(request));
    assert_eq!(chat.pending(), "a1");
    assert_eq!(chat.wire_part("c1").unwrap()["approval"]["descriptor"], json!({ "prompt": "Delete it?" }));
}

#[test]
fn an_update_after_a_reload_is_not_taken_for_a_repetition() {
    let mut chat = Chat::asking(1);
    chat.more(change);
    let mut chat = chat.restored();
    chat.more(|reply| reply.update("c1", json!(1)));
    assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!(1)));
}

#[test]
fn an_answer_that_could_not_be_sent_is_void_when_the_input_changes() {
    for is_retried in [false, true] {
        let mut chat = Chat::answering(1);
        chat.approve("a1");
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
        if is_retried {
            chat.retry(item).unwrap();
            let item = chat.claim();
            chat.mark_failed(item).unwrap();
        }
        chat.more(change);
        // The backend knows the approval by its id only: sent again, it would approve the new input.
        assert_eq!((chat.pending(), input(&chat)), ("a1".to_owned(), json!({ "of": "another" })));
        assert!(chat.undelivered().is_empty());
    }
}

//! Loading a stored conversation: which calls stay pending, which are closed, and that no request is sent.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{answered, asked, assistant, part, part_with, repair_texts, user};
use serde_json::{Value as Json, json};
use toolgate::json::Value;
use toolgate::machine::{Code, DecidedBy, DeliveryState, ItemState, OutcomeKind, Phase, Sent, Status, StreamEnd};
use toolgate::wire::ai_sdk::{self, Shape};

fn loaded(history: &[Json]) -> Chat {
    let mut chat = Chat::default();
    chat.load(json!(history));
    chat
}

#[test]
fn a_request_of_the_last_step_stays_pending() {
    let mut chat = loaded(&[user("m1"), assistant("r1", &[asked("c1", "a1"), asked("c2", "a2")])]);
    assert_eq!(chat.pending(), "a1 a2");
    assert_eq!((chat.machine.status(), chat.machine.counts()), (Status::AwaitingApproval, (2, 0)));
    chat.approve("a1");
    assert_eq!(chat.listed(), NONE);
    chat.deny("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_decided_call_of_the_last_step_is_unconfirmed_and_loading_sends_nothing() {
    let mut chat = loaded(&[user("m1"), assistant("r1", &[answered("c1", "a1", true), answered("c2", "a2", false)])]);
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Unconfirmed));
    let undelivered = chat.undelivered();
    assert_eq!(undelivered.len(), 1);
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    chat.retry(undelivered[0]).unwrap();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
    assert_eq!(chat.undelivered(), NONE);
}

#[test]
fn a_decision_in_an_undecided_step_is_sent_with_the_step() {
    let mut chat = loaded(&[user("m1"), assistant("r1", &[answered("c1", "a1", true), asked("c2", "a2")])]);
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_page_tool_of_the_last_step_without_an_output_stays_open() {
    let mut chat = loaded(&[user("m1"), assistant("r1", &[part("c1", "input-available")])]);
    assert_eq!(chat.phase("c1"), Phase::InputAvailable);
    assert_eq!(chat.page_output("c1", false), Ok(()));
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn calls_before_a_later_message_are_closed() {
    let mut chat = loaded(&[
        user("m1"),
        assistant(
            "r1",
            &[
                asked("c1", "a1"),
                answered("c2", "a2", true),
                answered("c3", "a3", false),
                part("c4", "input-available"),
            ],
        ),
        user("m2"),
    ]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!((chat.state("c3"), chat.outcome("c3")), ("output-denied", Some((OutcomeKind::Denied, false))));
    assert_eq!(chat.outcome("c4").map(|(kind, _)| kind), Some(OutcomeKind::Interrupted));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
}

#[test]
fn calls_before_a_later_step_are_closed() {
    let mut parts = vec![asked("c1", "a1"), answered("c2", "a2", true), answered("c3", "a3", false)];
    parts.push(json!({ "type": "step-start" }));
    parts.push(asked("c4", "a4"));
    let mut chat = loaded(&[user("m1"), assistant("r1", &parts)]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.state("c3"), "output-denied");
    assert_eq!(chat.pending(), "a4");
    chat.approve("a4");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a4");
}

#[test]
fn the_loaded_history_itself_is_not_changed() {
    let mut chat = Chat::default();
    let history = json!([user("m1"), assistant("r1", &[asked("c1", "a1"), answered("c2", "a2", true)]), user("m2")]);
    let given = Value::from_json(history.clone());
    let place = chat.store.give(given.clone());
    toolgate::wire::ai_sdk::load(&mut chat.machine, &chat.store, place, 0).expect("a history is an array");
    chat.user("m3");
    assert_eq!(given.to_json(), history);
}

#[test]
fn a_loaded_message_without_an_id_gets_the_same_id_in_the_view_and_in_every_request() {
    let mut chat = loaded(&[
        json!({ "role": "user", "parts": [{ "type": "text", "text": "m1" }] }),
        json!({ "role": "user", "parts": [{ "type": "text", "text": "and" }] }),
    ]);
    chat.user("m2");
    let item = chat.claim();
    let ids =
        |messages: &Json| messages.as_array().unwrap().iter().map(|message| message["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&chat.body(chat.item(item))["messages"]), ids(&chat.ui_messages(Shape::View)));
}

#[test]
fn an_unchanged_loaded_message_is_sent_as_the_identical_object() {
    let mut chat = Chat::default();
    let (first, last) = (Value::from_json(user("m1")), Value::from_json(assistant("r1", &[asked("c1", "a1")])));
    chat.act(|chat| {
        let history = chat.store.give(Value::list([first.clone(), last.clone()]));
        ai_sdk::load(&mut chat.machine, &chat.store, history, 0).expect("a history is an array");
    });
    let body = |chat: &Chat, message: usize| {
        let message = &chat.machine.transcript().messages()[message];
        chat.store.take(ai_sdk::ui_message(&chat.writer(), message, Shape::Body))
    };
    assert!(body(&chat, 0).is(&first));
    assert_eq!(body(&chat, 1).to_json(), last.to_json());
    chat.approve("a1");
    assert!(body(&chat, 0).is(&first));
    assert_ne!(body(&chat, 1).to_json(), last.to_json());
}

#[test]
fn a_known_decision_takes_precedence_over_a_history_without_it() {
    let history = json!([user("m1"), assistant("r1", &[asked("c1", "a1"), asked("c2", "a2")])]);
    let mut chat = loaded(history.as_array().unwrap());
    chat.deny("a1");
    chat.load(history);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    assert_eq!(chat.pending(), "a2");
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadyDecided));
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_known_decision_takes_precedence_over_another_one_in_a_history() {
    for (known, told_so) in [(false, true), (true, false)] {
        let mut chat = Chat::asking(2);
        chat.respond("a1", known, "").unwrap();
        let report =
            chat.load(json!([user("m1"), assistant("r1", &[answered("c1", "a1", told_so), asked("c2", "a2")])]));
        assert_eq!(repair_texts(&chat, &report), ["duplicate-approval c1 approval-responded"]);
        assert_eq!(chat.respond("a1", !known, ""), Err(Code::AlreadyDecided));
        chat.deny("a2");
        let item = chat.claim();
        assert_eq!(chat.approvals(item), "a1 a2");
    }
}

#[test]
fn a_denial_by_the_backend_in_the_history_takes_precedence_over_a_known_approval() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let denied = part_with("c1", "output-denied", json!({ "approval": { "id": "a1", "approved": false } }));
    let mut chat = chat.restored();
    let report = chat.load(json!([user("m1"), assistant("r1", &[denied])]));
    assert_eq!(repair_texts(&chat, &report), [""; 0]);
    assert_eq!((chat.outcome("c1"), chat.undelivered()), (Some((OutcomeKind::Denied, false)), vec![]));
}

/// A call that this client denies, before its request is sent, in flight, or after the reply.
fn denied_here() -> [Chat; 3] {
    [0, 1, 2].map(|progress| {
        let mut chat = Chat::asking(1);
        chat.deny("a1");
        if progress > 0 {
            chat.claim();
        }
        if progress > 1 {
            chat.reply(|reply| reply.text("Done."));
        }
        chat
    })
}

#[test]
fn an_approval_with_a_result_in_the_history_takes_precedence_over_a_known_denial() {
    let approval = json!({ "id": "a1", "approved": true });
    for (state, more, outcome) in [
        ("output-available", json!({ "output": "ok", "approval": approval }), OutcomeKind::Executed),
        ("output-error", json!({ "errorText": "no", "approval": approval }), OutcomeKind::Failed),
    ] {
        for mut chat in denied_here() {
            let ran = part_with("c1", state, more.clone());
            let report = chat.load(json!([user("m1"), assistant("r1", &[ran])]));
            assert_eq!(repair_texts(&chat, &report), [""; 0]);
            assert_eq!((chat.state("c1"), chat.outcome("c1")), (state, Some((outcome, false))));
            let decision = chat.part("c1").decision().map(|decision| (decision.approved, decision.by));
            assert_eq!(decision, Some((true, DecidedBy::Backend)));
            assert_eq!((chat.listed(), chat.undelivered(), chat.pending().as_str()), (vec![], vec![], ""));
            assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
        }
    }
}

#[test]
fn a_known_denial_takes_precedence_over_a_result_beside_a_denial() {
    // Old clients wrote such a result for a denied call.
    let approval = json!({ "id": "a1", "approved": false });
    for mut chat in denied_here() {
        let written = part_with("c1", "output-available", json!({ "output": "ok", "approval": approval }));
        let report = chat.load(json!([user("m1"), assistant("r1", &[written])]));
        assert_eq!(repair_texts(&chat, &report), ["denied-output c1 output-denied"]);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    }
}

#[test]
fn a_history_that_settles_its_calls_makes_an_unconfirmed_item_done() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let mut tab = chat.restored();
    assert_eq!(tab.undelivered().len(), 1);
    let mut done = part("c1", "output-available");
    done["output"] = json!("ok");
    tab.load(json!([user("m1"), assistant("r1", &[done])]));
    assert_eq!((tab.undelivered(), tab.listed()), (vec![], vec![]));
    assert_eq!(tab.machine.status(), Status::Idle);
}

#[test]
fn after_loading_open_calls_only_a_retry_sends_the_decisions_of_an_unconfirmed_item() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    chat.more(|reply| reply.ask("c3", "a3"));
    let mut tab = chat.restored();
    assert_eq!(tab.undelivered(), [item]);
    tab.load(tab.ui_messages(Shape::View));
    assert_eq!((tab.undelivered(), tab.delivery("c1")), (vec![item], Some(DeliveryState::Unconfirmed)));
    tab.deny("a3");
    let next = tab.claim();
    assert_eq!(tab.approvals(next), "a3");
}

#[test]
fn loading_keeps_an_item_in_flight() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.load(json!([user("m1"), assistant("r1", &[answered("c1", "a1", true)])]));
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!((chat.state("c1"), chat.machine.status()), ("output-available", Status::Idle));
}

#[test]
fn an_item_that_fails_after_a_history_has_shown_its_denials_has_nothing_to_send() {
    for answering in [false, true] {
        let mut chat = if answering { Chat::answering(1) } else { Chat::asking(1) };
        chat.end(StreamEnd::Finished);
        chat.deny("a1");
        let item = chat.claim();
        let denied = part_with("c1", "output-denied", json!({ "approval": { "id": "a1", "approved": false } }));
        chat.load(json!([user("m1"), assistant("r1", &[denied])]));
        assert_eq!(chat.item_state(item), DeliveryState::InFlight);
        chat.mark_failed(item).unwrap();
        assert_eq!((chat.undelivered(), chat.waits_for().as_str()), (vec![], ""));
        assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Sent, "m2"));
    }
}

#[test]
fn events_about_removed_calls_are_anomalies() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.load(json!([user("m9")]));
    chat.anomalies();
    chat.more(|reply| reply.output("c1"));
    assert_eq!(chat.anomalies(), [Code::UnknownCall]);
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.user("m10"), Sent::Sent);
}

#[test]
fn a_superseded_approval_stays_superseded_unless_it_is_pending_in_the_history() {
    let mut chat = Chat::asking(1);
    chat.load(json!([user("m9")]));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    chat.load(json!([user("m9"), assistant("r9", &[asked("c1", "a1")])]));
    chat.approve("a1");
}

#[test]
fn a_reply_that_was_cut_off_before_the_load_may_be_replayed() {
    let mut text = assistant("r1", &[]);
    text["parts"].as_array_mut().unwrap().push(json!({ "type": "text", "text": "Let me", "state": "done" }));
    let mut chat = loaded(&[user("m1"), text]);
    chat.more(|reply| reply.start("r1").step().text("Let me").text("see.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Let me", "see."]);
}

#[test]
fn executed_failed_interrupted_and_denied_calls_have_the_same_outcome_after_a_load() {
    let mut chat = Chat::asking(6);
    for approval in ["a1", "a2", "a3"] {
        chat.approve(approval);
    }
    chat.deny("a4");
    chat.respond_all(&["a5", "a6"], true);
    let item = chat.claim();
    chat.stream(|reply| reply.output("c1").error("c2"));
    chat.end(StreamEnd::Disconnected);
    assert!(chat.undelivered().is_empty() && chat.item(item).state() == ItemState::Done);
    chat.user("m2");
    let expected = [
        ("c1", OutcomeKind::Executed, false),
        ("c2", OutcomeKind::Failed, false),
        ("c3", OutcomeKind::Interrupted, true),
        ("c4", OutcomeKind::Denied, false),
    ];
    let reloaded = loaded(chat.ui_messages(Shape::Body).as_array().unwrap());
    for (call, kind, may_have_run) in expected {
        assert_eq!(chat.outcome(call), Some((kind, may_have_run)), "{call}");
        assert_eq!(reloaded.outcome(call), Some((kind, may_have_run)), "{call} after a reload");
    }
}

#[test]
fn a_history_of_model_messages_can_be_loaded() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.deny("a2");
    chat.claim();
    chat.reply(|reply| reply.output("c1").step().text("Done."));
    let assembled = chat.history();
    let again = loaded(assembled.as_array().unwrap());
    assert_eq!(again.history().to_string(), assembled.to_string());
    assert_eq!(again.outcome("c2"), Some((OutcomeKind::Denied, false)));
}

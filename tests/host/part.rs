//! Tool parts: their states, how they settle, and how they are written.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{Code, OutcomeKind, Phase, RespondOutcome, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// A chat in which `c1` was approved and its request sent. The chat waits for the reply.
fn approved_and_sent() -> Chat {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat
}

#[test]
fn a_call_goes_through_its_states_in_order() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1"));
    assert_eq!(chat.state("c1"), "input-streaming");
    chat.more(|reply| reply.call("c1"));
    assert_eq!(chat.state("c1"), "input-available");
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!(chat.state("c1"), "approval-requested");
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    assert_eq!(chat.state("c1"), "approval-responded");
    chat.claim();
    assert_eq!(chat.state("c1"), "approval-responded");
    chat.reply(|reply| reply.output("c1"));
    assert_eq!(chat.state("c1"), "output-available");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_call_without_an_approval_runs_at_once() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").output("c1").call("c2").error("c2").input_error("c3"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Failed, false)));
    assert_eq!(chat.outcome("c3"), Some((OutcomeKind::Failed, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn the_outcome_is_set_when_the_call_settles_and_is_never_sent() {
    let mut chat = Chat::asking(1);
    assert_eq!(chat.outcome("c1"), None);
    chat.deny("a1");
    let view = chat.ui_messages(Shape::View);
    assert_eq!(view[1]["parts"][1]["outcome"], json!({ "kind": "denied", "reason": "no" }));
    assert_eq!(view[1]["parts"][1]["delivery"], "ready");
    let body = chat.wire_part("c1").unwrap();
    assert!(body.get("outcome").is_none() && body.get("delivery").is_none(), "{body}");
}

#[test]
fn late_and_contradictory_events_do_not_change_a_settled_call_and_are_anomalies() {
    let mut chat = approved_and_sent();
    chat.stream(|reply| reply.output("c1"));
    chat.anomalies();
    let before = chat.wire_part("c1");
    chat.more(|reply| {
        reply
            .error("c1")
            .denied("c1")
            .raw(json!({ "type": "tool-output-available", "toolCallId": "c1", "output": "another" }))
            .preliminary("c1")
            .request("c1", "a2")
    });
    assert_eq!(chat.wire_part("c1"), before);
    assert_eq!(chat.anomalies().len(), 5);
}

#[test]
fn an_output_for_a_denied_call_is_an_anomaly_and_changes_nothing() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.stream(|reply| reply.output("c1").error("c1").preliminary("c1"));
    assert_eq!(chat.phase("c1"), Phase::Denied);
    assert_eq!(chat.anomalies(), [Code::AlreadySettled; 3]);
    chat.more(|reply| reply.denied("c1").output("c1"));
    assert_eq!(chat.state("c1"), "output-denied");
    assert_eq!(chat.anomalies(), [Code::AlreadySettled]);
    assert!(chat.wire_part("c1").unwrap().get("output").is_none());
}

#[test]
fn an_output_for_a_pending_call_settles_it_with_an_anomaly() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.more(|reply| reply.output("c1"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.anomalies(), [Code::ApprovalPending]);
    assert_eq!(chat.pending(), "a2");
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadySettled));
    // In requests, a call with a result has no approval unless it was approved.
    assert!(chat.wire_part("c1").unwrap().get("approval").is_none());
    chat.end(StreamEnd::Finished);
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2");
}

#[test]
fn a_repeated_request_or_input_does_not_undo_a_decision() {
    for approved in [true, false] {
        let mut chat = Chat::asking_in_a_stream(1);
        assert_eq!(chat.respond("a1", approved, ""), Ok(RespondOutcome::Accepted));
        let before = (chat.phase("c1"), chat.delivery("c1"));
        chat.more(|reply| reply.call("c1").request("c1", "a1").input_start("c1").input_delta("c1", "x"));
        assert_eq!((chat.phase("c1"), chat.delivery("c1")), before);
        assert_eq!(chat.anomalies(), []);
    }
}

#[test]
fn a_repeated_request_leaves_a_pending_call_pending() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.call("c1").request("c1", "a1"));
    assert_eq!(chat.pending(), "a1");
    assert_eq!(chat.machine.counts(), (1, 0));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn the_input_of_a_pending_call_does_not_change() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.input_start("c1").call("c1"));
    assert_eq!((chat.pending().as_str(), chat.anomalies()), ("a1", vec![]));
    // An event with another input is another call. The pending call is closed, so its approval cannot run this input.
    chat.more(|reply| reply.call_with("edit", "c1", json!({ "of": "another" })));
    let calls: Vec<_> = chat.machine.transcript().messages()[1].calls().map(|part| part.phase()).collect();
    assert_eq!(calls, [Phase::OutputError, Phase::InputAvailable]);
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!(
        chat.wire_part("c1").unwrap()["input"],
        json!({ "of": "another" }),
        "a request contains only the new call"
    );
}

#[test]
fn an_approval_id_belongs_to_one_call() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.call("c2").request("c2", "a1"));
    assert_eq!(chat.state("c2"), "input-available");
    assert_eq!(chat.anomalies(), [Code::MalformedEvent]);
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn an_automatic_approval_is_never_pending_and_never_undelivered() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.automatic("c1", "a1").automatic("c2", "a2"));
    assert_eq!(chat.pending(), "");
    assert_eq!(chat.machine.counts(), (0, 0));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadyDecided));
    chat.more(|reply| reply.response("a1", true).response("a2", false));
    assert_eq!(chat.state("c1"), "approval-responded");
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)));
    assert_eq!((chat.delivery("c1"), chat.delivery("c2")), (None, None));
    chat.more(|reply| reply.output("c1").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.undelivered(), NONE);
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_denial_is_shown_at_once_and_final_with_the_backends_event() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    assert_eq!((chat.state("c1"), chat.outcome("c1")), ("approval-responded", Some((OutcomeKind::Denied, false))));
    chat.claim();
    chat.stream(|reply| reply.text("Well then."));
    assert_eq!(chat.state("c1"), "approval-responded");
    chat.more(|reply| reply.denied("c1"));
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn a_denial_is_final_at_the_end_of_the_reply_to_its_submission() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.stream(|reply| reply.text("Well then."));
    assert_eq!(chat.state("c1"), "approval-responded");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn a_denial_is_final_once_a_message_follows_it() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    assert_eq!(chat.state("c1"), "approval-responded");
    chat.user("m2");
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-denied", "output-denied"));
}

#[test]
fn a_call_whose_input_was_never_complete_is_not_sent() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.text("Let me see.").input_start("c1").input_delta("c1", "{\"of\":"));
    chat.end(StreamEnd::Error);
    // The stream may be replayed; the next request does not wait for the call.
    assert_eq!(chat.phase("c1"), Phase::InputStreaming);
    chat.user("m2");
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    let view = chat.ui_messages(Shape::View);
    assert_eq!(view[1]["parts"][2]["outcome"]["kind"], "interrupted");
    assert_eq!(chat.wire_part("c1"), None);
    assert!(!chat.history().to_string().contains("c1"), "{}", chat.history());
}

#[test]
fn the_approval_has_the_properties_that_its_state_allows() {
    let mut chat = Chat::asking(3);
    chat.approve("a1");
    chat.deny("a2");
    let approval = |chat: &Chat, call: &str| chat.wire_part(call).unwrap().get("approval").cloned();
    assert_eq!(approval(&chat, "c1"), Some(json!({ "id": "a1", "approved": true })));
    assert_eq!(approval(&chat, "c2"), Some(json!({ "id": "a2", "approved": false, "reason": "no" })));
    assert_eq!(approval(&chat, "c3"), Some(json!({ "id": "a3" })));
    chat.approve("a3");
    chat.claim();
    chat.reply(|reply| reply.output("c1").error("c3"));
    assert_eq!(approval(&chat, "c1"), Some(json!({ "id": "a1", "approved": true })));
    assert_eq!(approval(&chat, "c2"), Some(json!({ "id": "a2", "approved": false, "reason": "no" })));
    assert_eq!(approval(&chat, "c3"), Some(json!({ "id": "a3", "approved": true })));
}

#[test]
fn a_denial_by_the_backend_without_a_request_has_an_approval_in_requests() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").denied("c1"));
    let part = chat.wire_part("c1").unwrap();
    assert_eq!((part["state"].as_str(), part["approval"]["approved"].as_bool()), (Some("output-denied"), Some(false)));
}

#[test]
fn unknown_properties_of_a_request_stay_in_the_approval() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| {
        reply.call("c1").raw(json!({
            "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1", "signature": "s", "later": [1],
        }))
    });
    chat.approve("a1");
    let approval = chat.wire_part("c1").unwrap()["approval"].clone();
    assert_eq!(approval, json!({ "id": "a1", "signature": "s", "later": [1], "approved": true }));
}

#[test]
fn a_value_is_returned_as_the_identical_object() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_with("edit", "c1", json!({ "b": 1, "a": [null, 1.5, "x"] })));
    let first = chat.store.take(chat.part("c1").input);
    chat.more(|reply| reply.request("c1", "a1"));
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    chat.claim();
    chat.reply(|reply| reply.output("c1"));
    assert!(first.is(&chat.store.take(chat.part("c1").input)));
    assert_eq!(chat.wire_part("c1").unwrap()["input"].to_string(), r#"{"b":1,"a":[null,1.5,"x"]}"#);
}

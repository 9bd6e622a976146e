//! Replies: the message that a reply writes, and the events in it.

use crate::chat::Chat;
use serde_json::{Value as Json, json};
use toolgate::machine::{About, Code, Phase, Status, StreamEnd, TurnStatus};
use toolgate::wire::Name;
use toolgate::wire::ai_sdk::Received;

#[test]
fn a_reply_to_a_message_is_a_new_message_even_without_a_start_event() {
    let (mut chat, _) = Chat::waiting();
    chat.reply(|reply| reply.text("One."));
    chat.user("m2");
    chat.claim();
    chat.more(|reply| reply.text("Two."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "One.", "m2", "Two."]);
    assert_eq!(chat.machine.transcript().messages().len(), 4);
}

#[test]
fn a_chunk_without_a_required_property_is_an_anomaly_and_the_stream_continues() {
    let broken = [
        json!({ "type": "tool-input-available", "toolName": "edit", "input": {} }),
        json!({ "type": "tool-input-available", "toolCallId": "c1", "input": {} }),
        json!({ "type": "tool-approval-request", "toolCallId": "c1" }),
        json!({ "type": "tool-approval-response", "approvalId": "a1" }),
        json!({ "type": "tool-output-available" }),
        json!({ "type": "text-delta", "id": "unopened", "delta": "x" }),
        json!({ "type": "text-delta", "id": "t" }),
        json!({ "type": 7 }),
        json!({}),
        json!(null),
        json!("text"),
        json!([]),
        json!(1.5),
    ];
    for chunk in broken {
        let (mut chat, _) = Chat::waiting();
        chat.stream(|reply| reply.call("c1").raw(json!({ "type": "text-start", "id": "t" })));
        chat.anomalies();
        let received = chat.receive_about(chunk.clone(), About::default());
        assert_eq!(received, Received::Malformed, "{chunk}");
        assert_eq!(chat.anomalies(), [Code::MalformedEvent], "{chunk}");
        chat.more(|reply| reply.output("c1").finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.state("c1"), "output-available");
    }
}

#[test]
fn a_chunk_of_an_unknown_type_is_passed_through_and_changes_nothing() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,"));
    let before = chat.saved();
    for kind in ["tool-input-progress", "__proto__", "", "state", "tool-call", "text", "data"] {
        let received = chat.receive_about(json!({ "type": kind, "toolCallId": "c1" }), About::default());
        assert_eq!(received, Received::Unknown, "{kind}");
    }
    assert_eq!(chat.saved(), before);
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_chunk_about_a_call_whose_type_has_a_name_is_not_passed_through_as_unknown() {
    // `tool-call` and `tool-result` are the types of a model message's parts.
    let is_chunk = |kind: &&str| kind.starts_with("tool-") && !["tool-call", "tool-result"].contains(kind);
    let kinds: Vec<&str> = Name::ALL.iter().map(|name| name.text()).filter(is_chunk).collect();
    assert!(kinds.contains(&"tool-output-denied"));
    for kind in kinds {
        let (mut chat, _) = Chat::waiting();
        let received = chat.receive_about(json!({ "type": kind }), About::default());
        assert_eq!(received, Received::Malformed, "{kind} has no line in ToolChunk::of");
    }
}

#[test]
fn unknown_fields_of_a_call_are_kept() {
    let (mut chat, _) = Chat::waiting();
    chat.reply(|reply| {
        reply.raw(json!({
            "type": "tool-input-available", "toolCallId": "c1", "toolName": "edit", "input": {},
            "later": { "b": 1, "a": null },
        }))
    });
    assert_eq!(chat.wire_part("c1").unwrap()["later"].to_string(), r#"{"b":1,"a":null}"#);
}

#[test]
fn an_event_about_an_unknown_call_is_an_anomaly() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.output("c9").request("c9", "a9").denied("c9").response("a9", true));
    let codes = [Code::UnknownCall, Code::UnknownCall, Code::UnknownCall, Code::UnknownApproval];
    assert_eq!(chat.anomalies(), codes);
    assert_eq!(chat.pending(), "");
}

#[test]
fn the_complete_input_may_correct_the_tools_name() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.input_start("c1").call_of("repaired", "c1").output("c1"));
    assert_eq!(chat.wire_part("c1").unwrap()["type"], "tool-repaired");
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn another_tool_with_the_id_of_an_open_call_is_another_call() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply.ask("c1", "a1").call_of("other", "c1"));
    let calls: Vec<_> = chat.machine.transcript().messages()[1].calls().map(|part| chat.text(part.name)).collect();
    assert_eq!(calls.iter().map(|name| &**name).collect::<Vec<_>>(), ["edit", "other"]);
    // The pending call can no longer be approved, because a decision could run the other one.
    assert_eq!((chat.pending().as_str(), chat.phase("c1")), ("", Phase::InputAvailable));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn a_reset_removes_the_calls_and_approvals_of_its_step() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.reset().text("Once more.").ask("c2", "a2"));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!(chat.pending(), "a2");
    chat.end(StreamEnd::Finished);
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2");
}

#[test]
fn events_without_a_request_are_read_too() {
    let mut chat = Chat::default();
    chat.more(|reply| reply.start("r1").step().text("Hello, I am early.").ask("c1", "a1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["Hello, I am early."]);
    chat.approve("a1");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn the_end_of_an_unknown_stream_changes_nothing() {
    let mut chat = Chat::asking(1);
    let before = chat.saved();
    for end in [StreamEnd::Finished, StreamEnd::Error, StreamEnd::StepLimit] {
        chat.end(end);
    }
    assert_eq!(chat.saved(), before);
    chat.approve("a1");
    let listed = chat.listed();
    chat.end(StreamEnd::Error);
    assert_eq!(chat.listed(), listed);
}

#[test]
fn the_status_changes_with_the_requests_and_replies() {
    let mut chat = Chat::default();
    assert_eq!(chat.machine.status(), Status::Idle);
    chat.user("m1");
    assert_eq!(chat.machine.status(), Status::Submitted);
    chat.claim();
    assert_eq!(chat.machine.status(), Status::Submitted);
    chat.stream(|reply| reply.text("Well,"));
    assert_eq!(chat.machine.status(), Status::Streaming);
    chat.more(|reply| reply.ask("c1", "a1").ask("c2", "a2"));
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.machine.status(), chat.machine.counts()), (Status::AwaitingApproval, (2, 0)));
    chat.approve("a1");
    assert_eq!((chat.machine.status(), chat.machine.counts()), (Status::AwaitingApproval, (1, 1)));
    assert_eq!(chat.machine.turn_status(), TurnStatus::Open);
    chat.approve("a2");
    assert_eq!((chat.machine.status(), chat.machine.counts()), (Status::Submitted, (0, 2)));
    chat.claim();
    chat.reply(|reply| reply.output("c1").output("c2").text("Done."));
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Idle, TurnStatus::Done));
    chat.user("m2");
    assert_eq!(chat.machine.counts(), (0, 0));
}

#[test]
fn after_a_reset_a_step_of_a_history_contains_each_approval_once() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call("c1").denied("c1").call_with("edit", "c1", json!(2)).denied("c1"));
    chat.more(|reply| reply.step().call_with("edit", "c1", json!(3)).denied("c1").reset());
    let history = chat.history();
    let requests = |entry: &Json| entry.to_string().matches("\"tool-approval-request\"").count();
    let steps = history.as_array().expect("a list").iter().filter(|entry| entry["role"] == "assistant");
    assert_eq!(steps.map(requests).collect::<Vec<_>>(), [1, 1]);
}

//! An approval request for a call whose input still arrives waits for that input.

use crate::chat::Chat;
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, OnDeny, OnUserMessage, OutcomeKind, Phase, Reconnect, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// A chat in which approval `a1` of `c1` was requested after half of its input.
fn waiting() -> Chat {
    let mut chat = Chat::default();
    ask_early(&mut chat);
    chat
}

/// Like [`waiting`], with an answering protocol.
fn waiting_for_an_answer() -> Chat {
    let mut chat = Chat::answering(0);
    chat.more(half);
    chat
}

fn ask_early(chat: &mut Chat) {
    chat.user("m1");
    chat.claim();
    chat.stream(half);
}

fn half(reply: Stream) -> Stream {
    reply.input_start("c1").input_delta("c1", r#"{"of":"#).request("c1", "a1")
}

/// The part of `c1` in the view.
fn shown(chat: &Chat) -> Json {
    let messages = chat.ui_messages(Shape::View);
    let mut parts = messages[1]["parts"].as_array().into_iter().flatten();
    parts.find(|part| part["toolCallId"] == "c1").cloned().unwrap_or_default()
}

/// The rest of the input that [`half`] began.
fn rest(reply: Stream) -> Stream {
    reply.input_delta("c1", r#""c1"}"#).call("c1")
}

#[test]
fn a_request_is_not_pending_before_its_input_is_complete() {
    let mut chat = waiting();
    assert_eq!((chat.state("c1"), chat.pending()), ("input-streaming", String::new()));
    assert_eq!(shown(&chat)["approval"], json!(null));
    assert_eq!(chat.machine.counts(), (0, 0));
    assert_eq!(chat.waits_for(), "reply");
    chat.more(|reply| reply.input_delta("c1", r#""c"#));
    assert_eq!(shown(&chat)["input"], json!({ "of": "c" }));
    chat.more(|reply| reply.call("c1"));
    assert_eq!((chat.state("c1"), chat.pending()), ("approval-requested", "a1".to_owned()));
    assert_eq!(shown(&chat)["input"], json!({ "of": "c1" }));
    chat.approve("a1");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "a1");
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_decision_on_half_an_input_is_refused() {
    let mut chat = waiting();
    for approved in [true, false] {
        assert_eq!(chat.respond("a1", approved, ""), Err(Code::Busy));
    }
    assert_eq!(chat.respond_all(&["a1"], true), 0);
    assert_eq!(chat.extend("a1", 9), Ok(false));
    assert_eq!(chat.page_output("c1", false), Err(Code::Busy));
    chat.more(rest);
    chat.deny("a1");
}

#[test]
fn the_deadline_starts_with_the_request_and_ends_nothing_before_the_input_is_complete() {
    let mut chat = Chat::default();
    chat.set_options(|options| options.approval_timeout = Some(100));
    chat.at(1000);
    ask_early(&mut chat);
    assert_eq!(chat.machine.next_deadline(), None);
    chat.tick(1200);
    assert_eq!(chat.phase("c1"), Phase::RequestWaits);
    chat.more(rest);
    assert_eq!(chat.machine.next_deadline(), Some(1100));
    chat.tick(1200);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Expired, false)));
}

#[test]
fn a_started_input_starts_again_and_keeps_its_request() {
    let mut chat = waiting();
    chat.more(|reply| reply.input_start("c1").input_delta("c1", r#"{"of":"x"#));
    assert_eq!((chat.phase("c1"), shown(&chat)["input"].clone()), (Phase::RequestWaits, json!({ "of": "x" })));
    chat.more(|reply| reply.request("c1", "a1").call_with("edit", "c1", json!({ "of": "xy" })));
    assert_eq!((chat.pending(), shown(&chat)["input"].clone()), ("a1".to_owned(), json!({ "of": "xy" })));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn another_request_replaces_the_one_that_waits() {
    let mut chat = waiting();
    chat.more(|reply| rest(reply.request("c1", "a2")));
    assert_eq!(chat.pending(), "a2");
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn a_withdrawn_request_leaves_a_call_without_approval() {
    let mut chat = waiting();
    chat.more(|reply| reply.withdrawn("a1"));
    assert_eq!(chat.phase("c1"), Phase::InputStreaming);
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    chat.more(rest);
    assert_eq!((chat.phase("c1"), chat.pending()), (Phase::InputAvailable, String::new()));
    chat.more(|reply| reply.request("c1", "a2"));
    assert_eq!(chat.pending(), "a2");
}

#[test]
fn the_backend_may_decide_a_request_that_waits() {
    let mut chat = waiting();
    chat.more(|reply| reply.response("a1", true));
    assert_eq!((chat.phase("c1"), chat.pending()), (Phase::Submitted, String::new()));
    chat.more(|reply| reply.output("c1"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    let mut chat = waiting();
    chat.more(|reply| reply.response("a1", false));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_result_before_the_input_is_complete_settles_the_call() {
    type Result = (fn(Stream) -> Stream, OutcomeKind);
    let results: [Result; 2] =
        [(|reply| reply.output("c1"), OutcomeKind::Executed), (|reply| reply.error("c1"), OutcomeKind::Failed)];
    for (result, outcome) in results {
        let mut chat = waiting();
        chat.more(result);
        assert_eq!(chat.outcome("c1"), Some((outcome, false)));
        assert_eq!(chat.anomalies(), [Code::ApprovalPending]);
        assert!(chat.respond("a1", true, "").is_err());
    }
}

#[test]
fn an_invalid_input_or_a_denial_settles_the_call() {
    let mut chat = waiting();
    chat.more(|reply| reply.input_error("c1"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
    assert_eq!(chat.anomalies(), []);
    let mut chat = waiting();
    chat.more(|reply| reply.denied("c1"));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn an_input_that_never_completes_closes_the_request() {
    for protocol in [waiting, waiting_for_an_answer] {
        let mut chat = protocol();
        chat.more(|reply| reply.step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
        let answer = if chat.machine.options().answering { "a1" } else { "" };
        assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", answer));
        assert!(chat.respond("a1", true, "").is_err());
    }
}

#[test]
fn a_reply_that_breaks_off_keeps_the_request_until_the_next_message() {
    let mut chat = waiting();
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.phase("c1"), Phase::RequestWaits);
    chat.user("m2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_later_step_closes_a_request_that_waits() {
    let mut chat = waiting();
    chat.more(Stream::step);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn cancel_answers_a_request_that_waits() {
    let mut chat = waiting_for_an_answer();
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)));
    let [answer] = chat.listed()[..] else { panic!("{:?}", chat.listed()) };
    assert_eq!(chat.decisions(answer)[0]["outcome"], "cancelled");
    assert_eq!(chat.decisions(answer)[0]["input"], json!({}));
    // The rest of its input is neither another call nor a contradiction.
    chat.more(rest);
    assert_eq!(chat.machine.transcript().messages()[1].calls().count(), 1);
    assert_eq!((chat.outcome("c1"), chat.anomalies()), (Some((OutcomeKind::Cancelled, false)), Vec::new()));
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!((chat.sendable(), chat.anomalies()), ("a1".to_owned(), Vec::new()));
}

#[test]
fn a_request_that_arrives_early_after_a_cancel_is_cancelled() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.input_start("c1"));
    chat.cancel();
    assert_eq!(chat.phase("c1"), Phase::InputStreaming);
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!((chat.outcome("c1"), chat.sendable()), (Some((OutcomeKind::Cancelled, false)), "a1".to_owned()));
}

#[test]
fn a_denial_skips_the_call_when_its_request_is_pending() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    ask_early(&mut chat);
    chat.more(|reply| reply.ask("c2", "a2"));
    chat.deny("a2");
    assert_eq!(chat.phase("c1"), Phase::RequestWaits);
    chat.more(rest);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Skipped, false)));
}

#[test]
fn a_message_waits_for_the_reply_and_not_for_the_request() {
    let mut chat = Chat::with(OnUserMessage::Block, &[]);
    ask_early(&mut chat);
    chat.user("m2");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_remembered_decision_decides_the_complete_input() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_with("edit", "c0", json!({ "of": "c1" })).request("c0", "a0"));
    chat.approve("a0");
    chat.remember("a0", true);
    chat.more(half);
    assert_eq!(chat.phase("c1"), Phase::RequestWaits);
    chat.more(|reply| reply.input_start("c2").request("c2", "a2"));
    chat.more(rest);
    assert_eq!((chat.phase("c1"), chat.pending()), (Phase::Approved, String::new()));
    chat.more(|reply| reply.call("c2"));
    assert_eq!(chat.pending(), "a2");
}

#[test]
fn a_ready_step_is_taken_back_when_the_request_is_pending() {
    let mut chat = waiting();
    chat.more(|reply| reply.ask("c2", "a2"));
    chat.end(StreamEnd::Disconnected);
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a2");
    chat.reconnected(Reconnect::Offset, rest);
    assert_eq!((chat.sendable(), chat.pending()), (String::new(), "a1".to_owned()));
}

#[test]
fn a_saved_request_still_waits_and_a_replay_completes_it() {
    let mut chat = waiting();
    chat = chat.restored();
    assert_eq!((chat.phase("c1"), chat.pending()), (Phase::RequestWaits, String::new()));
    chat.reconnected(Reconnect::Start, |reply| rest(half(reply.start("r1").step())));
    assert_eq!(chat.pending(), "a1");
    assert_eq!(shown(&chat)["input"], json!({ "of": "c1" }));
    assert_eq!(chat.machine.transcript().messages()[1].calls().count(), 1);
    assert_eq!(chat.anomalies(), []);
}

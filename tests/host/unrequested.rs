//! Unrequested replies, and replies that continued without a reconnect. The host opened no stream for them, so only
//! their own events or the user can end them.

use crate::chat::Chat;
use crate::stream::Stream;
use serde_json::json;
use toolgate::machine::{About, DeliveryState, Phase, Reconnect, Sent, StreamEnd, TurnStatus};

#[test]
fn decisions_in_an_unrequested_reply_are_sent_after_its_finish_event() {
    let mut chat = Chat::default();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.approve("a1");
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
    chat.more(|reply| reply.step_done().finish());
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn a_message_that_waits_for_an_unrequested_reply_is_sent_after_its_finish_event() {
    let mut chat = Chat::default();
    chat.stream(|reply| reply.text("Well."));
    assert_eq!(chat.user("m1"), Sent::Queued);
    chat.more(|reply| reply.step_done().finish());
    assert_eq!(chat.sendable(), "m1");
}

/// A reply that broke off, and continued with events that have no request.
fn went_on() -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
    assert_eq!(chat.waits_for(), "user c1, reply");
    chat
}

#[test]
fn a_reply_that_continues_without_a_request_ends_with_its_finish_event() {
    let mut chat = went_on();
    chat.approve("a1");
    chat.more(|reply| reply.step_done().finish());
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn a_reply_that_continues_without_a_request_ends_by_stop_and_by_cancel() {
    let mut chat = went_on();
    chat.stop();
    assert_eq!(chat.waits_for(), "user c1");
    let mut chat = went_on();
    chat.cancel();
    assert_eq!(chat.waits_for(), "");
}

#[test]
fn a_reply_that_continues_without_a_request_and_is_then_labelled_ends_with_its_stream() {
    let mut chat = went_on();
    chat.more_of(1, |reply| reply.text("More.").step_done().finish());
    chat.approve("a1");
    assert_eq!(chat.sendable(), "", "the stream is open");
    chat.end_of(1, None, StreamEnd::Finished);
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn a_reply_after_a_lost_request_answers_it_and_does_not_continue_an_earlier_one() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.end(StreamEnd::Error);
    chat.deny("a1");
    let item = chat.claim();
    chat.end(StreamEnd::Disconnected);
    // The events have no request. They belong to the reply to the lost request, although they name an earlier message.
    for _ in 0..2 {
        chat.more(|reply| reply.start("r1").text("Well."));
        assert_eq!(chat.said(), ["m1", "Well."]);
        assert_eq!(chat.machine.exchange().item(), Some(item));
        chat.stop();
    }
}

#[test]
fn a_cancelled_reply_that_continued_without_a_request_has_no_open_calls() {
    let mut chat = Chat::default();
    chat.stream(|reply| reply.ask("c1", "a1").call("c2"));
    chat.stop();
    chat.approve("a1");
    chat.more(|reply| reply.start("r0"));
    chat.cancel();
    assert_eq!(chat.waits_for(), "");
    assert_eq!(chat.machine.turn_status(), TurnStatus::Error);
}

#[test]
fn a_reconnected_stream_ends_when_the_host_ends_it_and_is_not_duplicated_after_cancel() {
    let mut chat = Chat::default();
    chat.stream(|reply| reply.text("One.").text("Two.").step_done().finish());
    chat.reconnected(Reconnect::Start, |reply| reply.start("r0").step().text("One."));
    chat.cancel();
    chat.reconnected(Reconnect::Start, |reply| reply.text("Two.").text("Three.").step_done().finish());
    assert_eq!(chat.said(), ["One.", "Two.", "Three."]);
    assert_eq!(chat.waits_for(), "reply");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.waits_for(), "");
}

#[test]
fn a_reply_read_without_its_request_is_not_duplicated_when_the_host_reconnects() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.stream(|reply| reply.text("Well.").step_done().finish());
    chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Well.").step_done().finish());
    assert_eq!(chat.said(), ["m1", "Well."]);
}

#[test]
fn a_new_request_that_reuses_another_calls_approval_id_confirms_the_sent_decision() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    chat.approve("a2");
    let item = chat.claim();
    chat.more(|reply| reply.request("c2", "a1"));
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn in_a_replay_a_result_before_the_second_call_with_its_id_settles_the_first() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    let told = |reply: Stream| reply.start("r1").output("c1").step().call("c1");
    chat.more(told);
    chat.end(StreamEnd::Disconnected);
    chat.more(told);
    let phases: Vec<Phase> = chat.machine.transcript().messages()[1].calls().map(|part| part.phase()).collect();
    assert_eq!(phases, [Phase::OutputAvailable, Phase::InputAvailable]);
}

#[test]
fn requests_of_an_earlier_reply_are_dropped_while_a_regeneration_is_ready() {
    let mut chat = Chat::default();
    chat.more(|reply| reply.start("r1").provider_call("c1"));
    chat.end(StreamEnd::Finished);
    chat.more(|reply| reply.start("r2").text("And so on."));
    chat.end(StreamEnd::Finished);
    chat.regenerate(None).unwrap();
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!((chat.pending().as_str(), chat.phase("c1")), ("", Phase::InputAvailable));
    chat.claim();
}

#[test]
fn in_a_replay_the_first_event_of_a_call_from_before_the_reply_belongs_to_that_call() {
    let mut chat = Chat::asking(1);
    let unusable = json!({
        "type": "tool-input-error", "toolCallId": "c1", "toolName": "edit", "input": { "of": "c1" }, "errorText": "no"
    });
    // The first event opens a reply that continues the message.
    chat.more(|reply| reply.raw(unusable.clone()).step().text("Well.").call("c1"));
    chat.cancel();
    chat.more(|reply| reply.start("r1").raw(unusable).step().text("Well.").call("c1"));
    let phases: Vec<Phase> = chat.machine.transcript().messages()[1].calls().map(|part| part.phase()).collect();
    assert_eq!(phases, [Phase::OutputError, Phase::InputAvailable]);
    assert_eq!(chat.said(), ["m1", "Well."]);
}

#[test]
fn a_finished_reply_that_the_host_reads_again_with_its_request_continues() {
    let mut chat = Chat::default();
    chat.user("m1");
    let request = chat.claim();
    chat.reply(|reply| reply.text("One."));
    let about = About { request: Some(request), reconnect: Some(Reconnect::Offset), ..About::default() };
    for chunk in Stream::new().text("Two.").chunks() {
        chat.receive_about(chunk, about);
    }
    assert_eq!(chat.said(), ["m1", "One.", "Two."]);
}

#[test]
fn of_two_calls_with_one_id_a_request_with_the_others_approval_id_confirms_the_sent_decision() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.call_with("edit", "c1", json!("other")).request("c1", "a2").step_done().finish());
    chat.approve("a2");
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
}

#[test]
fn a_call_that_its_server_was_running_does_not_keep_the_turn_open_after_the_stream_broke_off() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1").call("c2"));
    chat.deny("a1");
    chat.stop();
    chat.end(StreamEnd::Aborted);
    chat.resume();
    chat.stop();
    chat.cancel();
    assert_eq!((chat.waits_for().as_str(), chat.machine.turn_status()), ("", TurnStatus::Done));
}

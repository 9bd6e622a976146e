//! Late and doubled events: of replaced requests, of earlier attempts, and of replayed replies.

use crate::chat::Chat;
use serde_json::json;
use toolgate::machine::{About, Code, DeliveryState, Ending, OutcomeKind, Phase, Reconnect, Status, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

#[test]
fn an_event_of_a_replaced_request_only_settles_its_own_calls() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.approve("a2");
    let old = chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.cancel();
    chat.user("m2");
    let new = chat.claim();
    chat.stream(|reply| reply.text("Well,").call("c3"));
    let before = chat.said();
    chat.more_of(old, |reply| reply.text("Late.").call("c9").output("c3").start("r9").finish());
    chat.end_of(old, None, StreamEnd::Error);
    assert_eq!(chat.said(), before);
    assert_eq!(chat.phase("c3"), Phase::InputAvailable);
    assert_eq!(chat.machine.status(), Status::Streaming);
    chat.more_of(new, |reply| reply.output("c3").finish());
    chat.end_of(new, None, StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Finished));
}

#[test]
fn a_late_result_of_a_replaced_request_counts_if_its_call_is_still_open() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let old = chat.claim();
    chat.stream(|reply| reply.text("Hm."));
    chat.end(StreamEnd::Finished);
    assert!(chat.machine.is_stalled());
    chat.more_of(old, |reply| reply.output("c1").text("Late."));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.said(), ["m1", "Hm."]);
}

#[test]
fn the_end_of_attempt_one_does_not_end_attempt_two() {
    let (mut chat, item) = Chat::waiting();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    chat.claim();
    chat.stream(|reply| reply.text("Hello."));
    chat.end_of(item, Some(1), StreamEnd::Error);
    assert_eq!(chat.machine.status(), Status::Streaming);
    chat.end_of(item, Some(2), StreamEnd::Finished);
    assert_eq!((chat.machine.status(), chat.machine.turn().ending()), (Status::Idle, Some(Ending::Finished)));
}

#[test]
fn the_end_of_attempt_one_before_any_event_does_not_end_attempt_two() {
    let (mut chat, item) = Chat::waiting();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    chat.claim();
    chat.end_of(item, Some(1), StreamEnd::Error);
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
    chat.end_of(item, Some(2), StreamEnd::Error);
    assert_eq!(chat.item_state(item), DeliveryState::Unconfirmed);
}

#[test]
fn events_of_attempt_one_do_not_write_into_attempt_two() {
    let (mut chat, item) = Chat::waiting();
    chat.end(StreamEnd::Disconnected);
    chat.retry(item).unwrap();
    chat.claim();
    let about = About { request: Some(item), attempt: Some(1), reconnect: None };
    chat.receive_about(json!({ "type": "start", "messageId": "old" }), about);
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
    chat.reply(|reply| reply.text("Hello."));
    assert_eq!(chat.said(), ["m1", "Hello."]);
}

#[test]
fn the_end_of_an_unknown_request_ends_nothing() {
    let (mut chat, item) = Chat::waiting();
    chat.stream(|reply| reply.text("Well,"));
    chat.end_of(77, None, StreamEnd::Error);
    assert_eq!(chat.machine.status(), Status::Streaming);
    chat.more_of(77, |reply| reply.text("Who am I?"));
    assert_eq!(chat.said(), ["m1", "Well,"]);
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!(chat.machine.status(), Status::Idle);
}

#[test]
fn a_replay_after_a_disconnect_duplicates_nothing() {
    let (mut chat, _) = Chat::waiting();
    let whole = |reply: crate::stream::Stream| {
        reply.text("Let me see.").call("c1").output("c1").text("And:").ask("c2", "a2").text("Well?")
    };
    chat.stream(|reply| reply.text("Let me see.").call("c1").output("c1").text("And:"));
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| whole(reply.start("r1").step()).step_done().finish());
    chat.end(StreamEnd::Finished);
    let (mut straight, _) = Chat::waiting();
    straight.reply(whole);
    assert_eq!(chat.ui_messages(Shape::View), straight.ui_messages(Shape::View));
    assert_eq!(chat.anomalies(), []);
}

/// A chat whose page was closed during the reply to a step. The step was retried this many times. The page was closed
/// before a reply to each of them but the last one, which gets the whole reply.
fn retried(times: u32) -> Chat {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    let begins = |reply: crate::stream::Stream| reply.start("r1").output("c1").step().text("Next:").ask("c2", "a2");
    chat.more_of(item, begins);
    for _ in 0..times {
        chat = chat.restored();
        chat.retry(item).unwrap();
        chat.claim();
    }
    chat.more_of(item, |reply| begins(reply).step_done().finish());
    chat.end_of(item, None, StreamEnd::Finished);
    chat
}

#[test]
fn the_reply_to_a_later_retry_repeats_the_reply_that_broke_off_too() {
    let once = retried(1);
    assert_eq!(once.said().iter().filter(|text| *text == "Next:").count(), 1);
    for times in [2, 3] {
        assert_eq!(retried(times).ui_messages(Shape::View), once.ui_messages(Shape::View), "{times} retries");
    }
}

#[test]
fn new_text_of_a_retried_reply_does_not_move_its_beginning() {
    let (mut chat, item) = Chat::waiting();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    chat.claim();
    let begins = |reply: crate::stream::Stream| reply.start("r1").step().call("c1");
    chat.more(begins);
    chat = chat.restored();
    for _ in 0..2 {
        chat.more(|reply| begins(reply).output("c1").text("Done."));
        chat.end(StreamEnd::Disconnected);
        assert_eq!(chat.said(), ["m1", "Done."]);
        assert_eq!(chat.machine.transcript().messages()[1].calls().count(), 1);
    }
}

#[test]
fn a_replay_with_more_content_loses_nothing() {
    let (mut chat, _) = Chat::waiting();
    chat.stream(|reply| reply);
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().input_start("c1").text("One.").call("c1").text("Two.").output("c1"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "One.", "Two."]);
    assert_eq!(chat.state("c1"), "output-available");
}

#[test]
fn a_replay_of_the_reply_to_a_submission_duplicates_nothing() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.stream(|reply| reply.output("c1").text("Do"));
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().output("c1").text("Do").text("ne."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Do", "ne."]);
    assert_eq!(chat.anomalies(), []);
    assert_eq!((chat.machine.status(), chat.undelivered()), (Status::Idle, vec![]));
}

#[test]
fn a_replayed_request_does_not_undo_a_decision() {
    for approved in [true, false] {
        let mut chat = Chat::asking_in_a_stream(2);
        chat.respond("a1", approved, "").unwrap();
        chat.end(StreamEnd::Disconnected);
        chat.more(|reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2").finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.pending(), "a2");
        chat.approve("a2");
        let item = chat.claim();
        assert_eq!(chat.approvals(item), "a1 a2");
    }
}

#[test]
fn a_start_event_with_the_same_message_after_a_submission_continues_the_message() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.end(StreamEnd::Disconnected);
    chat.approve("a1");
    chat.claim();
    chat.more(|reply| reply.start("r1").output("c1").step().text("Done."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Done."]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.machine.transcript().messages().len(), 2);
}

#[test]
fn a_replayed_reply_to_the_old_request_is_not_the_reply_to_the_new_request() {
    let (mut chat, old) = Chat::waiting();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.end(StreamEnd::Disconnected);
    chat.approve("a1");
    let new = chat.claim();
    // The old connection returns and replays its reply, labelled with its own request.
    chat.more_of(old, |reply| reply.start("r1").step().ask("c1", "a1").text("Old.").finish());
    chat.end_of(old, None, StreamEnd::Finished);
    assert_eq!(chat.item_state(new), DeliveryState::InFlight);
    assert_eq!(chat.said(), ["m1"]);
    chat.more_of(new, |reply| reply.start("r1").output("c1").step().text("Done."));
    chat.end_of(new, None, StreamEnd::Finished);
    assert_eq!(chat.said(), ["m1", "Done."]);
}

#[test]
fn a_replay_does_not_hide_that_a_denied_call_ran() {
    for how in [Reconnect::Start, Reconnect::Offset] {
        let mut chat = Chat::default();
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| reply.ask("c1", "a1"));
        chat.end(StreamEnd::Disconnected);
        chat.deny("a1");
        chat.reconnecting();
        if how == Reconnect::Start {
            chat.reconnected(how, |reply| reply.start("r1").step().ask("c1", "a1"));
        }
        assert_eq!(chat.anomalies(), []);
        chat.reconnected(how, |reply| reply.output("c1"));
        assert_eq!(chat.anomalies(), [Code::AlreadySettled]);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    }
}

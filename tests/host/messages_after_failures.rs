//! User messages after failed or lost items, and several messages at once.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{assistant, part_with, user};
use serde_json::json;
use toolgate::machine::{Code, DeliveryState, OnUserMessage, OutcomeKind, Payload, Sent, StreamEnd};

#[test]
fn a_failed_submission_blocks_the_message_and_retry_releases_both() {
    let (mut chat, item) = Chat::failed();
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.listed(), NONE);
    chat.retry(item).unwrap();
    assert_eq!(chat.claim(), item);
    chat.reply(|reply| reply.output("c1").text("Done."));
    let next = chat.claim();
    assert_eq!((chat.messages(next).as_str(), chat.approvals(next).as_str()), ("m2", ""));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
}

#[test]
fn cancel_after_a_failed_submission_releases_the_message() {
    let (mut chat, _) = Chat::failed();
    chat.user("m2");
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)));
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a2", "m2"));
}

#[test]
fn another_message_after_a_failed_submission_releases_both_messages() {
    let (mut chat, _) = Chat::failed();
    chat.user("m2");
    assert_eq!(chat.user("m3"), Sent::Sent);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2 m3");
}

#[test]
fn only_a_failed_submission_with_approved_calls_blocks_the_queue() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.user("m2"), Sent::Sent);
    let next = chat.claim();
    assert_eq!((chat.approvals(next).as_str(), chat.messages(next).as_str()), ("a1", "m2"));
    chat.mark_failed(next).unwrap();
    assert_eq!(chat.user("m3"), Sent::Sent);
}

#[test]
fn several_queued_messages_are_sent_in_order_in_one_item() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.text("Well,"));
    for message in ["m2", "m3", "m4"] {
        assert_eq!(chat.user(message), Sent::Queued);
    }
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2 m3 m4");
    assert_eq!(chat.said(), ["m1", "Well,", "m2", "m3", "m4"]);
    chat.reply(|reply| reply.text("Yes."));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_message_during_a_stream_is_queued_until_the_stream_ends_in_any_way() {
    for ending in [StreamEnd::Finished, StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::default();
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| reply.text("Well,"));
        assert_eq!(chat.user("m2"), Sent::Queued);
        chat.end(ending);
        let item = chat.claim();
        assert_eq!(chat.messages(item), "m2", "{ending:?}");
    }
}

#[test]
fn an_open_page_tool_is_closed_by_the_users_message() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.outcome("c1").map(|(kind, _)| kind), Some(OutcomeKind::Interrupted));
    assert_eq!(chat.page_output("c1", false), Err(Code::AlreadySettled));
}

#[test]
fn a_failed_message_can_be_retried_and_does_not_block_the_next_one() {
    let mut chat = Chat::default();
    chat.user("m1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.undelivered(), [item]);
    let mut other = chat.clone();
    chat.retry(item).unwrap();
    assert_eq!(chat.claim(), item);
    chat.reply(|reply| reply.text("Hello."));
    assert_eq!(chat.said(), ["m1", "Hello."]);
    assert_eq!(other.user("m2"), Sent::Sent);
    let item = other.claim();
    assert_eq!(other.messages(item), "m2");
    assert_eq!(other.said(), ["m1", "m2"]);
    assert_eq!(other.undelivered(), NONE);
}

#[test]
fn a_message_in_an_empty_chat_is_sent_at_once() {
    let mut chat = Chat::default();
    assert!(chat.regenerate(None).is_err(), "there is no reply to regenerate");
    chat.cancel();
    chat.stop();
    chat.resume();
    let item = chat.act(|chat| chat.machine.mark_failed(1, Payload::NONE));
    assert_eq!(item.map_err(|refusal| refusal.code), Err(Code::UnknownOutgoing));
    assert_eq!(chat.user("m1"), Sent::Sent);
    let item = chat.claim();
    assert_eq!(chat.item_state(item), DeliveryState::InFlight);
}

#[test]
fn a_message_after_a_held_approval_carries_the_denials_of_earlier_steps() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.step().ask("c2", "a2"));
    chat.approve("a2");
    chat.end(StreamEnd::Error);
    assert_eq!(chat.user("m2"), Sent::Sent);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.state("c1")), ("a1", "output-denied"));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, false)));
}

#[test]
fn a_denial_that_may_not_have_arrived_is_sent_with_the_message() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    let mut chat = chat.restored();
    chat.more(|reply| reply.call("c2").request("c2", "a2"));
    chat.approve("a2");
    chat.stop();
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

#[test]
fn a_denial_by_the_backend_is_not_sent_to_it() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.approve("a2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.denied("c2"));
    chat.user("m2");
    chat.user("m3");
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2 m3", ""));
}

#[test]
fn a_lost_denial_and_the_denials_that_a_queued_message_causes_are_sent_before_the_message() {
    let mut chat = Chat::asking(1);
    chat.set_options(|options| options.cancel_answers = true);
    chat.user("m2");
    let lost = chat.claim();
    assert_eq!(chat.approvals(lost), "a1");
    chat.more(|reply| reply.ask("c2", "a2"));
    // The open reply may be the reply to another request.
    chat.mark_failed(lost).unwrap();
    let step = chat.claim();
    assert_eq!((chat.approvals(step).as_str(), chat.messages(step).as_str()), ("a1 a2", ""));
    chat.stream(|reply| reply.text("I see."));
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("", "m2"));
}

#[test]
fn a_retry_of_an_approval_contains_no_preliminary_output() {
    let mut chat = Chat::with(OnUserMessage::DenyPending, &["locate"]);
    chat.set_options(|options| options.answers_first = true);
    let asked = part_with("c1", "approval-responded", json!({ "approval": { "id": "a1", "approved": true } }));
    chat.load(json!([user("m1"), assistant("r1", &[asked])]));
    chat.more(|reply| reply.preliminary("c1"));
    chat.retry(chat.undelivered()[0]).unwrap();
    let item = chat.claim();
    let body = chat.body(chat.item(item));
    let sent = &body["messages"][1]["parts"][1];
    assert_eq!((&sent["state"], sent.get("output")), (&json!("approval-responded"), None));
}

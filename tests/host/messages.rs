//! User messages: what they contain, what they wait for, and what they close.

use crate::chat::{Chat, NONE};
use crate::kept_histories::{assistant, part_with, user};
use serde_json::json;
use toolgate::machine::{Code, DeliveryState, OnUserMessage, OutcomeKind, Payload, Sent, StreamEnd};

#[test]
fn a_message_is_one_item_with_the_whole_history() {
    let mut chat = Chat::default();
    assert_eq!(chat.user("m1"), Sent::Sent);
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m1", ""));
    chat.reply(|reply| reply.text("Hello."));
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.body(chat.item(item))["messages"].as_array().unwrap().len(), 3);
    assert_eq!(chat.said(), ["m1", "Hello.", "m2"]);
}

#[test]
fn with_deny_pending_undecided_calls_are_denied_with_a_reason_and_sent_with_the_message() {
    let mut chat = Chat::asking(2);
    chat.deny("a2");
    assert_eq!(chat.user("m2"), Sent::Sent);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1 a2", "m2"));
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-denied", "output-denied"));
    let reason = chat.part("c1").decision().unwrap().reason;
    assert_eq!(chat.store.to_json(reason), "The user moved on.");
    assert_eq!(chat.pending(), "");
}

#[test]
fn with_cancel_pending_undecided_calls_are_cancelled() {
    let mut chat = Chat::with(OnUserMessage::CancelPending, &[]).that_asks(2);
    chat.deny("a2");
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)));
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a2", "m2"));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadySettled));
}

#[test]
fn with_queue_the_message_waits_for_the_decisions() {
    let mut chat = Chat::with(OnUserMessage::Queue, &[]).that_asks(2);
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.listed(), NONE);
    chat.deny("a1");
    assert_eq!(chat.listed(), NONE);
    chat.deny("a2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1 a2", "m2"));
}

#[test]
fn with_block_a_message_is_refused_while_anything_is_undecided() {
    let mut chat = Chat::with(OnUserMessage::Block, &[]).that_asks(1);
    let before = chat.saved();
    assert_eq!(chat.try_user("m2", None), Err(Code::MessageBlocked));
    assert_eq!(chat.saved(), before);
    chat.deny("a1");
    assert!(chat.try_user("m2", None).is_ok());
}

#[test]
fn block_applies_only_when_the_message_is_sent_by_the_user() {
    let mut chat = Chat::with(OnUserMessage::Block, &[]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.text("Let me see."));
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.more(|reply| reply.ask("c1", "a1"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE, "the message waits for the decision");
    chat.deny("a1");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

#[test]
fn the_policy_applies_when_the_message_leaves_the_queue() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.pending(), "a1", "while the reply streams, the user may still decide");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

#[test]
fn approved_calls_are_submitted_alone_and_the_message_follows_their_reply() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1 a2", ""));
    chat.stream(|reply| reply.output("c1").text("Done."));
    assert_eq!(chat.listed(), NONE);
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("", "m2"));
    assert_eq!(chat.said(), ["m1", "Done.", "m2"]);
}

#[test]
fn a_message_is_never_sent_before_a_ready_submission() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let listed = chat.listed();
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.listed(), listed);
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
}

#[test]
fn a_message_carries_the_denials_of_a_submission_that_was_not_sent() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let listed = chat.listed();
    assert_eq!(chat.user("m2"), Sent::Sent, "nothing is approved, so the denial is sent in the same request");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
    assert!(!chat.claim_item(listed[0]) || listed[0] == item);
}

#[test]
fn a_message_during_the_reply_to_a_submission_is_sent_after_it() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.reply(|reply| reply.output("c1").text("Done."));
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
}

#[test]
fn a_message_is_sent_after_a_reply_that_ended_without_a_result() {
    for ending in [StreamEnd::Finished, StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::asking(1);
        chat.approve("a1");
        chat.claim();
        chat.user("m2");
        chat.stream(|reply| reply.text("Hm."));
        chat.end(ending);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)), "{ending:?}");
        let item = chat.claim();
        assert_eq!(chat.messages(item), "m2");
    }
}

#[test]
fn a_message_after_a_cut_reply_closes_its_approved_calls() {
    for ending in [StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::asking(1);
        chat.approve("a1");
        chat.claim();
        chat.stream(|reply| reply.text("Hm."));
        chat.end(ending);
        assert_eq!(chat.user("m2"), Sent::Sent, "{ending:?}");
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)), "{ending:?}");
    }
}

#[test]
fn a_message_after_a_stalled_or_unconfirmed_submission_closes_its_calls_and_is_sent() {
    for stalls in [true, false] {
        let mut chat = Chat::asking(2);
        chat.approve("a1");
        chat.deny("a2");
        chat.claim();
        if stalls {
            chat.reply(|reply| reply);
        } else {
            chat.end(StreamEnd::Disconnected);
        }
        assert_eq!(chat.user("m2"), Sent::Sent);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
        assert_eq!(chat.state("c2"), "output-denied");
        let item = chat.claim();
        assert_eq!(chat.messages(item), "m2");
        assert_eq!(chat.undelivered(), NONE);
    }
}

#[test]
fn a_denial_that_may_not_have_arrived_is_listed_in_the_message() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

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
fn a_message_during_a_stream_is_queued_whatever_its_ending() {
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
    assert!(chat.regenerate(None).is_err(), "there is nothing to send again");
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
fn a_message_after_an_approval_sends_the_step_with_the_denials_of_earlier_steps() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.step().ask("c2", "a2"));
    chat.approve("a2");
    chat.end(StreamEnd::Error);
    assert_eq!(chat.user("m2"), Sent::Queued);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.state("c1")), ("a1 a2", "output-denied"));
}

#[test]
fn a_denial_that_may_not_have_arrived_is_sent_with_the_step_before_the_message() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    let mut chat = chat.restored();
    chat.more(|reply| reply.call("c2").request("c2", "a2"));
    chat.approve("a2");
    chat.stop();
    chat.user("m2");
    let step = chat.claim();
    assert_eq!((chat.approvals(step).as_str(), chat.messages(step).as_str()), ("a1 a2", ""));
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
fn a_lost_denial_is_sent_before_a_queued_message_with_the_denials_made_for_it() {
    let mut chat = Chat::asking(1);
    chat.set_options(|options| options.cancel_answers = true);
    chat.user("m2");
    let lost = chat.claim();
    assert_eq!(chat.approvals(lost), "a1");
    chat.more(|reply| reply.ask("c2", "a2"));
    // The reply that began may be the reply to something else.
    chat.mark_failed(lost).unwrap();
    let step = chat.claim();
    assert_eq!((chat.approvals(step).as_str(), chat.messages(step).as_str()), ("a1 a2", ""));
    chat.stream(|reply| reply.text("I see."));
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("", "m2"));
}

#[test]
fn an_approval_that_is_sent_again_shows_no_preliminary_result() {
    for message in [false, true] {
        let mut chat = Chat::with(OnUserMessage::DenyPending, &["locate"]);
        chat.set_options(|options| (options.answers_first, options.repeats_ignored) = (true, true));
        let asked = part_with("c1", "approval-responded", json!({ "approval": { "id": "a1", "approved": true } }));
        chat.load(json!([user("m1"), assistant("r1", &[asked])]));
        chat.more(|reply| reply.preliminary("c1"));
        if message {
            assert_eq!(chat.user("m2"), Sent::Queued);
        } else {
            chat.retry(chat.undelivered()[0]).unwrap();
        }
        let item = chat.claim();
        let body = chat.body(chat.item(item));
        let sent = &body["messages"][1]["parts"][1];
        assert_eq!((&sent["state"], sent.get("output")), (&json!("approval-responded"), None), "{message}");
    }
}

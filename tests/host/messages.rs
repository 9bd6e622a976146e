//! User messages: their contents, the items that they wait for, and the approvals that they close.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, OnUserMessage, OutcomeKind, Sent, StreamEnd};

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
fn with_block_a_message_is_refused_while_an_approval_is_pending() {
    let mut chat = Chat::with(OnUserMessage::Block, &[]).that_asks(1);
    let before = chat.saved();
    assert_eq!(chat.try_user("m2", None), Err(Code::MessageBlocked));
    assert_eq!(chat.saved(), before);
    chat.deny("a1");
    assert!(chat.try_user("m2", None).is_ok());
}

#[test]
fn with_block_a_message_that_was_queued_before_the_approval_request_waits_for_the_decision() {
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
fn the_policy_applies_when_the_queued_message_is_due_to_be_sent() {
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
fn the_request_of_a_message_contains_the_denials_of_a_submission_that_was_not_sent() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let listed = chat.listed();
    assert_eq!(chat.user("m2"), Sent::Sent, "nothing is approved, so the denial is sent in the same request");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
    assert!(!chat.claim_item(listed[0]) || listed[0] == item);
}

#[test]
fn a_message_written_during_the_reply_to_a_submission_is_sent_after_the_reply() {
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
fn a_denial_that_may_not_have_arrived_is_sent_again_with_the_message() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
}

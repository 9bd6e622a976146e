//! Answers that were lost, and that the user gives up: a backend that takes answers first still gets an answer to each
//! of its approval requests before the next message.

use crate::chat::Chat;
use toolgate::machine::{Options, OutcomeKind, Sent, StreamEnd};

/// Gives up what is undelivered: by `cancel`, or by another message.
fn give_up(chat: &mut Chat, cancels: bool) {
    if cancels {
        chat.cancel();
    } else {
        chat.user("m3");
    }
}

/// A chat whose backend takes answers first, with a reply that asked for this many approvals.
fn first(calls: usize, change: impl FnOnce(&mut Options)) -> Chat {
    let mut chat = Chat::asking(calls);
    chat.set_options(|options| {
        options.answers_first = true;
        change(options);
    });
    chat
}

#[test]
fn denials_that_failed_twice_are_sent_before_the_message() {
    for (cancels, is_lost) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut chat = first(1, |_| {});
        assert_eq!(chat.user("m2"), Sent::Queued);
        for _ in 0..2 {
            let item = chat.claim();
            if is_lost {
                chat.end(StreamEnd::Disconnected);
            } else {
                chat.mark_failed(item).unwrap();
            }
        }
        assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("", "retry 2"));
        give_up(&mut chat, cancels);
        assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("a1", vec![]), "the backend waits for it");
        chat.claim();
        chat.reply(|reply| reply.denied("c1").text("Well."));
        assert_eq!(chat.sendable(), if cancels { "m2" } else { "m2 m3" });
    }
}

#[test]
fn lost_approvals_are_never_sent_again_by_a_message_and_refused_when_they_are_given_up() {
    for is_queued in [true, false] {
        let mut chat = first(1, |_| {});
        chat.approve("a1");
        chat.claim();
        chat.end(StreamEnd::Disconnected);
        if is_queued {
            assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
            assert_eq!(chat.waits_for(), "retry 2");
        }
        chat.cancel();
        if !is_queued {
            chat.user("m2");
        }
        let item = chat.claim();
        assert_eq!(chat.decisions(item)[0]["outcome"], "cancelled", "the backend may wait for an answer");
        chat.reply(|reply| reply.output("c1").text("It had run."));
        assert_eq!(chat.anomalies(), [], "the answer had arrived after all");
        assert_eq!(chat.sendable(), "m2", "{is_queued}");
    }
}

#[test]
fn an_answering_backend_that_takes_answers_first_gets_a_lost_denial_before_the_message() {
    for cancels in [true, false] {
        let mut chat = Chat::answering_with(1, |options| options.answers_first = true);
        chat.end(StreamEnd::Finished);
        chat.deny("a1");
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
        chat.user("m2");
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
        give_up(&mut chat, cancels);
        assert_eq!(chat.sendable(), "a1");
        let item = chat.claim();
        chat.mark_sent(item).unwrap();
        assert_eq!(chat.sendable(), if cancels { "m2" } else { "m2 m3" });
    }
}

#[test]
fn one_item_is_given_up_and_the_rest_stays() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    chat.approve("a2");
    let [first, second] = chat.listed()[..] else { panic!("each approval is an answer") };
    assert!(chat.claim_item(first) && chat.claim_item(second));
    chat.mark_failed(first).unwrap();
    chat.mark_failed(second).unwrap();
    chat.cancel_item(first);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)));
    assert_eq!((chat.undelivered(), chat.pending().as_str()), (vec![second], "a3"));
    chat.cancel_item(first);
    chat.retry(second).unwrap();
    chat.cancel_item(second);
    assert_eq!(chat.outcome("c2"), None, "an item that is ready or in flight is not given up");
}

#[test]
fn a_queued_message_follows_when_the_failed_request_is_given_up() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
    chat.cancel_item(item);
    assert_eq!(chat.sendable(), "m2");
}

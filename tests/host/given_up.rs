//! Answers that were lost, and that the user gives up: a backend that takes answers first still gets an answer to each
//! of its approval requests before the next message.

use crate::chat::Chat;
use toolgate::machine::{Options, Sent, StreamEnd};

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
fn lost_approvals_are_never_sent_again_by_a_message_and_refused_where_a_repeated_answer_is_ignored() {
    for (ignored, is_queued) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut chat = first(1, |options| options.repeats_ignored = ignored);
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
        // Others could take the refusal for another answer. Their request has the call's result, as far as it is known.
        if ignored {
            let item = chat.claim();
            assert_eq!(chat.decisions(item)[0]["outcome"], "cancelled");
            chat.reply(|reply| reply.output("c1").text("It had run."));
            assert_eq!(chat.anomalies(), [], "the answer had arrived after all");
        }
        assert_eq!(chat.sendable(), "m2", "{ignored}, {is_queued}");
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

//! Answering protocols: the user's message is sent after the answers, and after the reply that waits for them.

use crate::chat::Chat;
use crate::stored_histories::{assistant, ran, text, user};
use crate::stream::Stream;
use serde_json::json;
use toolgate::machine::{Code, OnUserMessage, OutcomeKind, Sent, StreamEnd, WaitsOn};
use toolgate::wire::ai_sdk::Shape;

/// Sends everything that is listed. The backend receives it.
fn send(chat: &mut Chat) {
    for item in chat.listed() {
        assert_eq!(chat.mark_sent(item), Ok(()));
    }
}

#[test]
fn a_message_waits_for_the_answers_and_for_the_reply_that_waits_for_them() {
    let mut chat = Chat::answering(2);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a1, a2", "the policy denies pending calls, or the reply would never end");
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)));
    send(&mut chat);
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.output("c1").text("Done.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn the_policy_also_decides_requests_that_arrive_while_a_message_waits() {
    let mut chat = Chat::answering(1);
    chat.user("m2");
    send(&mut chat);
    chat.more(|reply| reply.ask("c2", "a2"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a2"));
    let mut chat = Chat::answering_with(1, |options| options.on_user_message = OnUserMessage::Queue);
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("a1", ""));
    let mut chat = Chat::answering_with(1, |options| options.on_user_message = OnUserMessage::Block);
    assert_eq!(chat.try_user("m2", None), Err(Code::MessageBlocked));
}

#[test]
fn without_a_stream_a_message_waits_until_the_answers_have_arrived() {
    let mut chat = Chat::answering(2);
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a2");
    send(&mut chat);
    assert_eq!(chat.sendable(), "");
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.sendable(), "m2");
    assert_eq!(chat.approvals(chat.listed()[0]), "", "a message contains no answers");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.state("c2"), "output-denied");
}

#[test]
fn a_failed_approval_blocks_the_message_and_a_failed_denial_does_not() {
    let mut chat = Chat::answering(2);
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.user("m2"), Sent::Queued);
    send(&mut chat);
    assert_eq!(chat.sendable(), "");
    chat.retry(item).unwrap();
    assert_eq!(chat.sendable(), "a1");
    send(&mut chat);
    assert_eq!(chat.sendable(), "m2");

    let mut chat = Chat::answering(1);
    chat.end(StreamEnd::Finished);
    chat.deny("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.user("m2"), Sent::Queued, "the agent waits for an answer, and a denial runs nothing");
    assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("a1", vec![]));
    send(&mut chat);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn another_message_gives_up_a_failed_approval() {
    let mut chat = Chat::answering(1);
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.user("m2");
    assert_eq!(chat.user("m3"), Sent::Queued);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(chat.sendable(), "a1", "its request is refused");
    send(&mut chat);
    assert_eq!(chat.sendable(), "m2 m3");
}

/// A chat with an answering protocol whose reply ended after its approval requests. An answer starts a new reply.
fn in_replies(calls: usize) -> Chat {
    let mut chat = Chat::answering_with(calls, |options| options.answers_first = true);
    chat.end(StreamEnd::Finished);
    chat
}

#[test]
fn if_answers_are_sent_first_a_message_waits_for_their_reply() {
    let mut chat = in_replies(1);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    send(&mut chat);
    assert_eq!(chat.sendable(), "", "the backend continues in a new reply");
    let mut chat = chat.restored();
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.start("r1").step().output("c1").text("Done."));
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.finish());
    assert_eq!(chat.sendable(), "m2", "the reply is unrequested, so its finish event ends it");
}

#[test]
fn another_message_or_cancel_ends_the_wait_for_the_reply_to_an_answer() {
    for cancels in [true, false] {
        let mut chat = in_replies(1);
        chat.approve("a1");
        chat.user("m2");
        send(&mut chat);
        if cancels {
            chat.cancel();
        } else {
            chat.user("m3");
        }
        assert_eq!(chat.sendable(), if cancels { "m2" } else { "m2 m3" });
    }
}

#[test]
fn a_message_waits_for_the_open_reply_and_after_a_denial_only_for_a_backend_that_replies_to_denials() {
    let mut chat = Chat::answering_with(1, |options| options.answers_first = true);
    chat.approve("a1");
    send(&mut chat);
    chat.user("m2");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
    let mut chat = in_replies(1);
    chat.user("m2");
    send(&mut chat);
    assert_eq!(chat.sendable(), "m2", "after a denial the backend runs no call");
    let mut chat = in_replies(1);
    chat.set_options(|options| options.replies_to_denials = true);
    chat.user("m2");
    send(&mut chat);
    assert_eq!(chat.sendable(), "", "the reply to the denial is awaited");
    chat.more(|reply| reply.start("r1").step().text("As you wish."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_message_waits_for_the_next_reply_if_an_answer_arrives_after_the_end_of_a_reply() {
    let mut chat = Chat::answering_with(1, |options| options.answers_first = true);
    chat.approve("a1");
    let item = chat.claim();
    chat.user("m2");
    chat.end(StreamEnd::Finished);
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.start("r1").step().output("c1").text("Done."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn if_answers_are_sent_first_the_end_of_a_stream_without_events_releases_the_message() {
    let mut chat = in_replies(1);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    send(&mut chat);
    assert_eq!(chat.sendable(), "");
    chat.end(StreamEnd::Error);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn if_answers_are_sent_first_a_loaded_history_with_the_result_ends_the_wait_for_the_reply() {
    let mut chat = in_replies(1);
    chat.approve("a1");
    send(&mut chat);
    chat.load(json!([user("m1"), assistant("r1", &[ran("c1"), text("Done.")])]));
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.sendable(), "m2");
}

/// Chats whose page was closed while the backend's turn waits for `a1`: restored from a snapshot, and loaded.
fn reopened() -> [Chat; 2] {
    let history = Chat::answering(1).ui_messages(Shape::View);
    let mut loaded = Chat::default();
    loaded.set_options(|options| options.answering = true);
    loaded.load(history);
    [Chat::answering(1).restored(), loaded]
}

#[test]
fn a_turn_goes_on_after_a_page_load_once_an_answer_was_sent() {
    for mut chat in reopened() {
        chat.approve("a1");
        send(&mut chat);
        waits_for_the_turn(chat, true);
    }
    for mut chat in reopened() {
        chat.deny("a1");
        send(&mut chat);
        waits_for_the_turn(chat, false);
    }
}

/// Chats whose page was closed, once or twice, after the approval of `a1` was sent.
fn approved_and_reopened() -> [Chat; 3] {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    send(&mut chat);
    let mut answered_later = Chat::answering(1).restored();
    answered_later.approve("a1");
    send(&mut answered_later);
    [chat.restored(), chat.restored().restored(), answered_later.restored()]
}

#[test]
fn a_turn_goes_on_after_a_page_load_if_an_approval_was_sent_before() {
    for chat in approved_and_reopened() {
        waits_for_the_turn(chat, true);
    }
}

/// A message waits until the turn has ended, and the call settles.
fn waits_for_the_turn(mut chat: Chat, approved: bool) {
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
    assert_eq!(chat.undelivered().len(), 0, "the backend has the request");
    assert!(chat.machine.waiting().on(WaitsOn::Reply));
    chat.more(|reply| if approved { reply.output("c1") } else { reply.denied("c1") });
    let expected = if approved { OutcomeKind::Executed } else { OutcomeKind::Denied };
    assert_eq!((chat.outcome("c1"), chat.sendable().as_str()), (Some((expected, false)), ""));
    chat.more(|reply| reply.text("Done."));
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.finish());
    assert_eq!((chat.sendable().as_str(), chat.anomalies()), ("m2", vec![]));
    assert_eq!(chat.machine.transcript().messages().len(), 3, "one reply");
}

#[test]
fn an_approval_that_may_have_arrived_keeps_a_message_waiting_until_the_user_acts() {
    for stops in [true, false] {
        let mut chat = Chat::answering(1);
        chat.approve("a1");
        let lost = chat.claim();
        let mut chat = chat.restored();
        assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
        assert_eq!(chat.undelivered(), [lost]);
        if stops {
            chat.stop();
        } else {
            chat.user("m3");
            assert_eq!(chat.sendable(), "", "the second message gives the approval up, and waits for the turn");
            chat.end(StreamEnd::Finished);
        }
        assert_eq!(chat.sendable(), if stops { "m2" } else { "m2 m3" });
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    }
}

#[test]
fn a_refusal_that_replaces_a_failed_approval_is_awaited_after_a_page_load() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let failed = chat.claim();
    chat.mark_failed(failed).unwrap();
    let mut chat = chat.restored();
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
    chat.cancel();
    send(&mut chat);
    assert_eq!(chat.sendable(), "", "the agent has its answer, and continues");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_message_waits_for_no_turn_whose_result_the_loaded_history_has() {
    for mut chat in approved_and_reopened() {
        chat.load(json!([user("m1"), assistant("r1", &[ran("c1"), text("Done.")])]));
        assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Sent, "m2"));
    }
}

#[test]
fn after_a_page_load_an_agent_that_asks_has_its_prompt() {
    let chat = Chat::answering(1).restored();
    assert_eq!((chat.undelivered(), chat.pending().as_str()), (vec![], "a1"));
    // The reply to this one had not begun.
    let mut chat = Chat::answering(0);
    chat.end(StreamEnd::Finished);
    chat.user("m2");
    let prompt = chat.claim();
    assert_eq!(chat.restored().undelivered(), [prompt]);
}

#[test]
fn a_message_does_not_wait_for_a_turn_that_was_stopped_or_has_ended() {
    let chats = || {
        reopened().into_iter().map(|mut chat| {
            chat.approve("a1");
            send(&mut chat);
            chat
        })
    };
    let chats = || chats().chain(approved_and_reopened());
    for mut chat in chats() {
        chat.user("m2");
        chat.stop();
        assert_eq!(chat.sendable(), "m2");
    }
    for mut chat in chats() {
        chat.user("m2");
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.sendable(), "m2");
    }
    for mut chat in chats() {
        chat.user("m2");
        chat.more(|reply| reply.output("c1"));
        assert_eq!(chat.sendable(), "");
        chat.more(|reply| reply.finish());
        assert_eq!(chat.sendable(), "m2", "the turn has ended without a text");
    }
    // Nothing shows that the turn goes on.
    for mut chat in reopened() {
        assert_eq!(chat.user("m2"), Sent::Queued);
        assert_eq!(chat.sendable(), "a1", "the denial is sent before the message");
    }
}

/// Chats whose page was closed while the backend ran `c1` without asking.
fn reopened_while_a_call_runs() -> [Chat; 2] {
    let mut running = Chat::answering(0);
    running.more(|reply| reply.call("c1"));
    let mut loaded = Chat::default();
    loaded.set_options(|options| options.answering = true);
    loaded.load(running.ui_messages(Shape::View));
    let mut chats = [running.restored(), loaded];
    chats.iter_mut().for_each(|chat| chat.at(1_000));
    chats
}

#[test]
fn a_message_waits_for_a_turn_that_is_heard_after_a_page_load_until_it_is_quiet_for_ten_seconds() {
    for mut chat in reopened_while_a_call_runs() {
        chat.user("m2");
        assert_eq!(chat.sendable(), "m2", "nothing shows that the turn goes on");
    }
    let first_signs: [fn(Stream) -> Stream; 2] = [|reply| reply.output("c1"), |reply| reply.text("Still here.")];
    for first_sign in first_signs {
        for mut chat in reopened_while_a_call_runs() {
            chat.more(first_sign);
            assert_eq!(chat.machine.next_deadline(), None, "no message waits");
            assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
            assert!(chat.machine.waiting().on(WaitsOn::Reply));
            chat.tick(9_000);
            chat.more(|reply| reply.text("More."));
            assert_eq!(chat.machine.next_deadline(), Some(19_000));
            chat.tick(18_999);
            assert_eq!(chat.sendable(), "");
            chat.tick(19_000);
            assert_eq!(chat.sendable(), "m2");
            assert_eq!(chat.anomalies(), vec![]);
        }
    }
}

#[test]
fn a_message_waits_longer_for_a_turn_that_was_answered() {
    for mut chat in reopened_while_a_call_runs() {
        chat.more(|reply| reply.output("c1").ask("c2", "a2"));
        chat.approve("a2");
        send(&mut chat);
        chat.user("m2");
        assert_eq!(chat.machine.next_deadline(), None, "the backend answers when it likes");
        chat.tick(60_000);
        assert_eq!(chat.sendable(), "");
        chat.more(|reply| reply.output("c2").finish());
        assert_eq!(chat.sendable(), "m2");
    }
}

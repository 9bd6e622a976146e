//! The policy `Pass`: a message is sent while approvals stay pending, if the backend accepts that.

use crate::chat::Chat;
use crate::stored_histories::{asked, assistant, user};
use serde_json::json;
use toolgate::machine::{OnUserMessage, Options, Phase, Sent, StreamEnd, WaitsOn};

/// A chat whose reply waits for these approvals, and whose messages pass them.
fn passing(calls: usize) -> Chat {
    Chat::answering_with(calls, pass)
}

fn pass(options: &mut Options) {
    options.on_user_message = OnUserMessage::Pass;
    options.takes_messages = true;
}

/// The queued messages; those that were sent have an exclamation mark.
fn queued(chat: &Chat) -> String {
    let queue = chat.machine.queue().messages().iter();
    let word = |id, is_sent| format!("{}{}", chat.text(id), if is_sent { "!" } else { "" });
    queue.map(|queued| word(queued.message.id, queued.is_sent)).collect::<Vec<_>>().join(" ")
}

/// The ids of the transcript's messages.
fn messages(chat: &Chat) -> String {
    let messages = chat.machine.transcript().messages().iter();
    messages.map(|message| chat.text(message.id).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_message_is_sent_beside_the_reply_and_its_approvals_stay_pending() {
    let mut chat = passing(2);
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!((chat.sendable().as_str(), chat.pending().as_str()), ("m2", "a1 a2"));
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.machine.new_messages(chat.item(item))), ("m2", Some(2..3)));
    chat.mark_sent(item).unwrap();
    assert_eq!((queued(&chat).as_str(), chat.pending().as_str(), chat.sendable().as_str()), ("m2!", "a1 a2", ""));
    // The approvals are decided as before, and the reply continues.
    chat.approve("a1");
    chat.deny("a2");
    assert_eq!(chat.sendable(), "a1, a2");
    for item in chat.listed() {
        chat.mark_sent(item).unwrap();
    }
    chat.more(|reply| reply.output("c1").text("Done."));
    assert_eq!((messages(&chat).as_str(), queued(&chat).as_str()), ("m1 r1", "m2!"));
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((messages(&chat).as_str(), queued(&chat).as_str()), ("m1 r1 m2", ""), "the reply is over");
    assert_eq!(chat.sendable(), "", "the message is not sent a second time");
    // The backend replies to it without another request.
    chat.more(|reply| reply.start("r2").step().text("As you said.").step_done().finish());
    assert_eq!(messages(&chat), "m1 r1 m2 r2");
    assert_eq!(chat.user("m3"), Sent::Sent);
    assert_eq!(chat.sendable(), "m3");
}

#[test]
fn a_message_never_overtakes_an_answer_or_another_message() {
    let mut chat = passing(2);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.user("m3"), Sent::Sent);
    assert_eq!(chat.sendable(), "a1", "the answer comes first");
    let answer = chat.claim();
    assert_eq!(chat.sendable(), "", "the answer is in flight");
    chat.mark_sent(answer).unwrap();
    assert_eq!(chat.sendable(), "m2");
    let first = chat.claim();
    chat.mark_sent(first).unwrap();
    assert_eq!(chat.sendable(), "m3");
    // An answer does not wait for messages.
    chat.approve("a2");
    assert_eq!(chat.sendable(), "a2");
}

#[test]
fn an_answer_that_may_be_lost_does_not_hold_a_message() {
    let mut chat = passing(2);
    chat.deny("a1");
    let answer = chat.claim();
    chat.mark_failed(answer).unwrap();
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Sent, "m2"));

    let mut chat = passing(2);
    chat.approve("a1");
    let answer = chat.claim();
    chat.mark_failed(answer).unwrap();
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""), "the user retries the approval first");
    assert!(chat.machine.waiting().on(WaitsOn::Retry));
    chat.retry(answer).unwrap();
    assert_eq!(chat.sendable(), "a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    assert_eq!(chat.sendable(), "m2");
}

#[test]
fn a_failed_message_waits_for_a_retry_and_is_never_sent_twice() {
    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    let key = chat.key(chat.item(item));
    chat.mark_failed(item).unwrap();
    assert_eq!((chat.sendable().as_str(), queued(&chat).as_str(), chat.undelivered()), ("", "m2", vec![item]));
    chat.approve("a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    chat.more(|reply| reply.output("c1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.sendable().as_str(), queued(&chat).as_str()), ("", "m2"), "the end of the reply sends nothing");
    assert!(chat.machine.waiting().on(WaitsOn::Retry));
    chat.retry(item).unwrap();
    assert_eq!((chat.sendable().as_str(), chat.key(chat.item(item))), ("m2", key));
    chat.mark_sent(item).unwrap();
    assert_eq!((messages(&chat).as_str(), queued(&chat).as_str()), ("m1 r1 m2", ""));
}

#[test]
fn another_message_or_cancel_sends_a_failed_message_again() {
    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.user("m3"), Sent::Sent);
    assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("m2", vec![]));
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.sendable(), "m3");

    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    chat.cancel();
    // The cancellation of the approval is sent before the message.
    assert_eq!((chat.sendable().as_str(), chat.pending().as_str()), ("a1", ""));
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    assert_eq!((chat.sendable().as_str(), messages(&chat).as_str()), ("m2", "m1 r1 m2"));
}

#[test]
fn a_message_that_may_have_arrived_is_not_sent_again_automatically() {
    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    let mut chat = chat.restored();
    assert_eq!((chat.sendable().as_str(), chat.undelivered(), chat.pending().as_str()), ("", vec![item], "a1"));
    assert_eq!(queued(&chat), "m2!");
    // Another message shows that the user does not wait for its retry: it counts as sent.
    assert_eq!(chat.user("m3"), Sent::Sent);
    assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("m3", vec![]));
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.deny("a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    assert_eq!(messages(&chat), "m1 r1", "the backend's turn goes on");
    chat.end(StreamEnd::Finished);
    assert_eq!((messages(&chat).as_str(), chat.sendable().as_str()), ("m1 r1 m2 m3", ""));
}

#[test]
fn a_message_that_waits_for_a_reply_passes_when_the_reply_asks_for_an_approval() {
    let mut chat = Chat::answering_with(0, pass);
    assert_eq!((chat.user("m2"), chat.sendable().as_str()), (Sent::Queued, ""));
    chat.more(|reply| reply.ask("c1", "a1"));
    assert_eq!((chat.sendable().as_str(), chat.pending().as_str()), ("m2", "a1"));
}

#[test]
fn messages_that_passed_and_one_that_did_not_keep_the_order_in_which_they_are_sent() {
    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.approve("a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    assert_eq!(chat.user("m3"), Sent::Queued, "nothing is pending, so it waits for the reply");
    assert_eq!(queued(&chat), "m2! m3");
    chat.more(|reply| reply.output("c1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((messages(&chat).as_str(), chat.sendable().as_str()), ("m1 r1 m2 m3", "m3"));
    let item = chat.item(chat.listed()[0]);
    assert_eq!(chat.machine.new_messages(item), Some(3..4), "the backend has m2");
}

#[test]
fn a_message_that_was_not_sent_before_the_end_of_the_reply_is_sent_alone_after_it() {
    let mut chat = passing(1);
    chat.user("m2");
    chat.deny("a1");
    assert_eq!(chat.sendable(), "a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.sendable().as_str(), messages(&chat).as_str()), ("m2", "m1 r1"));
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    assert_eq!((chat.sendable().as_str(), messages(&chat).as_str()), ("", "m1 r1 m2"));
}

#[test]
fn stopping_keeps_a_message_that_is_ready_and_holds_decisions() {
    let mut chat = passing(2);
    chat.user("m2");
    chat.approve("a1");
    chat.stop();
    assert_eq!(chat.sendable(), "m2", "the decision is held, the message is the user's act");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.phase("c1"), Phase::Approved);
    assert_eq!(chat.sendable(), "", "a message that was sent releases no decisions");
    chat.resume();
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn a_loaded_history_keeps_approvals_that_were_passed() {
    let history = json!([user("m1"), assistant("r1", &[asked("c1", "a1")]), user("m2"), user("m3")]);
    let mut chat = Chat::answering_with(0, pass);
    chat.end(StreamEnd::Finished);
    chat.load(history.clone());
    assert_eq!((chat.pending().as_str(), queued(&chat).as_str(), messages(&chat).as_str()), ("a1", "m2! m3!", "m1 r1"));
    assert_eq!(chat.sendable(), "", "they were sent before");
    chat.deny("a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    assert_eq!(messages(&chat), "m1 r1", "the backend's turn goes on");
    chat.end(StreamEnd::Finished);
    assert_eq!(messages(&chat), "m1 r1 m2 m3");

    let mut chat = Chat::answering(0);
    chat.end(StreamEnd::Finished);
    chat.load(history);
    assert_eq!((chat.pending().as_str(), messages(&chat).as_str()), ("", "m1 r1 m2 m3"), "another policy closes it");
}

#[test]
fn a_history_that_contains_a_message_which_has_passed_says_that_it_was_sent() {
    let mut chat = passing(1);
    chat.user("m2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.load(json!([user("m1"), assistant("r1", &[asked("c1", "a1")])]));
    assert_eq!((queued(&chat).as_str(), chat.undelivered()), ("m2", vec![item]), "loading sends nothing");
    assert_eq!(chat.sendable(), "");
    chat.load(json!([user("m1"), assistant("r1", &[asked("c1", "a1")]), user("m2"), assistant("r2", &[])]));
    assert_eq!((queued(&chat).as_str(), chat.undelivered()), ("", vec![]));
}

#[test]
fn without_such_a_backend_the_message_waits_for_the_decisions() {
    let mut chat = Chat::answering_with(1, |options| options.on_user_message = OnUserMessage::Pass);
    assert_eq!((chat.user("m2"), chat.pending().as_str(), chat.sendable().as_str()), (Sent::Queued, "a1", ""));
    let mut chat = Chat::asking(1);
    chat.set_options(pass);
    assert_eq!((chat.user("m2"), chat.pending().as_str(), chat.sendable().as_str()), (Sent::Queued, "a1", ""));
}

#[test]
fn a_message_that_the_backend_dropped_is_sent_after_the_reply() {
    let mut chat = passing(1);
    chat.user("m2");
    chat.user("m3");
    for _ in 0..2 {
        let item = chat.claim();
        chat.mark_sent(item).unwrap();
    }
    assert_eq!(queued(&chat), "m2! m3!");
    let dropped = chat.machine.passing_item(&chat.machine.queue().messages()[1]).unwrap().id;
    chat.cancel();
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    chat.message_unread(dropped);
    chat.message_unread(dropped);
    assert_eq!((queued(&chat).as_str(), chat.sendable().as_str()), ("m2! m3", ""), "the reply is still open");
    chat.more(|reply| reply.finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((messages(&chat).as_str(), chat.sendable().as_str()), ("m1 r1 m2 m3", "m3"));
    // It is too late to say so.
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.message_unread(item);
    chat.message_unread(dropped);
    assert_eq!((messages(&chat).as_str(), chat.sendable().as_str()), ("m1 r1 m2 m3", ""));
}

#[test]
fn a_message_that_failed_and_an_answer_are_not_dropped() {
    let mut chat = passing(2);
    chat.user("m2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.message_unread(item);
    assert_eq!((queued(&chat).as_str(), chat.undelivered()), ("m2", vec![item]), "the user retries it");
    chat.approve("a1");
    let answer = chat.claim();
    chat.mark_sent(answer).unwrap();
    chat.message_unread(answer);
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("a2", ""));
}

#[test]
fn after_a_page_load_a_message_that_was_sent_waits_for_nobody() {
    let mut chat = passing(1);
    chat.user("m2");
    for _ in 0..2 {
        let item = chat.claim();
        chat.mark_sent(item).unwrap();
        if chat.pending() == "a1" {
            chat.approve("a1");
        }
    }
    chat.more(|reply| reply.output("c1"));
    let mut chat = chat.restored();
    assert_eq!((queued(&chat).as_str(), chat.waits_for().as_str()), ("m2!", ""), "the user need not resume");
    assert_eq!((chat.user("m3"), chat.sendable().as_str()), (Sent::Sent, "m3"));
    assert_eq!(messages(&chat), "m1 r1 m2 m3");
}

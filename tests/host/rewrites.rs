//! Changing earlier messages: replacing a message, and regenerating a reply.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, Sent, StreamEnd};

#[test]
fn replacing_a_message_removes_everything_after_it_and_supersedes_the_approvals() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    assert_eq!(chat.try_user("m2", Some("m1")), Ok(Sent::Sent));
    assert_eq!(chat.said(), ["m2"]);
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!(chat.respond("a2", true, ""), Err(Code::Superseded));
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", ""));
}

#[test]
fn replacing_a_message_withdraws_ready_items() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let ready = chat.listed()[0];
    chat.try_user("m2", Some("m1")).unwrap();
    assert!(!chat.claim_item(ready));
}

#[test]
fn replacing_is_refused_while_a_request_is_in_flight() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    assert_eq!(chat.try_user("m2", Some("m1")), Err(Code::Busy));
    chat.stream(|reply| reply.text("Well,"));
    assert_eq!(chat.try_user("m2", Some("m1")), Err(Code::Busy));
    chat.end(StreamEnd::Finished);
    assert!(chat.try_user("m2", Some("m9")).is_err(), "no message has this id");
    assert_eq!(chat.said(), ["m1", "Well,"]);
}

#[test]
fn regenerating_removes_the_last_reply_and_requests_a_new_one() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let ready = chat.listed()[0];
    assert_eq!(chat.regenerate(None), Ok(()));
    assert!(!chat.claim_item(ready));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!(chat.said(), ["m1"]);
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("", ""));
    assert_eq!(chat.regenerate(None), Err(Code::Busy));
    chat.reply(|reply| reply.text("Once more."));
    assert_eq!(chat.said(), ["m1", "Once more."]);
}

#[test]
fn regenerating_the_same_reply_twice_is_two_requests() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.text("One."));
    let mut keys = Vec::new();
    for _ in 0..2 {
        chat.regenerate(None).unwrap();
        let item = chat.claim();
        keys.push(chat.key(chat.item(item)));
        chat.reply(|reply| reply.text("Another."));
    }
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn regenerating_at_a_message_removes_it_and_everything_after_it() {
    let mut chat = Chat::default();
    for message in ["m1", "m2"] {
        chat.user(message);
        chat.claim();
        chat.reply(|reply| reply.text("Yes."));
    }
    assert_eq!(chat.said(), ["m1", "Yes.", "m2", "Yes."]);
    assert_eq!(chat.regenerate(Some("r1")), Ok(()));
    assert_eq!(chat.said(), ["m1"]);
    assert!(chat.regenerate(Some("m9")).is_err());
}

#[test]
fn regenerating_gives_up_undelivered_items() {
    let (mut chat, _) = Chat::failed();
    assert_eq!(chat.regenerate(None), Ok(()));
    assert_eq!(chat.undelivered(), NONE);
    chat.claim();
}

#[test]
fn only_the_newest_approvals_of_removed_calls_are_remembered() {
    let mut chat = Chat::default();
    chat.user("m0");
    for turn in 0..40 {
        chat.claim();
        chat.reply(|reply| reply.ask(&format!("c{turn}"), &format!("a{turn}")));
        chat.try_user(&format!("m{}", turn + 1), Some(&format!("m{turn}"))).unwrap();
    }
    assert_eq!(chat.respond("a39", true, ""), Err(Code::Superseded));
    assert_eq!(chat.respond("a8", true, ""), Err(Code::Superseded));
    assert_eq!(chat.respond("a7", true, ""), Err(Code::UnknownApproval));
}

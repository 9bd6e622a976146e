//! Idempotency keys: two requests of the user have different keys, even after a reload.

use crate::chat::Chat;
use crate::stored_histories::{assistant, text, user};
use serde_json::json;
use toolgate::wire::ai_sdk::Shape;

/// A loaded chat: a message, and a reply with this id.
fn answered(answer: &str) -> Chat {
    let mut chat = Chat::default();
    chat.load(json!([user("m1"), assistant(answer, &[text("Well.")])]));
    chat
}

fn key(chat: &Chat) -> String {
    let item = chat.listed()[0];
    chat.key(chat.item(item))
}

#[test]
fn an_edited_message_that_keeps_its_id_has_another_key() {
    let edited = |words: &str| {
        let mut chat = answered("r1");
        chat.edit("m1", words);
        key(&chat)
    };
    assert_ne!(edited("Be quick."), edited("Take your time."));
}

#[test]
fn the_same_message_sent_twice_is_two_requests() {
    let mut chat = answered("r1");
    chat.edit("m1", "Be quick.");
    let first = key(&chat);
    chat.claim();
    chat.reply(|reply| reply.text("Done."));
    chat.edit("m1", "Be quick.");
    assert_ne!(key(&chat), first);
}

#[test]
fn each_regeneration_has_its_own_key() {
    let anew = |answer: &str, named: Option<&str>| {
        let mut chat = answered(answer);
        chat.regenerate(named).unwrap();
        key(&chat)
    };
    for named in [None, Some("m1")] {
        assert_ne!(anew("r1", named), anew("r2", named));
    }
}

#[test]
fn a_decision_after_a_load_never_has_the_key_of_a_removed_call() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let first = key(&chat);
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    chat.regenerate(None).unwrap();
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1"));
    let mut loaded = chat.clone();
    loaded.load(loaded.ui_messages(Shape::View));
    for mut chat in [chat, loaded] {
        chat.approve("a1");
        assert_ne!(key(&chat), first);
    }
}

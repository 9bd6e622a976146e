//! Outputs of page tools that a loaded history lacks: the page must not run a tool again because an app loads a history
//! that it stored before the tool ran.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{assistant, part_with, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{OnUserMessage, Phase, StreamEnd};

/// A chat whose page has run the call `c1`, which needs no approval. Its output waits to be sent.
fn ran_in_page() -> Chat {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    chat.page_output("c1", false).unwrap();
    chat
}

/// The call as the app stored it before it ran.
fn open() -> Json {
    part_with("c1", "input-available", json!({ "type": "tool-locate" }))
}

/// Loads the history that the app stored before the output. The call keeps its output, and cannot run again.
fn load_without_output(chat: &mut Chat) {
    chat.load(json!([user("m1"), assistant("r1", &[open()])]));
    assert_eq!((chat.phase("c1"), chat.runnable().as_str()), (Phase::OutputAvailable, ""));
}

/// The user retries the one undelivered request. It contains the output.
fn retry(chat: &mut Chat) -> u32 {
    let [item] = chat.undelivered()[..] else { panic!("{}", chat.waits_for()) };
    chat.retry(item).unwrap();
    let item = chat.claim();
    assert_eq!(chat.wire_part("c1").unwrap()["state"], "output-available");
    item
}

#[test]
fn an_output_that_was_not_sent_can_be_sent_after_a_load() {
    let mut chat = ran_in_page();
    load_without_output(&mut chat);
    assert_eq!(chat.listed(), NONE, "loading sends nothing");
    retry(&mut chat);
}

#[test]
fn an_output_in_flight_stays_in_its_request() {
    let mut chat = ran_in_page();
    let item = chat.claim();
    load_without_output(&mut chat);
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.waits_for(), format!("retry {item}"));
    assert_eq!(retry(&mut chat), item);
}

#[test]
fn an_output_whose_request_failed_can_be_sent_after_a_load() {
    let mut chat = ran_in_page();
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    load_without_output(&mut chat);
    retry(&mut chat);
}

#[test]
fn an_output_that_was_delivered_is_not_sent_again_after_a_load() {
    let mut chat = ran_in_page();
    chat.claim();
    chat.reply(|reply| reply.text("You are here."));
    load_without_output(&mut chat);
    assert_eq!((chat.listed(), chat.undelivered()), (NONE.to_vec(), NONE.to_vec()));
}

#[test]
fn a_call_of_another_tool_or_of_a_later_turn_does_not_get_the_output() {
    let later = [user("m2"), assistant("r2", &[open()])];
    let other = part_with("c1", "input-available", json!({}));
    let histories = [
        json!([[user("m1"), assistant("r1", &[open()])], later].concat()),
        json!([user("m1"), assistant("r1", &[other])]),
    ];
    for history in histories {
        let mut chat = ran_in_page();
        let item = chat.claim();
        chat.load(history);
        assert_eq!((chat.phase("c1"), chat.runnable().as_str()), (Phase::InputAvailable, ""));
        let mut carried = chat.item(item).carried.iter();
        assert!(carried.all(|carried| chat.machine.transcript().call(carried.call).is_none()));
    }
}

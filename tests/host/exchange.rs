//! The exchange with the backend, and the effect of each input on the item in flight.

use crate::chat::{Chat, NONE};
use serde_json::{Value as Json, json};
use toolgate::machine::{About, Code, Ending, ExchangeState, ItemState, OutcomeKind, Payload, Reconnect, StreamEnd};

/// The state of the exchange.
fn state(chat: &Chat) -> ExchangeState {
    chat.machine.exchange().state()
}

/// The ids of the messages, in order.
fn ids(chat: &Chat) -> Vec<String> {
    chat.machine.transcript().messages().iter().map(|message| chat.text(message.id).to_string()).collect()
}

/// A chat with a ready message after an unrequested reply, which calls a tool.
fn unrequested_before_a_message() -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.more(|reply| reply.start("r9").step().call("c1"));
    assert_eq!((state(&chat), ids(&chat)), (ExchangeState::Unrequested, vec!["r9".to_owned(), "m1".to_owned()]));
    assert_eq!(chat.sendable(), "m1");
    chat
}

#[test]
fn a_claim_ends_an_unrequested_reply() {
    let mut chat = unrequested_before_a_message();
    chat.claim();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!(state(&chat), ExchangeState::InFlight);
}

#[test]
fn the_reply_to_a_request_ends_an_unrequested_one() {
    let mut chat = unrequested_before_a_message();
    let item = chat.listed()[0];
    chat.more_of(item, |reply| reply.start("r1").step().text("Hello."));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    assert_eq!((ids(&chat).join(" "), chat.item(item).state()), ("r9 m1 r1".to_owned(), ItemState::Replying));
}

#[test]
fn unrequested_content_never_comes_before_a_message_that_was_sent() {
    let (mut chat, item) = Chat::waiting();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    chat.more(|reply| reply.start("r9").text("Late."));
    assert_eq!((chat.anomalies().first(), ids(&chat)), (Some(&Code::Superseded), vec!["m1".to_owned()]));
    assert_eq!((state(&chat), chat.listed()), (ExchangeState::Idle, vec![item]));
}

#[test]
fn transient_data_opens_no_reply() {
    let mut chat = Chat::asking(1);
    chat.more(|reply| reply.raw(json!({ "type": "data-progress", "data": 1, "transient": true })));
    assert_eq!(state(&chat), ExchangeState::Idle);
}

#[test]
fn an_attachment_opens_no_unrequested_reply() {
    let mut chat = Chat::asking(1);
    chat.more(|reply| reply.raw(json!({ "type": "file", "url": "https://a.test/b.png", "mediaType": "image/png" })));
    assert_eq!((state(&chat), chat.waits_for().as_str()), (ExchangeState::Idle, "user c1"));
    chat.approve("a1");
    assert_eq!(chat.sendable(), "a1");
}

#[test]
fn an_attachment_opens_the_reply_to_the_request_in_flight() {
    let (mut chat, item) = Chat::waiting();
    chat.more(|reply| reply.raw(json!({ "type": "file", "url": "https://a.test/b.png", "mediaType": "image/png" })));
    assert_eq!(chat.item(item).state(), ItemState::Replying);
}

#[test]
fn a_report_on_a_call_that_the_request_does_not_contain_does_not_open_the_reply() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").provider_call("c2"));
    chat.approve("a1");
    let item = chat.claim();
    chat.more(|reply| reply.output("c2"));
    assert_eq!((chat.item(item).state(), chat.state("c2")), (ItemState::InFlight, "output-available"));
}

#[test]
fn stop_before_a_reply_holds_the_decisions_made_during_that_reply() {
    let (mut chat, _) = Chat::waiting();
    chat.stop();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.approve("a1");
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.listed(), chat.waits_for().as_str()), (NONE.to_vec(), "resume"));
}

#[test]
fn reconnecting_makes_the_request_in_flight_unconfirmed_and_ends_an_open_reply() {
    let (mut chat, item) = Chat::waiting();
    chat.reconnecting();
    assert_eq!((state(&chat), chat.item(item).state()), (ExchangeState::Reconnecting, ItemState::Unconfirmed));
    let mut chat = Chat::asking_in_a_stream(1);
    chat.reconnecting();
    assert_eq!((state(&chat), chat.machine.turn().ending()), (ExchangeState::Reconnecting, Some(Ending::Disconnected)));
}

#[test]
fn nothing_is_sent_while_the_host_reconnects() {
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    chat.reconnecting();
    assert_eq!((chat.listed(), chat.claim_item(item)), (NONE.to_vec(), false));
    chat.tick(10_000);
    assert_eq!(chat.listed(), [item]);
    // If the host still reports a failure, the item has failed.
    let mut chat = Chat::decided();
    let item = chat.listed()[0];
    chat.reconnecting();
    chat.act(|chat| chat.machine.mark_failed(item, Payload::NONE)).unwrap();
    assert_eq!(chat.item(item).state(), ItemState::Failed);
}

#[test]
fn content_that_arrives_while_the_host_reconnects_is_written() {
    let mut chat = Chat::asking(1);
    chat.reconnecting();
    chat.more(|reply| reply.start("r9").step().text("Here I am."));
    assert_eq!((state(&chat), chat.said()), (ExchangeState::Unrequested, vec!["m1".into(), "Here I am.".into()]));
}

#[test]
fn an_error_event_before_any_content_decides_how_the_turn_ended() {
    let (mut chat, _) = Chat::waiting();
    chat.more(crate::stream::Stream::failure);
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.machine.turn().ending(), Some(Ending::Failed));
}

#[test]
fn a_reply_to_a_request_that_was_marked_as_failed_completes_the_request() {
    let (mut chat, item) = Chat::failed();
    chat.more_of(item, |reply| reply.start("r1").step().text("Well."));
    assert_eq!((chat.item(item).state(), chat.undelivered()), (ItemState::Replying, NONE.to_vec()));
}

/// Reads an event of the stream to this request, to which the host reconnected.
fn again(chat: &mut Chat, item: u32, chunk: Json) {
    let about = About { request: Some(item), attempt: None, reconnect: Some(Reconnect::Start) };
    chat.receive_about(chunk, about);
}

#[test]
fn a_reconnected_stream_reopens_the_reply_to_a_stalled_item() {
    let (mut chat, item) = Chat::stalled();
    chat.more_of(item, |reply| reply.text("Late."));
    assert_eq!((chat.item(item).state(), state(&chat)), (ItemState::Stalled, ExchangeState::Idle));
    again(&mut chat, item, json!({ "type": "start", "messageId": "r1" }));
    assert_eq!((chat.item(item).state(), state(&chat)), (ItemState::Replying, ExchangeState::Replying));
}

#[test]
fn an_event_of_the_previous_attempt_does_not_answer_the_retry() {
    let (mut chat, item) = Chat::failed();
    chat.retry(item).unwrap();
    let about = About { request: Some(item), attempt: Some(1), reconnect: None };
    chat.receive_about(json!({ "type": "start", "messageId": "r9" }), about);
    assert_eq!((chat.item(item).state(), chat.listed()), (ItemState::Ready, vec![item]));
}

#[test]
fn the_rest_of_a_cut_reply_does_not_open_a_reply_while_a_message_is_ready() {
    let (mut chat, first) = Chat::waiting();
    chat.more_of(first, |reply| reply.start("r1").step().ask("c1", "a1"));
    chat.end(StreamEnd::Disconnected);
    chat.user("m2");
    let ready = chat.listed();
    chat.more_of(first, |reply| reply.start("r1").text("And so on."));
    assert_eq!(
        (state(&chat), chat.listed(), chat.said()),
        (ExchangeState::Idle, ready, vec!["m1".into(), "m2".into()])
    );
}

#[test]
fn a_reconnected_stream_continues_from_an_offset_or_replays_from_the_start() {
    for (how, said) in [(Reconnect::Offset, vec!["m1", "So.", "So."]), (Reconnect::Start, vec!["m1", "So."])] {
        let (mut chat, _) = Chat::waiting();
        chat.more(|reply| reply.start("r1").text("So."));
        chat.end(StreamEnd::Disconnected);
        chat.reconnected(how, |reply| reply.text("So."));
        assert_eq!(
            (chat.said(), ids(&chat).join(" ")),
            (said.into_iter().map(Into::into).collect(), "m1 r1".to_owned())
        );
    }
}

#[test]
fn answers_do_not_wait_for_a_reply_that_has_begun() {
    let mut chat = Chat::answering_with(1, |options| options.answers_first = true);
    chat.more(|reply| reply.step_done().finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    let item = chat.claim();
    assert_eq!((chat.item(item).state(), chat.waits_for().as_str()), (ItemState::InFlight, "reply"));
    chat.more(|reply| reply.start("r9").step().text("Going on."));
    chat.mark_sent(item).unwrap();
    assert_eq!(chat.item(item).state(), ItemState::Done);
}

#[test]
fn the_reply_to_a_failed_request_ends_an_unrequested_one() {
    let (mut chat, item) = Chat::failed();
    chat.more(|reply| reply.start("r9").step().ask("c9", "a9"));
    chat.approve("a9");
    chat.more_of(item, |reply| reply.output("c1"));
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("", "resume"));
}

/// Reads an event of a stream whose host gives messages no ids.
fn unnamed(chat: &mut Chat, chunk: Json) {
    chat.act(|chat| {
        let (fallback_id, chunk) = (chat.store.make("unnamed"), chat.store.json_value(chunk));
        chat.codec.receive(&mut chat.machine, &chat.store, chunk, About::default(), fallback_id, 0);
    });
}

#[test]
fn an_unrequested_message_without_an_id_does_not_hide_the_users_message_after_it() {
    let mut chat = Chat::default();
    chat.user("m1");
    unnamed(&mut chat, json!({ "type": "start" }));
    assert_eq!((chat.machine.shown_messages(), chat.machine.current_message()), (2, Some(0)));
    assert_eq!(chat.sendable(), "m1");
}

#[test]
fn a_message_without_an_id_is_shown_once_it_has_content_and_dropped_otherwise() {
    for speaks in [false, true] {
        let (mut chat, _) = Chat::waiting();
        unnamed(&mut chat, json!({ "type": "start" }));
        unnamed(&mut chat, json!({ "type": "start-step" }));
        assert_eq!((chat.machine.shown_messages(), ids(&chat).len()), (1, 2));
        assert_eq!(chat.machine.shown_step(), 1, "its step is not shown either");
        if speaks {
            unnamed(&mut chat, json!({ "type": "text-start", "id": "t" }));
            assert_eq!(chat.machine.shown_messages(), 2);
        }
        chat.end(StreamEnd::Finished);
        let shown = if speaks { 2 } else { 1 };
        assert_eq!((chat.machine.shown_messages(), ids(&chat).len()), (shown, shown));
    }
}

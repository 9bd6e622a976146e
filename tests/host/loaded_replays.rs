//! Replays after a load: when the stream of a loaded reply is read again from its start, no part is duplicated.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{answered, assistant, ran, text, user};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{DeliveryState, Reconnect, Status, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// A chat that loaded these messages. `answering`: its protocol sends decisions while the stream is open.
fn loaded(history: &[Json], answering: bool) -> Chat {
    let mut chat = Chat::default();
    chat.set_options(|options| options.answering = answering);
    chat.load(json!(history));
    chat
}

/// A reply with approval requests.
fn asks(reply: Stream) -> Stream {
    reply.start("r1").step().text("Let me see.").ask("c1", "a1").ask("c2", "a2").step_done().finish()
}

/// A history that ends with that reply, whose approvals are decided.
fn decided(approved: bool) -> [Json; 2] {
    let done = json!({ "type": "text", "text": "Let me see.", "state": "done" });
    let calls = [done, answered("c1", "a1", approved), answered("c2", "a2", approved)];
    [user("m1"), assistant("r1", &calls)]
}

#[test]
fn a_replay_of_a_loaded_reply_whose_decisions_are_unconfirmed_changes_nothing() {
    for (approved, answering) in [(true, false), (false, false), (true, true), (false, true)] {
        // A replayed text starts from its beginning, so no replay is cut within a text.
        for length in [1, 2, 5, 6, 7, 8, 9, 10, 11] {
            for end in [StreamEnd::Finished, StreamEnd::Disconnected] {
                let mut chat = loaded(&decided(approved), answering);
                let (before, items) = (chat.ui_messages(Shape::View), chat.undelivered());
                assert!(!items.is_empty());
                for _ in 0..2 {
                    chat.reconnecting();
                    let chunks = asks(Stream::new()).chunks().into_iter().take(length);
                    chat.reconnected(Reconnect::Start, |reply| chunks.fold(reply, Stream::raw));
                    assert_eq!(chat.ui_messages(Shape::View), before, "{approved}, {answering}, {length} events");
                    chat.end(end);
                    assert_eq!(chat.ui_messages(Shape::View), before, "{approved}, {answering}, {length} events");
                    assert_eq!(chat.undelivered(), items, "{approved}, {answering}, {length} events, {end:?}");
                }
            }
        }
    }
}

#[test]
fn the_reply_to_loaded_decisions_continues_the_message() {
    for replayed in [false, true] {
        let mut chat = loaded(&decided(true), false);
        let item = chat.undelivered()[0];
        if replayed {
            chat.reconnecting();
            chat.reconnected(Reconnect::Start, asks);
            chat.end(StreamEnd::Finished);
        }
        for _ in 0..2 {
            chat.reconnecting();
            chat.reconnected(Reconnect::Start, |reply| {
                reply.start("r1").output("c1").output("c2").step().text("Done.").step_done().finish()
            });
            chat.end(StreamEnd::Finished);
            assert_eq!(chat.said(), ["m1", "Let me see.", "Done."], "{replayed}");
        }
        assert_eq!(chat.item_state(item), DeliveryState::Acknowledged, "{replayed}");
        assert_eq!((chat.undelivered(), chat.machine.status()), (NONE.to_vec(), Status::Idle), "{replayed}");
    }
}

#[test]
fn a_replay_of_the_reply_to_a_message_that_may_have_been_lost_duplicates_nothing() {
    let (mut chat, item) = Chat::waiting();
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.item_state(item), DeliveryState::Unconfirmed);
    // Another tab has stored the beginning of the reply.
    chat.load(json!([user("m1"), assistant("r1", &[text("Let me")])]));
    chat.reconnecting();
    chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Let me").text("see.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.said(), chat.undelivered()), (vec!["m1".into(), "Let me".into(), "see.".into()], NONE.to_vec()));
}

#[test]
fn a_replay_of_the_last_of_two_replies_in_a_loaded_message_duplicates_nothing() {
    let second = |reply: Stream| reply.start("r1").output("c1").step().text("Next.").ask("c2", "a2").step_done();
    let mut last = assistant("r1", &[text("Let me see."), ran("c1")]);
    last["parts"].as_array_mut().unwrap().extend([json!({ "type": "step-start" }), text("Next.")]);
    for has_request in [true, false] {
        let mut history = last.clone();
        if has_request {
            let asked = crate::stored_histories::asked("c2", "a2");
            history["parts"].as_array_mut().unwrap().push(asked);
        }
        let mut chat = loaded(&[user("m1"), history], false);
        for _ in 0..2 {
            chat.reconnecting();
            chat.reconnected(Reconnect::Start, |reply| second(reply).finish());
            chat.end(StreamEnd::Finished);
            assert_eq!(chat.said(), ["m1", "Let me see.", "Next."], "{has_request}");
            let message = &chat.machine.transcript().messages()[1];
            assert_eq!((message.calls().count(), message.parts.len()), (2, 6), "{has_request}");
            assert_eq!((chat.pending().as_str(), chat.anomalies()), ("a2", vec![]), "{has_request}");
        }
    }
}

#[test]
fn a_load_between_a_reply_and_its_replay_keeps_where_the_reply_began() {
    let ends: [fn(&mut Chat, u32); 3] = [
        |chat, item| chat.mark_failed(item).unwrap(),
        |chat, _| chat.end(StreamEnd::Disconnected),
        |chat, _| chat.end(StreamEnd::Finished),
    ];
    for end in ends {
        let mut chat = Chat::default();
        chat.user("m1");
        chat.claim();
        chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
        chat.approve("a1");
        chat.end(StreamEnd::Finished);
        let item = chat.claim();
        let reply = |reply: Stream| reply.start("r1").output("c1").text("Done.");
        chat.more(reply);
        end(&mut chat, item);
        let shown = chat.ui_messages(Shape::View);
        chat.load(shown);
        let before = chat.said();
        chat.reconnected(Reconnect::Start, reply);
        assert_eq!(chat.said(), before, "the text is not doubled");
    }
}

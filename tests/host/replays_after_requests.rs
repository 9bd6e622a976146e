//! Replays of a reply after the next request failed or may have failed. The reply is not duplicated, and the request
//! stays undelivered, unless the stream turns out to be the reply to that request.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use serde_json::Value as Json;
use toolgate::machine::{DeliveryState, Exchange, OutcomeKind, Reconnect, Status, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

/// The ways in which a request is not acknowledged.
const WAYS: [&str; 5] = ["failed", "failed and restored", "disconnected", "reconnecting", "restored"];

/// A reply with approval requests, without its end.
fn asks(reply: Stream) -> Stream {
    reply.start("r1").step().text("Let me see.").ask("c1", "a1").ask("c2", "a2")
}

/// A whole reply with approval requests.
fn whole(reply: Stream) -> Stream {
    asks(reply).step_done().finish()
}

/// The reply to the decisions.
fn answer(reply: Stream) -> Stream {
    reply.start("r1").output("c1").output("c2").step().text("Done.").step_done().finish()
}

/// A chat whose approvals are decided; the reply that requested them has this ending.
fn answered(ending: StreamEnd) -> Chat {
    let (mut chat, _) = Chat::waiting();
    chat.more(if ending == StreamEnd::Finished { whole } else { asks });
    chat.end(ending);
    chat.approve("a1");
    chat.approve("a2");
    chat
}

/// The same chat after its request was not acknowledged, in this way.
fn unacknowledged(way: &str, ending: StreamEnd) -> (Chat, u32) {
    let mut chat = answered(ending);
    let item = chat.claim();
    match way {
        "failed" | "failed and restored" => chat.mark_failed(item).unwrap(),
        "disconnected" => chat.end(StreamEnd::Disconnected),
        "reconnecting" => chat.reconnecting(),
        _ => {}
    }
    let chat = if way.ends_with("restored") { chat.restored() } else { chat };
    (chat, item)
}

/// Everything that the chat shows after the time limit for reconnecting.
fn settled_facts(chat: &mut Chat) -> Json {
    if *chat.machine.exchange() != Exchange::Idle {
        chat.tick(20_000);
    }
    chat.facts()
}

#[test]
fn a_replay_after_a_request_that_was_not_acknowledged_changes_nothing() {
    for ending in [StreamEnd::Finished, StreamEnd::Disconnected] {
        for way in WAYS {
            for length in [1, 2, 5, 7, 9, 11] {
                for end in [StreamEnd::Finished, StreamEnd::Disconnected] {
                    let (mut chat, item) = unacknowledged(way, ending);
                    let before = settled_facts(&mut chat);
                    chat.anomalies();
                    // The replay completes a step that was cut, which may change the turn.
                    let completes = ending == StreamEnd::Disconnected && length > 9;
                    let seen = |mut facts: Json| {
                        facts["turn"][0] = if completes { Json::Null } else { facts["turn"][0].take() };
                        facts
                    };
                    let before = seen(before);
                    for _ in 0..2 {
                        chat.reconnecting();
                        let chunks = whole(Stream::new()).chunks().into_iter().take(length);
                        chat.reconnected(Reconnect::Start, |reply| chunks.fold(reply, Stream::raw));
                        chat.end(end);
                        assert_eq!(seen(chat.facts()), before, "{way}, {ending:?}, {length} events, {end:?}");
                        assert_eq!(chat.anomalies(), [], "{way}, {length} events");
                    }
                    chat.retry(item).unwrap();
                    assert_eq!(chat.claim(), item);
                    chat.more(answer);
                    chat.end(StreamEnd::Finished);
                    assert_eq!(chat.said(), ["m1", "Let me see.", "Done."], "{way}");
                    assert_eq!((chat.undelivered(), chat.machine.status()), (NONE.to_vec(), Status::Idle), "{way}");
                }
            }
        }
    }
}

#[test]
fn a_stream_that_settles_a_call_of_the_request_before_its_first_step_is_the_reply_to_it() {
    for ending in [StreamEnd::Finished, StreamEnd::Disconnected] {
        for way in WAYS {
            let (mut chat, item) = unacknowledged(way, ending);
            chat.reconnecting();
            chat.reconnected(Reconnect::Start, answer);
            chat.end(StreamEnd::Finished);
            assert_eq!(chat.item_state(item), DeliveryState::Acknowledged, "{way}");
            let mut straight = answered(ending);
            straight.claim();
            straight.more(answer);
            straight.end(StreamEnd::Finished);
            assert_eq!(chat.ui_messages(Shape::View), straight.ui_messages(Shape::View), "{way}");
            assert_eq!((chat.undelivered(), chat.machine.status()), (NONE.to_vec(), Status::Idle), "{way}");
            assert_eq!(chat.facts()["turn"], straight.facts()["turn"], "{way}");
        }
    }
}

#[test]
fn the_reply_to_the_request_may_follow_a_replay_of_the_previous_reply() {
    for way in WAYS {
        let (mut chat, item) = unacknowledged(way, StreamEnd::Finished);
        chat.reconnecting();
        chat.reconnected(Reconnect::Start, whole);
        chat.end(StreamEnd::Finished);
        chat.reconnecting();
        chat.reconnected(Reconnect::Start, answer);
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.said(), ["m1", "Let me see.", "Done."], "{way}");
        assert_eq!(chat.item_state(item), DeliveryState::Acknowledged, "{way}");
        // The reply may also be replayed again.
        let before = chat.facts();
        chat.reconnected(Reconnect::Start, answer);
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.facts(), before, "{way}");
    }
}

#[test]
fn a_final_denial_shows_that_a_stream_is_the_reply_to_the_request() {
    for way in WAYS {
        let (mut chat, _) = Chat::waiting();
        chat.more(whole);
        chat.end(StreamEnd::Finished);
        chat.deny("a1");
        chat.deny("a2");
        let item = chat.claim();
        if way == "disconnected" {
            chat.end(StreamEnd::Disconnected);
        } else {
            chat.mark_failed(item).unwrap();
        }
        chat.reconnecting();
        let reply = |reply: Stream| reply.start("r1").denied("c1").denied("c2").step().text("Then not.").finish();
        chat.reconnected(Reconnect::Start, reply);
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.said(), ["m1", "Let me see.", "Then not."]);
        assert_eq!(chat.item_state(item), DeliveryState::Acknowledged);
    }
}

#[test]
fn a_replay_does_not_change_a_retry_and_the_reply_withdraws_it() {
    for way in WAYS {
        let (mut chat, item) = unacknowledged(way, StreamEnd::Finished);
        settled_facts(&mut chat);
        chat.retry(item).unwrap();
        let mut other = chat.clone();
        chat.reconnected(Reconnect::Start, whole);
        chat.end(StreamEnd::Finished);
        assert_eq!((chat.listed(), chat.item(item).attempt), (vec![item], 2), "{way}");
        assert_eq!(chat.said(), ["m1", "Let me see."], "{way}");
        other.reconnected(Reconnect::Start, answer);
        other.end(StreamEnd::Finished);
        assert_eq!((other.listed(), other.item(item).attempt), (NONE.to_vec(), 1), "{way}");
        assert_eq!(other.said(), ["m1", "Let me see.", "Done."], "{way}");
    }
}

#[test]
fn a_replay_that_continues_with_a_new_call_withdraws_a_retry() {
    for way in WAYS {
        let (mut chat, item) = unacknowledged(way, StreamEnd::Finished);
        settled_facts(&mut chat);
        chat.retry(item).unwrap();
        chat.reconnected(Reconnect::Start, |reply| asks(reply).call("c9"));
        assert_eq!((chat.listed(), chat.undelivered()), (NONE.to_vec(), vec![item]), "{way}");
    }
}

#[test]
fn a_replay_after_the_request_was_given_up_changes_nothing() {
    for way in WAYS {
        let (mut chat, _) = unacknowledged(way, StreamEnd::Finished);
        settled_facts(&mut chat);
        chat.cancel();
        let before = chat.facts();
        let mut other = chat.clone();
        chat.reconnecting();
        chat.reconnected(Reconnect::Start, whole);
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.facts(), before, "{way}");
        other.reconnected(Reconnect::Start, answer);
        other.end(StreamEnd::Finished);
        assert_eq!(other.said(), ["m1", "Let me see.", "Done."], "{way}");
        assert_eq!(other.outcome("c1"), Some((OutcomeKind::Cancelled, true)), "{way}");
    }
}

#[test]
fn a_replay_of_an_earlier_message_is_not_the_reply_to_a_message_that_may_not_have_arrived() {
    for way in WAYS {
        let (mut chat, _) = Chat::waiting();
        chat.more(|reply| reply.start("r1").step().text("Hello.").step_done().finish());
        chat.end(StreamEnd::Finished);
        chat.user("m2");
        let item = chat.claim();
        match way {
            "failed" | "failed and restored" => chat.mark_failed(item).unwrap(),
            "disconnected" => chat.end(StreamEnd::Disconnected),
            "reconnecting" => chat.reconnecting(),
            _ => {}
        }
        let mut chat = if way.ends_with("restored") { chat.restored() } else { chat };
        let before = settled_facts(&mut chat);
        chat.reconnecting();
        chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Hello.").step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.facts(), before, "{way}");
        chat.retry(item).unwrap();
        chat.claim();
        chat.reply(|reply| reply.text("Again hello."));
        assert_eq!(chat.said(), ["m1", "Hello.", "m2", "Again hello."], "{way}");
    }
}

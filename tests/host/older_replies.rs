//! The host reconnects, and the server sends a reply again that came before the last one. Nothing of it is asked again.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use toolgate::machine::{OutcomeKind, Reconnect, StreamEnd};

/// The reply that requested approvals, as the server repeats it.
fn asks(reply: Stream) -> Stream {
    reply.start("r1").step().call("c0").output("c0").ask("c1", "a1").step_done().finish()
}

/// A chat whose first reply ended so. Its denial was sent and answered, and that answer ended so.
fn denied(first: StreamEnd, answer: StreamEnd, message: &str) -> Chat {
    let (mut chat, _) = Chat::waiting();
    chat.more(|reply| reply.start("r1").step().call("c0").output("c0").ask("c1", "a1"));
    chat.end(first);
    chat.deny("a1");
    chat.claim();
    chat.stream(|reply| reply.start(message).denied("c1").step().text("Then not."));
    chat.end(answer);
    chat
}

/// The ids of all calls, in order.
fn calls(chat: &Chat) -> Vec<String> {
    let messages = chat.machine.transcript().messages().iter();
    messages.flat_map(|message| message.calls()).map(|part| chat.text(part.call).to_string()).collect()
}

const FIRST: [StreamEnd; 2] = [StreamEnd::Finished, StreamEnd::Disconnected];

#[test]
fn an_older_reply_takes_no_decision_back_and_doubles_no_call() {
    for (first, message) in FIRST.into_iter().flat_map(|first| [(first, "r1"), (first, "r2")]) {
        for how in [Reconnect::Start, Reconnect::Offset] {
            for restores in [false, true] {
                let mut chat = denied(first, StreamEnd::Finished, message);
                if restores {
                    chat = chat.restored();
                }
                let before = chat.facts();
                chat.reconnecting();
                chat.reconnected(how, asks);
                chat.end(StreamEnd::Finished);
                assert_eq!(
                    (chat.pending().as_str(), chat.listed()),
                    ("", NONE.to_vec()),
                    "{first:?} {message} {how:?}"
                );
                assert_eq!(calls(&chat), ["c0", "c1"], "{first:?} {message} {how:?}");
                // After an offset, the stream should not repeat anything. A start may name its message anew.
                if how == Reconnect::Start && message == "r1" {
                    assert_eq!(chat.facts(), before, "{first:?} {message}");
                }
            }
        }
    }
}

#[test]
fn a_denied_call_stays_denied_if_the_answer_to_its_denial_broke_off() {
    for message in ["r1", "r2"] {
        let mut chat = denied(StreamEnd::Finished, StreamEnd::Disconnected, message);
        chat.reconnected(Reconnect::Start, asks);
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.pending(), "", "{message}");
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    }
}

#[test]
fn a_stream_that_names_an_earlier_message_writes_nothing_into_the_last_one() {
    for end in [StreamEnd::Finished, StreamEnd::Disconnected] {
        let (mut chat, _) = Chat::waiting();
        chat.more(|reply| reply.start("r1").step().text("Hello.").call("c1"));
        chat.end(StreamEnd::Finished);
        // A reply that the server sends by itself.
        chat.more(|reply| reply.start("r2").step().text("One more thing."));
        chat.end(end);
        let before = chat.facts();
        chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Hello.").ask("c2", "a2"));
        chat.end(end);
        assert_eq!(chat.facts(), before, "{end:?}");
    }
}

#[test]
fn the_call_of_a_later_reply_with_the_same_id_and_input_is_asked() {
    let mut chat = denied(StreamEnd::Finished, StreamEnd::Disconnected, "r1");
    chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Then not.").ask("c1", "a2"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.pending(), "a2");
    assert_eq!(calls(&chat), ["c0", "c1", "c1"]);
}

#[test]
fn without_approval_ids_of_its_own_a_backend_may_ask_the_same_again() {
    let (mut chat, _) = Chat::waiting();
    chat.more(|reply| reply.start("r1").step().ask("c1", "c1"));
    chat.end(StreamEnd::Finished);
    chat.deny("c1");
    chat.claim();
    chat.stream(|reply| reply.start("r1").denied("c1").step().text("Once more:"));
    chat.end(StreamEnd::Disconnected);
    chat.reconnected(Reconnect::Start, |reply| reply.start("r1").step().text("Once more:").ask("c1", "c1"));
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.pending().as_str(), calls(&chat).len()), ("c1", 2));
}

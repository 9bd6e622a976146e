//! Random streams that arrive in different ways: cut and replayed, split differently, with doubled chunks.
//!
//! The transcript must not depend on the way in which a stream arrives (invariant 12).

use crate::chat::Chat;
use crate::operations::{Chunk, Operation, perform};
use crate::random::{case, cases};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};
use toolgate::machine::{About, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_stream_that_is_cut_anywhere_and_replayed_gives_the_same_chat(chunks in story(), cut in 0..16usize) {
        case(|| {
            let (mut straight, mut cut_off) = (begun(), begun());
            tell(&mut straight, &chunks);
            tell(&mut cut_off, &chunks[..cut.min(chunks.len())]);
            cut_off.end(StreamEnd::Disconnected);
            tell(&mut cut_off, &chunks);
            for chat in [&mut straight, &mut cut_off] {
                perform(chat, Operation::Chunk(Chunk::Finish));
                chat.end(StreamEnd::Finished);
            }
            let (straight, cut_off) = (straight.ui_messages(Shape::View), cut_off.ui_messages(Shape::View));
            prop_assert_eq!(straight.to_string(), cut_off.to_string(), "invariant 12");
            Ok(())
        })?;
    }

    #[test]
    fn texts_and_inputs_split_differently_give_the_same_chat(said in said(), pieces in pieces(), others in pieces()) {
        case(|| {
            let [one, other] = [&pieces, &others].map(|pieces| {
                let mut chat = begun();
                feed(&mut chat, &chunks_of(&said, pieces));
                chat.end(StreamEnd::Finished);
                chat.ui_messages(Shape::View)
            });
            prop_assert_eq!(one, other, "invariant 12");
            Ok(())
        })?;
    }

    #[test]
    fn a_replay_that_is_split_differently_gives_the_same_chat(
        said in said(),
        [pieces, half, others] in [pieces(), pieces(), pieces()],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        case(|| {
            let (mut straight, mut cut_off) = (begun(), begun());
            feed(&mut straight, &chunks_of(&said, &pieces));
            let half = chunks_of(&said, &half);
            for cut in cuts {
                feed(&mut cut_off, &half[..cut.index(half.len() + 1)]);
                cut_off.end(StreamEnd::Disconnected);
            }
            feed(&mut cut_off, &chunks_of(&said, &others));
            for chat in [&mut straight, &mut cut_off] {
                chat.end(StreamEnd::Finished);
            }
            let (straight, cut_off) = (straight.ui_messages(Shape::View), cut_off.ui_messages(Shape::View));
            prop_assert_eq!(straight, cut_off, "invariant 12");
            Ok(())
        })?;
    }

    #[test]
    fn doubled_chunks_of_calls_give_the_same_chat(
        said in said(),
        pieces in pieces(),
        twice in prop::collection::vec(any::<bool>(), 1..24),
    ) {
        case(|| {
            let chunks = chunks_of(&said, &pieces);
            let (mut once, mut doubled) = (begun(), begun());
            feed(&mut once, &chunks);
            for (chunk, &twice) in chunks.iter().zip(twice.iter().cycle()) {
                let again = twice && may_come_twice(chunk);
                feed(&mut doubled, &vec![chunk.clone(); 1 + usize::from(again)]);
            }
            for chat in [&mut once, &mut doubled] {
                chat.end(StreamEnd::Finished);
            }
            prop_assert_eq!(once.ui_messages(Shape::View), doubled.ui_messages(Shape::View), "invariant 12");
            Ok(())
        })?;
    }
}

/// A chat whose message was sent.
fn begun() -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat
}

/// Reads one reply, from its beginning.
fn tell(chat: &mut Chat, chunks: &[Chunk]) {
    chat.more(|reply| reply.start("r1").step());
    for &chunk in chunks {
        perform(chat, Operation::Chunk(chunk));
    }
}

/// A reply without contradictions: the calls are in any order, and the events of each call are valid.
fn story() -> impl Strategy<Value = Vec<Chunk>> {
    use Chunk::{
        Ask, Automatic, Call, Denied, Error, InputDelta, InputError, InputStart, Output, Preliminary, Response,
    };
    let life = |c: u8| {
        select(vec![
            vec![Ask(c)],
            vec![InputStart(c), InputDelta(c), Call(c), Output(c)],
            vec![InputStart(c), InputDelta(c), Ask(c), Denied(c)],
            vec![Call(c), Preliminary(c), Preliminary(c), Output(c)],
            vec![Automatic(c), Response(c, true), Output(c)],
            vec![Automatic(c), Response(c, false)],
            vec![InputStart(c), InputError(c)],
            vec![Call(c), Error(c)],
        ])
    };
    let turns = prop::collection::vec(0..6usize, 4..16);
    (life(1), life(2), life(3), turns).prop_map(|(first, second, third, turns)| {
        let mut lives = [first.into_iter(), second.into_iter(), third.into_iter()];
        let told = turns.into_iter().filter_map(|turn| match turn {
            0..=2 => lives[turn].next(),
            3 => Some(Chunk::Step),
            _ => Some(Chunk::Text),
        });
        told.collect()
    })
}

/// One part of a reply.
#[derive(Clone, Debug)]
enum Said {
    /// A text, or reasoning (`true`).
    Text(bool, String),
    /// A call whose input streams in, and its other events.
    Call(String, Life),
    /// Another step begins.
    Step,
}

/// The events of a call after its input.
#[derive(Clone, Copy, Debug)]
enum Life {
    Runs,
    Fails,
    Asks,
    IsDenied,
    StaysHalf,
}

fn said() -> impl Strategy<Value = Vec<Said>> {
    let life = select(vec![Life::Runs, Life::Fails, Life::Asks, Life::IsDenied, Life::StaysHalf]);
    let one = prop_oneof![
        3 => (any::<bool>(), "[a-z é\\n]{0,12}").prop_map(|(thoughts, text)| Said::Text(thoughts, text)),
        3 => ("[a-z\u{e9}\u{1F600}]{0,8}", life).prop_map(|(value, life)| Said::Call(value, life)),
        1 => Just(Said::Step),
    ];
    prop::collection::vec(one, 1..7)
}

/// The lengths of the pieces that a text is cut into, repeated as needed.
fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..6usize, 1..5)
}

/// A text in pieces of these lengths.
fn cut(text: &str, pieces: &[usize]) -> Vec<String> {
    let mut letters = text.chars();
    let cut = pieces.iter().cycle().map(|&length| letters.by_ref().take(length).collect::<String>());
    cut.take_while(|piece| !piece.is_empty()).collect()
}

/// The chunks of the reply, with its texts and inputs in pieces.
fn chunks_of(said: &[Said], pieces: &[usize]) -> Vec<Json> {
    let mut chunks = vec![json!({ "type": "start", "messageId": "r1" }), json!({ "type": "start-step" })];
    for (number, one) in said.iter().enumerate() {
        let id = format!("n{number}");
        match one {
            Said::Step => chunks.push(json!({ "type": "start-step" })),
            Said::Text(thoughts, text) => {
                let of = |what: &str| format!("{}-{what}", if *thoughts { "reasoning" } else { "text" });
                chunks.push(json!({ "type": of("start"), "id": id }));
                let deltas = cut(text, pieces).into_iter();
                chunks.extend(deltas.map(|delta| json!({ "type": of("delta"), "id": id, "delta": delta })));
                chunks.push(json!({ "type": of("end"), "id": id }));
            }
            Said::Call(value, life) => {
                let input = json!({ "of": value });
                chunks.push(json!({ "type": "tool-input-start", "toolCallId": id, "toolName": "edit" }));
                let deltas = cut(&input.to_string(), pieces).into_iter();
                chunks.extend(
                    deltas
                        .map(|delta| json!({ "type": "tool-input-delta", "toolCallId": id, "inputTextDelta": delta })),
                );
                let whole =
                    json!({ "type": "tool-input-available", "toolCallId": id, "toolName": "edit", "input": input });
                let request =
                    json!({ "type": "tool-approval-request", "toolCallId": id, "approvalId": format!("a-{id}") });
                match life {
                    Life::Runs => {
                        chunks
                            .extend([whole, json!({ "type": "tool-output-available", "toolCallId": id, "output": 1 })]);
                    }
                    Life::Fails => {
                        chunks.extend([
                            whole,
                            json!({ "type": "tool-output-error", "toolCallId": id, "errorText": "e" }),
                        ]);
                    }
                    Life::Asks => chunks.extend([whole, request]),
                    Life::IsDenied => {
                        chunks.extend([whole, request, json!({ "type": "tool-output-denied", "toolCallId": id })]);
                    }
                    Life::StaysHalf => {}
                }
            }
        }
    }
    chunks
}

/// Whether a doubled chunk is harmless. A doubled delta adds text, and a doubled text start is a new text.
fn may_come_twice(chunk: &Json) -> bool {
    let kind = chunk["type"].as_str().unwrap_or_default();
    kind == "start" || (kind.starts_with("tool-") && kind != "tool-input-delta")
}

fn feed(chat: &mut Chat, chunks: &[Json]) {
    for chunk in chunks {
        chat.receive_about(chunk.clone(), About::default());
    }
}

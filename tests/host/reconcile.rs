//! Replies that are read a second time: after a reconnect, or while a load replaces the message. A call is the same one
//! whatever data, resets, steps and texts stand around it, and if one of the copies lost, doubled or swapped an event.

use crate::chat::Chat;
use crate::damaged_replies::{Damage, damaged, damages};
use crate::random::{case, cases};
use crate::stream::Stream;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value as Json, json};
use toolgate::machine::{About, Event, OutcomeKind, Phase, Reconnect, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

fn data(id: Option<&str>, value: u32) -> Json {
    let mut chunk = json!({ "type": "data-weather", "data": value });
    if let Some(id) = id {
        chunk["id"] = json!(id);
    }
    chunk
}

/// Replies whose second reading differs from the message that the first one wrote, with the number of their calls.
fn stories() -> Vec<(&'static str, Stream, usize)> {
    let begin = || Stream::new().start("r1").step();
    let next = |reply: Stream| reply.step_done().step();
    let end = |reply: Stream| reply.ask("c1", "a1").ask("c2", "a2").step_done().finish();
    let metadata = json!({ "type": "message-metadata", "messageMetadata": { "model": "m" } });
    let page = json!({ "type": "source-url", "sourceId": "s", "url": "https://example.com" });
    let again = |reply: Stream, input: &str| reply.call_with("edit", "c0", json!({ "of": input })).output("c0");
    vec![
        ("a text in an earlier step", end(next(begin().text("I look."))), 2),
        ("data with an id", end(begin().raw(data(Some("w"), 1)).text("I look.")), 2),
        ("data with an id in an earlier step", end(next(begin().raw(data(Some("w"), 1)))), 2),
        (
            "data that is updated, and data without an id",
            end(next(begin().raw(data(Some("w"), 1)).raw(data(None, 2)).raw(data(Some("w"), 3))).text("So:")),
            2,
        ),
        ("a reset", end(begin().text("No.").reset().text("Yes.")), 2),
        ("a reset of a call", end(next(begin().text("A")).text("B").call("c9").reset().text("C")), 2),
        ("a reset of calls that come again", end(begin().text("A").ask("c1", "a1").call("c2").reset()), 2),
        ("a source and metadata", end(next(begin().raw(page).raw(metadata))), 2),
        ("a call that ran in an earlier step", end(next(begin().call("c0").output("c0"))), 3),
        ("an id that comes again", end(next(again(next(again(begin(), "x")), "y"))), 4),
        ("an id that comes again with the same input", end(next(again(next(again(begin(), "x")), "x"))), 4),
        ("a streamed input", end(begin().text("So:").input_start("c1").input_delta("c1", "{}")), 2),
    ]
}

/// How the second copy is labelled.
const WAYS: [(Option<u32>, Option<Reconnect>); 3] =
    [(None, Some(Reconnect::Start)), (Some(1), Some(Reconnect::Start)), (None, None)];

/// A chat and its user, who decides every approval once.
struct Reader {
    chat: Chat,
    what: String,
    /// The decisions on the approvals `a1` and `a2`.
    approves: [bool; 2],
    decided: Vec<(&'static str, bool)>,
    /// How often each call exists in an undamaged reply.
    calls: Vec<(String, usize)>,
}

impl Reader {
    fn new(what: String, answering: bool, approves: [bool; 2], calls: Vec<(String, usize)>) -> Self {
        let mut chat = Chat { closely: false, ..Chat::default() };
        chat.set_options(|options| options.answering = answering);
        chat.user("m1");
        chat.claim();
        Self { chat, what, approves, decided: Vec::new(), calls }
    }

    fn read(&mut self, events: &[Json], way: (Option<u32>, Option<Reconnect>)) {
        for event in events {
            let (request, reconnect) = way;
            self.chat.receive_about(event.clone(), About { request, attempt: None, reconnect });
            self.look();
        }
    }

    fn decide(&mut self) {
        for (approval, approved) in ["a1", "a2"].into_iter().zip(self.approves) {
            if self.chat.pending().split(' ').any(|pending| pending == approval) {
                self.chat.respond(approval, approved, "").unwrap();
                self.decided.push((approval, approved));
            }
        }
        if self.chat.machine.options().answering {
            for item in self.chat.listed() {
                self.chat.mark_sent(item).unwrap();
            }
        }
    }

    /// No decided approval is asked again, decided again, or moved to another call.
    fn look(&self) {
        let pending = self.chat.pending();
        for (nth, &(approval, approved)) in self.decided.iter().enumerate() {
            let what = &self.what;
            assert!(pending.split(' ').all(|id| id != approval), "{approval} is asked again: {what}");
            assert!(self.decided[..nth].iter().all(|(id, _)| *id != approval), "{approval} is decided twice: {what}");
            let id = self.chat.store.find(approval).unwrap();
            let made = |event: &&Event| matches!(event, Event::Decision { approval, .. } if *approval == id);
            assert_eq!(self.chat.events.iter().filter(made).count(), 1, "{approval}: {what}");
            let parts = self.chat.machine.transcript().messages().iter().flat_map(|message| message.calls());
            let owners: Vec<_> = parts.filter(|part| part.approval_id() == Some(id)).collect();
            let [part] = owners[..] else { panic!("{approval} has {} calls: {what}", owners.len()) };
            let as_decided = if approved {
                matches!(part.phase(), Phase::Approved | Phase::Submitted)
            } else {
                matches!(part.phase(), Phase::Denied | Phase::OutputDenied)
            };
            assert!(as_decided, "{approval} is {:?}: {what}", part.phase());
        }
    }

    fn finish(&mut self) {
        self.chat.end(StreamEnd::Finished);
        self.look();
        let counts = calls(&self.chat);
        for (call, count) in &counts {
            let most = self.calls.iter().find(|(id, _)| id == call).map_or(1, |(_, most)| *most);
            assert!(*count <= most, "{call} exists {count} times: {}", self.what);
        }
        self.decide();
        self.look();
        self.chat.look_closely();
    }
}

/// How often each id has a call.
fn calls(chat: &Chat) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for part in chat.machine.transcript().messages().iter().flat_map(|message| message.calls()) {
        let id = chat.text(part.call).to_string();
        match counts.iter_mut().find(|(known, _)| *known == id) {
            Some((_, count)) => *count += 1,
            None => counts.push((id, 1)),
        }
    }
    counts
}

/// The calls of a chat that reads the reply once.
fn straight(events: &[Json]) -> Chat {
    let mut reader = Reader::new(String::new(), false, [true, true], Vec::new());
    reader.read(events, (None, None));
    reader.chat.end(StreamEnd::Finished);
    reader.chat
}

/// Reads a reply twice. In between the connection breaks, and the user decides.
fn twice(
    story: &(&str, Stream, usize),
    damage: [Damage; 2],
    way: usize,
    answering: bool,
    approves: [bool; 2],
) -> Reader {
    let (name, reply, number) = story;
    let events = reply.clone().chunks();
    let all = calls(&straight(&events));
    assert_eq!(all.iter().map(|(_, count)| count).sum::<usize>(), *number, "{name}");
    let what = format!("{name}, {damage:?}, way {way}, answering {answering}, {approves:?}");
    let mut reader = Reader::new(what, answering, approves, all);
    let mut first = damaged(events.clone(), damage[0]);
    first.truncate(first.len() - 2);
    reader.read(&first, (None, None));
    reader.decide();
    reader.chat.end(StreamEnd::Disconnected);
    reader.look();
    reader.read(&damaged(events, damage[1]), WAYS[way]);
    reader.finish();
    reader
}

const VERDICTS: [[bool; 2]; 3] = [[true, true], [false, false], [false, true]];

#[test]
fn a_reply_that_is_read_twice_is_read_once() {
    for story in &stories() {
        let expected = straight(&story.1.clone().chunks());
        for (way, answering) in (0..3).flat_map(|way| [(way, false), (way, true)]) {
            for approves in VERDICTS {
                let reader = twice(story, [Damage::None; 2], way, answering, approves);
                assert_eq!(reader.chat.said(), expected.said(), "{}", reader.what);
                let parts = |chat: &Chat| chat.machine.transcript().messages()[1].parts.len();
                assert_eq!(parts(&reader.chat), parts(&expected), "{}", reader.what);
                assert_eq!(reader.decided.len(), 2, "{}", reader.what);
            }
        }
    }
}

#[test]
fn one_damaged_event_of_either_copy_takes_no_decision_back() {
    for story in &stories() {
        let length = story.1.clone().chunks().len();
        for damage in damages(length, true).into_iter().flat_map(|one| [[one, Damage::None], [Damage::None, one]]) {
            // Without a label, only the id of its message shows that a reply is a replay.
            let labelled =
                if damage.contains(&Damage::Lost(0)) || damage.contains(&Damage::Swapped(0)) { 2 } else { 3 };
            for (way, answering) in (0..labelled).flat_map(|way| [(way, false), (way, true)]) {
                for approves in VERDICTS {
                    twice(story, damage, way, answering, approves);
                }
            }
        }
    }
}

#[test]
fn data_that_arrives_between_two_readings_changes_nothing() {
    for story in &stories() {
        for approves in VERDICTS {
            let events = story.1.clone().chunks();
            let what = format!("{}, {approves:?}", story.0);
            let mut reader = Reader::new(what, false, approves, calls(&straight(&events)));
            reader.read(&events[..events.len() - 2], (None, None));
            reader.decide();
            reader.chat.end(StreamEnd::Disconnected);
            reader.read(&[data(None, 7), data(Some("between"), 8)], (None, None));
            for _ in 0..2 {
                reader.read(&events, WAYS[0]);
                reader.finish();
            }
        }
    }
}

#[test]
fn answers_that_are_sent_between_two_readings_change_nothing() {
    for story in &stories() {
        let events = story.1.clone().chunks();
        let all = calls(&straight(&events));
        for damage in damages(events.len(), true) {
            // Without a label, only the id of its message shows that a reply is a replay.
            let ways = if matches!(damage, Damage::Lost(0) | Damage::Swapped(0)) { 2 } else { WAYS.len() };
            for (way, approves) in (0..ways).flat_map(|way| VERDICTS.map(|approves| (way, approves))) {
                let what = format!("{}, {damage:?}, way {way}, {approves:?}", story.0);
                let mut reader = Reader::new(what, true, approves, all.clone());
                reader.read(&events[..events.len() - 2], (None, None));
                reader.chat.end(StreamEnd::Disconnected);
                reader.decide();
                reader.look();
                reader.read(&damaged(events.clone(), damage), WAYS[way]);
                reader.finish();
            }
        }
    }
}

#[test]
fn a_load_in_the_middle_of_a_replay_changes_nothing() {
    for story in &stories() {
        let events = story.1.clone().chunks();
        for (place, way) in (1..events.len()).flat_map(|place| [(place, 0), (place, 1)]) {
            for approves in VERDICTS {
                let what = format!("{}, a load after {place} events, way {way}, {approves:?}", story.0);
                let mut reader = Reader::new(what, false, approves, calls(&straight(&events)));
                reader.read(&events[..events.len() - 2], (None, None));
                reader.decide();
                reader.chat.end(StreamEnd::Disconnected);
                reader.read(&events[..place], WAYS[way]);
                let messages = reader.chat.ui_messages(Shape::View);
                reader.chat.load(messages);
                reader.look();
                reader.read(&events[place..], WAYS[way]);
                reader.finish();
            }
        }
    }
}

#[test]
fn a_load_of_a_message_that_is_ahead_of_its_stream_doubles_nothing() {
    for story in &stories() {
        let events = story.1.clone().chunks();
        let whole = straight(&events[..events.len() - 1]).ui_messages(Shape::View);
        for place in 1..events.len() {
            let what = format!("{}, a load after {place} events", story.0);
            let mut reader = Reader::new(what, false, [true, false], calls(&straight(&events)));
            reader.read(&events[..place], (None, None));
            reader.chat.load(whole.clone());
            reader.decide();
            reader.read(&events[place..], (None, None));
            reader.finish();
        }
    }
}

#[test]
fn three_readings_are_one() {
    for story in &stories() {
        let events = story.1.clone().chunks();
        let expected = straight(&events);
        for cut in 2..events.len() {
            for approves in VERDICTS {
                let what = format!("{}, cut at {cut}, {approves:?}", story.0);
                let mut reader = Reader::new(what, false, approves, calls(&expected));
                reader.read(&events[..cut], (None, None));
                reader.decide();
                reader.chat.end(StreamEnd::Disconnected);
                for half in [cut / 2, events.len()] {
                    reader.read(&events[..half], WAYS[0]);
                    reader.decide();
                    reader.chat.end(if half == cut / 2 { StreamEnd::Disconnected } else { StreamEnd::Finished });
                    reader.look();
                }
                reader.finish();
                // A reset keeps a step whose call the user has decided in the meantime.
                if !story.0.starts_with("a reset of calls") {
                    assert_eq!(reader.chat.said(), expected.said(), "{}", reader.what);
                }
            }
        }
    }
}

#[test]
fn a_stored_message_without_steps_or_reasoning_is_the_one_that_is_replayed() {
    let thinks = |reply: Stream, id: &str| {
        let of = |what: &str| json!({ "type": format!("reasoning-{what}"), "id": id, "delta": "Hm." });
        reply.raw(of("start")).raw(of("delta")).raw(of("end"))
    };
    let reply = thinks(Stream::new().start("r1").step(), "1").text("I look.").step_done().step();
    let events = thinks(reply, "2").ask("c1", "a1").ask("c2", "a2").step_done().finish().chunks();
    for approves in VERDICTS {
        let what = format!("{approves:?}");
        let mut reader = Reader::new(what, false, approves, calls(&straight(&events)));
        let asked = |call: &str, approval: &str| crate::stored_histories::asked(call, approval);
        let parts = [crate::stored_histories::text("I look."), asked("c1", "a1"), asked("c2", "a2")];
        reader.chat = Chat { closely: false, ..Chat::default() };
        reader
            .chat
            .load(json!([crate::stored_histories::user("m1"), crate::stored_histories::assistant("r1", &parts),]));
        reader.chat.reconnecting();
        reader.decide();
        reader.read(&events, WAYS[0]);
        reader.finish();
        assert_eq!(reader.chat.sendable(), "a1 a2", "{approves:?}");
    }
}

#[test]
fn a_reset_that_the_first_reading_lacked_removes_its_step() {
    let (mut chat, _) = Chat::waiting();
    let begin = |reply: Stream| reply.start("r1").step().text("One.").step_done().step().text("Two.").ask("c1", "a1");
    chat.more(begin);
    chat.end(StreamEnd::Disconnected);
    chat.reconnected(Reconnect::Start, |reply| begin(reply).reset().text("Three.").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.said(), chat.pending().as_str()), (["m1", "One.", "Three."].map(str::to_owned).to_vec(), ""));
}

#[test]
fn a_call_that_a_reset_removed_does_not_close_the_call_that_got_its_id() {
    for approved in [true, false] {
        let reply = |reply: Stream| {
            let reply = reply.start("r1").step().call_with("edit", "c1", json!("x")).request("c1", "a1").reset();
            reply.ask("c1", "a1")
        };
        let (mut chat, _) = Chat::waiting();
        chat.more(reply);
        chat.respond("a1", approved, "").unwrap();
        chat.end(StreamEnd::Disconnected);
        chat.reconnected(Reconnect::Start, |again| reply(again).step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a1"), "{approved}");
        assert_eq!(calls(&chat), [("c1".to_owned(), 1)], "{approved}");
    }
}

#[test]
fn a_call_with_another_input_is_asked_and_the_held_decision_on_the_known_one_is_closed() {
    for approved in [true, false] {
        let (mut chat, _) = Chat::waiting();
        chat.more(|reply| reply.start("r1").step().raw(data(Some("w"), 1)).ask("c1", "a1"));
        chat.respond("a1", approved, "").unwrap();
        chat.end(StreamEnd::Disconnected);
        chat.reconnected(Reconnect::Start, |reply| {
            let reply = reply.start("r1").step().raw(data(Some("w"), 1));
            reply.call_with("edit", "c1", json!({ "of": "all" })).request("c1", "b1").step_done().finish()
        });
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.pending(), "b1");
        let first = chat.machine.transcript().messages()[1].calls().next().unwrap();
        let kind = first.outcome().unwrap().kind;
        assert_eq!(kind, if approved { OutcomeKind::Interrupted } else { OutcomeKind::Denied });
    }
}

/// A piece of a reply.
#[derive(Clone, Debug)]
enum Piece {
    Text,
    Data(Option<&'static str>),
    Source,
    Metadata,
    Step,
    Reset,
    /// A call that runs, with this input. Its id is used by every other such call too.
    Runs(u8),
}

/// A reply with these pieces, and two approval requests at its end.
fn story(pieces: &[Piece]) -> Stream {
    let mut reply = Stream::new().start("r1").step();
    for (nth, piece) in pieces.iter().enumerate() {
        let page = json!({ "type": "source-url", "sourceId": format!("s{nth}"), "url": "https://example.com" });
        reply = match piece {
            Piece::Text => reply.text(&format!("text {nth}")),
            Piece::Data(id) => reply.raw(data(*id, 1)),
            Piece::Source => reply.raw(page),
            Piece::Metadata => reply.raw(json!({ "type": "message-metadata", "messageMetadata": { "at": nth } })),
            Piece::Step => reply.step_done().step(),
            Piece::Reset => reply.reset(),
            Piece::Runs(input) => reply.call_with("edit", "c0", json!({ "of": input })).output("c0"),
        };
    }
    reply.ask("c1", "a1").ask("c2", "a2").step_done().finish()
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        3 => Just(Piece::Text),
        2 => select(vec![Some("w"), Some("v"), None]).prop_map(Piece::Data),
        1 => Just(Piece::Source),
        1 => Just(Piece::Metadata),
        3 => Just(Piece::Step),
        1 => Just(Piece::Reset),
        2 => (0..2u8).prop_map(Piece::Runs),
    ];
    prop::collection::vec(piece, 0..9)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn an_approval_is_decided_once_and_its_call_exists_once(
        pieces in pieces(),
        (damage, place, is_first) in (0..4usize, any::<Index>(), any::<bool>()),
        (cuts, load, between) in (prop::collection::vec(any::<Index>(), 1..3), any::<Option<Index>>(), any::<bool>()),
        (way, answering, approves) in (0..3usize, any::<bool>(), any::<[bool; 2]>()),
    ) {
        case(|| {
            let reply = story(&pieces);
            let events = reply.clone().chunks();
            // The event that names the message is not damaged.
            let place = 1 + place.index(events.len() - 2);
            let kind = [Damage::Lost, Damage::Doubled, Damage::Swapped].get(damage);
            let bad = damaged(events.clone(), kind.map_or(Damage::None, |kind| kind(place)));
            let (first, second) = if is_first { (bad, events.clone()) } else { (events.clone(), bad) };
            let mut all = calls(&straight(&events));
            // A call that settled and comes again in a later step is another one. A lost reset leaves what it would
            // have removed.
            let runs = pieces.iter().filter(|piece| matches!(piece, Piece::Runs(_))).count();
            all.retain(|(call, _)| call != "c0");
            all.push(("c0".to_owned(), runs));
            let mut reader = Reader::new(String::new(), answering, approves, all);
            reader.read(&first[..first.len() - 2], (None, None));
            reader.decide();
            reader.chat.end(StreamEnd::Disconnected);
            if between {
                reader.read(&[data(None, 7), data(Some("w"), 8)], (None, None));
            }
            for cut in cuts {
                reader.read(&second[..cut.index(second.len())], WAYS[way]);
                reader.chat.end(StreamEnd::Disconnected);
                reader.decide();
            }
            let load = load.map_or(0, |load| load.index(second.len()));
            reader.read(&second[..load], WAYS[way]);
            if load > 0 {
                let messages = reader.chat.ui_messages(Shape::View);
                reader.chat.load(messages);
            }
            reader.read(&second[load..], WAYS[way]);
            reader.finish();
            Ok(())
        })?;
    }
}

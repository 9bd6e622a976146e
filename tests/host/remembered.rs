//! Remembered decisions: they apply to later calls in their scope, and to no others.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, DecidedBy, Event, OnUserMessage, OutcomeKind, Phase, RespondOutcome, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

pub const DENIED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Denied, false));
pub const SKIPPED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Skipped, false));

/// Events for a call of `tool` with this input, and for its approval request.
pub fn ask(reply: Stream, tool: &str, call: &str, input: &Json) -> Stream {
    reply.call_with(tool, call, input.clone()).request(call, &call.replace('c', "a"))
}

/// A chat with a remembered decision about an edit of `x`.
pub fn remembering(approved: bool, this_input: bool) -> Chat {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| ask(reply, "edit", "c1", &json!("x")));
    answer(&mut chat, "a1", approved);
    chat.remember("a1", this_input);
    chat.claim();
    if approved {
        chat.reply(|reply| reply.output("c1").text("Done."));
    } else {
        chat.reply(|reply| reply.denied("c1").text("All right."));
    }
    chat
}

pub fn answer(chat: &mut Chat, approval: &str, approved: bool) {
    assert_eq!(chat.respond(approval, approved, if approved { "" } else { "no" }), Ok(RespondOutcome::Accepted));
}

/// The reply of the next turn requests approval of these calls.
pub fn asks(chat: &mut Chat, calls: &[(&str, &str, Json)]) {
    chat.user(&chat.new_message());
    chat.claim();
    chat.reply(|reply| calls.iter().fold(reply, |reply, (tool, call, input)| ask(reply, tool, call, input)));
}

#[test]
fn by_default_a_remembered_decision_applies_only_to_the_same_input() {
    let mut chat = remembering(true, true);
    asks(&mut chat, &[("edit", "c2", json!("x")), ("edit", "c3", json!("y")), ("move", "c4", json!("x"))]);
    assert_eq!((chat.phase("c2"), chat.pending().as_str()), (Phase::Approved, "a3 a4"));
    assert_eq!(chat.part("c2").decision().unwrap().by, DecidedBy::Remembered);
}

#[test]
fn a_decision_for_a_tool_applies_to_every_input_of_it_and_to_no_other_tool() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("edit", "c2", json!("y")), ("move", "c3", json!("x"))]);
    assert_eq!((chat.phase("c2"), chat.pending().as_str()), (Phase::Approved, "a3"));
}

#[test]
fn a_request_with_a_remembered_decision_is_not_pending_and_the_decision_is_sent_like_any_other() {
    let mut chat = remembering(true, true);
    chat.user("m2");
    chat.claim();
    chat.stream(|reply| ask(reply, "edit", "c2", &json!("x")));
    assert_eq!((chat.pending().as_str(), chat.machine.counts().0), ("", 0));
    assert_eq!(chat.respond("a2", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("a2", false, ""), Err(Code::AlreadyDecided));
    assert_eq!(chat.listed(), NONE, "nothing is sent while the stream runs");
    chat.more(|reply| ask(reply, "edit", "c3", &json!("y")).step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE, "nothing is sent before the step is complete");
    chat.approve("a3");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2 a3");
}

#[test]
fn a_remembered_decision_is_sent_like_the_users_and_the_view_shows_that_it_was_remembered() {
    let mut chat = remembering(true, true);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    let sent = chat.wire_part("c2").unwrap();
    assert_eq!(sent["approval"], json!({ "id": "a2", "approved": true }));
    assert!(sent.get("decidedBy").is_none());
    let shown = chat.ui_messages(Shape::View);
    let by = |message: usize| shown[message]["parts"][1]["decidedBy"].clone();
    assert_eq!((by(1), by(3)), (Json::Null, json!("remembered")));
    let decided =
        chat.take_events().into_iter().filter(|event| matches!(event, Event::Decision { approved: true, .. }));
    assert_eq!(decided.count(), 2);
}

#[test]
fn pending_calls_with_the_same_input_are_decided_at_once() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| {
        let reply = ask(reply, "edit", "c1", &json!("x"));
        ask(ask(reply, "edit", "c2", &json!("x")), "edit", "c3", &json!("y"))
    });
    answer(&mut chat, "a1", true);
    chat.remember("a1", true);
    assert_eq!((chat.phase("c2"), chat.pending().as_str()), (Phase::Approved, "a3"));
    answer(&mut chat, "a3", false);
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.approved_flags(item)), ("a1 a2 a3", vec![true, true, false]));
}

#[test]
fn a_decision_for_a_tool_that_decides_the_last_pending_call_sends_the_step() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| ask(ask(reply, "edit", "c1", &json!("x")), "edit", "c2", &json!("y")));
    answer(&mut chat, "a1", true);
    chat.remember("a1", false);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_request_after_the_end_of_its_reply_sends_the_step_if_a_remembered_decision_applies() {
    for approved in [true, false] {
        let mut chat = remembering(approved, true);
        chat.user("m2");
        chat.claim();
        chat.reply(|reply| reply.call_with("edit", "c2", json!("x")));
        assert_eq!(chat.listed(), NONE);
        chat.more(|reply| reply.request("c2", "a2"));
        let item = chat.claim();
        assert_eq!((chat.approvals(item).as_str(), chat.approved_flags(item)), ("a2", vec![approved]));
    }
}

#[test]
fn a_remembered_decision_applies_once_to_a_call() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    chat.claim();
    let message = chat.next_message();
    chat.more(|reply| reply.start(&message).request("c2", "b2"));
    assert_eq!((chat.pending().as_str(), chat.phase("c2")), ("b2", Phase::ApprovalRequested));
    // The same applies after the app has loaded its own messages.
    chat.end(StreamEnd::Finished);
    chat.load(chat.ui_messages(Shape::View));
    answer(&mut chat, "b2", true);
    chat.claim();
    chat.more(|reply| reply.start(&message).request("c2", "d2"));
    assert_eq!(chat.pending(), "d2");
}

#[test]
fn a_decision_for_the_input_takes_precedence_over_one_for_the_tool() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("move", "c2", json!("x"))]);
    chat.deny("a2");
    chat.claim();
    chat.reply(|reply| reply.denied("c2").text("All right."));
    // `edit` is approved, except for the input "secret".
    chat.forget(1);
    asks(&mut chat, &[("edit", "c3", json!("secret"))]);
    chat.deny("a3");
    chat.remember("a3", true);
    chat.claim();
    chat.reply(|reply| reply.denied("c3").text("All right."));
    asks(&mut chat, &[("edit", "c4", json!("x"))]);
    chat.approve("a4");
    chat.remember("a4", false);
    chat.claim();
    chat.reply(|reply| reply.output("c4").text("Done."));
    asks(&mut chat, &[("edit", "c5", json!("secret")), ("edit", "c6", json!("open"))]);
    assert_eq!((chat.outcome("c5"), chat.phase("c6")), (DENIED, Phase::Approved));
    // The order in which the decisions are added does not matter.
    let mut known: Vec<_> = chat.machine.remembered().all().cloned().collect();
    known.reverse();
    let mut chat = Chat::over(chat.store.clone(), OnUserMessage::default(), &[]);
    chat.act(|chat| known.into_iter().for_each(|memory| chat.machine.add_remembered(memory)));
    asks(&mut chat, &[("edit", "c7", json!("secret")), ("edit", "c8", json!("open"))]);
    assert_eq!((chat.outcome("c7"), chat.phase("c8")), (DENIED, Phase::Approved));
}

#[test]
fn a_later_decision_with_the_same_scope_replaces_the_earlier_one() {
    let mut chat = remembering(true, true);
    chat.forget(1);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    chat.approve("a2");
    chat.remember("a2", true);
    chat.claim();
    chat.reply(|reply| reply.output("c2").text("Done."));
    // The user is not asked while a remembered decision applies, so the test adds the opposite decision directly.
    let memory = *chat.machine.remembered().all().next().unwrap();
    chat.act(|chat| {
        let mut other = memory;
        other.approved = false;
        chat.machine.add_remembered(other);
    });
    assert_eq!(chat.machine.remembered().all().map(|memory| memory.approved).collect::<Vec<_>>(), [false]);
    asks(&mut chat, &[("edit", "c3", json!("x"))]);
    assert_eq!(chat.outcome("c3"), DENIED);
}

#[test]
fn a_forgotten_decision_no_longer_applies_but_earlier_calls_stay_decided() {
    let mut chat = remembering(true, true);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    let id = chat.machine.remembered().all().next().unwrap().id;
    chat.forget(id);
    chat.forget(99);
    assert_eq!((chat.machine.remembered().all().count(), chat.phase("c2")), (0, Phase::Approved));
    chat.claim();
    chat.reply(|reply| reply.output("c2").text("Done."));
    asks(&mut chat, &[("edit", "c3", json!("x"))]);
    assert_eq!(chat.pending(), "a3");
}

//! Approval requests that arrive again. An approval that is decided is neither requested again nor decided from memory,
//! whatever a damaged copy of its reply makes of the transcript. Its decision is sent once, for the call in the last
//! step.

use crate::chat::Chat;
use crate::damaged_replies::{Kind, Way};
use crate::stream::Stream;
use crate::twice::check;
use serde_json::json;
use toolgate::machine::{OnDeny, OnUserMessage, OutcomeKind, Phase, Reconnect, StreamEnd};

const WAYS: [Way; 5] = [Way::SameStream, Way::Unlabelled, Way::Labelled, Way::WithRequest, Way::Stored];

#[test]
fn what_is_decided_is_not_asked_again_if_the_conversation_is_sent_again() {
    check(Kind::Resubmitting, &WAYS);
}

#[test]
fn what_is_decided_is_not_asked_again_if_answers_are_sent_before_messages() {
    check(Kind::AnswersFirst, &[Way::Labelled]);
}

#[test]
fn what_is_decided_is_not_asked_again_if_each_decision_is_an_answer() {
    check(Kind::Answering, &WAYS);
}

/// The phases of all calls, in order.
fn phases(chat: &Chat) -> Vec<Phase> {
    let messages = chat.machine.transcript().messages().iter();
    messages.flat_map(|message| message.calls()).map(|part| part.phase()).collect()
}

/// A chat whose reply was read up to two approval requests. The user denied `a1`, and approved `a2` for the whole tool.
/// Then the connection broke.
fn denied() -> Chat {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.more(|reply| asks(reply.start("r1")));
    chat.deny("a1");
    chat.approve("a2");
    chat.remember("a2", false);
    chat.end(StreamEnd::Disconnected);
    chat
}

fn asks(reply: Stream) -> Stream {
    reply.step().ask("c1", "a1").ask("c2", "a2")
}

/// The reply is read again, with a step too many.
fn again(chat: &mut Chat, events: impl FnOnce(Stream) -> Stream) {
    chat.reconnected(Reconnect::Start, |reply| events(reply.start("r1").step()));
}

#[test]
fn a_call_with_another_input_or_of_another_tool_is_asked() {
    for (tool, input) in [("edit", json!({ "of": "all" })), ("move", json!({ "of": "c1" }))] {
        let mut chat = denied();
        again(&mut chat, |reply| reply.step().call_with(tool, "c1", input).request("c1", "a1"));
        // The remembered decision is on the other tool.
        assert_eq!(chat.pending(), if tool == "edit" { "" } else { "a1" });
        let decided = [Phase::OutputDenied, Phase::Approved];
        assert_eq!(phases(&chat)[..2], decided, "{tool}");
        assert_eq!(phases(&chat).len(), 3);
    }
}

#[test]
fn a_call_whose_input_is_still_arriving_is_the_decided_one() {
    let mut chat = denied();
    again(&mut chat, |reply| reply.step().input_start("c1").input_delta("c1", r#"{"of":"#).request("c1", "a1"));
    assert_eq!((chat.pending().as_str(), chat.phase("c1")), ("", Phase::Denied));
    assert_eq!(chat.store.to_json(chat.part("c1").input), json!({ "of": "c1" }));
}

#[test]
fn what_a_policy_decided_is_not_asked_again() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    chat.user("m1");
    chat.claim();
    chat.more(|reply| asks(reply.start("r1")));
    chat.deny("a1");
    chat.end(StreamEnd::Disconnected);
    again(&mut chat, |reply| asks(reply).step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Skipped, false)));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a1 a2"));
}

#[test]
fn the_call_of_a_page_tool_stays_one_call() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    let asks = |reply: Stream| reply.step().call_of("locate", "c1").request("c1", "a1");
    chat.more(|reply| asks(reply.start("r1")));
    chat.approve("a1");
    chat.remember("a1", false);
    assert_eq!(chat.machine.runnable_calls().count(), 1);
    chat.end(StreamEnd::Disconnected);
    again(&mut chat, |reply| asks(reply).step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.pending().as_str(), chat.machine.runnable_calls().count()), ("", 1));
    assert_eq!(phases(&chat), [Phase::Approved]);
}

#[test]
fn an_approval_in_a_cancelled_reply_is_not_sent() {
    let mut chat = denied();
    again(&mut chat, |reply| reply.step().text("Well."));
    chat.cancel();
    chat.reconnected(Reconnect::Start, |reply| asks(reply).step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Cancelled, false)));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", ""));
}

#[test]
fn a_call_that_ran_is_not_asked_again_in_a_replay() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.remember("a1", false);
    chat.more(|reply| reply.output("c1"));
    chat.end(StreamEnd::Disconnected);
    again(&mut chat, |reply| reply.step().ask("c1", "a1").output("c1"));
    assert_eq!((chat.pending().as_str(), chat.listed()), ("", vec![]));
    assert_eq!((phases(&chat), chat.anomalies()), (vec![Phase::OutputAvailable], vec![]));
}

#[test]
fn the_last_of_two_decisions_on_a_call_holds_for_its_copy() {
    let mut chat = Chat::answering(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.more(|reply| reply.request("c1", "b1"));
    chat.deny("b1");
    chat.end(StreamEnd::Disconnected);
    again(&mut chat, |reply| reply.step().ask("c1", "a1").request("c1", "b1"));
    assert_eq!((chat.pending().as_str(), chat.phase("c1"), chat.sendable().as_str()), ("", Phase::Denied, "b1"));
}

#[test]
fn only_the_user_can_approve_the_same_call_again_after_the_backend_knows_that_it_is_denied() {
    // This backend has no approval ids of its own.
    let ask = |reply: Stream, input: &str| reply.step().call_with("edit", "c1", json!(input)).request("c1", "c1");
    for (input, asked) in [("x", "c1"), ("y", "")] {
        let mut chat = Chat::answering(0);
        chat.more(|reply| ask(reply, "x").ask("c2", "a2"));
        chat.approve("a2");
        chat.deny("c1");
        chat.remember("a2", false);
        for item in chat.listed() {
            chat.mark_sent(item).unwrap();
        }
        chat.more(|reply| ask(reply.denied("c1"), input));
        assert_eq!(chat.pending(), asked, "{input}");
    }
}

#[test]
fn in_the_next_turn_the_same_request_is_a_new_one() {
    let mut chat = denied();
    chat.resume();
    chat.claim();
    chat.reply(|reply| reply.denied("c1").output("c2").text("Done."));
    chat.user("m2");
    chat.claim();
    chat.reply(asks);
    // The user's decision for the whole tool applies to both.
    assert_eq!((chat.phase("c1"), chat.sendable().as_str()), (Phase::Approved, "a1 a2"));
}

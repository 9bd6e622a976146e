//! Decisions that the user wants remembered: they answer later calls, and no others.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, DecidedBy, Event, OnDeny, OnUserMessage, OutcomeKind, Phase, RespondOutcome, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

const DENIED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Denied, false));
const SKIPPED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Skipped, false));

/// A call of `tool` with this input, and the question about it.
fn ask(reply: Stream, tool: &str, call: &str, input: &Json) -> Stream {
    reply.call_with(tool, call, input.clone()).request(call, &call.replace('c', "a"))
}

/// A chat that was asked about an edit of `x`, and in which the answer to it is remembered.
fn remembering(approved: bool, this_input: bool) -> Chat {
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

fn answer(chat: &mut Chat, approval: &str, approved: bool) {
    assert_eq!(chat.respond(approval, approved, if approved { "" } else { "no" }), Ok(RespondOutcome::Accepted));
}

/// The next turn's reply asks about these.
fn asks(chat: &mut Chat, calls: &[(&str, &str, Json)]) {
    chat.user(&chat.new_message());
    chat.claim();
    chat.reply(|reply| calls.iter().fold(reply, |reply, (tool, call, input)| ask(reply, tool, call, input)));
}

#[test]
fn by_default_only_the_very_same_input_is_answered() {
    let mut chat = remembering(true, true);
    asks(&mut chat, &[("edit", "c2", json!("x")), ("edit", "c3", json!("y")), ("move", "c4", json!("x"))]);
    assert_eq!((chat.phase("c2"), chat.pending().as_str()), (Phase::Approved, "a3 a4"));
    assert_eq!(chat.part("c2").decision().unwrap().by, DecidedBy::Remembered);
}

#[test]
fn for_a_tool_every_input_is_answered_and_no_other_tool() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("edit", "c2", json!("y")), ("move", "c3", json!("x"))]);
    assert_eq!((chat.phase("c2"), chat.pending().as_str()), (Phase::Approved, "a3"));
}

#[test]
fn what_it_answers_is_never_actionable_and_leaves_like_any_other_decision() {
    let mut chat = remembering(true, true);
    chat.user("m2");
    chat.claim();
    chat.stream(|reply| ask(reply, "edit", "c2", &json!("x")));
    assert_eq!((chat.pending().as_str(), chat.machine.counts().0), ("", 0));
    assert_eq!(chat.respond("a2", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("a2", false, ""), Err(Code::AlreadyDecided));
    assert_eq!(chat.listed(), NONE, "not while the stream runs");
    chat.more(|reply| ask(reply, "edit", "c3", &json!("y")).step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE, "not before its step is complete");
    chat.approve("a3");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2 a3");
}

#[test]
fn on_the_wire_it_is_a_decision_of_this_client_and_in_the_view_it_is_told_who_decided() {
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
fn twins_that_are_pending_are_answered_at_once() {
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
    assert_eq!((chat.approvals(item).as_str(), chat.granted(item)), ("a1 a2 a3", vec![true, true, false]));
}

#[test]
fn the_last_twin_lets_the_step_leave() {
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
fn it_acts_once_for_a_call() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    chat.claim();
    let message = chat.next_message();
    chat.more(|reply| reply.start(&message).request("c2", "b2"));
    assert_eq!((chat.pending().as_str(), chat.phase("c2")), ("b2", Phase::ApprovalRequested));
    // Nor after the app has loaded its own messages.
    chat.end(StreamEnd::Finished);
    chat.load(chat.ui_messages(Shape::View));
    answer(&mut chat, "b2", true);
    chat.claim();
    chat.more(|reply| reply.start(&message).request("c2", "d2"));
    assert_eq!(chat.pending(), "d2");
}

#[test]
fn what_was_said_of_the_input_goes_before_what_was_said_of_the_tool() {
    let mut chat = remembering(true, false);
    asks(&mut chat, &[("move", "c2", json!("x"))]);
    chat.deny("a2");
    chat.claim();
    chat.reply(|reply| reply.denied("c2").text("All right."));
    // `edit` is approved; of `edit` with "secret", no.
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
    // In whatever order they were taken over.
    let mut known: Vec<_> = chat.machine.remembered().all().cloned().collect();
    known.reverse();
    let mut chat = Chat::over(chat.store.clone(), OnUserMessage::default(), &[]);
    chat.act(|chat| known.into_iter().for_each(|memory| chat.machine.add_remembered(memory)));
    asks(&mut chat, &[("edit", "c7", json!("secret")), ("edit", "c8", json!("open"))]);
    assert_eq!((chat.outcome("c7"), chat.phase("c8")), (DENIED, Phase::Approved));
}

#[test]
fn a_later_decision_for_the_same_takes_its_place() {
    let mut chat = remembering(true, true);
    chat.forget(1);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    chat.approve("a2");
    chat.remember("a2", true);
    chat.claim();
    chat.reply(|reply| reply.output("c2").text("Done."));
    // A memory for the same input can only be made by a user who was asked: by a tool-wide one that was forgotten.
    let memory = chat.machine.remembered().all().next().unwrap().clone();
    chat.act(|chat| {
        let mut other = memory.clone();
        other.approved = false;
        chat.machine.add_remembered(other);
    });
    assert_eq!(chat.machine.remembered().all().map(|memory| memory.approved).collect::<Vec<_>>(), [false]);
    asks(&mut chat, &[("edit", "c3", json!("x"))]);
    assert_eq!(chat.outcome("c3"), DENIED);
}

#[test]
fn a_forgotten_decision_answers_nothing_and_what_it_answered_stays() {
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

#[test]
fn one_whose_time_is_over_answers_nothing() {
    let mut chat = Chat::default();
    chat.at(1000);
    let mut chat = chat.that_asks(1);
    chat.approve("a1");
    chat.remember_until("a1", false, Some(2000));
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    chat.at(1999);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    assert_eq!(chat.phase("c2"), Phase::Approved);
    chat.claim();
    chat.reply(|reply| reply.output("c2").text("Done."));
    chat.at(2000);
    asks(&mut chat, &[("edit", "c3", json!("x"))]);
    assert_eq!(chat.pending(), "a3");
}

#[test]
fn it_is_in_the_snapshot_with_all_that_it_says() {
    let mut chat = Chat::default();
    chat.at(1000);
    let mut chat = chat.that_asks(1);
    chat.deny("a1");
    chat.remember_until("a1", true, Some(2000));
    let restored = chat.restored();
    assert_eq!(restored.saved(), chat.saved());
    let (old, new) =
        (chat.machine.remembered().all().next().unwrap(), restored.machine.remembered().all().next().unwrap());
    assert_eq!((old.approved, old.decided_at, old.expires_at), (new.approved, 1000, Some(2000)));
    assert_eq!(restored.store.to_json(new.reason), "no");
    let mut restored = restored;
    restored.user("m2");
    restored.claim();
    restored.reply(|reply| reply.call_with("edit", "c2", json!({ "of": "c1" })).request("c2", "a2"));
    assert_eq!(restored.outcome("c2"), DENIED);
    assert_eq!(restored.wire_part("c2").unwrap()["approval"]["reason"], "no");
}

#[test]
fn it_does_not_answer_for_the_backend() {
    let mut chat = remembering(false, false);
    chat.user("m2");
    chat.claim();
    chat.stream(|reply| reply.automatic("c2", "a2"));
    assert_eq!(chat.phase("c2"), Phase::AutomaticRequest);
    chat.more(|reply| reply.response("a2", true).output("c2").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.state("c2"), chat.listed()), ("output-available", vec![]));
}

#[test]
fn only_a_decision_of_the_user_is_remembered() {
    let mut chat = Chat::asking(1);
    chat.remember("a1", false);
    chat.remember("a9", false);
    assert_eq!((chat.machine.remembered().all().count(), chat.pending().as_str()), (0, "a1"));
    // One that a memory, a policy or the backend took is none of the user's.
    let mut chat = remembering(true, true);
    asks(&mut chat, &[("edit", "c2", json!("x"))]);
    chat.remember("a2", false);
    let mut chat = {
        assert_eq!(chat.machine.remembered().all().count(), 1);
        Chat::with_on_deny(OnDeny::SkipRest).that_asks(2)
    };
    chat.deny("a1");
    chat.remember("a2", false);
    assert_eq!(chat.machine.remembered().all().count(), 0);
}

#[test]
fn it_yields_to_a_skip_and_to_an_ended_turn() {
    for policy in [OnDeny::SkipRest, OnDeny::EndTurn] {
        let mut chat = remembering(true, false);
        chat.set_options(|options| options.on_deny = policy);
        chat.user("m2");
        chat.claim();
        chat.stream(|reply| ask(reply, "move", "c2", &json!("x")));
        chat.deny("a2");
        chat.more(|reply| ask(reply, "edit", "c3", &json!("y")).finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.outcome("c3"), SKIPPED, "{policy:?}");
    }
    // One that acted before the turn ended is taken back with it.
    let mut chat = remembering(true, false);
    chat.set_options(|options| options.on_deny = OnDeny::EndTurn);
    asks(&mut chat, &[("edit", "c2", json!("y")), ("move", "c3", json!("x"))]);
    assert_eq!(chat.phase("c2"), Phase::Approved);
    chat.deny("a3");
    assert_eq!((chat.outcome("c2"), chat.listed()), (SKIPPED, vec![]));
}

#[test]
fn a_remembered_denial_sets_the_policy_off() {
    for (policy, leaves) in [(OnDeny::SkipRest, 1), (OnDeny::EndTurn, 0), (OnDeny::ByReason, 1), (OnDeny::Continue, 0)]
    {
        let mut chat = remembering(false, true);
        chat.set_options(|options| options.on_deny = policy);
        asks(&mut chat, &[("move", "c2", json!("x")), ("edit", "c3", json!("x")), ("move", "c4", json!("x"))]);
        assert_eq!(chat.outcome("c3"), DENIED, "{policy:?}");
        let others = if policy == OnDeny::Continue { None } else { SKIPPED };
        assert_eq!((chat.outcome("c2"), chat.outcome("c4")), (others, others), "{policy:?}");
        assert_eq!(chat.listed().len(), leaves, "{policy:?}");
    }
}

#[test]
fn remembering_a_denial_does_not_answer_twins_that_the_policy_has_skipped() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| ask(ask(reply, "edit", "c1", &json!("x")), "edit", "c2", &json!("x")));
    chat.deny("a1");
    chat.remember("a1", true);
    assert_eq!((chat.outcome("c1"), chat.outcome("c2")), (DENIED, SKIPPED));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn it_does_not_act_after_cancel() {
    let mut chat = remembering(true, false);
    chat.user("m2");
    chat.claim();
    chat.stream(|reply| ask(reply, "move", "c2", &json!("x")));
    chat.cancel();
    chat.more(|reply| ask(reply, "edit", "c3", &json!("y")).finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.outcome("c3"), chat.listed()), (Some((OutcomeKind::Cancelled, false)), vec![]));
}

#[test]
fn a_loaded_request_waits_for_the_user_although_a_decision_is_remembered() {
    let mut chat = remembering(true, false);
    let mut other = Chat::default();
    asks(&mut other, &[("edit", "c2", json!("x"))]);
    chat.load(other.ui_messages(Shape::Body));
    assert_eq!((chat.pending().as_str(), chat.listed(), chat.machine.remembered().all().count()), ("a2", vec![], 1));
}

#[test]
fn it_holds_for_a_browser_tool_whose_output_is_still_awaited() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| ask(reply, "locate", "c1", &json!("x")));
    answer(&mut chat, "a1", true);
    chat.remember("a1", false);
    chat.browser_output("c1", false).unwrap();
    chat.claim();
    chat.reply(|reply| reply.text("Done."));
    asks(&mut chat, &[("locate", "c2", json!("y"))]);
    assert_eq!((chat.phase("c2"), chat.listed()), (Phase::Approved, vec![]));
    chat.browser_output("c2", false).unwrap();
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_tick_forgets_the_decisions_that_are_over() {
    let mut chat = remembering(true, true);
    let mut memory = chat.machine.remembered().all().next().unwrap().clone();
    memory.expires_at = Some(5000);
    chat.act(|chat| chat.machine.add_remembered(memory.clone()));
    assert_eq!(chat.machine.next_deadline(), Some(5000));
    chat.tick(4999);
    assert_eq!(chat.machine.remembered().all().count(), 1);
    let revision = chat.machine.revision();
    chat.tick(5000);
    assert_eq!((chat.machine.remembered().all().count(), chat.machine.next_deadline()), (0, None));
    assert_ne!(chat.machine.revision(), revision);
}

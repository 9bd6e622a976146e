//! Remembered decisions: when they expire, when they do not apply, and that snapshots contain them.

use crate::chat::Chat;
use crate::remembered::{DENIED, SKIPPED, answer, ask, asks, remembering};
use serde_json::json;
use toolgate::machine::{OnDeny, OnUserMessage, OutcomeKind, Phase, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

#[test]
fn an_expired_decision_no_longer_applies() {
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
fn a_snapshot_contains_remembered_decisions_completely() {
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
fn a_remembered_decision_does_not_decide_automatic_requests() {
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
    // Decisions by a remembered decision, a policy or the backend are not the user's decisions.
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
fn a_skip_or_an_ended_turn_takes_precedence_over_a_remembered_decision() {
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
    // A call that a remembered decision approved before the turn ended is skipped, too.
    let mut chat = remembering(true, false);
    chat.set_options(|options| options.on_deny = OnDeny::EndTurn);
    asks(&mut chat, &[("edit", "c2", json!("y")), ("move", "c3", json!("x"))]);
    assert_eq!(chat.phase("c2"), Phase::Approved);
    chat.deny("a3");
    assert_eq!((chat.outcome("c2"), chat.listed()), (SKIPPED, vec![]));
}

#[test]
fn a_remembered_denial_triggers_the_policy() {
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
fn remembering_a_denial_does_not_decide_calls_that_the_policy_has_skipped() {
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
fn a_remembered_decision_does_not_apply_after_cancel() {
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
fn a_remembered_decision_applies_to_a_page_tool_without_an_output() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| ask(reply, "locate", "c1", &json!("x")));
    answer(&mut chat, "a1", true);
    chat.remember("a1", false);
    chat.page_output("c1", false).unwrap();
    chat.claim();
    chat.reply(|reply| reply.text("Done."));
    asks(&mut chat, &[("locate", "c2", json!("y"))]);
    assert_eq!((chat.phase("c2"), chat.listed()), (Phase::Approved, vec![]));
    chat.page_output("c2", false).unwrap();
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_tick_forgets_expired_decisions() {
    let mut chat = remembering(true, true);
    let mut memory = *chat.machine.remembered().all().next().unwrap();
    memory.expires_at = Some(5000);
    chat.act(|chat| chat.machine.add_remembered(memory));
    assert_eq!(chat.machine.next_deadline(), Some(5000));
    chat.tick(4999);
    assert_eq!(chat.machine.remembered().all().count(), 1);
    let revision = chat.machine.revision();
    chat.tick(5000);
    assert_eq!((chat.machine.remembered().all().count(), chat.machine.next_deadline()), (0, None));
    assert_ne!(chat.machine.revision(), revision);
}

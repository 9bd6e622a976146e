//! Stored calls before a later step or a later message.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{answered, asked, assistant, load_repaired, part, part_with, ran, text, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, OutcomeKind, Phase};

/// Histories in which a user message, a step, or another reply follows the call.
fn behind(call: &Json) -> [Json; 3] {
    [
        json!([user("m1"), assistant("r1", std::slice::from_ref(call)), user("m2")]),
        json!([user("m1"), assistant("r1", &[call.clone(), json!({ "type": "step-start" }), text("And")])]),
        json!([user("m1"), assistant("r1", std::slice::from_ref(call)), assistant("r2", &[text("And")])]),
    ]
}

/// Loads each of these histories, with exactly these repairs.
fn each(call: &Json, repairs: &[&str], check: impl Fn(Chat)) {
    for history in behind(call) {
        check(load_repaired(history, repairs));
    }
}

#[test]
fn a_pending_call_is_closed_as_not_run() {
    each(&asked("c1", "a1"), &["stale-approval c1 output-error"], |mut chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
        assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
        assert_eq!((chat.pending().as_str(), chat.machine.counts().0), ("", 0));
    });
}

#[test]
fn a_call_that_the_backend_was_to_decide_is_closed_and_may_have_run() {
    let automatic = part_with("c1", "approval-requested", json!({ "approval": { "id": "a1", "isAutomatic": true } }));
    each(&automatic, &["unanswered-call c1 output-error"], |mut chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
        assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    });
}

#[test]
fn an_approved_call_is_closed_and_may_have_run() {
    each(&answered("c1", "a1", true), &["unanswered-call c1 output-error"], |chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
        assert_eq!((chat.listed(), chat.undelivered()), (NONE.to_vec(), NONE.to_vec()));
    });
}

#[test]
fn the_denial_of_a_call_becomes_final() {
    each(&answered("c1", "a1", false), &["unanswered-call c1 output-denied"], |chat| {
        assert_eq!((chat.phase("c1"), chat.undelivered()), (Phase::OutputDenied, vec![]));
        let approval = chat.wire_part("c1").unwrap()["approval"].clone();
        assert_eq!(approval, json!({ "id": "a1", "approved": false }));
    });
}

#[test]
fn an_open_call_is_closed_and_may_have_run() {
    each(&part("c1", "input-available"), &["unanswered-call c1 output-error"], |chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    });
    let half = part_with("c1", "output-available", json!({ "output": "half", "preliminary": true }));
    each(&half, &["unanswered-call c1 output-error"], |chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    });
}

#[test]
fn a_providers_call_stays_open_because_the_provider_stores_its_result() {
    let own = part_with("c1", "input-available", json!({ "providerExecuted": true }));
    each(&own, &[], |chat| assert_eq!(chat.phase("c1"), Phase::InputAvailable));
}

#[test]
fn a_call_without_a_complete_input_is_skipped() {
    each(&part("c1", "input-streaming"), &["incomplete-input c1 output-error"], |chat| {
        assert_eq!((chat.wire_part("c1"), chat.model_result("c1")), (None, None));
    });
}

#[test]
fn a_settled_call_does_not_change() {
    each(&ran("c1"), &[], |chat| assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false))));
}

#[test]
fn a_call_without_a_state_gets_an_inferred_state_and_is_then_closed() {
    let mut call = part_with("c1", "", json!({ "approval": { "id": "a1" } }));
    call.as_object_mut().unwrap().remove("state");
    each(&call, &["missing-state c1 approval-requested", "stale-approval c1 output-error"], |chat| {
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
    });
}

#[test]
fn every_call_of_a_step_is_closed_on_its_own() {
    let parts = [asked("c1", "a1"), answered("c2", "a2", true), answered("c3", "a3", false), ran("c4")];
    let repairs =
        ["stale-approval c1 output-error", "unanswered-call c2 output-error", "unanswered-call c3 output-denied"];
    let chat = load_repaired(json!([user("m1"), assistant("r1", &parts), user("m2")]), &repairs);
    let kinds: Vec<_> = ["c1", "c2", "c3", "c4"].map(|call| chat.outcome(call).unwrap().0).into();
    use OutcomeKind::{Denied, Executed, Interrupted};
    assert_eq!(kinds, [Interrupted, Interrupted, Denied, Executed]);
}

#[test]
fn a_retry_that_was_not_sent_yet_can_be_repeated_after_a_load() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.retry(item).unwrap();
    let history = chat.history();
    chat.load(history);
    assert_eq!((chat.listed(), chat.undelivered()), (NONE.to_vec(), vec![item]), "loading sends nothing");
    chat.retry(item).unwrap();
    let claimed = chat.claim();
    assert_eq!((claimed, chat.approvals(claimed).as_str()), (item, "a1"));
}

#[test]
fn of_two_open_calls_with_one_id_only_the_newest_can_be_decided() {
    let other =
        part_with("c1", "approval-requested", json!({ "input": { "path": "other" }, "approval": { "id": "a2" } }));
    let history = json!([user("m1"), assistant("r1", &[asked("c1", "a1"), other.clone()])]);
    let mut chat = load_repaired(history, &["stale-approval c1 output-error"]);
    assert_eq!(chat.pending(), "a2");
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2");
    // The app stored the first one as approved, so it may have run.
    let history = json!([user("m1"), assistant("r1", &[answered("c1", "a1", true), other])]);
    let chat = load_repaired(history, &["unanswered-call c1 output-error"]);
    assert_eq!((chat.pending().as_str(), chat.undelivered()), ("a2", NONE.to_vec()));
}

#[test]
fn a_superseded_approval_is_not_requested_again_after_a_load() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.more(|reply| reply.request("c1", "a2"));
    chat.load(json!([user("m1"), assistant("r1", &[asked("c1", "a2")])]));
    assert_eq!(chat.pending(), "a2");
    chat.more(|reply| reply.request("c1", "a1"));
    assert_eq!((chat.pending().as_str(), chat.respond("a1", false, "")), ("a2", Err(Code::Superseded)));
    assert_eq!(chat.anomalies(), [Code::Superseded]);
}

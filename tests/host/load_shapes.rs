//! Stored calls whose state, approval and result contradict each other: one test for each kind of contradiction.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{answered, asked, assistant, load_repaired, part, part_with, text, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, DeliveryState, OutcomeKind, Phase, RespondOutcome};

/// A history that ends with this call.
fn ending_with(call: Json) -> Json {
    json!([user("m1"), assistant("r1", &[call])])
}

/// Loads a history that ends with this call, with exactly these repairs.
fn load_repaired_last(call: Json, repairs: &[&str]) -> Chat {
    load_repaired(ending_with(call), repairs)
}

fn approval(chat: &Chat) -> Option<Json> {
    chat.wire_part("c1").and_then(|part| part.get("approval").cloned())
}

#[test]
fn a_missing_or_unknown_state_is_inferred_from_the_calls_properties() {
    let cases = [
        (json!({}), Phase::InputAvailable),
        (json!({ "output": 1 }), Phase::OutputAvailable),
        (json!({ "output": 1, "preliminary": true }), Phase::Preliminary),
        (json!({ "errorText": "e" }), Phase::OutputError),
        (json!({ "approval": { "id": "a1" } }), Phase::ApprovalRequested),
        (json!({ "approval": { "id": "a1", "isAutomatic": true } }), Phase::AutomaticRequest),
        (json!({ "approval": { "id": "a1", "approved": true } }), Phase::Submitted),
        (json!({ "approval": { "id": "a1", "approved": false } }), Phase::Denied),
    ];
    for (more, phase) in cases {
        for state in [json!(null), json!("no-such-state"), json!(7)] {
            let mut call = part_with("c1", "", more.clone());
            call["state"] = state;
            let chat = load_repaired_last(call, &[&format!("missing-state c1 {}", phase.state())]);
            assert_eq!(chat.phase("c1"), phase, "{more}");
        }
    }
}

#[test]
fn a_call_without_an_output_is_never_read_as_executed() {
    // Some servers write `null` without a state when they have no result yet.
    let mut call = part_with("c1", "", json!({ "output": null, "errorText": null }));
    call.as_object_mut().unwrap().remove("state");
    let chat = load_repaired_last(call, &["missing-state c1 input-available", "invalid-value c1 input-available"]);
    assert_eq!(chat.phase("c1"), Phase::InputAvailable);
    let failed = part_with("c1", "output-available", json!({ "errorText": "disk full" }));
    let chat = load_repaired_last(failed, &["missing-state c1 output-error"]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
}

#[test]
fn an_approval_that_is_null_is_removed() {
    let chat = load_repaired_last(
        part_with("c1", "input-available", json!({ "approval": null })),
        &["invalid-value c1 input-available"],
    );
    assert_eq!((chat.phase("c1"), approval(&chat)), (Phase::InputAvailable, None));
}

#[test]
fn a_reason_that_is_null_is_removed() {
    let mut call = answered("c1", "a1", true);
    call["approval"]["reason"] = json!(null);
    let chat = load_repaired_last(call, &["invalid-value c1 approval-responded"]);
    assert_eq!(approval(&chat), Some(json!({ "id": "a1", "approved": true })));
    let denied = json!({ "approval": { "id": "a1", "approved": false, "reason": null } });
    let chat = load_repaired_last(part_with("c1", "output-denied", denied), &["invalid-value c1 output-denied"]);
    assert_eq!(approval(&chat), Some(json!({ "id": "a1", "approved": false })));
}

#[test]
fn a_signature_that_is_null_is_removed_and_the_rest_of_the_approval_stays() {
    let mut call = asked("c1", "a1");
    call["approval"]["signature"] = json!(null);
    call["approval"]["descriptor"] = json!({ "risk": null });
    let chat = load_repaired_last(call, &["invalid-value c1 approval-requested"]);
    assert_eq!(approval(&chat), Some(json!({ "id": "a1", "descriptor": { "risk": null } })));
}

#[test]
fn a_decision_that_is_not_a_boolean_is_dropped_and_the_approval_is_pending() {
    for approved in [json!("true"), json!(1), json!(null)] {
        let call = part_with("c1", "approval-responded", json!({ "approval": { "id": "a1", "approved": approved } }));
        let repairs = ["missing-state c1 approval-requested", "invalid-value c1 approval-requested"];
        let mut chat = load_repaired_last(call, &repairs);
        assert_eq!(chat.respond("a1", false, ""), Ok(RespondOutcome::Accepted));
    }
}

#[test]
fn a_pending_request_with_a_decision_is_decided() {
    for (approved, phase) in [(true, Phase::Submitted), (false, Phase::Denied)] {
        let call = part_with("c1", "approval-requested", json!({ "approval": { "id": "a1", "approved": approved } }));
        let mut chat = load_repaired_last(call, &["missing-state c1 approval-responded"]);
        assert_eq!((chat.phase("c1"), chat.delivery("c1")), (phase, Some(DeliveryState::Unconfirmed)));
        assert_eq!(chat.respond("a1", !approved, ""), Err(Code::AlreadyDecided));
    }
}

#[test]
fn a_request_or_decision_without_an_approval_id_is_an_open_call() {
    for state in ["approval-requested", "approval-responded"] {
        let chat = load_repaired_last(part("c1", state), &["missing-state c1 input-available"]);
        assert_eq!(chat.phase("c1"), Phase::InputAvailable);
        let numbered = part_with("c1", state, json!({ "approval": { "id": 7, "approved": true } }));
        load_repaired_last(numbered, &["missing-state c1 input-available", "invalid-value c1 input-available"]);
    }
}

#[test]
fn an_open_call_with_an_approval_is_pending_or_decided() {
    let with = |approval: Json| part_with("c1", "input-available", json!({ "approval": approval }));
    let chat = load_repaired_last(with(json!({ "id": "a1" })), &["missing-state c1 approval-requested"]);
    assert_eq!(chat.pending(), "a1");
    let chat =
        load_repaired_last(with(json!({ "id": "a1", "approved": true })), &["missing-state c1 approval-responded"]);
    assert_eq!((chat.listed(), chat.undelivered().len()), (NONE.to_vec(), 1));
    let chat =
        load_repaired_last(with(json!({ "id": "a1", "approved": false })), &["missing-state c1 approval-responded"]);
    assert_eq!(chat.phase("c1"), Phase::Denied);
}

#[test]
fn a_call_whose_input_was_never_complete_is_closed_in_every_state() {
    for approval in [json!({ "id": "a1" }), json!({ "id": "a1", "approved": true })] {
        let call = part_with("c1", "input-streaming", json!({ "approval": approval }));
        let repairs = ["invalid-value c1 input-streaming", "incomplete-input c1 output-error"];
        let chat = load_repaired_last(call, &repairs);
        assert_eq!((chat.wire_part("c1"), chat.model_result("c1")), (None, None));
    }
    let chat = load_repaired_last(part("c1", "input-streaming"), &["incomplete-input c1 output-error"]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)));
}

#[test]
fn an_output_takes_precedence_over_an_undecided_approval() {
    for approval in [json!({ "id": "a1" }), json!({ "approved": true })] {
        let ran = part_with("c1", "output-available", json!({ "output": "ran", "approval": approval }));
        let chat = load_repaired_last(ran, &["invalid-value c1 output-available"]);
        assert_eq!((chat.outcome("c1"), approval_of(&chat)), (Some((OutcomeKind::Executed, false)), None));
        let failed = part_with("c1", "output-error", json!({ "errorText": "e", "approval": approval }));
        let chat = load_repaired_last(failed, &["invalid-value c1 output-error"]);
        assert_eq!((chat.outcome("c1"), approval_of(&chat)), (Some((OutcomeKind::Failed, false)), None));
    }
}

#[test]
fn a_denial_takes_precedence_over_an_output() {
    for (state, more) in
        [("output-available", json!({ "output": "ran" })), ("output-error", json!({ "errorText": "e" }))]
    {
        let mut more = more;
        more["approval"] = json!({ "id": "a1", "approved": false, "reason": "no" });
        let chat = load_repaired_last(part_with("c1", state, more), &["denied-output c1 output-denied"]);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
        assert_eq!(chat.model_result("c1").unwrap()["type"], "execution-denied");
    }
}

fn approval_of(chat: &Chat) -> Option<Json> {
    approval(chat)
}

#[test]
fn a_denial_without_an_approval_gets_one() {
    let cases = [json!(null), json!({ "id": 5 }), json!({ "id": "a1" }), json!({ "id": "a1", "approved": true })];
    for (index, approval) in cases.into_iter().enumerate() {
        let call = part_with("c1", "output-denied", json!({ "approval": approval }));
        let chat = load_repaired_last(call, &["missing-approval c1 output-denied"]);
        let id = if index < 2 { "c1" } else { "a1" };
        assert_eq!(approval_of(&chat), Some(json!({ "id": id, "approved": false })));
    }
    load_repaired_last(part("c1", "output-denied"), &["missing-approval c1 output-denied"]);
}

#[test]
fn a_denied_call_has_no_output() {
    for state in ["output-denied", "approval-responded"] {
        let denied = json!({ "approval": { "id": "a1", "approved": false }, "output": "ran" });
        let chat = load_repaired_last(part_with("c1", state, denied), &[&format!("invalid-value c1 {state}")]);
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
        assert_eq!(chat.wire_part("c1").unwrap().get("output"), None);
    }
}

#[test]
fn a_result_in_a_state_that_awaits_one_settles_the_call() {
    for state in ["input-streaming", "input-available", "approval-requested", "approval-responded"] {
        let approval = json!({ "id": "a1", "approved": true });
        let chat = load_repaired_last(
            part_with("c1", state, json!({ "output": "ran", "approval": approval })),
            &["missing-state c1 output-available"],
        );
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
        let chat = load_repaired_last(
            part_with("c1", state, json!({ "errorText": "e", "approval": approval })),
            &["missing-state c1 output-error"],
        );
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
    }
}

#[test]
fn a_failure_without_an_error_text_gets_one() {
    for error in [json!(null), json!({ "code": 5 }), json!(7)] {
        let failed = part_with("c1", "output-error", json!({ "errorText": error }));
        let chat = load_repaired_last(failed, &["invalid-value c1 output-error"]);
        assert_eq!(chat.wire_part("c1").unwrap()["errorText"], "unknown error");
        assert_eq!(chat.model_result("c1"), Some(json!({ "type": "error-text", "value": "unknown error" })));
    }
}

#[test]
fn an_output_and_an_error_are_not_both_kept() {
    let both = json!({ "output": "ran", "errorText": "e" });
    let chat =
        load_repaired_last(part_with("c1", "output-available", both.clone()), &["invalid-value c1 output-available"]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    let chat = load_repaired_last(part_with("c1", "output-error", both), &["invalid-value c1 output-error"]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
}

#[test]
fn an_automatic_request_cannot_be_decided_and_its_decision_is_not_sent() {
    let approval = json!({ "id": "a1", "isAutomatic": true, "approved": true });
    let chat = load_repaired_last(part_with("c1", "approval-responded", json!({ "approval": approval })), &[]);
    assert_eq!((chat.delivery("c1"), chat.undelivered()), (None, vec![]));
    let untyped = json!({ "id": "a1", "isAutomatic": null });
    let call = part_with("c1", "approval-requested", json!({ "approval": untyped }));
    assert_eq!(load_repaired_last(call, &["invalid-value c1 approval-requested"]).pending(), "a1");
}

#[test]
fn repairing_one_call_does_not_change_the_others() {
    let parts = [asked("c1", "a1"), part("c2", "output-denied"), text("?"), asked("c3", "a3")];
    let mut chat = load_repaired(json!([user("m1"), assistant("r1", &parts)]), &["missing-approval c2 output-denied"]);
    assert_eq!(chat.pending(), "a1 a3");
    chat.approve("a1");
    chat.deny("a3");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a3");
}

#[test]
fn a_failed_call_has_a_complete_input_whatever_its_metadata_say() {
    let metadata = json!({ "toolgate": { "state": "input-streaming" } });
    let failed = json!({ "errorText": "No.", "input": {}, "callProviderMetadata": metadata });
    let chat = load_repaired_last(part_with("c1", "output-error", failed), &[]);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Failed, false)));
    assert!(
        chat.machine.transcript().messages().iter().flat_map(|message| message.calls()).all(|part| part.input_complete)
    );
}

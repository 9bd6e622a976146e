//! Decisions: one for each approval, and only on the input that the user was shown.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, Payload, RefusalReason, Respond, RespondOutcome, StreamEnd};

#[test]
fn the_same_decision_again_is_a_duplicate_and_the_first_reason_stays() {
    for approved in [true, false] {
        let mut chat = Chat::asking(2);
        assert_eq!(chat.respond("a1", approved, "first"), Ok(RespondOutcome::Accepted));
        assert_eq!(chat.respond("a1", approved, "second"), Ok(RespondOutcome::Duplicate));
        let reason = chat.part("c1").decision().unwrap().reason;
        assert_eq!(chat.store.to_json(reason), "first");
    }
}

#[test]
fn the_opposite_decision_is_refused_and_changes_nothing() {
    for approved in [true, false] {
        let mut chat = Chat::asking(2);
        assert_eq!(chat.respond("a1", approved, ""), Ok(RespondOutcome::Accepted));
        let before = chat.saved();
        assert_eq!(chat.respond("a1", !approved, ""), Err(Code::AlreadyDecided));
        assert_eq!(chat.saved(), before);
        assert_eq!(chat.part("c1").decision().unwrap().approved, approved);
    }
}

#[test]
fn a_decision_does_not_change_during_its_delivery() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
    chat.reply(|reply| reply.output("c1"));
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approval_that_was_never_requested_is_unknown() {
    let mut chat = Chat::asking(1);
    let refusal = chat.respond_refused("a9", true, "").unwrap_err();
    assert_eq!((refusal.code, refusal.why), (Code::UnknownApproval, RefusalReason::NoApproval));
}

#[test]
fn the_refusal_of_a_call_id_in_place_of_an_approval_id_contains_the_approval_id() {
    let mut chat = Chat::asking(1);
    let refusal = chat.respond_refused("c1", true, "").unwrap_err();
    assert_eq!((refusal.code, refusal.why), (Code::UnknownApproval, RefusalReason::CallForApproval));
    let right = refusal.approval.map(|approval| chat.text(approval));
    assert_eq!(right.as_deref(), Some("a1"));
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn a_decision_on_an_input_that_was_not_shown_is_refused() {
    let mut chat = Chat::asking(1);
    let approval = chat.store.make("a1");
    let stale = Respond { approval, approved: true, reason: Payload::NONE, as_shown: Some(false), edited: None };
    let refusal = chat.act(|chat| chat.machine.respond(stale)).unwrap_err();
    assert_eq!(refusal.code, Code::StaleInput);
    assert_eq!(chat.pending(), "a1");
    // A repeated click is compared with the decision, and is still a duplicate.
    chat.approve("a1");
    let again = chat.act(|chat| chat.machine.respond(stale));
    assert_eq!(again, Ok(RespondOutcome::Duplicate));
}

#[test]
fn an_approval_that_a_later_message_superseded_cannot_be_decided() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    // The backend continues in a new message.
    chat.more(|reply| reply.start("r9").step().text("Something else."));
    chat.end(StreamEnd::Finished);
    for approval in ["a1", "a2"] {
        assert_eq!(chat.respond(approval, true, ""), Err(Code::Superseded));
        assert_eq!(chat.respond(approval, false, ""), Err(Code::Superseded));
    }
    assert_eq!(chat.pending(), "");
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approval_that_is_superseded_in_a_loaded_history_cannot_be_decided() {
    let mut chat = Chat::default();
    chat.load(serde_json::json!([
        { "id": "r1", "role": "assistant", "parts": [
            { "type": "tool-edit", "toolCallId": "c1", "state": "approval-requested", "input": {},
              "approval": { "id": "a1" } },
        ] },
        { "id": "m2", "role": "user", "parts": [{ "type": "text", "text": "m2" }] },
    ]));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
}

#[test]
fn respond_all_decides_all_approvals_before_anything_is_sent() {
    let mut chat = Chat::asking(3);
    chat.deny("a2");
    assert_eq!(chat.respond_all(&["a1", "a2", "a3", "a9"], true), 2);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    assert!(!chat.part("c2").decision().unwrap().approved);
}

#[test]
fn respond_all_without_approvals_does_nothing() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.deny("a1");
    chat.deny("a2");
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.respond_all(&[], true), 0);
    assert_eq!(chat.respond_all(&["a1"], false), 0);
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_double_click_during_a_stream_is_one_decision_and_one_submission() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    chat.end(StreamEnd::Finished);
    chat.claim();
    assert_eq!(chat.respond("a1", true, ""), Ok(RespondOutcome::Duplicate));
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!(chat.listed(), NONE);
}

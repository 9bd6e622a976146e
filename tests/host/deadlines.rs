//! Approvals that expire.

use crate::chat::{Chat, NONE};
use crate::stored_histories::{assistant, part_with, user};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, DeliveryState, OnUserMessage, OutcomeKind, Phase, RespondOutcome, Sent, StreamEnd};
use toolgate::wire::ai_sdk::Shape;

const EXPIRED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Expired, false));

/// A chat whose approvals expire after 100 ms.
fn timed() -> Chat {
    let mut chat = Chat::default();
    chat.set_options(|options| options.approval_timeout = Some(100));
    chat.at(1000);
    chat
}

/// An approval request with a deadline of the backend.
fn until(call: &str, approval: &str, end: Json) -> Json {
    json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": approval, "expiresAt": end })
}

/// A chat with two pending calls: the first expires at 1050, the second after 100 ms.
fn two_deadlines() -> Chat {
    let mut chat = timed();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").raw(until("c1", "a1", json!(1050))).ask("c2", "a2"));
    chat
}

#[test]
fn an_undecided_approval_expires_and_is_sent_as_a_denial_with_its_own_text() {
    let mut chat = timed().that_asks(1);
    assert_eq!(chat.machine.next_deadline(), Some(1100));
    chat.tick(1099);
    assert_eq!((chat.pending().as_str(), chat.listed()), ("a1", vec![]));
    chat.tick(1100);
    assert_eq!((chat.outcome("c1"), chat.pending().as_str(), chat.machine.next_deadline()), (EXPIRED, "", None));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
    let part = &chat.body(chat.item(item))["messages"][1]["parts"][1];
    assert_eq!(part["state"], "approval-responded");
    assert_eq!(part["approval"], json!({ "id": "a1", "approved": false, "reason": "Expired." }));
    chat.reply(|reply| reply.denied("c1").text("Too late, then."));
    assert_eq!((chat.state("c1"), chat.outcome("c1")), ("output-denied", EXPIRED));
}

#[test]
fn without_a_timeout_nothing_expires() {
    let mut chat = Chat::asking(1);
    assert_eq!(chat.machine.next_deadline(), None);
    chat.tick(u64::MAX);
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn a_deadline_of_the_backend_takes_precedence() {
    let mut chat = two_deadlines();
    assert_eq!(chat.machine.next_deadline(), Some(1050));
    chat.tick(1060);
    assert_eq!((chat.outcome("c1"), chat.pending().as_str()), (EXPIRED, "a2"));
    assert_eq!(chat.machine.next_deadline(), Some(1100));
    // A later deadline of the backend takes precedence, too.
    let mut chat = timed();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call("c1").raw(until("c1", "a1", json!(9000))));
    chat.tick(8999);
    assert_eq!(chat.pending(), "a1");
}

#[test]
fn an_invalid_deadline_is_replaced_by_the_timeout() {
    for wrong in [json!(null), json!("tomorrow"), json!(0), json!(-5), json!(1e300), json!({})] {
        let mut chat = timed();
        chat.user("m1");
        chat.claim();
        chat.reply(|reply| reply.call("c1").raw(until("c1", "a1", wrong.clone())));
        assert_eq!(chat.machine.next_deadline(), Some(1100), "{wrong}");
        assert_eq!(chat.restored().machine.next_deadline(), Some(1100), "{wrong}");
    }
}

#[test]
fn an_expired_call_waits_until_the_rest_of_its_step_is_decided() {
    let mut chat = two_deadlines();
    chat.tick(1060);
    assert_eq!((chat.delivery("c1"), chat.listed()), (Some(DeliveryState::Held), vec![]));
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.approved_flags(item)), ("a1 a2", vec![false, true]));
}

#[test]
fn calls_that_expire_at_once_are_sent_together() {
    let mut chat = timed().that_asks(3);
    chat.approve("a2");
    chat.tick(5000);
    assert_eq!((chat.outcome("c1"), chat.outcome("c2"), chat.outcome("c3")), (EXPIRED, None, EXPIRED));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    chat.tick(6000);
    assert_eq!(chat.machine.outbox().items().len(), 2, "nothing expires twice");
}

#[test]
fn a_decided_approval_does_not_expire() {
    let mut chat = timed().that_asks(2);
    chat.approve("a1");
    chat.deny("a2");
    assert_eq!(chat.machine.next_deadline(), None);
    chat.tick(5000);
    assert_eq!((chat.phase("c1"), chat.outcome("c2")), (Phase::Approved, Some((OutcomeKind::Denied, false))));
}

#[test]
fn a_decision_on_an_expired_approval_is_refused() {
    let mut chat = timed().that_asks(2);
    chat.tick(1100);
    let before = chat.saved();
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadyDecided));
    assert_eq!(chat.respond("a1", false, ""), Ok(RespondOutcome::Duplicate));
    assert_eq!(chat.respond_all(&["a1", "a2"], true), 0);
    assert_eq!(chat.saved(), before);
}

#[test]
fn an_expiry_during_a_stream_is_sent_after_it() {
    let mut chat = timed();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.tick(1100);
    assert_eq!((chat.outcome("c1"), chat.listed()), (EXPIRED, vec![]));
    chat.more(|reply| reply.text("Well?").step_done().finish());
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn an_expiry_does_not_release_decisions_that_stop_holds() {
    let mut chat = timed();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1").ask("c2", "a2"));
    chat.approve("a1");
    chat.stop();
    chat.end(StreamEnd::Aborted);
    chat.tick(1100);
    assert_eq!((chat.outcome("c2"), chat.listed()), (EXPIRED, vec![]));
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn an_expiry_releases_a_queued_message() {
    let mut chat = timed();
    chat.set_options(|options| options.on_user_message = OnUserMessage::Queue);
    let mut chat = chat.that_asks(1);
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.tick(1100);
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", "a1"));
    assert_eq!(chat.outcome("c1"), EXPIRED);
}

#[test]
fn a_repeated_request_keeps_its_deadline() {
    let mut chat = timed();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.at(1090);
    chat.more(|reply| reply.request("c1", "a1").raw(until("c1", "a1", json!(9000))));
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
    assert_eq!(chat.machine.next_deadline(), Some(1100));
    chat.tick(1100);
    assert_eq!(chat.outcome("c1"), EXPIRED);
}

#[test]
fn a_request_with_a_new_id_gets_a_new_deadline() {
    let mut chat = timed().that_asks(1);
    chat.approve("a1");
    chat.claim();
    chat.at(2000);
    chat.more(|reply| reply.start("r1").request("c1", "b1"));
    assert_eq!((chat.pending().as_str(), chat.machine.next_deadline()), ("b1", Some(2100)));
}

#[test]
fn a_deadline_survives_a_restore_and_overdue_approvals_expire_at_the_first_tick() {
    let chat = two_deadlines();
    let mut chat = chat.restored();
    assert_eq!(chat.machine.next_deadline(), Some(1050));
    assert_eq!(chat.pending(), "a1 a2");
    chat.tick(9000);
    assert_eq!((chat.outcome("c1"), chat.outcome("c2")), (EXPIRED, EXPIRED));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
    let restored = chat.restored();
    assert_eq!(restored.outcome("c1"), EXPIRED);
}

#[test]
fn the_deadline_of_a_loaded_request_starts_with_the_load() {
    let history = Chat::asking(1).ui_messages(Shape::Body);
    let mut chat = timed();
    chat.load(history);
    assert_eq!((chat.pending().as_str(), chat.machine.next_deadline()), ("a1", Some(1100)));
    chat.tick(1100);
    assert_eq!(chat.outcome("c1"), EXPIRED);
    assert_eq!(chat.listed().len(), 1);
    // The stored messages contain the backend's deadline.
    let kept = two_deadlines().ui_messages(Shape::Body);
    let mut chat = Chat::default();
    chat.load(kept);
    assert_eq!(chat.machine.next_deadline(), Some(1050));
}

#[test]
fn loading_the_shown_messages_does_not_postpone_a_deadline() {
    let mut chat = two_deadlines();
    chat.at(1040);
    chat.load(chat.ui_messages(Shape::View));
    assert_eq!(chat.machine.next_deadline(), Some(1050));
    chat.tick(1050);
    assert_eq!(chat.machine.next_deadline(), Some(1100));
}

#[test]
fn an_expired_call_is_still_expired_after_loading_ui_or_model_messages() {
    let mut chat = timed().that_asks(1);
    chat.tick(1100);
    for kept in [chat.ui_messages(Shape::View), chat.ui_messages(Shape::Body), chat.history()] {
        let mut other = timed();
        other.load(kept);
        assert_eq!((other.outcome("c1"), other.machine.next_deadline()), (EXPIRED, None));
    }
}

#[test]
fn a_clock_that_goes_backwards_expires_nothing_early_and_nothing_twice() {
    let mut chat = two_deadlines();
    chat.tick(10);
    assert_eq!((chat.pending().as_str(), chat.machine.next_deadline()), ("a1 a2", Some(1050)));
    chat.tick(1050);
    chat.tick(10);
    assert_eq!((chat.outcome("c1"), chat.pending().as_str()), (EXPIRED, "a2"));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approval_that_was_withdrawn_does_not_expire() {
    let mut chat = timed().that_asks(1);
    chat.cancel();
    assert_eq!(chat.machine.next_deadline(), None);
    chat.tick(5000);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)));
}

#[test]
fn a_timeout_beyond_the_last_time_never_expires() {
    let mut chat = timed();
    let last = (1 << 53) - 1;
    chat.at(last - 5);
    let mut chat = chat.that_asks(1);
    chat.tick(last - 1);
    assert_eq!(chat.pending(), "a1");
    assert_eq!(chat.restored().pending(), "a1");
}

#[test]
fn an_extended_approval_expires_later_also_in_a_copy() {
    let mut chat = timed().that_asks(2);
    assert_eq!(chat.extend("a1", 5000), Ok(true));
    for mut chat in [chat.restored(), chat] {
        assert_eq!(chat.machine.next_deadline(), Some(1100));
        assert_eq!(chat.extend("a1", 4000), Ok(false), "it expires later already");
        chat.tick(1100);
        assert_eq!((chat.pending().as_str(), chat.outcome("c2")), ("a1", EXPIRED));
        chat.tick(4999);
        assert_eq!(chat.pending(), "a1");
        chat.tick(5000);
        assert_eq!((chat.pending().as_str(), chat.outcome("c1")), ("", EXPIRED));
        assert_eq!(chat.extend("a1", 9000), Ok(false), "it is over");
    }
}

#[test]
fn only_a_pending_approval_with_a_deadline_of_this_client_is_extended() {
    let mut chat = two_deadlines();
    assert_eq!(chat.extend("a1", 5000), Ok(false), "the backend set the deadline");
    assert_eq!(chat.extend("a2", 1100), Ok(false), "it would not be later");
    chat.approve("a2");
    assert_eq!(chat.extend("a2", 5000), Ok(false), "it is decided");
    assert_eq!(chat.extend("a9", 5000), Err(Code::UnknownApproval));
    assert_eq!(chat.machine.next_deadline(), Some(1050));
    let mut untimed = Chat::asking(1);
    assert_eq!(untimed.extend("a1", 5000), Ok(false), "it never expires");
    assert_eq!(untimed.machine.next_deadline(), None);
    untimed.user("m2");
    untimed.claim();
    untimed.reply(|reply| reply.text("Well?"));
    assert_eq!(untimed.extend("a1", 5000), Ok(false), "it was denied with the message");
}

#[test]
fn a_loaded_deadline_of_the_backend_is_not_extended() {
    let approval = |expires: Json| json!({ "approval": { "id": "a1", "expiresAt": expires } });
    for (expires, extends) in [(json!(9000), false), (Json::Null, true)] {
        let mut chat = timed();
        let part = part_with("c1", "approval-requested", approval(expires));
        chat.load(json!([user("m1"), assistant("r1", &[part])]));
        assert_eq!(chat.pending(), "a1");
        assert_eq!(chat.extend("a1", 20_000), Ok(extends));
    }
    let call = json!({ "type": "tool-call", "toolCallId": "c1", "toolName": "edit", "input": {} });
    let request = |expires: Json| until("c1", "a1", expires);
    for (expires, extends) in [(json!(9000), false), (Json::Null, true)] {
        let mut chat = timed();
        let model = json!({ "role": "assistant", "content": [call, request(expires)] });
        chat.load(json!([{ "role": "user", "content": "Tidy up" }, model]));
        assert_eq!(chat.pending(), "a1");
        assert_eq!(chat.extend("a1", 20_000), Ok(extends));
    }
}

//! The `on_deny` policies: when they apply, and when not.

use crate::chat::{Chat, NONE};
use crate::on_deny::{DENIED, POLICIES, SKIPPED, asking, deny_only, streaming};
use toolgate::machine::{Code, DeliveryState, Event, OnDeny, OutcomeKind, Phase, Sent, StreamEnd};

#[test]
fn a_failed_submission_stays_failed_in_an_ended_turn() {
    let mut chat = asking(OnDeny::EndTurn, 1);
    chat.approve("a1");
    let failed = chat.claim();
    chat.mark_failed(failed).unwrap();
    chat.more(|reply| reply.start("r1").ask("c2", "a2"));
    chat.end(StreamEnd::Finished);
    deny_only(&mut chat, "a2");
    assert_eq!((chat.delivery("c1"), chat.listed()), (Some(DeliveryState::Failed), vec![]));
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.retry(failed).unwrap();
    assert_eq!(chat.claim(), failed);
    chat.reply(|reply| reply.output("c1").text("Done."));
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", "a2"));
}

#[test]
fn respond_all_decides_its_approvals_before_the_policy_applies_to_the_rest() {
    for policy in POLICIES {
        let mut chat = asking(policy, 3);
        chat.approve("a1");
        assert_eq!(chat.respond_all(&["a1", "a2"], false), 1, "a1 is already decided");
        let (first, last) = match policy {
            OnDeny::Continue => (None, None),
            OnDeny::SkipRest => (None, SKIPPED),
            OnDeny::EndTurn | OnDeny::ByReason => (SKIPPED, SKIPPED),
        };
        assert_eq!([chat.outcome("c1"), chat.outcome("c2"), chat.outcome("c3")], [first, DENIED, last], "{policy:?}");
        let mut all = asking(policy, 3);
        assert_eq!(all.respond_all(&["a1", "a2", "a3"], false), 3);
        assert_eq!([all.outcome("c1"), all.outcome("c2"), all.outcome("c3")], [DENIED; 3]);
        assert_eq!(all.listed().len(), usize::from(matches!(policy, OnDeny::Continue | OnDeny::SkipRest)));
    }
}

#[test]
fn approvals_and_denials_that_deny_nothing_trigger_no_policy() {
    let mut chat = asking(OnDeny::EndTurn, 3);
    assert_eq!(chat.respond_all(&["a1"], true), 1);
    assert_eq!(chat.respond_all(&[], false), 0);
    assert_eq!(chat.respond_all(&["a1", "a9"], false), 0);
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
    assert_eq!((chat.pending().as_str(), chat.rule()), ("a2 a3", ""));
}

#[test]
fn only_a_denial_by_the_user_triggers_the_policy() {
    // A denial by the backend.
    let mut chat = streaming(OnDeny::EndTurn, 2);
    chat.more(|reply| reply.denied("c1").automatic("c3", "a3").response("a3", false));
    assert_eq!((chat.pending().as_str(), chat.rule()), ("a2", ""));
    // A denial by expiry.
    let mut chat = Chat::with_on_deny(OnDeny::EndTurn);
    chat.user("m1");
    chat.claim();
    let expiring = serde_json::json!({
        "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1", "expiresAt": 10,
    });
    chat.reply(|reply| reply.call("c1").raw(expiring).ask("c2", "a2"));
    chat.tick(10);
    assert_eq!((chat.outcome("c1"), chat.pending().as_str()), (Some((OutcomeKind::Expired, false)), "a2"));
    assert_eq!(chat.rule(), "");
    // A denial by a user message.
    let mut chat = asking(OnDeny::EndTurn, 2);
    chat.approve("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!((chat.outcome("c1"), chat.outcome("c2")), (None, DENIED));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn with_skip_rest_the_next_step_is_not_skipped() {
    let mut chat = asking(OnDeny::SkipRest, 2);
    deny_only(&mut chat, "a1");
    chat.claim();
    chat.reply(|reply| reply.denied("c1").denied("c2").step_done().step().ask("c3", "a3").ask("c4", "a4"));
    assert_eq!(chat.pending(), "a3 a4");
    // The same holds within one stream.
    let mut chat = streaming(OnDeny::SkipRest, 1);
    deny_only(&mut chat, "a1");
    chat.more(|reply| reply.ask("c2", "a2").step_done().step().ask("c3", "a3"));
    assert_eq!((chat.outcome("c2"), chat.pending().as_str()), (SKIPPED, "a3"));
}

#[test]
fn requests_in_the_same_step_after_the_denial_was_delivered_are_not_skipped() {
    let mut chat = asking(OnDeny::SkipRest, 2);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    chat.claim();
    chat.more(|reply| reply.start("r1").request("c1", "b1").ask("c3", "a3"));
    assert_eq!((chat.pending().as_str(), chat.phase("c1")), ("b1 a3", Phase::ApprovalRequested));
    chat.end(StreamEnd::Finished);
    chat.approve("b1");
    chat.approve("a3");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "b1 a3");
}

#[test]
fn a_skip_is_reported_as_one_decision_of_the_policy_and_one_result() {
    let mut chat = asking(OnDeny::SkipRest, 2);
    chat.take_events();
    deny_only(&mut chat, "a1");
    let events = chat.take_events();
    let decided = events.iter().filter(|event| matches!(event, Event::Decision { .. })).count();
    let results = events.iter().filter_map(|event| match event {
        Event::Result { outcome, .. } => Some(outcome.kind),
        _ => None,
    });
    assert_eq!((decided, results.collect::<Vec<_>>()), (2, vec![OutcomeKind::Denied, OutcomeKind::Skipped]));
}

#[test]
fn after_cancel_a_denial_waits_for_the_message_whatever_the_policy() {
    for policy in POLICIES {
        let mut chat = streaming(policy, 2);
        deny_only(&mut chat, "a1");
        chat.cancel();
        chat.more(|reply| reply.ask("c3", "a3").finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.outcome("c3"), Some((OutcomeKind::Cancelled, false)), "{policy:?}");
        assert_eq!(chat.listed(), NONE, "{policy:?}");
        chat.user("m2");
        let item = chat.claim();
        assert!(chat.approvals(item).starts_with("a1"), "{policy:?}");
    }
}

//! The `on_deny` policies: what a denial does to the other calls of its step.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, DeliveryState, OnDeny, OutcomeKind, Phase, RespondOutcome, Sent, StreamEnd, TurnStatus};

pub const POLICIES: [OnDeny; 4] = [OnDeny::Continue, OnDeny::SkipRest, OnDeny::EndTurn, OnDeny::ByReason];
pub const SKIPPED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Skipped, false));
pub const DENIED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Denied, false));

/// A chat with this policy whose reply requested approval of these calls.
pub fn asking(policy: OnDeny, calls: usize) -> Chat {
    Chat::with_on_deny(policy).that_asks(calls)
}

/// A chat whose reply is still streaming, and has requested approvals.
pub fn streaming(policy: OnDeny, calls: usize) -> Chat {
    let mut chat = Chat::with_on_deny(policy);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| (1..=calls).fold(reply, |reply, call| reply.ask(&format!("c{call}"), &format!("a{call}"))));
    chat
}

/// Denies without a reason.
pub fn deny_only(chat: &mut Chat, approval: &str) {
    assert_eq!(chat.respond(approval, false, ""), Ok(RespondOutcome::Accepted));
}

#[test]
fn with_continue_each_call_is_decided_on_its_own() {
    let mut chat = asking(OnDeny::Continue, 3);
    deny_only(&mut chat, "a1");
    assert_eq!((chat.pending().as_str(), chat.rule()), ("a2 a3", ""));
    chat.approve("a2");
    chat.approve("a3");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    assert_eq!((chat.outcome("c1"), chat.phase("c2"), chat.phase("c3")), (DENIED, Phase::Submitted, Phase::Submitted));
}

#[test]
fn with_skip_rest_undecided_calls_are_skipped_and_the_step_is_sent() {
    let mut chat = asking(OnDeny::SkipRest, 3);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    assert_eq!((chat.pending().as_str(), chat.outcome("c3")), ("", SKIPPED));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    let body = chat.body(chat.item(item));
    let parts = body["messages"][1]["parts"].as_array().unwrap();
    let told: Vec<_> = parts
        .iter()
        .filter_map(|part| Some((part["approval"]["approved"].as_bool()?, &part["approval"]["reason"])))
        .collect();
    assert_eq!(told[0], (true, &serde_json::Value::Null));
    assert_eq!(told[1], (false, &serde_json::Value::Null));
    assert_eq!(told[2], (false, &serde_json::json!("Skipped.")));
    chat.reply(|reply| reply.output("c1").denied("c2").denied("c3").text("Done."));
    assert_eq!((chat.outcome("c2"), chat.outcome("c3")), (DENIED, SKIPPED));
    assert_eq!((chat.machine.turn_status(), chat.anomalies().len()), (TurnStatus::Done, 0));
}

#[test]
fn with_end_turn_nothing_is_sent_until_the_user_writes() {
    let mut chat = asking(OnDeny::EndTurn, 3);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    assert_eq!([chat.outcome("c1"), chat.outcome("c2"), chat.outcome("c3")], [SKIPPED, DENIED, SKIPPED]);
    assert_eq!((chat.listed(), chat.pending().as_str()), (vec![], ""));
    assert_eq!((chat.machine.turn_status(), chat.machine.status().as_str()), (TurnStatus::Done, "idle"));
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.user("m2"), Sent::Sent);
    let item = chat.claim();
    assert_eq!((chat.messages(item).as_str(), chat.approvals(item).as_str()), ("m2", "a1 a2 a3"));
    assert_eq!([chat.state("c1"), chat.state("c2"), chat.state("c3")], ["output-denied"; 3]);
    chat.reply(|reply| reply.text("All right."));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn an_approval_that_the_end_of_the_turn_skipped_is_decided() {
    let mut chat = asking(OnDeny::EndTurn, 2);
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    assert_eq!(chat.respond("a1", true, ""), Err(Code::AlreadyDecided));
    assert_eq!(chat.respond("a1", false, ""), Ok(RespondOutcome::Duplicate));
    let item = {
        chat.user("m2");
        chat.claim()
    };
    assert!(!chat.approved_flags(item).contains(&true));
}

#[test]
fn a_decision_on_a_skipped_call_is_refused() {
    for policy in [OnDeny::SkipRest, OnDeny::EndTurn] {
        let mut chat = asking(policy, 2);
        deny_only(&mut chat, "a1");
        let before = chat.saved();
        assert_eq!(chat.respond("a2", true, ""), Err(Code::AlreadyDecided));
        assert_eq!(chat.respond("a2", false, "me too"), Ok(RespondOutcome::Duplicate));
        assert_eq!(chat.saved(), before, "{policy:?}");
    }
}

#[test]
fn with_by_reason_a_denial_without_a_reason_ends_the_turn_and_one_with_a_reason_skips() {
    let mut ended = asking(OnDeny::ByReason, 3);
    ended.approve("a1");
    deny_only(&mut ended, "a2");
    assert_eq!((ended.outcome("c1"), ended.outcome("c3"), ended.listed()), (SKIPPED, SKIPPED, vec![]));
    let mut expects_reply = asking(OnDeny::ByReason, 3);
    expects_reply.approve("a1");
    expects_reply.deny("a2");
    assert_eq!((expects_reply.outcome("c1"), expects_reply.outcome("c3")), (None, SKIPPED));
    let item = expects_reply.claim();
    assert_eq!(expects_reply.approvals(item), "a1 a2 a3");
}

#[test]
fn the_policy_applies_to_requests_that_arrive_later_in_the_steps_stream() {
    for policy in POLICIES {
        let mut chat = streaming(policy, 1);
        deny_only(&mut chat, "a1");
        chat.more(|reply| reply.ask("c2", "a2").call("c3"));
        assert_eq!(chat.pending(), if policy == OnDeny::Continue { "a2" } else { "" }, "{policy:?}");
        chat.more(|reply| reply.request("c3", "a3").step_done().finish());
        chat.end(StreamEnd::Finished);
        match policy {
            OnDeny::Continue => assert_eq!(chat.pending(), "a2 a3"),
            OnDeny::SkipRest => {
                assert_eq!((chat.outcome("c2"), chat.outcome("c3")), (SKIPPED, SKIPPED));
                let item = chat.claim();
                assert_eq!(chat.approvals(item), "a1 a2 a3");
            }
            OnDeny::EndTurn | OnDeny::ByReason => {
                assert_eq!((chat.outcome("c2"), chat.outcome("c3")), (SKIPPED, SKIPPED));
                assert_eq!(chat.listed(), NONE);
            }
        }
    }
}

#[test]
fn a_skip_is_sent_after_the_replay_of_a_cut_stream() {
    let mut chat = streaming(OnDeny::SkipRest, 1);
    deny_only(&mut chat, "a1");
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1").ask("c2", "a2").step_done().finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.outcome("c1"), chat.outcome("c2"), chat.anomalies()), (DENIED, SKIPPED, vec![]));
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn calls_that_need_no_approval_or_are_running_or_settled_are_not_skipped() {
    for policy in [OnDeny::SkipRest, OnDeny::EndTurn] {
        let mut chat = Chat::with_on_deny(policy);
        chat.user("m1");
        chat.claim();
        chat.stream(|reply| reply.call("c1").call("c2").output("c2").call("c3").error("c3").provider_call("c4"));
        chat.more(|reply| reply.call("c5").preliminary("c5").automatic("c6", "a6").ask("c7", "a7"));
        deny_only(&mut chat, "a7");
        let phases = ["c1", "c2", "c3", "c4", "c5", "c6"].map(|call| chat.phase(call));
        let expected = [
            Phase::InputAvailable,
            Phase::OutputAvailable,
            Phase::OutputError,
            Phase::InputAvailable,
            Phase::Preliminary,
            Phase::AutomaticRequest,
        ];
        assert_eq!(phases, expected, "{policy:?}");
        chat.more(|reply| reply.output("c5").response("a6", true).output("c6").step_done().finish());
        chat.end(StreamEnd::Finished);
        assert_eq!(chat.listed(), NONE, "the step waits for a running call: {policy:?}");
        chat.page_output("c1", false).unwrap();
        assert_eq!(chat.listed().len(), usize::from(policy == OnDeny::SkipRest), "{policy:?}");
    }
}

#[test]
fn an_approved_page_tool_may_run_already_and_is_not_skipped() {
    let mut chat = Chat::with(Default::default(), &["locate"]);
    chat.set_options(|options| options.on_deny = OnDeny::EndTurn);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1").ask("c2", "a2"));
    chat.approve("a1");
    deny_only(&mut chat, "a2");
    let mut answered = chat.clone();
    assert_eq!(answered.page_output("c1", false), Ok(()));
    assert_eq!((answered.outcome("c1"), answered.listed()), (Some((OutcomeKind::Executed, false)), vec![]));
    answered.user("m2");
    let item = answered.claim();
    assert_eq!((answered.messages(item).as_str(), answered.approvals(item).as_str()), ("m2", "a1 a2"));
    chat.user("m2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)), "it may have run");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_pending_page_tool_is_skipped() {
    let mut chat = Chat::with(Default::default(), &["locate"]);
    chat.set_options(|options| options.on_deny = OnDeny::SkipRest);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1").ask("c2", "a2"));
    deny_only(&mut chat, "a2");
    assert_eq!(chat.outcome("c1"), SKIPPED);
    assert_eq!(chat.page_output("c1", false), Err(Code::AlreadySettled));
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn an_approval_whose_request_stop_withdrew_is_skipped() {
    let mut chat = streaming(OnDeny::EndTurn, 2);
    chat.approve("a1");
    chat.stop();
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
    deny_only(&mut chat, "a2");
    assert_eq!((chat.outcome("c1"), chat.listed()), (SKIPPED, vec![]));
}

#[test]
fn sent_approvals_are_not_skipped() {
    // The reply to the submission of c1 continues the same step, with another request.
    let mut chat = asking(OnDeny::EndTurn, 1);
    chat.approve("a1");
    chat.claim();
    chat.more(|reply| reply.start("r1").ask("c2", "a2").ask("c3", "a3"));
    deny_only(&mut chat, "a2");
    assert_eq!((chat.phase("c1"), chat.outcome("c3")), (Phase::Submitted, SKIPPED));
    chat.more(|reply| reply.output("c1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.state("c1"), chat.listed()), ("output-available", vec![]));
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2 a3");
}

//! A step is sent in one submission, when all its calls are settled or decided. One submission is sent at a time.

use crate::chat::{Chat, NONE};
use toolgate::machine::{
    About, Brings, Code, DeliveryState, Input, Opening, OutcomeKind, Payload, Request, Respond, Status, StreamEnd,
    WaitsOn,
};

#[test]
fn nothing_is_sent_before_the_whole_step_is_decided_and_then_all_at_once() {
    let mut chat = Chat::asking(3);
    chat.approve("a1");
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
    chat.deny("a3");
    assert_eq!(chat.listed(), NONE);
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_step_waits_for_calls_that_need_no_approval() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.call("c2"));
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    assert_eq!(chat.listed(), NONE, "c2 has no result yet");
}

#[test]
fn a_decision_during_a_stream_is_accepted_at_once_and_sent_after_the_stream() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    assert_eq!(chat.state("c1"), "approval-responded");
    assert_eq!(chat.listed(), NONE);
    chat.more(|reply| reply.step_done().finish());
    assert_eq!(chat.listed(), NONE, "finish sets the ending; sending waits for the stream's end");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_decision_is_held_if_an_approval_request_arrives_after_it() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.more(|reply| reply.ask("c2", "a2"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE);
    chat.approve("a2");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2");
}

#[test]
fn a_decision_before_a_bad_ending_is_held_until_resume() {
    for ending in [StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.approve("a1");
        chat.end(ending);
        assert_eq!(chat.listed(), NONE, "{ending:?}");
        chat.resume();
        let item = chat.claim();
        assert_eq!(chat.approvals(item), "a1");
    }
}

#[test]
fn a_decision_before_a_bad_ending_is_sent_after_a_replay_that_finishes() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.end(StreamEnd::Disconnected);
    chat.more(|reply| reply.start("r1").step().ask("c1", "a1"));
    assert_eq!(chat.listed(), NONE);
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_decision_after_a_bad_ending_is_sent_as_usual() {
    for ending in [StreamEnd::Error, StreamEnd::Aborted, StreamEnd::Disconnected] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.end(ending);
        assert_eq!(chat.machine.status(), Status::AwaitingApproval);
        chat.approve("a1");
        assert_eq!(chat.listed().len(), 1, "{ending:?}");
    }
}

#[test]
fn a_step_limit_completes_its_step() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.approve("a1");
    chat.end(StreamEnd::StepLimit);
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_turn_at_a_step_limit_is_continued_once_by_resume() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.step().call("c1").output("c1").step_done().finish());
    chat.end(StreamEnd::StepLimit);
    assert_eq!(chat.listed(), NONE);
    assert!(chat.machine.waiting().on(WaitsOn::Resume));
    chat.resume();
    chat.resume();
    assert_eq!(chat.listed().len(), 1);
    // The user may also stop, which withdraws the request, or write.
    chat.stop();
    assert_eq!(chat.listed(), NONE);
    assert!(chat.machine.waiting().on(WaitsOn::Resume));
    chat.user("m2");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_finished_step_without_approvals_is_not_sent_again() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.text("Let me see.").call("c1").output("c1").text("Done."));
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn a_finished_step_is_not_sent_again_after_the_reply_to_its_submission() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn one_submission_is_in_flight_at_a_time() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.stream(|reply| reply.output("c1").step().ask("c2", "a2"));
    chat.approve("a2");
    assert_eq!(chat.listed(), NONE);
    chat.end(StreamEnd::Finished);
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a2");
}

#[test]
fn a_providers_call_without_an_approval_does_not_block_its_step() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.provider_call("p1"));
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn a_providers_approved_call_does_not_stall_its_turn() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.provider_call("p1").request("p1", "a1"));
    chat.approve("a1");
    chat.claim();
    chat.reply(|reply| reply.text("I looked it up."));
    assert!(!chat.machine.is_stalled());
    assert_eq!(chat.undelivered(), NONE);
}

#[test]
fn a_reply_without_content_stalls_even_if_only_a_providers_result_is_missing() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.provider_call("p1").request("p1", "a1"));
    chat.approve("a1");
    let item = chat.claim();
    chat.more(|reply| reply.start("r1").finish());
    chat.end(StreamEnd::Finished);
    assert!(chat.machine.is_stalled());
    assert_eq!(chat.undelivered(), [item]);
}

#[test]
fn a_later_step_supersedes_earlier_requests() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.approve("a1");
    chat.more(|reply| reply.step().text("Never mind."));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, false)), "it was never sent, so it did not run");
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, false)));
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    assert_eq!(chat.respond("a2", true, ""), Err(Code::Superseded));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.machine.status(), Status::Idle);
}

#[test]
fn a_denial_of_an_earlier_step_stays_a_denial() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.deny("a1");
    chat.more(|reply| reply.step().text("Never mind."));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Denied, false)));
    chat.user("m2");
    chat.claim();
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn a_thousand_decisions_are_one_submission() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    let mut machine = chat.machine.clone();
    let about = About::default();
    for call in 0..1000 {
        let (call, approval) = (chat.store.make(&format!("c{call}")), chat.store.make(&format!("a{call}")));
        let (admission, name) = (machine.admit(about, Brings::Content), chat.store.make("edit"));
        let opening = Opening { call, name, input: Input::InputAvailable, fallback_id: name, same: &mut |_| true };
        machine.open_call(admission, opening, &mut |_| {});
        let envelope = Payload::NONE;
        let request =
            Request { approval, envelope, automatic: false, repeat_unsafe: false, is_local: false, expires_at: None };
        machine.request(admission, call, &request, 0, &mut |_| None);
    }
    machine.stream_ended(StreamEnd::Finished, about);
    for call in 0..1000 {
        assert_eq!(machine.outgoing().count(), 0);
        let approval = chat.store.make(&format!("a{call}"));
        let (approved, reason, edited) = (call % 2 == 0, Payload::NONE, None);
        machine.respond(Respond { approval, approved, reason, as_shown: Some(true), edited }).unwrap();
    }
    assert_eq!(machine.outgoing().map(|item| item.approvals().count()).collect::<Vec<_>>(), [1000]);
}

//! Replies without an expected result, and calls whose approval is requested again.

use crate::chat::{Chat, NONE};
use crate::stream::Stream;
use toolgate::machine::{About, Code, ItemState, OutcomeKind, Phase, Reconnect, Status, StreamEnd, TurnStatus};

#[test]
fn retry_accepts_failed_unconfirmed_and_stalled_items() {
    let mut failed = Chat::decided();
    let item = failed.claim();
    failed.mark_failed(item).unwrap();
    let mut unconfirmed = Chat::decided();
    unconfirmed.claim();
    unconfirmed.end(StreamEnd::Disconnected);
    for (mut chat, item) in [(failed, item), (unconfirmed, item), Chat::stalled()] {
        assert_eq!(chat.retry(item), Ok(()));
        assert_eq!(chat.claim(), item);
        chat.reply(|reply| reply.output("c1").text("Done."));
        assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
        assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
    }
}

#[test]
fn a_reply_that_finished_without_an_expected_result_stalls_the_turn() {
    let (mut chat, item) = Chat::stalled();
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Stalled, TurnStatus::Stalled));
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![item]));
    chat.resume();
    assert_eq!(chat.listed(), NONE, "nothing is sent automatically from a stalled chat");
}

#[test]
fn content_without_the_expected_result_stalls_too() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.reply(|reply| reply.text("I did it, I promise."));
    assert!(chat.machine.is_stalled());
}

#[test]
fn denials_followed_by_new_content_do_not_stall() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    chat.claim();
    chat.reply(|reply| reply.text("All right."));
    assert!(!chat.machine.is_stalled());
    assert_eq!(chat.machine.status(), Status::Idle);
}

#[test]
fn denials_without_any_content_stall() {
    let mut chat = Chat::asking(1);
    chat.deny("a1");
    let item = chat.claim();
    chat.more(|reply| reply.start("r1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.undelivered(), [item]);
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn retry_ends_a_stall() {
    let (mut chat, item) = Chat::stalled();
    chat.retry(item).unwrap();
    assert!(!chat.machine.is_stalled());
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!((chat.machine.status(), chat.machine.turn_status()), (Status::Idle, TurnStatus::Done));
}

#[test]
fn cancel_ends_a_stall() {
    let (mut chat, _) = Chat::stalled();
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)));
    assert_eq!((chat.machine.status(), chat.undelivered()), (Status::Idle, vec![]));
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn the_users_message_ends_a_stall() {
    let (mut chat, _) = Chat::stalled();
    chat.user("m2");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
}

#[test]
fn a_late_settlement_ends_a_stall() {
    let (mut chat, item) = Chat::stalled();
    chat.more_of(item, |reply| reply.output("c1"));
    assert_eq!(chat.state("c1"), "output-available");
    assert!(!chat.machine.is_stalled());
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
}

#[test]
fn an_unconfirmed_item_is_cleared_by_events_that_settle_its_calls() {
    let mut chat = Chat::decided();
    let item = chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.more_of(item, |reply| reply.start("r1").output("c1").text("Done."));
    chat.end_of(item, None, StreamEnd::Finished);
    assert_eq!((chat.state("c1"), chat.state("c2")), ("output-available", "output-denied"));
    assert_eq!((chat.undelivered(), chat.machine.status()), (vec![], Status::Idle));
}

#[test]
fn approval_of_a_delivered_call_may_be_requested_again_with_a_new_id() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.more(|reply| reply.start("r1").request("c1", "b1").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.phase("c1"), chat.pending().as_str()), (Phase::ApprovalRequested, "b1"));
    assert!(!chat.machine.is_stalled());
    assert_eq!(chat.respond("a1", true, ""), Err(Code::Superseded));
    chat.approve("b1");
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "b1");
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn approval_of_a_call_of_an_earlier_step_is_not_requested_again() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.stream(|reply| reply.text("Hm.").request("c1", "b1"));
    assert_eq!(chat.pending(), "", "servers execute only the last step, so the decision would have no effect");
    assert_eq!(chat.anomalies().len(), 1);
}

#[test]
fn approval_of_a_call_with_an_unsent_decision_or_a_result_is_not_requested_again() {
    let mut chat = Chat::asking_in_a_stream(3);
    chat.approve("a1");
    chat.deny("a2");
    chat.more(|reply| reply.output("c3"));
    chat.anomalies();
    chat.more(|reply| reply.request("c1", "b1").request("c2", "b2").request("c3", "b3"));
    assert_eq!(chat.anomalies(), [Code::AlreadyDecided, Code::AlreadyDecided, Code::AlreadySettled]);
    assert_eq!(chat.pending(), "");
    assert_eq!(chat.respond("b1", true, ""), Err(Code::UnknownApproval));
    assert_eq!((chat.phase("c1"), chat.phase("c2")), (Phase::Approved, Phase::Denied));
}

#[test]
fn a_preliminary_output_does_not_reopen_a_call_of_an_earlier_turn() {
    let mut chat = Chat::default();
    chat.reply(|reply| reply.provider_call("c1"));
    chat.user("m2");
    chat.claim();
    chat.reply(|reply| reply.preliminary("c1").text("Done."));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::InputAvailable, vec![Code::Superseded]));
    chat.user("m3");
    assert_eq!(chat.listed().len(), 1);
    chat.claim();
    chat.reply(|reply| reply.output("c1").text("The result came late."));
    assert_eq!(chat.phase("c1"), Phase::OutputAvailable);
}

#[test]
fn a_stalled_step_is_not_retried_while_one_of_its_calls_is_pending_again() {
    let mut chat = Chat::asking(2);
    chat.respond_all(&["a1", "a2"], true);
    let item = chat.claim();
    chat.more(|reply| reply.start("r1").request("c1", "b1"));
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.undelivered(), chat.pending().as_str()), (vec![item], "b1"));
    assert_eq!(chat.retry(item), Err(Code::ApprovalPending));
    chat.approve("b1");
    // The call has a new decision now. The machine stops waiting for the missing result, and sends the new decision.
    assert_eq!(chat.retry(item), Ok(()));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, true)));
    let next = chat.claim();
    assert_eq!(chat.approvals(next), "b1");
}

#[test]
fn a_preliminary_output_after_its_reply_is_closed_with_the_next_request() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").provider_call("c2"));
    chat.more(|reply| reply.preliminary("c2"));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.phase("c2"), Phase::Preliminary);
    chat.deny("a1");
    chat.claim();
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn a_preliminary_output_before_a_regeneration_is_refused() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.provider_call("c1"));
    chat.user("m2");
    chat.claim();
    chat.reply(|reply| reply.provider_call("c2"));
    chat.regenerate(Some("m2")).unwrap();
    chat.more(|reply| reply.preliminary("c1"));
    assert_eq!((chat.state("c1"), chat.anomalies()), ("input-available", vec![Code::Superseded]));
}

#[test]
fn after_another_reply_a_reconnected_stream_still_reopens_the_reply_to_a_stalled_item() {
    let (mut chat, item) = Chat::stalled();
    chat.more(|reply| reply.start("r9").step().text("By the way.").step_done().finish());
    assert_eq!(chat.undelivered(), [item]);
    let about = About { request: Some(item), attempt: None, reconnect: Some(Reconnect::Start) };
    for chunk in Stream::new().start("r1").step().output("c1").text("Done.").chunks() {
        chat.receive_about(chunk, about);
    }
    assert_eq!((chat.item(item).state(), chat.state("c1")), (ItemState::Replying, "output-available"));
    assert_eq!(chat.said(), ["m1", "By the way.", "Done."]);
}

//! Stop and cancel: which items are withdrawn, which remain, and how the chat continues.

use crate::chat::{Chat, NONE};
use toolgate::machine::{Code, DeliveryState, OnUserMessage, OutcomeKind, Phase, Status, StreamEnd};

#[test]
fn stop_withdraws_a_ready_submission_and_resume_creates_it_again() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let ready = chat.listed()[0];
    chat.stop();
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
    assert!(!chat.claim_item(ready));
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1");
}

#[test]
fn stop_keeps_approvals_pending() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.stop();
    assert_eq!(chat.pending(), "a2");
    assert_eq!(chat.machine.status(), Status::AwaitingApproval);
}

#[test]
fn stop_does_not_withdraw_a_message() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.stop();
    assert_eq!(chat.listed().len(), 1, "the user sent the message, so it is not an automatic request");
}

#[test]
fn stop_during_a_stream_holds_decisions_made_before_its_end() {
    for ending in [StreamEnd::Finished, StreamEnd::Aborted] {
        let mut chat = Chat::asking_in_a_stream(2);
        chat.approve("a1");
        chat.stop();
        chat.approve("a2");
        chat.end(ending);
        assert_eq!(chat.listed(), NONE, "{ending:?}");
        chat.resume();
        let item = chat.claim();
        assert_eq!(chat.approvals(item), "a1 a2");
    }
}

#[test]
fn stop_holds_a_page_tools_output_until_resume() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1"));
    chat.page_output("c1", false).unwrap();
    chat.stop();
    assert_eq!(chat.listed(), NONE);
    chat.resume();
    let item = chat.claim();
    assert_eq!(chat.wire_part("c1").unwrap()["state"], "output-available");
    assert_eq!(chat.item(item).carried.len(), 1);
}

#[test]
fn stop_without_a_request_or_reply_does_not_hold_later_decisions() {
    let mut chat = Chat::asking(1);
    chat.stop();
    chat.approve("a1");
    assert_eq!(chat.listed().len(), 1);
    let mut idle = Chat::default();
    idle.stop();
    idle = idle.that_asks(1);
    idle.approve("a1");
    assert_eq!(idle.listed().len(), 1);
}

#[test]
fn after_stop_a_request_in_flight_is_unconfirmed_when_its_stream_is_aborted() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.stop();
    chat.end(StreamEnd::Aborted);
    assert_eq!(chat.undelivered().len(), 1);
    assert_eq!(chat.listed(), NONE);
}

#[test]
fn cancel_settles_undecided_calls_and_undelivered_approvals_and_sends_nothing() {
    let mut chat = Chat::asking(3);
    chat.approve("a1");
    chat.deny("a2");
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)));
    assert_eq!(chat.outcome("c3"), Some((OutcomeKind::Cancelled, false)));
    assert_eq!(chat.listed(), NONE, "cancel sends nothing");
    assert_eq!(chat.machine.status(), Status::Idle);
    let reason = chat.part("c3").outcome().unwrap().reason;
    assert_eq!(chat.store.to_json(reason), "never mind");
}

#[test]
fn a_denial_survives_cancel_and_is_sent_with_the_next_message() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    chat.cancel();
    assert_eq!(chat.listed(), NONE);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1", "m2"));
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn cancel_withdraws_a_submission_that_was_not_sent() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    let ready = chat.listed()[0];
    chat.cancel();
    assert!(!chat.claim_item(ready));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, false)));
    assert_eq!(chat.respond("a1", false, ""), Err(Code::AlreadyDecided));
}

#[test]
fn cancel_does_not_change_decisions_in_flight() {
    let mut chat = Chat::asking(1);
    chat.approve("a1");
    chat.claim();
    chat.cancel();
    assert_eq!(chat.phase("c1"), Phase::Submitted);
    chat.reply(|reply| reply.output("c1").text("Done."));
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Executed, false)));
    assert_eq!(chat.machine.status(), Status::Idle);
}

#[test]
fn approved_calls_of_undelivered_submissions_are_cancelled_and_may_have_run() {
    for undelivered in ["failed", "unconfirmed", "stalled"] {
        let mut chat = Chat::asking(2);
        chat.approve("a1");
        chat.deny("a2");
        let item = chat.claim();
        match undelivered {
            "failed" => chat.mark_failed(item).unwrap(),
            "unconfirmed" => chat.end(StreamEnd::Disconnected),
            _ => chat.reply(|reply| reply),
        }
        assert_eq!(chat.undelivered(), [item], "{undelivered}");
        chat.cancel();
        assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)), "{undelivered}");
        assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Denied, false)), "{undelivered}");
        assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]), "{undelivered}");
        let reason = chat.part("c1").outcome().unwrap().reason;
        assert_eq!(chat.store.to_json(reason), "never mind", "{undelivered}");
    }
}

#[test]
fn cancel_also_cancels_requests_that_arrive_later_in_the_same_reply() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.cancel();
    chat.more(|reply| reply.ask("c2", "a2"));
    assert_eq!((chat.outcome("c1"), chat.outcome("c2")), (Some((OutcomeKind::Cancelled, false)), chat.outcome("c1")));
    assert_eq!(chat.pending(), "");
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed(), NONE);
    let mut next = chat;
    next.user("m2");
    next.claim();
    next.reply(|reply| reply.ask("c3", "a3"));
    assert_eq!(next.pending(), "a3");
}

#[test]
fn cancel_cancels_calls_of_page_tools_but_not_calls_that_run_on_the_server() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.call_of("locate", "c1").call("c2").provider_call("p1"));
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)), "the page may have started the call");
    assert_eq!((chat.phase("c2"), chat.phase("p1")), (Phase::InputAvailable, Phase::InputAvailable));
    chat.more(|reply| reply.output("c2").output("p1"));
    assert_eq!(chat.outcome("c2"), Some((OutcomeKind::Executed, false)));
}

#[test]
fn an_approved_page_tool_without_an_output_is_cancelled_too() {
    let mut chat = Chat::with(OnUserMessage::default(), &["locate"]);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.call_of("locate", "c1").request("c1", "a1"));
    chat.approve("a1");
    chat.cancel();
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Cancelled, true)), "the page may have started the call");
    assert_eq!(chat.page_output("c1", false), Err(Code::AlreadySettled));
}

#[test]
fn after_cancel_requests_contain_the_cancelled_calls_as_errors_and_the_chat_continues() {
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    chat.cancel();
    chat.user("m2");
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
    for call in ["c1", "c2"] {
        let part = chat.wire_part(call).unwrap();
        assert_eq!(part["state"], "output-error");
        assert!(part.get("approval").is_none(), "a cancelled call has no decision: {part}");
        assert_eq!(part["callProviderMetadata"]["toolgate"]["outcome"], "cancelled");
        assert_eq!(chat.model_result(call).unwrap()["value"], "Cancelled. never mind");
    }
    chat.reply(|reply| reply.text("All right."));
    assert_eq!(chat.machine.status(), Status::Idle);
}

#[test]
fn a_queued_message_is_sent_after_cancel() {
    let mut chat = Chat::with(OnUserMessage::Queue, &[]).that_asks(1);
    chat.user("m2");
    assert_eq!(chat.listed(), NONE);
    chat.cancel();
    let item = chat.claim();
    assert_eq!(chat.messages(item), "m2");
}

#[test]
fn cancel_does_not_withdraw_a_message() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.cancel();
    assert_eq!(chat.listed().len(), 1);
}

#[test]
fn resume_does_not_send_denials_that_cancel_keeps_for_the_next_message() {
    let mut chat = Chat::asking(2);
    chat.deny("a1");
    chat.deny("a2");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    chat.cancel();
    chat.resume();
    assert_eq!(chat.listed(), NONE);
    chat.user("m2");
    let item = chat.claim();
    assert_eq!((chat.approvals(item).as_str(), chat.messages(item).as_str()), ("a1 a2", "m2"));
}

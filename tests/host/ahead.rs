//! Backends that accept no message while they wait for an answer, and backends that receive cancellations.

use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{DeliveryState, OnDeny, OnUserMessage, Options, OutcomeKind, Phase, Sent, Status, StreamEnd};

/// A chat with these options whose reply requests approvals.
fn asking_with(calls: usize, change: impl FnOnce(&mut Options)) -> Chat {
    let mut chat = Chat::default();
    chat.set_options(change);
    chat.that_asks(calls)
}

/// A chat whose backend receives denials before a message.
fn first(calls: usize) -> Chat {
    asking_with(calls, |options| options.answers_first = true)
}

/// A chat whose backend also receives cancellations.
fn told(calls: usize) -> Chat {
    asking_with(calls, |options| (options.answers_first, options.cancel_answers) = (true, true))
}

/// The outcomes that the protocol's codec receives, in call order.
fn outcomes(chat: &Chat, item: u32) -> Vec<String> {
    let told = chat.decisions(item);
    told.as_array().unwrap().iter().map(|told| told["outcome"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn denials_are_sent_before_the_message_which_waits_for_their_reply() {
    let mut chat = first(2);
    chat.deny("a1");
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a1 a2", "the denial of c2 by the policy deny-pending is sent, too");
    chat.claim();
    chat.reply(|reply| reply.text("As you wish."));
    assert_eq!(chat.sendable(), "m2");
    assert_eq!(chat.approvals(chat.listed()[0]), "");
    assert_eq!(chat.state("c1"), "output-denied");
}

#[test]
fn on_other_protocols_denials_are_sent_in_the_message() {
    let mut chat = Chat::asking(2);
    assert_eq!(chat.user("m2"), Sent::Sent);
    assert_eq!(chat.sendable(), "a1 a2 m2");
}

#[test]
fn a_denial_that_remains_after_cancel_is_sent_before_the_message() {
    let mut chat = first(2);
    chat.deny("a1");
    chat.cancel();
    assert_eq!((chat.sendable().as_str(), chat.delivery("c1")), ("", Some(DeliveryState::Held)));
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a1 a2");
    assert_eq!(
        outcomes(&chat, chat.listed()[0]),
        ["denied", "cancelled"],
        "the backend waits for an answer to each approval"
    );
}

#[test]
fn denials_that_ended_a_turn_are_sent_before_the_message() {
    let mut chat = first(2);
    chat.set_options(|options| options.on_deny = OnDeny::EndTurn);
    chat.deny("a1");
    assert_eq!(chat.listed(), NONE);
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a1 a2");
}

#[test]
fn denials_that_may_not_have_arrived_are_sent_again_before_the_message() {
    for fails in [true, false] {
        let mut chat = first(1);
        assert_eq!(chat.user("m2"), Sent::Queued);
        let item = chat.claim();
        if fails {
            chat.mark_failed(item).unwrap();
        } else {
            chat.end(StreamEnd::Disconnected);
        }
        // The message counts as a retry of the denials, but only once. This is safe, because a denial runs no call.
        assert_eq!((chat.sendable().as_str(), chat.item(item).attempt), ("a1", 2));
        chat.claim();
        chat.mark_failed(item).unwrap();
        assert_eq!((chat.sendable().as_str(), chat.waits_for().as_str()), ("", "retry 2"));
        chat.retry(item).unwrap();
        chat.claim();
        chat.reply(|reply| reply.denied("c1"));
        assert_eq!(chat.sendable(), "m2");
    }
}

#[test]
fn a_queued_message_waits_for_failed_approvals_until_cancel_or_another_message_cancels_them() {
    for cancels in [true, false] {
        let mut chat = first(2);
        chat.approve("a1");
        chat.deny("a2");
        let item = chat.claim();
        chat.mark_failed(item).unwrap();
        assert_eq!(chat.user("m2"), Sent::Queued);
        assert_eq!(chat.sendable(), "");
        if cancels {
            chat.cancel();
        } else {
            assert_eq!(chat.user("m3"), Sent::Queued);
        }
        assert_eq!((chat.sendable().as_str(), chat.undelivered()), ("a1 a2", vec![]));
        chat.claim();
        chat.reply(|reply| reply.text("As you wish."));
        assert_eq!(chat.sendable(), if cancels { "m2" } else { "m2 m3" });
    }
}

#[test]
fn a_failed_approval_is_refused_in_one_request_with_the_denial_of_its_step() {
    let mut chat = first(2);
    chat.approve("a1");
    chat.deny("a2");
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    chat.user("m2");
    chat.user("m3");
    assert_eq!(chat.sendable(), "a1 a2");
    assert_eq!(outcomes(&chat, chat.listed()[0]), ["skipped", "denied"], "a cancellation may end the turn");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)));
}

#[test]
fn cancel_sends_one_submission_for_the_step() {
    let mut chat = told(3);
    chat.approve("a1");
    chat.deny("a2");
    chat.cancel();
    let item = chat.claim();
    assert_eq!(chat.approvals(item), "a1 a2 a3");
    assert_eq!(outcomes(&chat, item), ["cancelled", "denied", "cancelled"]);
    assert_eq!(chat.decisions(item)[2]["reason"], "never mind");
    // The key differs from that of a denial, because a server could confuse the two otherwise.
    let mut denied = told(3);
    denied.respond_all(&["a1", "a2", "a3"], false);
    let other = denied.claim();
    assert_ne!(chat.key(chat.item(item)), denied.key(denied.item(other)));
    assert_eq!((chat.pending().as_str(), chat.outcome("c1")), ("", Some((OutcomeKind::Cancelled, false))));
    assert_eq!(
        chat.wire_part("c3").unwrap().get("approval"),
        None,
        "in the AI SDK's format, the cancelled call has no approval"
    );
    chat.more(|reply| reply.start("r1").finish());
    chat.end(StreamEnd::Finished);
    assert!(!chat.machine.is_stalled(), "the reply to a cancellation may be empty");
    assert_eq!((chat.listed(), chat.undelivered()), (vec![], vec![]));
    assert_eq!(chat.user("m2"), Sent::Sent);
}

#[test]
fn with_nothing_to_cancel_nothing_is_sent() {
    let mut chat = told(1);
    chat.deny("a1");
    chat.cancel();
    assert_eq!((chat.sendable().as_str(), chat.delivery("c1")), ("", Some(DeliveryState::Held)));
    let mut chat = Chat::asking(2);
    chat.cancel();
    assert_eq!(chat.sendable(), "", "without `cancel_answers`, nothing is sent");
}

#[test]
fn a_cancellation_during_the_stream_is_sent_after_it_with_later_cancellations() {
    let mut chat = Chat::default();
    chat.set_options(|options| options.cancel_answers = true);
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.ask("c1", "a1"));
    chat.cancel();
    chat.more(|reply| reply.ask("c2", "a2"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", ""));
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.sendable(), "a1 a2");
    assert_eq!(outcomes(&chat, chat.listed()[0]), ["cancelled", "cancelled"]);
}

#[test]
fn a_cancellation_survives_a_restore_and_a_failure() {
    let mut chat = told(1);
    chat.cancel();
    let mut chat = chat.restored();
    assert_eq!(chat.sendable(), "a1");
    let key = chat.key(chat.item(chat.listed()[0]));
    let item = chat.claim();
    chat.mark_failed(item).unwrap();
    assert_eq!(chat.delivery("c1"), Some(DeliveryState::Failed));
    let mut chat = chat.restored();
    chat.retry(item).unwrap();
    assert_eq!((chat.sendable().as_str(), chat.key(chat.item(item))), ("a1", key));
}

#[test]
fn cancellations_by_a_message_are_sent_before_it() {
    let mut chat = told(1);
    chat.set_options(|options| options.on_user_message = OnUserMessage::CancelPending);
    assert_eq!(chat.user("m2"), Sent::Queued);
    assert_eq!(chat.sendable(), "a1");
    assert_eq!(outcomes(&chat, chat.listed()[0]), ["cancelled"]);
}

#[test]
fn on_an_answering_protocol_each_cancellation_is_sent_at_once() {
    let mut chat = Chat::answering(4);
    chat.approve("a1");
    chat.claim();
    chat.approve("a2");
    chat.deny("a3");
    chat.cancel();
    assert_eq!(chat.sendable(), "a3, a2, a4");
    let told: Vec<_> = chat.listed().iter().map(|&item| outcomes(&chat, item)).collect();
    assert_eq!(told, [["denied"], ["cancelled"], ["cancelled"]]);
    assert_eq!(chat.phase("c1"), Phase::Submitted, "a request in flight is not changed");
    chat.more(|reply| reply.ask("c5", "a5"));
    assert_eq!((chat.pending().as_str(), chat.sendable().as_str()), ("", "a3, a2, a4, a5"));
    assert_eq!(chat.delivery("c5"), Some(DeliveryState::Ready));
    for item in chat.listed() {
        chat.mark_sent(item).unwrap();
    }
    assert_eq!(chat.delivery("c5"), Some(DeliveryState::Acknowledged));
    chat.end(StreamEnd::Finished);
    assert_eq!((chat.machine.status(), chat.undelivered()), (Status::Idle, vec![]));
}

#[test]
fn cancel_sends_the_cancellations_and_the_answers_that_stop_held() {
    let mut chat = Chat::answering(2);
    chat.deny("a1");
    chat.stop();
    chat.cancel();
    assert_eq!(chat.sendable(), "a1, a2");
}

#[test]
fn a_cancelled_page_tool_sends_the_cancellation_instead_of_its_output() {
    let mut chat = Chat::answering(0);
    chat.more(|reply| reply.call_of("locate", "c1").call_of("locate", "c2").request("c2", "a2").call("c3"));
    chat.approve("a2");
    let item = chat.claim();
    chat.mark_sent(item).unwrap();
    chat.cancel();
    assert_eq!(chat.sendable(), "output of c1, output of c2");
    assert_eq!(chat.decisions(chat.listed()[1])[0]["outcome"], json!("cancelled"));
    assert_eq!(chat.phase("c3"), Phase::InputAvailable, "calls that run on the backend are not cancelled");
}

#[test]
fn a_request_for_a_call_that_is_already_cancelled_is_answered_as_cancelled() {
    let mut chat = Chat::answering_with(1, |options| options.page_tools.rest = true);
    chat.more(|reply| reply.call("c2").finish());
    chat.end(StreamEnd::Finished);
    chat.cancel();
    assert_eq!(chat.sendable(), "a1");
    chat.mark_sent(chat.listed()[0]).unwrap();
    chat.more(|reply| reply.start("r1").request("c2", "a2"));
    assert_eq!((chat.sendable().as_str(), chat.anomalies()), ("a2", vec![]));
    assert_eq!(outcomes(&chat, chat.listed()[0]), ["cancelled"]);
}

#[test]
fn cancel_gives_up_an_unrepeatable_denial_that_may_have_arrived_and_does_not_send_it_again() {
    let mut chat = Chat::default();
    chat.set_options(|options| (options.answers_first, options.cancel_answers) = (true, true));
    chat.user("m1");
    chat.claim();
    let request = json!({
        "type": "tool-approval-request", "toolCallId": "c1", "approvalId": "a1", "repeatUnsafe": true
    });
    chat.reply(|reply| reply.call("c1").raw(request));
    chat.deny("a1");
    chat.claim();
    chat.end(StreamEnd::Disconnected);
    assert_eq!(chat.waits_for(), "cancel 2");
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.cancel();
    assert_eq!(chat.sendable(), "m2");
}

//! The backend no longer asks this client about an approval, and does not say what was decided.

use crate::answering::send;
use crate::chat::{Chat, NONE};
use serde_json::json;
use toolgate::machine::{Code, DeliveryState, OnUserMessage, OutcomeKind, Phase, RefusalReason, Sent, StreamEnd};

#[test]
fn the_user_can_no_longer_decide_a_withdrawn_request() {
    let mut chat = Chat::answering(2);
    chat.more(|reply| reply.withdrawn("a1"));
    assert_eq!((chat.phase("c1"), chat.pending().as_str()), (Phase::AutomaticRequest, "a2"));
    let refusal = chat.respond_refused("a1", true, "").unwrap_err();
    assert_eq!((refusal.code, refusal.why), (Code::AlreadyDecided, RefusalReason::Automatic));
    assert_eq!((chat.sendable().as_str(), chat.delivery("c1")), ("", None));
    assert_eq!(chat.wire_part("c1").unwrap()["approval"], json!({ "id": "a1", "isAutomatic": true }));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn what_was_decided_elsewhere_shows_in_what_follows() {
    for (follows, phase) in [
        ("output", Phase::OutputAvailable),
        ("denied", Phase::OutputDenied),
        ("approved", Phase::Submitted),
        ("refused", Phase::Denied),
        ("again", Phase::ApprovalRequested),
    ] {
        let mut chat = Chat::answering(1);
        chat.more(|reply| reply.withdrawn("a1"));
        chat.more(|reply| match follows {
            "output" => reply.output("c1"),
            "denied" => reply.denied("c1"),
            "approved" => reply.response("a1", true),
            "refused" => reply.response("a1", false),
            _ => reply.request("c1", "a2"),
        });
        assert_eq!(chat.phase("c1"), phase, "{follows}");
        assert_eq!(chat.anomalies(), [], "{follows}");
    }
}

#[test]
fn a_withdrawn_request_holds_nothing_up() {
    let mut chat = Chat::answering_with(1, |options| options.on_user_message = OnUserMessage::Queue);
    assert_eq!(chat.user("m2"), Sent::Queued);
    chat.more(|reply| reply.withdrawn("a1").text("Done.").finish());
    chat.end(StreamEnd::Finished);
    assert_eq!(chat.listed().len(), 1, "the queued message is sent");
    assert_eq!(chat.outcome("c1"), Some((OutcomeKind::Interrupted, true)), "somebody else may have approved it");
}

#[test]
fn a_decision_that_was_made_before_the_withdrawal_is_not_changed() {
    let mut chat = Chat::answering(3);
    chat.approve("a1");
    chat.deny("a2");
    send(&mut chat);
    chat.approve("a3");
    let third = chat.claim();
    chat.more(|reply| reply.withdrawn("a1").withdrawn("a2").withdrawn("a3"));
    assert_eq!((chat.phase("c1"), chat.phase("c2")), (Phase::Submitted, Phase::Denied));
    assert_eq!((chat.phase("c3"), chat.delivery("c3")), (Phase::Submitted, Some(DeliveryState::Acknowledged)));
    assert_eq!(chat.mark_sent(third), Ok(()));
    assert_eq!((chat.listed().as_slice(), chat.anomalies().as_slice()), (NONE.as_slice(), [].as_slice()));
}

#[test]
fn a_withdrawn_request_of_a_backend_that_gets_all_decisions_together_does_not_delay_the_others() {
    let mut chat = Chat::asking_in_a_stream(2);
    chat.more(|reply| reply.withdrawn("a2").finish());
    chat.end(StreamEnd::Finished);
    chat.approve("a1");
    assert_eq!(chat.sendable(), "a1");
    let mut chat = Chat::asking(2);
    chat.approve("a1");
    assert_eq!(chat.sendable(), "");
    chat.more(|reply| reply.withdrawn("a2"));
    assert_eq!(chat.sendable(), "a1", "the reply was over");
}

#[test]
fn the_withdrawal_of_an_unknown_request_is_an_anomaly() {
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.withdrawn("a9"));
    assert_eq!((chat.anomalies().as_slice(), chat.pending().as_str()), ([Code::UnknownApproval].as_slice(), "a1"));
    let mut chat = Chat::answering(1);
    chat.more(|reply| reply.raw(json!({ "type": "tool-approval-withdrawn" })));
    assert_eq!(chat.anomalies(), [Code::MalformedEvent]);
}

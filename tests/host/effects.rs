//! The changes that a transition makes to a call besides its phase: to its outcome, its input, and its decision.

use crate::chat::{Chat, NONE};
use crate::on_deny::deny_only;
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, DeliveryState, OnDeny, OutcomeKind, Phase};

/// The reason in the call's outcome.
fn reason(chat: &Chat, call: &str) -> Json {
    chat.store.to_json(chat.part(call).outcome().expect("the call is settled").reason)
}

#[test]
fn a_skip_and_an_expiry_have_a_text_to_send_but_no_reason() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest).that_asks(2);
    deny_only(&mut chat, "a1");
    assert_eq!((chat.outcome("c2"), reason(&chat, "c2")), (Some((OutcomeKind::Skipped, false)), Json::Null));
    let mut chat = Chat::default();
    chat.set_options(|options| options.approval_timeout = Some(10));
    let mut chat = chat.that_asks(1);
    chat.tick(10);
    assert_eq!((chat.outcome("c1"), reason(&chat, "c1")), (Some((OutcomeKind::Expired, false)), Json::Null));
}

#[test]
fn an_approval_by_another_client_counts_as_sent() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.response("a1", true));
    assert_eq!((chat.phase("c1"), chat.pending().as_str(), chat.delivery("c1")), (Phase::Submitted, "", None));
    assert_eq!(chat.anomalies(), []);
}

#[test]
fn a_denial_by_another_client_settles_the_call_with_its_reason() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| {
        reply.raw(json!({ "type": "tool-approval-response", "approvalId": "a1", "approved": false, "reason": "full" }))
    });
    assert_eq!((chat.phase("c1"), chat.pending().as_str(), chat.delivery("c1")), (Phase::Denied, "", None));
    assert_eq!((chat.outcome("c1"), reason(&chat, "c1")), (Some((OutcomeKind::Denied, false)), json!("full")));
}

#[test]
fn an_approval_is_not_sent_if_the_backend_settles_the_call_first() {
    // The call has run, is running, has failed, or was denied.
    for (forestalls, phase) in [
        ("output", Phase::OutputAvailable),
        ("preliminary", Phase::Preliminary),
        ("error", Phase::OutputError),
        ("denied", Phase::OutputDenied),
    ] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.approve("a1");
        assert_eq!(chat.delivery("c1"), Some(DeliveryState::Held));
        chat.more(|reply| match forestalls {
            "output" => reply.output("c1"),
            "preliminary" => reply.preliminary("c1"),
            "error" => reply.error("c1"),
            _ => reply.denied("c1"),
        });
        assert_eq!((chat.phase("c1"), chat.delivery("c1")), (phase, None), "{forestalls}");
        assert_eq!(chat.anomalies(), [Code::AlreadyDecided], "{forestalls}");
        chat.more(|reply| reply.step_done().finish());
        chat.end(toolgate::machine::StreamEnd::Finished);
        assert_eq!(chat.listed(), NONE, "{forestalls}");
    }
}

#[test]
fn a_call_that_ran_without_its_approval_settles_with_an_anomaly() {
    for fails in [false, true] {
        let mut chat = Chat::asking_in_a_stream(1);
        chat.more(|reply| if fails { reply.error("c1") } else { reply.output("c1") });
        let kind = if fails { OutcomeKind::Failed } else { OutcomeKind::Executed };
        assert_eq!((chat.outcome("c1"), chat.anomalies()), (Some((kind, false)), vec![Code::ApprovalPending]));
        assert_eq!(chat.pending(), "");
    }
}

#[test]
fn a_denial_does_not_inherit_the_reason_of_an_earlier_approval() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.respond("a1", true, "go ahead").unwrap();
    chat.more(|reply| reply.denied("c1"));
    assert_eq!((chat.outcome("c1"), reason(&chat, "c1")), (Some((OutcomeKind::Denied, false)), Json::Null));
}

#[test]
fn a_result_completes_a_streaming_input() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    chat.stream(|reply| reply.input_start("c1").input_delta("c1", "{\"of\":\"c1\"}").output("c1"));
    assert!(chat.part("c1").input_complete);
    chat.more(|reply| reply.step_done().finish());
    chat.end(toolgate::machine::StreamEnd::Finished);
    let part = chat.wire_part("c1").expect("the call is in a request");
    assert_eq!((&part["state"], &part["input"]), (&json!("output-available"), &json!({ "of": "c1" })));
}

#[test]
fn a_preliminary_output_replaces_the_previous_one_and_a_denial_does_not() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    let output = |text: &str| {
        json!({
            "type": "tool-output-available", "toolCallId": "c1", "output": text, "preliminary": true,
        })
    };
    chat.stream(|reply| reply.call("c1").raw(output("half")).raw(output("most")));
    assert_eq!(chat.store.to_json(chat.part("c1").output), json!("most"));
    chat.more(|reply| reply.denied("c1"));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::Preliminary, vec![Code::AlreadySettled]));
}

#[test]
fn an_approval_of_a_finally_denied_call_is_an_anomaly() {
    let mut chat = Chat::asking_in_a_stream(1);
    chat.more(|reply| reply.denied("c1"));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::OutputDenied, vec![]));
    chat.more(|reply| reply.response("a1", true));
    assert_eq!((chat.phase("c1"), chat.anomalies()), (Phase::OutputDenied, vec![Code::AlreadySettled]));
}

//! Views, events, errors and decisions as JSON, with the names of the npm package.

use serde_json::{Value as Json, json};
use toolgate::json::{Decision, Gate, GateOptions, GateView, ReplyTo, WaitingFor};
use toolgate::machine::{
    Code, DeliveryState, Ending, ItemState, OnDeny, OnUserMessage, OutcomeKind, RepairCode, Role, Status, StreamEnd,
    TurnStatus, WaitsOn,
};

/// A gate that waits for a decision about `c1`.
fn asking() -> Gate {
    let mut gate =
        Gate::new("chat-1", &GateOptions { approval_timeout_ms: Some(500), ..GateOptions::default() }, 1_000);
    gate.send_user_message(&json!({ "text": "Tidy up" }), None).unwrap();
    let request = gate.outgoing().remove(0).id;
    assert!(gate.claim(request));
    let about = ReplyTo { request: Some(request), ..ReplyTo::default() };
    for event in [
        json!({ "type": "start", "messageId": "m1" }),
        json!({ "type": "start-step" }),
        json!({ "type": "tool-input-available", "toolCallId": "c1", "toolName": "remove", "input": { "path": "/a" } }),
        json!({ "type": "tool-approval-request", "approvalId": "ask-c1", "toolCallId": "c1" }),
    ] {
        assert!(gate.receive(&event, about, 1_000));
    }
    gate.stream_ended(StreamEnd::Finished, about);
    gate
}

fn to_json(value: impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap()
}

#[test]
fn a_view() {
    let view = asking().view();
    let written = to_json(&view);
    let mut pending = written["pending"][0].clone();
    let digest = pending["inputDigest"].take();
    assert_eq!(digest.as_str().map(str::len), Some(64));
    let expected = json!({
        "approvalId": "ask-c1", "toolCallId": "c1", "toolName": "remove", "input": { "path": "/a" },
        "inputDigest": null, "requestedAt": 1_000, "expiresAt": 1_500,
    });
    assert_eq!(pending, expected);
    assert_eq!(written["turn"]["waitingFor"], json!([{ "kind": "user", "approvalIds": ["ask-c1"] }]));
    assert_eq!(written["turn"]["undecided"], 1);
    assert_eq!(serde_json::from_value::<GateView>(written).unwrap(), view);
}

#[test]
fn who_must_act() {
    let cases = [
        (WaitingFor::Tool { tool_call_ids: vec!["c1".into()] }, json!({ "kind": "tool", "toolCallIds": ["c1"] })),
        (WaitingFor::Host { ids: vec![1] }, json!({ "kind": "host", "ids": [1] })),
        (WaitingFor::Reply, json!({ "kind": "reply" })),
    ];
    for (waiting, expected) in cases {
        assert_eq!(to_json(&waiting), expected);
        assert_eq!(serde_json::from_value::<WaitingFor>(expected).unwrap(), waiting);
    }
}

#[test]
fn a_decision_must_say_whether_it_approves() {
    let read = |value: Json| serde_json::from_value::<Decision>(value);
    assert_eq!(read(json!({ "approved": true })).unwrap(), Decision::approve());
    assert_eq!(read(json!({ "approved": false, "reason": "no" })).unwrap(), Decision::deny("no"));
    for wrong in [json!({}), json!({ "approved": "true" }), json!({ "approved": 1 }), json!({ "approved": null })] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn events_and_errors() {
    let mut gate = asking();
    gate.take_events();
    let error = gate.respond("c1", &Decision::approve()).unwrap_err();
    let written = to_json(&error);
    assert_eq!((&written["code"], &written["approvalId"]), (&json!("unknown-approval"), &json!("ask-c1")));
    assert_eq!(written["message"], error.to_string());
    gate.respond("ask-c1", &Decision::deny("keep it")).unwrap();
    let decision = json!({
        "type": "decision", "approvalId": "ask-c1", "toolCallId": "c1", "approved": false, "reason": "keep it",
    });
    let events = to_json(gate.take_events());
    assert!(events.as_array().unwrap().contains(&decision), "{events}");
    gate.receive(
        &json!({ "type": "tool-output-available", "toolCallId": "c9", "output": 1 }),
        ReplyTo::default(),
        1_000,
    );
    let events = to_json(gate.take_events());
    let [anomaly] = &events.as_array().unwrap()[..] else { panic!("expected one event") };
    assert_eq!((&anomaly["type"], &anomaly["error"]["toolCallId"]), (&json!("anomaly"), &json!("c9")));
}

#[test]
fn enums_are_their_texts() {
    macro_rules! check {
        ($($name:ident),+) => { $(
            for variant in $name::ALL {
                assert_eq!(to_json(variant), variant.as_str());
                assert_eq!(serde_json::from_value::<$name>(variant.as_str().into()).unwrap(), *variant);
            }
            assert!(serde_json::from_value::<$name>("no such text".into()).is_err());
            assert!(serde_json::from_value::<$name>(0.into()).is_err());
        )+ };
    }
    check!(Code, DeliveryState, Ending, ItemState, OnDeny, OnUserMessage, OutcomeKind);
    check!(RepairCode, Role, Status, StreamEnd, TurnStatus, WaitsOn);
}

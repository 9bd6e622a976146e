//! `toolgate::json` computes what the npm package computes: digests, values of incomplete inputs, snapshots, keys and
//! bodies, and the texts of calls without a result. `tests/crate/from-npm.test.ts` writes the expected values.

use serde_json::{Value as Json, json};
use toolgate::json::{Decision, Gate, GateOptions, ReplyTo, SavedGate, Store, Value, digest};
use toolgate::machine::{OnDeny, StreamEnd};
use toolgate::wire::Values;

fn from_npm() -> Json {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/crate/from-npm.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the file is committed")).expect("it is JSON")
}

fn restored(expected: &Json) -> Gate {
    let saved: SavedGate = serde_json::from_value(expected["snapshot"].clone()).expect("it has the form of a snapshot");
    Gate::restore(&saved, &GateOptions::default(), 0).expect("a snapshot of the npm package is restored")
}

#[test]
fn digests() {
    for entry in from_npm()["digests"].as_array().unwrap() {
        assert_eq!(Json::from(digest(&Value::from_json(entry[0].clone()))), entry[1], "of {}", entry[0]);
    }
}

#[test]
fn values_of_incomplete_inputs() {
    for entry in from_npm()["partial"].as_array().unwrap() {
        let store = Store::default();
        let input = store.partial_input(false);
        store.feed(input, store.json_value(entry[0].clone()));
        let value = store.take(store.partial_value(input));
        match entry.get(1) {
            // Digests are equal for numbers with different texts, such as 1e2 and 100.
            Some(expected) => {
                assert_eq!(digest(&value), digest(&Value::from_json(expected.clone())), "{value:?} of {}", entry[0]);
            }
            None => assert!(matches!(value, Value::Undefined), "{} has the value {value:?}", entry[0]),
        }
    }
}

#[test]
fn a_snapshot_of_the_npm_package_is_restored_and_saved_again_without_a_difference() {
    let expected = from_npm();
    let mut gate = restored(&expected);
    assert_eq!(Json::from(gate.messages()), expected["messages"]);
    assert_eq!(Json::from(gate.assemble()), expected["model"]);
    let saved = gate.save();
    assert_eq!(serde_json::to_value(&saved).unwrap(), expected["resaved"]);
    assert_eq!(serde_json::to_string(&saved).unwrap(), expected["resaved"].to_string());
}

#[test]
fn pending_approvals_and_the_request_with_their_decisions() {
    let expected = from_npm();
    let mut gate = restored(&expected);
    let pending: Vec<Json> = gate
        .pending()
        .into_iter()
        .map(|entry| {
            serde_json::json!({
                "approvalId": entry.approval_id,
                "toolCallId": entry.tool_call_id,
                "toolName": entry.tool_name,
                "inputDigest": entry.input_digest,
                "requestedAt": entry.requested_at,
            })
        })
        .collect();
    assert_eq!(Json::from(pending), expected["pending"]);
    gate.respond("ask-c2", &Decision::approve()).unwrap();
    let [request] = &gate.outgoing()[..] else { panic!("there is one request") };
    assert_eq!(request.key, expected["request"]["key"]);
    assert_eq!(Json::from(request.approval_ids.clone()), expected["request"]["approvalIds"]);
    assert_eq!(request.body.to_string(), expected["request"]["body"].to_string());
}

/// The options of a chat whose calls end without a result.
fn closing_options(options: &Json) -> GateOptions {
    GateOptions {
        on_deny: if options["onDeny"] == "skip-rest" { OnDeny::SkipRest } else { OnDeny::default() },
        approval_timeout_ms: options["approvalTimeoutMs"].as_u64(),
        ..GateOptions::default()
    }
}

#[test]
fn the_default_texts_of_calls_without_a_result() {
    let expected = from_npm();
    for closing in expected["closings"].as_array().unwrap() {
        let mut gate = Gate::new("chat-1", &closing_options(&closing["options"]), 1_000);
        gate.send_user_message(&json!({ "text": "Tidy up" }), None).unwrap();
        let request = gate.outgoing().remove(0).id;
        assert!(gate.claim(request));
        let about = ReplyTo::default();
        gate.receive(&json!({ "type": "start", "messageId": "m1" }), about, 1_000);
        gate.receive(&json!({ "type": "start-step" }), about, 1_000);
        for step in closing["steps"].as_array().unwrap() {
            match step[0].as_str().unwrap() {
                "receive" => assert!(gate.receive(&step[1], about, 1_000), "{step}"),
                "ended" if step[1] == "finished" => gate.stream_ended(StreamEnd::Finished, about),
                "ended" => gate.stream_ended(StreamEnd::Disconnected, about),
                "cancel" => gate.cancel(None),
                "message" => drop(gate.send_user_message(&json!({ "text": step[1] }), None).unwrap()),
                "deny" => drop(gate.respond(step[1].as_str().unwrap(), &Decision::default()).unwrap()),
                "time" => gate.tick(step[1].as_u64().unwrap()),
                name => panic!("unknown step {name}"),
            }
        }
        assert_eq!(Json::from(gate.assemble()), closing["model"], "{}", closing["steps"]);
        assert_eq!(
            calls_of(&gate.messages()),
            calls_of(closing["messages"].as_array().unwrap()),
            "{}",
            closing["steps"]
        );
    }
}

/// The tool parts of the messages. Messages get random ids.
fn calls_of(messages: &[Json]) -> Vec<&Json> {
    let parts = messages.iter().flat_map(|message| message["parts"].as_array().unwrap());
    parts.filter(|part| part.get("toolCallId").is_some()).collect()
}

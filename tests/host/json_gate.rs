//! `toolgate::json::Gate`, as a Rust program uses it.

use serde_json::{Value as Json, json};
use toolgate::json::{Decision, Gate, GateEvent, GateOptions, ReplyTo, SavedGate, WaitingFor};
use toolgate::machine::{ItemState, OutcomeKind, RespondOutcome, Sent, StreamEnd};

const NOW: u64 = 1_800_000_000_000;

/// A gate whose backend has requested approval of these calls, with the ids `ask-…`.
fn asking(calls: &[&str], options: &GateOptions) -> Gate {
    let mut gate = Gate::new("chat-1", options, NOW);
    gate.send_user_message(&json!({ "text": "Tidy up" }), None).unwrap();
    let request = gate.outgoing().remove(0).id;
    assert!(gate.claim(request));
    let about = ReplyTo { request: Some(request), ..ReplyTo::default() };
    let mut events = vec![json!({ "type": "start", "messageId": "m1" }), json!({ "type": "start-step" })];
    for call in calls {
        let input = json!({ "path": format!("/{call}") });
        events
            .push(json!({ "type": "tool-input-available", "toolCallId": call, "toolName": "remove", "input": input }));
        let approval = format!("ask-{call}");
        events.push(json!({ "type": "tool-approval-request", "approvalId": approval, "toolCallId": call }));
    }
    events.extend([json!({ "type": "finish-step" }), json!({ "type": "finish" })]);
    events.iter().for_each(|event| assert!(gate.receive(event, about, NOW)));
    gate.stream_ended(StreamEnd::Finished, about);
    gate
}

fn code(error: &toolgate::json::GateError) -> &'static str {
    error.code.as_str()
}

fn restored(saved: &Json) -> Result<Gate, String> {
    let saved: SavedGate = serde_json::from_value(saved.clone()).map_err(|error| error.to_string())?;
    Gate::restore(&saved, &GateOptions::default(), NOW).map_err(|error| code(&error).into())
}

#[test]
fn a_gate_can_be_moved_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Gate>();
}

#[test]
fn a_denial_is_sent_once_and_is_not_an_output() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    let deny = Decision::deny("keep it").shown(&gate.pending()[0]);
    assert_eq!(gate.respond("ask-c1", &deny), Ok(RespondOutcome::Accepted));
    assert_eq!(gate.respond("ask-c1", &deny), Ok(RespondOutcome::Duplicate));
    let [request] = &gate.outgoing()[..] else { panic!("expected one request") };
    assert_eq!(request.approval_ids, ["ask-c1"]);
    let part = &request.body["messages"][1]["parts"][1];
    assert_eq!(part["approval"], json!({ "id": "ask-c1", "approved": false, "reason": "keep it" }));
    assert_eq!(part.get("output"), None);
    let outcome = |event: &GateEvent| match event {
        GateEvent::ToolResult { outcome, .. } => Some(*outcome),
        _ => None,
    };
    assert_eq!(gate.take_events().iter().filter_map(outcome).collect::<Vec<_>>(), [OutcomeKind::Denied]);
}

#[test]
fn a_refusal_has_a_code_and_says_what_would_be_right() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    let error = gate.respond("c1", &Decision::approve()).unwrap_err();
    assert_eq!(code(&error), "unknown-approval");
    assert!(error.to_string().contains(r#"Its approval id is "ask-c1""#), "{error}");
    let stale = Decision { input_digest: Some("0".repeat(64)), ..Decision::approve() };
    let error = gate.respond("ask-c1", &stale).unwrap_err();
    assert_eq!((code(&error), error.approval_id.as_deref()), ("stale-input", Some("ask-c1")));
    gate.respond("ask-c1", &Decision::approve()).unwrap();
    assert_eq!(code(&gate.respond("ask-c1", &Decision::deny("no")).unwrap_err()), "already-decided");
    assert_eq!(code(&gate.mark_sent(99).unwrap_err()), "unknown-outgoing");
    assert_eq!(code(&gate.add_tool_output("c9", Ok(json!(1))).unwrap_err()), "unknown-call");
    let long = gate.respond(&"x".repeat(100_000), &Decision::approve()).unwrap_err();
    assert!(long.to_string().len() < 400);
}

#[test]
fn a_step_is_sent_when_all_its_approvals_are_decided() {
    let mut gate = asking(&["c1", "c2"], &GateOptions::default());
    gate.respond("ask-c1", &Decision::approve()).unwrap();
    assert_eq!(gate.outgoing(), []);
    assert_eq!(gate.waiting_for(), [WaitingFor::User { approval_ids: vec!["ask-c2".into()] }]);
    assert_eq!(gate.respond_all(&Decision::approve(), |entry| entry.tool_name == "remove"), 1);
    let [request] = &gate.outgoing()[..] else { panic!("expected one request") };
    assert_eq!(request.approval_ids, ["ask-c1", "ask-c2"]);
    assert_eq!(gate.waiting_for(), [WaitingFor::Host { ids: vec![request.id] }]);
}

#[test]
fn an_item_is_claimed_once_and_a_retry_has_its_key_and_body() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    gate.respond("ask-c1", &Decision::approve()).unwrap();
    let first = gate.outgoing().remove(0);
    assert!(gate.claim(first.id));
    assert!(!gate.claim(first.id));
    gate.mark_failed(first.id, "offline").unwrap();
    let [undelivered] = &gate.undelivered()[..] else { panic!("expected one undelivered item") };
    assert_eq!((undelivered.state, undelivered.error.as_deref()), (ItemState::Failed, Some("offline")));
    assert_eq!(gate.outgoing(), []);
    gate.retry(first.id).unwrap();
    let again = gate.outgoing().remove(0);
    assert_eq!((&again.key, &again.body, again.attempt), (&first.key, &first.body, 2));
}

#[test]
fn a_saved_item_in_flight_is_unconfirmed_after_a_restore() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    gate.respond("ask-c1", &Decision::approve()).unwrap();
    let sent = gate.outgoing().remove(0);
    gate.claim(sent.id);
    let gate = restored(&serde_json::to_value(gate.save()).unwrap()).unwrap();
    assert_eq!(gate.outgoing(), []);
    let [undelivered] = &gate.undelivered()[..] else { panic!("expected one undelivered item") };
    assert_eq!((undelivered.state, &undelivered.key), (ItemState::Unconfirmed, &sent.key));
}

#[test]
fn a_changed_snapshot_is_refused_at_every_place() {
    let saved = serde_json::to_value(asking(&["c1"], &GateOptions::default()).save()).unwrap();
    assert!(restored(&saved).is_ok());
    for list in ["numbers", "texts", "values"] {
        for place in 0..saved[list].as_array().unwrap().len() {
            let mut changed = saved.clone();
            let entry = &mut changed[list][place];
            *entry = match &*entry {
                Json::Number(number) => json!(number.as_u64().unwrap() + 1),
                _ => json!("another"),
            };
            assert_eq!(restored(&changed).err().as_deref(), Some("bad-snapshot"), "{list}[{place}]");
            changed[list].as_array_mut().unwrap().remove(place);
            assert_eq!(restored(&changed).err().as_deref(), Some("bad-snapshot"), "{list} without [{place}]");
        }
    }
    let mut other = saved.clone();
    other["version"] = json!(4);
    assert_eq!(restored(&other).err().as_deref(), Some("bad-snapshot"));
}

#[test]
fn a_local_tool_runs_after_its_approval_and_its_output_is_sent() {
    let options = GateOptions { local_tools: vec!["remove".into()], ..GateOptions::default() };
    let mut gate = asking(&["c1"], &options);
    assert_eq!(code(&gate.add_tool_output("c1", Ok(json!("done"))).unwrap_err()), "approval-pending");
    gate.respond("ask-c1", &Decision::approve()).unwrap();
    assert_eq!(gate.waiting_for(), [WaitingFor::Tool { tool_call_ids: vec!["c1".into()] }]);
    gate.add_tool_output("c1", Err("disk is full".into())).unwrap();
    let part = &gate.outgoing()[0].body["messages"][1]["parts"][1];
    assert_eq!((&part["state"], &part["errorText"]), (&json!("output-error"), &json!("disk is full")));
}

#[test]
fn an_approval_expires_when_its_time_is_over() {
    let options = GateOptions { approval_timeout_ms: Some(1_000), ..GateOptions::default() };
    let mut gate = asking(&["c1"], &options);
    let deadline = gate.next_deadline().expect("the approval has a deadline");
    gate.tick(deadline);
    assert_eq!(gate.pending(), []);
    assert_eq!(gate.messages()[1]["parts"][1]["outcome"]["kind"], "expired");
}

#[test]
fn invalid_arguments_change_nothing() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    let before = gate.view();
    for message in [json!("text"), json!({}), json!({ "text": 1 }), json!({ "parts": [{ "type": "tool-x" }] })] {
        assert_eq!(code(&gate.send_user_message(&message, None).unwrap_err()), "invalid-argument", "{message}");
    }
    assert_eq!(code(&gate.load(&json!({ "error": "no session" }), NOW).unwrap_err()), "invalid-argument");
    assert_eq!(gate.view(), before);
    let reported = |gate: &mut Gate| gate.take_events().iter().any(|event| matches!(event, GateEvent::Anomaly { .. }));
    reported(&mut gate);
    for event in [json!(null), json!([]), json!({ "type": 3 }), json!({ "type": "tool-output-available" })] {
        gate.receive(&event, ReplyTo::default(), NOW);
        assert!(reported(&mut gate), "{event} is not reported");
    }
    assert!(!gate.receive(&json!({ "type": "of-a-later-version" }), ReplyTo::default(), NOW));
    assert_eq!(gate.pending(), before.pending);
}

#[test]
fn a_loaded_history_is_assembled_for_the_model() {
    let history = json!([
        { "id": "u", "role": "user", "parts": [{ "type": "text", "text": "hi" }] },
        { "id": "a", "role": "assistant", "parts": [
            { "type": "tool-read", "toolCallId": "c1", "state": "output-available", "input": {}, "output": 1 },
            { "type": "tool-read", "toolCallId": "c1", "state": "output-available", "input": {}, "output": 1 },
        ] },
    ]);
    let mut gate = Gate::new("chat-1", &GateOptions::default(), NOW);
    let repairs = gate.load(&history, NOW).unwrap();
    assert_eq!(repairs.iter().map(|repair| repair.tool_call_id.as_deref()).collect::<Vec<_>>(), [Some("c1")]);
    let model = gate.assemble();
    assert_eq!(
        model.iter().map(|message| message["role"].as_str().unwrap()).collect::<Vec<_>>(),
        ["user", "assistant", "tool"]
    );
    assert_eq!(gate.send_user_message(&json!({ "text": "more" }), None), Ok(Sent::Sent));
}

#[test]
fn values_and_ids_that_nothing_refers_to_are_freed() {
    let mut gate = Gate::new("chat-1", &GateOptions::default(), NOW);
    let large = "x".repeat(1_000);
    for number in 0..20_000 {
        let (id, data) = (format!("unknown-{number}"), json!({ "large": large }));
        gate.receive(
            &json!({ "type": "tool-output-available", "toolCallId": id, "output": data }),
            ReplyTo::default(),
            NOW,
        );
        gate.respond(&id, &Decision::approve()).unwrap_err();
        gate.take_events();
    }
    assert!(gate.table_size() < 2_000, "the tables have {} entries", gate.table_size());
    // What is in use has kept its number.
    gate.send_user_message(&json!({ "text": "hello" }), None).unwrap();
    assert_eq!(gate.messages()[0]["parts"][0]["text"], "hello");
}

/// A deadline counts from the event that asked, whatever the program did before.
#[test]
fn an_approval_that_is_asked_before_any_tick_has_all_its_time() {
    let options = GateOptions { approval_timeout_ms: Some(60_000), ..GateOptions::default() };
    let saved = Gate::new("chat-1", &options, NOW - 3_600_000).save();
    let mut gate = Gate::restore(&saved, &options, NOW - 1_800_000).unwrap();
    let call = json!({ "type": "tool-input-available", "toolCallId": "c1", "toolName": "remove", "input": {} });
    let request = json!({ "type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1" });
    [call, request].iter().for_each(|event| assert!(gate.receive(event, ReplyTo::default(), NOW)));
    gate.tick(NOW + 59_000);
    assert_eq!(gate.pending()[0].expires_at, Some(NOW + 60_000));
    gate.tick(NOW + 60_000);
    assert!(gate.pending().is_empty());
}

/// A server that records keys would answer the first message of the second chat with the reply to the first one's.
#[test]
fn a_later_chat_with_the_same_id_has_other_keys() {
    let key = |now| {
        let mut gate = Gate::new("chat-1", &GateOptions::default(), now);
        gate.send_user_message(&json!({ "text": "Tidy up" }), None).unwrap();
        gate.outgoing().remove(0).key
    };
    assert_ne!(key(NOW), key(NOW + 1));
}

/// A call with this input, answered with this output, saved as text and read again.
fn saved_with(value: &Json) -> Gate {
    let options = GateOptions { local_tools: vec!["remove".into()], ..GateOptions::default() };
    let mut gate = Gate::new("chat-1", &options, NOW);
    let call = json!({ "type": "tool-input-available", "toolCallId": "c1", "toolName": "remove", "input": value });
    assert!(gate.receive(&call, ReplyTo::default(), NOW));
    gate.stream_ended(StreamEnd::Finished, ReplyTo::default());
    gate.add_tool_output("c1", Ok(value.clone())).unwrap();
    let request = gate.outgoing().remove(0);
    assert!(gate.claim(request.id));
    let text = serde_json::to_string(&json!({ "chat": { "saved": gate.save() } })).unwrap();
    let read: Json = serde_json::from_str(&text).expect("JSON that serde_json reads");
    let saved: SavedGate = serde_json::from_value(read["chat"]["saved"].clone()).unwrap();
    let restored = Gate::restore(&saved, &options, NOW).expect("the snapshot can be read");
    assert_eq!(gate.messages(), restored.messages());
    restored
}

fn nested(levels: usize, key: &str) -> Json {
    (0..levels).fold(json!(1), |inner, _| json!({ key: inner }))
}

#[test]
fn whatever_serde_json_reads_can_be_saved_and_read_again() {
    for levels in [1, 20, 44, 45, 95, 96, 97, 98, 99, 100, 101, 120, 124] {
        for key in ["a", "$", "__proto__"] {
            let restored = saved_with(&nested(levels, key));
            assert_eq!(restored.messages()[0]["parts"][0]["input"], nested(levels, key), "{levels} {key}");
        }
        let list = (0..levels).fold(json!(1), |inner, _| json!([inner]));
        saved_with(&list);
    }
    saved_with(&nested(511, "a"));
}

#[test]
fn a_value_that_is_nested_too_deep_is_refused_when_it_arrives() {
    let mut gate = asking(&["c1"], &GateOptions::default());
    gate.take_events();
    let (before, deep) = (gate.messages(), nested(513, "a"));
    let output = json!({ "type": "tool-output-available", "toolCallId": "c1", "output": deep });
    assert!(gate.receive(&output, ReplyTo::default(), NOW));
    let [GateEvent::Anomaly { error }] = &gate.take_events()[..] else { panic!("expected one anomaly") };
    assert_eq!(code(error), "malformed-event");
    assert!(error.to_string().contains("512 levels"), "{error}");
    let message = json!({ "parts": [{ "type": "data-x", "data": deep }] });
    for refused in [
        gate.load(&json!([deep]), NOW).map(|_| ()),
        gate.send_user_message(&message, None).map(|_| ()),
        gate.add_tool_output("c1", Ok(deep.clone())),
    ] {
        assert_eq!(code(&refused.unwrap_err()), "invalid-argument");
    }
    assert_eq!(gate.messages(), before);
}

#[test]
fn events_that_a_program_does_not_take_are_dropped_and_counted() {
    let mut gate = Gate::new("chat-1", &GateOptions::default(), NOW);
    let unknown = |call: usize| json!({ "type": "tool-output-available", "toolCallId": call.to_string(), "output": 1 });
    for call in 0..16_000 {
        gate.receive(&unknown(call), ReplyTo::default(), NOW);
    }
    let events = gate.take_events();
    let [GateEvent::Dropped { count }, kept @ ..] = &events[..] else { panic!("expected a count") };
    assert_eq!(count + kept.len(), 16_000);
    assert!((1_000..=2_000).contains(&kept.len()), "{}", kept.len());
    assert!(gate.take_events().is_empty());

    let deep = json!({ "type": "tool-output-available", "toolCallId": "c1", "output": nested(513, "a") });
    for _ in 0..3_000 {
        gate.receive(&deep, ReplyTo::default(), NOW);
    }
    assert!((1_000..=2_000).contains(&gate.take_events().len()));
}

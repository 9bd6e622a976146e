//! Stored `ModelMessage`s: calls without results, results without calls, and duplicates.

use crate::chat::Chat;
use crate::stored_histories::{load_repaired, repair_texts};
use serde_json::{Value as Json, json};
use toolgate::machine::{Code, OutcomeKind, Phase};

fn user(text: &str) -> Json {
    json!({ "role": "user", "content": text })
}

fn assistant(content: Json) -> Json {
    json!({ "role": "assistant", "content": content })
}

fn tool(content: Json) -> Json {
    json!({ "role": "tool", "content": content })
}

fn call(id: &str) -> Json {
    json!({ "type": "tool-call", "toolCallId": id, "toolName": "edit", "input": { "of": id } })
}

fn request(approval: &str, call: &str) -> Json {
    json!({ "type": "tool-approval-request", "approvalId": approval, "toolCallId": call })
}

fn response(approval: &str, approved: bool) -> Json {
    json!({ "type": "tool-approval-response", "approvalId": approval, "approved": approved })
}

fn result_of(call: &str, output: Json) -> Json {
    json!({ "type": "tool-result", "toolCallId": call, "toolName": "edit", "output": output })
}

fn ran(call: &str) -> Json {
    result_of(call, json!({ "type": "text", "value": "done" }))
}

fn outcome(chat: &Chat, call: &str) -> Option<(OutcomeKind, bool)> {
    chat.outcome(call)
}

const EXECUTED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Executed, false));
const DENIED: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Denied, false));
const LOST: Option<(OutcomeKind, bool)> = Some((OutcomeKind::Interrupted, true));

#[test]
fn a_call_without_a_result_is_closed() {
    let chat = load_repaired(
        json!([user("m1"), assistant(json!([call("c1")])), user("m2")]),
        &["unanswered-call c1 output-error"],
    );
    assert_eq!(outcome(&chat, "c1"), LOST);
    let steps = json!([
        user("m1"),
        assistant(json!([call("c1"), call("c2")])),
        tool(json!([ran("c2")])),
        assistant(json!("So."))
    ]);
    let chat = load_repaired(steps, &["unanswered-call c1 output-error"]);
    assert_eq!((outcome(&chat, "c1"), outcome(&chat, "c2")), (LOST, EXECUTED));
}

#[test]
fn a_call_without_a_result_in_the_last_step_stays_open() {
    let mut chat = load_repaired(json!([user("m1"), assistant(json!([call("c1")]))]), &[]);
    assert_eq!(chat.page_output("c1", false), Ok(()));
}

#[test]
fn a_result_without_a_call_is_skipped() {
    let chat = load_repaired(
        json!([user("m1"), assistant(json!("Hi.")), tool(json!([ran("c9")])), user("m2")]),
        &["orphaned c9"],
    );
    assert_eq!(chat.said(), ["m1", "Hi.", "m2"]);
}

#[test]
fn a_tool_message_at_the_start_is_skipped() {
    let chat = load_repaired(
        json!([tool(json!([ran("c9"), response("a9", true)])), user("m1")]),
        &["orphaned", "orphaned c9"],
    );
    assert_eq!(chat.said(), ["m1"]);
}

#[test]
fn a_result_after_a_later_message_still_settles_its_call() {
    let history = json!([user("m1"), assistant(json!([call("c1")])), user("m2"), tool(json!([ran("c1")]))]);
    let chat = load_repaired(history, &["orphaned c1 output-available"]);
    assert_eq!(outcome(&chat, "c1"), EXECUTED);
}

#[test]
fn a_decision_on_an_approval_that_was_never_requested_is_skipped() {
    let history = json!([user("m1"), assistant(json!([call("c1")])), tool(json!([response("a9", true), ran("c1")]))]);
    assert_eq!(outcome(&load_repaired(history, &["orphaned"]), "c1"), EXECUTED);
    let unknown = json!([user("m1"), assistant(json!([request("a1", "c9"), { "type": "text", "text": "Hi." }]))]);
    assert_eq!(load_repaired(unknown, &["orphaned c9"]).said(), ["m1", "Hi."]);
}

#[test]
fn of_two_decisions_on_one_approval_the_first_counts() {
    for first in [true, false] {
        let answers = json!([response("a1", first), response("a1", !first)]);
        let history = json!([user("m1"), assistant(json!([call("c1"), request("a1", "c1")])), tool(answers)]);
        let mut chat = load_repaired(history, &["duplicate-approval c1 approval-responded"]);
        assert_eq!(chat.phase("c1"), if first { Phase::Submitted } else { Phase::Denied });
        assert_eq!(chat.respond("a1", !first, ""), Err(Code::AlreadyDecided));
    }
}

#[test]
fn of_two_results_the_first_counts() {
    let second = result_of("c1", json!({ "type": "error-text", "value": "gone" }));
    let history = json!([user("m1"), assistant(json!([call("c1")])), tool(json!([ran("c1"), second])), user("m2")]);
    let chat = load_repaired(history, &["duplicate-call c1 output-available"]);
    assert_eq!(chat.model_result("c1"), Some(json!({ "type": "text", "value": "done" })));
}

#[test]
fn an_id_that_is_reused_in_a_later_step_is_another_call() {
    let step = [assistant(json!([call("c1")])), tool(json!([ran("c1")]))];
    let history = json!([user("m1"), step[0], step[1], step[0], step[1], user("m2")]);
    let chat = load_repaired(history.clone(), &[]);
    assert_eq!(outcome(&chat, "c1"), EXECUTED);
    let assembled = chat.history();
    assert_eq!(assembled.as_array().unwrap()[1..5], history.as_array().unwrap()[1..5]);
}

#[test]
fn a_repeated_request_does_not_undo_a_decision() {
    let asks = assistant(json!([call("c1"), request("a1", "c1")]));
    let settled = tool(json!([response("a1", true), ran("c1")]));
    let history =
        json!([user("m1"), asks, settled, assistant(json!([request("a1", "c1"), request("a2", "c1")])), user("m2")]);
    let chat = load_repaired(history, &["duplicate-approval c1 output-available"; 2]);
    assert_eq!((outcome(&chat, "c1"), chat.pending().as_str()), (EXECUTED, ""));
    let twice = json!([user("m1"), assistant(json!([call("c1"), request("a1", "c1"), request("a1", "c1")]))]);
    assert_eq!(load_repaired(twice, &["duplicate-approval c1 approval-requested"]).pending(), "a1");
}

#[test]
fn an_approval_of_two_calls_belongs_to_the_first() {
    let asks = assistant(json!([call("c1"), request("a1", "c1"), call("c2"), request("a1", "c2")]));
    let chat = load_repaired(json!([user("m1"), asks]), &["duplicate-approval c2 output-error"]);
    assert_eq!((chat.pending().as_str(), outcome(&chat, "c2")), ("a1", Some((OutcomeKind::Interrupted, false))));
}

#[test]
fn a_result_without_an_output_is_not_a_success() {
    let no_value = json!({ "type": "text" });
    for output in [json!(null), json!("done"), json!({}), json!({ "value": "done" }), json!([]), no_value] {
        let history =
            json!([user("m1"), assistant(json!([call("c1")])), tool(json!([result_of("c1", output)])), user("m2")]);
        let chat = load_repaired(history, &["malformed c1", "unanswered-call c1 output-error"]);
        assert_eq!(outcome(&chat, "c1"), LOST);
    }
}

#[test]
fn a_denial_is_recognised_in_every_form_of_its_result() {
    let denied = json!({ "type": "execution-denied", "reason": "no" });
    for result in [Some(denied.clone()), Some(json!({ "type": "error-text", "value": "no" })), None] {
        let mut answers = vec![response("a1", false)];
        answers[0]["reason"] = json!("no");
        answers.extend(result.map(|output| result_of("c1", output)));
        let history =
            json!([user("m1"), assistant(json!([call("c1"), request("a1", "c1")])), tool(json!(answers)), user("m2")]);
        let repairs: &[&str] = if answers.len() < 2 { &["unanswered-call c1 output-denied"] } else { &[] };
        let chat = load_repaired(history, repairs);
        assert_eq!((outcome(&chat, "c1"), chat.model_result("c1")), (DENIED, Some(denied.clone())));
    }
}

#[test]
fn the_result_of_a_denial_may_come_before_the_decision() {
    let denied = result_of("c1", json!({ "type": "execution-denied", "reason": "no" }));
    let asks = assistant(json!([call("c1"), request("a1", "c1")]));
    let chat = load_repaired(json!([user("m1"), asks, tool(json!([denied, response("a1", false)])), user("m2")]), &[]);
    assert_eq!(outcome(&chat, "c1"), DENIED);
}

#[test]
fn a_denied_result_without_a_decision_gets_an_approval() {
    let denied = result_of("c1", json!({ "type": "execution-denied" }));
    let without_request = json!([user("m1"), assistant(json!([call("c1")])), tool(json!([denied])), user("m2")]);
    assert_eq!(outcome(&load_repaired(without_request, &["missing-approval c1 output-denied"]), "c1"), DENIED);
    let asks = assistant(json!([call("c1"), request("a1", "c1")]));
    let approved = json!([user("m1"), asks, tool(json!([response("a1", true), denied])), user("m2")]);
    assert_eq!(outcome(&load_repaired(approved, &["missing-approval c1 output-denied"]), "c1"), DENIED);
}

#[test]
fn an_output_takes_precedence_over_an_undecided_approval_but_not_over_a_denial() {
    let asks = assistant(json!([call("c1"), request("a1", "c1")]));
    for answers in [json!([ran("c1")]), json!([response("a1", false), ran("c1")])] {
        let denied = answers[0]["approved"] == false;
        let repair = if denied { "denied-output c1 output-denied" } else { "invalid-value c1 output-available" };
        let chat = load_repaired(json!([user("m1"), asks, tool(answers), user("m2")]), &[repair]);
        // The user has denied the call. Its output may have been made up by an earlier client.
        let denial = Some((OutcomeKind::Denied, false));
        assert_eq!(outcome(&chat, "c1"), if denied { denial } else { EXECUTED });
    }
}

#[test]
fn invalid_parts_and_content_are_skipped() {
    let nameless = json!({ "type": "tool-call", "toolCallId": "c1", "input": {} });
    let numbered = json!({ "type": "tool-result", "toolCallId": 7, "output": { "type": "text", "value": "x" } });
    let untyped = json!({ "type": "tool-approval-response", "approvalId": "a1", "approved": "true" });
    let history = json!([
        { "role": "system", "content": null }, { "role": "user", "content": 7 }, { "role": "user", "content": [] },
        { "role": "tool", "content": "done" }, { "role": "alien", "content": "x" },
        user("m1"),
        assistant(json!([null, { "type": "text" }, nameless, { "type": "text", "text": "Hi." }])),
        tool(json!([null, numbered, untyped])),
    ]);
    let mut repairs = ["malformed"; 11].to_vec();
    repairs[7] = "malformed c1";
    let chat = load_repaired(history, &repairs);
    assert_eq!(chat.said(), ["m1", "Hi."]);
}

#[test]
fn both_kinds_of_messages_in_one_history_are_read() {
    let ui = json!({ "id": "r1", "role": "assistant", "parts": [{ "type": "text", "text": "Hi." }] });
    let history = json!([user("m1"), ui, user("m2"), assistant(json!([call("c1")])), tool(json!([ran("c1")]))]);
    let chat = load_repaired(history, &[]);
    assert_eq!((chat.said(), outcome(&chat, "c1")), (vec!["m1".into(), "Hi.".into(), "m2".into()], EXECUTED));
}

#[test]
fn a_known_decision_is_kept_if_the_history_has_the_providers_result_without_it() {
    for (approved, phase, repairs) in
        [(true, Phase::OutputAvailable, vec![]), (false, Phase::Denied, vec!["denied-output c1 approval-responded"])]
    {
        let mut chat = Chat::asking(1);
        chat.respond("a1", approved, "").unwrap();
        let mut call = call("c1");
        call["providerExecuted"] = json!(true);
        let output = json!({ "type": "json", "value": 1 });
        let result = json!({ "type": "tool-result", "toolCallId": "c1", "toolName": "edit", "output": output });
        let report = chat.load(json!([user("m1"), assistant(json!([call, request("a1", "c1"), result]))]));
        assert_eq!(repair_texts(&chat, &report), repairs);
        assert_eq!(chat.phase("c1"), phase);
        assert_eq!(chat.respond("a1", !approved, ""), Err(Code::AlreadyDecided));
    }
}

//! A history that is assembled and loaded again has the same outcomes, and is assembled to the same bytes.

use crate::chat::Chat;
use crate::on_deny::{DENIED, SKIPPED, deny_only};
use crate::stored_histories::load_repaired;
use serde_json::{Value as Json, json};
use toolgate::json::Value;
use toolgate::machine::{OnDeny, OutcomeKind, Phase};

type Outcome = Option<(OutcomeKind, bool)>;

/// The outcomes of all calls.
fn outcomes(chat: &Chat) -> Vec<Outcome> {
    let messages = chat.machine.transcript().messages();
    let calls = messages.iter().flat_map(|message| message.calls());
    calls.map(|call| call.outcome().map(|outcome| (outcome.kind, outcome.may_have_run))).collect()
}

/// Loads what `chat` assembles, and compares the two.
fn again(chat: &Chat) -> Chat {
    let history = chat.history();
    let mut other = Chat::default();
    other.load_value(Value::from_json(history.clone()));
    assert_eq!(outcomes(&other), outcomes(chat), "{history:#}");
    assert_eq!(other.history().to_string(), history.to_string());
    other
}

/// The step's calls, each as its approval id, and the ids of its tool message's decisions.
fn approvals(history: &Json, step: usize) -> (Vec<&str>, Vec<&str>) {
    let of = |at: usize, kind: &'static str| -> Vec<&str> {
        let content = history[at]["content"].as_array().unwrap().iter();
        content.filter(|part| part["type"] == kind).filter_map(|part| part["approvalId"].as_str()).collect()
    };
    (of(step, "tool-approval-request"), of(step + 1, "tool-approval-response"))
}

#[test]
fn an_approval_id_of_an_earlier_step_keeps_its_decision() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    for user in ["m1", "m2"] {
        chat.user(user);
        chat.claim();
        chat.reply(|reply| reply.ask("c1", "c1").ask("c2", "c2"));
        deny_only(&mut chat, "c1");
        chat.claim();
        chat.reply(|reply| reply.text("So."));
    }
    assert_eq!(outcomes(&chat), [DENIED, SKIPPED, DENIED, SKIPPED]);
    let history = chat.history();
    for step in [1, 5] {
        assert_eq!(approvals(&history, step), (vec!["c1", "c2"], vec!["c1", "c2"]), "{history:#}");
    }
    again(&chat);
}

#[test]
fn an_approval_id_that_its_step_repeats_belongs_to_the_last_call() {
    let mut chat = Chat::with_on_deny(OnDeny::SkipRest);
    chat.user("m1");
    chat.claim();
    chat.reply(|reply| reply.ask("c1", "a1").denied("c1").ask("c2", "a1"));
    chat.approve("a1");
    let history = chat.history();
    assert_eq!(approvals(&history, 1), (vec!["c1", "a1"], vec!["c1", "a1"]));
    assert_eq!(outcomes(&again(&chat)), [DENIED, None]);
}

#[test]
fn of_one_id_for_a_call_and_its_approval_a_step_keeps_the_last() {
    let mut chat = Chat::default();
    chat.user("m1");
    chat.claim();
    // A later call has the first one's id, and the same id for its approval.
    chat.reply(|reply| reply.ask("c1", "c1").denied("c1").step().ask("c1", "c1"));
    chat.approve("c1");
    assert_eq!(again(&chat).phase("c1"), Phase::Submitted);
}

/// A step with this outcome in the call's metadata, and a denial as its result.
fn denied_without_request(outcome: &str) -> Json {
    let metadata = json!({ "toolgate": { "outcome": outcome } });
    let call = json!({
        "type": "tool-call", "toolCallId": "c1", "toolName": "edit", "input": {}, "providerOptions": metadata
    });
    let denial = json!({
        "type": "tool-result", "toolCallId": "c1", "toolName": "edit", "output": { "type": "execution-denied" }
    });
    json!([
        { "role": "user", "content": "m1" },
        { "role": "assistant", "content": [call] },
        { "role": "tool", "content": [denial] },
        { "role": "user", "content": "m2" },
    ])
}

#[test]
fn a_denial_without_a_request_keeps_its_stored_outcome() {
    // Earlier versions left out the request of an approval whose id had been used again.
    for (stored, kind) in [("skipped", OutcomeKind::Skipped), ("expired", OutcomeKind::Expired)] {
        let mut chat = Chat::default();
        chat.load(denied_without_request(stored));
        assert_eq!(chat.outcome("c1").map(|(kind, _)| kind), Some(kind), "{stored}");
        again(&chat);
    }
}

/// A history whose call has this output.
fn with_output(output: &Json) -> Json {
    json!([
        { "role": "user", "content": [{ "type": "text", "text": "m1" }] },
        { "role": "assistant", "content": [
            { "type": "tool-call", "toolCallId": "c1", "toolName": "edit", "input": {} }
        ] },
        { "role": "tool", "content": [
            { "type": "tool-result", "toolCallId": "c1", "toolName": "edit", "output": output }
        ] },
        { "role": "user", "content": [{ "type": "text", "text": "m2" }] },
    ])
}

#[test]
fn an_output_of_parts_stays_a_list_of_parts() {
    let parts =
        json!([{ "type": "text", "text": "a" }, { "type": "image-data", "data": "AA==", "mediaType": "image/png" }]);
    let history = with_output(&json!({ "type": "content", "value": parts }));
    let chat = load_repaired(history.clone(), &[]);
    assert_eq!(chat.history(), history);
    let part = chat.wire_part("c1").unwrap();
    assert_eq!(part["output"], parts);
    assert_eq!(part["resultProviderMetadata"]["toolgate"], json!({ "output": "content" }));
    again(&chat);
}

#[test]
fn a_list_is_no_list_of_parts_unless_it_is_marked() {
    let parts = json!([{ "type": "text", "text": "a" }]);
    let history = with_output(&json!({ "type": "json", "value": parts }));
    let chat = load_repaired(history.clone(), &[]);
    assert_eq!(chat.wire_part("c1").unwrap().get("resultProviderMetadata"), None);
    assert_eq!(chat.history(), history);
    // A mark without a list marks nothing.
    let history = with_output(&json!({ "type": "content", "value": "a" }));
    assert_eq!(load_repaired(history, &[]).history()[2]["content"][0]["output"]["type"], "text");
}

//! Checks whether a backend would accept a history, in the form of `ModelMessage`s.
//!
//! The checks follow the errors in `ai`'s source, not our codec: `MissingToolResultsError` for a call without a result,
//! the providers' refusals of results without a call, and the state table of `UIToolInvocation`.

use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The reason why a backend refuses the UI messages of a request, if it does.
pub fn refused(messages: &Json) -> Option<String> {
    let messages = messages.as_array()?;
    let mut ids = BTreeSet::new();
    let mut calls = BTreeMap::new();
    for (index, message) in messages.iter().enumerate() {
        let Some(id) = message["id"].as_str() else { return Some(format!("a message has no id: {message}")) };
        if !ids.insert(id) {
            return Some(format!("the message {} occurs twice", message["id"]));
        }
        let Some(parts) = message["parts"].as_array() else { return Some(format!("the message {id} has no parts")) };
        let last_step = parts.iter().rposition(|part| part["type"] == "step-start").map_or(0, |at| at + 1);
        let mut in_step = BTreeSet::new();
        for (place, part) in parts.iter().enumerate() {
            if part["type"] == "step-start" {
                in_step.clear();
            }
            let is_tool = part["type"].as_str().is_some_and(|kind| kind.starts_with("tool-") || kind == "dynamic-tool");
            let Some(call) = part["toolCallId"].as_str().filter(|_| is_tool) else { continue };
            if !in_step.insert(call) {
                return Some(format!("the call {call} occurs twice in a step"));
            }
            // Another step may reuse an id once its call has settled.
            let kept_there = part["providerExecuted"] == true;
            let open = !kept_there
                && matches!(part["state"].as_str(), Some("input-streaming" | "input-available" | "approval-requested"));
            if calls.insert(call, open) == Some(true) {
                return Some(format!("the call {call} occurs twice, and the first one is open"));
            }
            let last = index + 1 == messages.len() && place >= last_step;
            if let Some(wrong) = refused_part(part, last) {
                return Some(format!("the call {call} {wrong}: {part}"));
            }
        }
    }
    None
}

fn refused_part(part: &Json, in_last_step: bool) -> Option<&'static str> {
    let approval = part.get("approval");
    let approved = approval.and_then(|approval| approval["approved"].as_bool());
    let (output, error) = (part.get("output").is_some(), part.get("errorText").is_some());
    if approval.is_some_and(|approval| !approval["id"].is_string()) {
        return Some("has an approval without an id");
    }
    if part.get("outcome").is_some() || part.get("delivery").is_some() {
        return Some("has a property that no schema has");
    }
    match part["state"].as_str() {
        Some("output-available") if part["preliminary"] == true => Some("has no final output"),
        Some("output-available") if error => Some("has an output and an error"),
        Some("output-available") if approval.is_some() && approved != Some(true) => Some("ran without its approval"),
        Some("output-available") => None,
        Some("output-error") if output || !error => Some("has failed without an error text, or with an output"),
        Some("output-error") if approval.is_some() && approved != Some(true) => Some("failed without its approval"),
        Some("output-error") => None,
        Some("output-denied") if output || error => Some("was denied and has a result"),
        Some("output-denied") if approved != Some(false) => Some("has a denied state without a denial"),
        Some("output-denied") => None,
        Some("approval-responded") if output || error => Some("waits to be executed and has a result"),
        Some("approval-responded") if approved.is_none() => Some("has an invalid decision"),
        // The provider stores the result.
        Some("approval-responded") if approved == Some(true) && part["providerExecuted"] == true => None,
        Some("approval-responded") if !in_last_step => Some("waits to be executed, and a later step follows it"),
        Some("approval-responded") => None,
        Some("input-available") if part["providerExecuted"] == true => None,
        Some("input-available" | "input-streaming" | "approval-requested") => Some("has no result"),
        _ => Some("has an unknown state"),
    }
}

/// The reason why a model's history is invalid, if it is: a call without a result, a result without a call, or a
/// duplicate. `executing` are the calls whose approval was sent: their result may be missing.
pub fn unsound(history: &Json, executing: &BTreeSet<Arc<str>>) -> Option<String> {
    let messages = history.as_array()?;
    for (index, message) in messages.iter().enumerate() {
        let content = message["content"].as_array();
        match message["role"].as_str() {
            Some("assistant") => {
                let next = messages.get(index + 1).filter(|next| next["role"] == "tool");
                let (said, answers) = (content?, next.and_then(|next| next["content"].as_array()));
                let last = index + 1 + usize::from(next.is_some()) == messages.len();
                if let Some(wrong) = unsound_step(said, answers.map_or(&[], Vec::as_slice), last, executing) {
                    return Some(wrong);
                }
            }
            Some("tool") if index == 0 || messages[index - 1]["role"] != "assistant" => {
                return Some("a tool message does not follow an assistant message".to_owned());
            }
            Some("tool" | "user" | "system") => {}
            _ => return Some(format!("a message has no role: {message}")),
        }
    }
    None
}

fn unsound_step<'a>(
    said: &'a [Json],
    answers: &'a [Json],
    last: bool,
    executing: &BTreeSet<Arc<str>>,
) -> Option<String> {
    let of = |entries: &'a [Json], kind: &'static str, key: &'static str| {
        entries.iter().filter(move |entry| entry["type"] == kind).filter_map(move |entry| entry[key].as_str())
    };
    let calls: Vec<&str> = of(said, "tool-call", "toolCallId").collect();
    let provider = |call: &str| {
        said.iter().any(|entry| {
            entry["type"] == "tool-call" && entry["toolCallId"] == call && entry["providerExecuted"] == true
        })
    };
    let times = |ids: &[&str], id: &str| ids.iter().filter(|&&other| other == id).count();
    let results: Vec<&str> = of(answers, "tool-result", "toolCallId").collect();
    // The provider's own results are next to its calls.
    let own: Vec<&str> = of(said, "tool-result", "toolCallId").collect();
    let not_own = |ids: &[&'a str]| -> Vec<&'a str> { ids.iter().copied().filter(|id| !own.contains(id)).collect() };
    let in_call_order: Vec<&str> = not_own(&calls).into_iter().filter(|call| results.contains(call)).collect();
    if not_own(&results) != in_call_order {
        return Some(format!("the results {results:?} do not match the calls {calls:?}"));
    }
    for &call in &calls {
        if times(&calls, call) > 1 {
            return Some(format!("the call {call} occurs twice in a step"));
        }
        let approval =
            said.iter().find(|entry| entry["type"] == "tool-approval-request" && entry["toolCallId"] == call);
        let response = approval.and_then(|request| {
            answers.iter().find(|e| e["type"] == "tool-approval-response" && e["approvalId"] == request["approvalId"])
        });
        if approval.is_some() && response.is_none() {
            return Some(format!("the approval request of {call} has no response"));
        }
        let denied = response.is_some_and(|response| response["approved"] == false);
        let result = answers.iter().find(|entry| entry["type"] == "tool-result" && entry["toolCallId"] == call);
        match result.map(|result| &result["output"]["type"]) {
            Some(kind) if approval.is_some() && denied != (kind == "execution-denied") => {
                return Some(format!(
                    "the call {call} is denied and has an output, or is not denied and has a denied result"
                ));
            }
            Some(_) => {}
            None if provider(call) => {}
            None if response.is_some() && !denied && (last || executing.contains(call)) => {}
            None => return Some(format!("the call {call} has no result")),
        }
    }
    let responses = of(answers, "tool-approval-response", "approvalId");
    let mut requests: BTreeSet<&str> = of(said, "tool-approval-request", "approvalId").collect();
    for response in responses {
        if !requests.remove(response) {
            return Some(format!("the response {response} has no request, or is a second response to it"));
        }
    }
    None
}

/// Entries as `ModelMessage`s: requests follow their calls, and responses and results are in a message of their own,
/// except those results that are the provider's.
pub fn model_messages(entries: &Json) -> Json {
    let entries = entries.as_array().into_iter().flatten();
    entries.flat_map(|entry| messages_of(&entry["role"], entry["content"].as_array().expect("parts"))).collect()
}

fn messages_of(role: &Json, content: &[Json]) -> Vec<Json> {
    if role == "system" {
        let text: String = content.iter().filter_map(|part| part["text"].as_str()).collect();
        let options: Map<String, Json> =
            content.iter().filter_map(|part| part["providerOptions"].as_object().cloned()).flatten().collect();
        let mut message = json!({ "role": role, "content": text });
        if !options.is_empty() {
            message["providerOptions"] = options.into();
        }
        return vec![message];
    }
    let (mut said, mut answers) = (Vec::new(), Vec::new());
    for part in content {
        let mut own = part.as_object().expect("a part").clone();
        let [request, response, result] = ["request", "response", "result"].map(|piece| own.shift_remove(piece));
        let of_provider = own.get("providerExecuted") == Some(&json!(true));
        said.push(own.into());
        said.extend(request);
        answers.extend(response);
        let Some(result) = result else { continue };
        let is_denial = result["output"]["type"] == "execution-denied";
        let to = if of_provider && !is_denial { &mut said } else { &mut answers };
        let mut whole = json!({
            "type": "tool-result", "toolCallId": part["toolCallId"], "toolName": part["toolName"],
            "output": result["output"],
        });
        if let Some(options) = result.get("providerOptions") {
            whole["providerOptions"] = options.clone();
        }
        to.push(whole);
    }
    let mut messages = vec![json!({ "role": role, "content": said })];
    if !answers.is_empty() {
        messages.push(json!({ "role": "tool", "content": answers }));
    }
    messages
}

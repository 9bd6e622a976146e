//! Entries as the AI SDK's `ModelMessage`s. `src/ts/protocols/shared/model-messages.ts` does the same in a page.

use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Map, Value as Json};

/// The messages of one entry: a step is followed by the decisions and the results of its calls. The provider's own
/// results are in the step.
pub(super) fn model_messages(mut entry: Json) -> Vec<Json> {
    let parts = entry["content"].take();
    let parts = if let Json::Array(parts) = parts { parts } else { Vec::new() };
    if entry["role"] == "system" {
        entry["content"] = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let options = parts.iter().filter_map(|part| part["providerOptions"].as_object().cloned()).flatten();
        let options: Map<_, _> = options.collect();
        if !options.is_empty() {
            entry["providerOptions"] = options.into();
        }
        return vec![entry];
    }
    let (mut said, mut answers) = (Vec::new(), Vec::new());
    for mut part in parts {
        let mut piece = |name| part.as_object_mut().and_then(|part| part.shift_remove(name));
        let [request, response, result] = ["request", "response", "result"].map(&mut piece);
        let result = result.map(|result| result_of(&part, result));
        let by_provider = part["providerExecuted"] == true;
        said.push(part);
        said.extend(request);
        answers.extend(response);
        let in_step = by_provider && result.as_ref().is_some_and(|of| of["output"]["type"] != "execution-denied");
        if in_step { &mut said } else { &mut answers }.extend(result);
    }
    entry["content"] = said.into();
    let mut messages = vec![entry];
    if !answers.is_empty() {
        messages.push(Map::from_iter([("role".into(), "tool".into()), ("content".into(), answers.into())]).into());
    }
    messages
}

/// The result of a call as a part of its own, which names the call.
fn result_of(call: &Json, result: Json) -> Json {
    let mut whole = Map::new();
    whole.insert("type".into(), result["type"].clone());
    for name in ["toolCallId", "toolName"] {
        whole.insert(name.into(), call[name].clone());
    }
    if let Json::Object(result) = result {
        whole.extend(result);
    }
    whole.into()
}

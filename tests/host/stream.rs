//! Streams of the AI SDK, in a short notation for tests.
//!
//! `Stream::new().ask("c1", "a1").text("Done.")` is a list of UI message chunks. Every call is of the tool `edit` and
//! has its own id in its input, unless a test says otherwise.

use serde_json::{Value as Json, json};

/// A list of chunks, in order.
#[derive(Clone, Default)]
pub struct Stream {
    chunks: Vec<Json>,
}

impl Stream {
    /// An empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// The chunks.
    pub fn chunks(self) -> Vec<Json> {
        self.chunks
    }

    /// Adds any chunk.
    pub fn raw(mut self, chunk: Json) -> Self {
        self.chunks.push(chunk);
        self
    }

    /// Starts the reply's message with this id.
    pub fn start(self, message: &str) -> Self {
        self.raw(json!({ "type": "start", "messageId": message }))
    }

    /// Starts a step.
    pub fn step(self) -> Self {
        self.raw(json!({ "type": "start-step" }))
    }

    /// Finishes the step.
    pub fn step_done(self) -> Self {
        self.raw(json!({ "type": "finish-step" }))
    }

    /// Resets the current step.
    pub fn reset(self) -> Self {
        self.raw(json!({ "type": "reset-step" }))
    }

    /// Adds a whole text.
    pub fn text(self, text: &str) -> Self {
        self.raw(json!({ "type": "text-start", "id": text }))
            .raw(json!({ "type": "text-delta", "id": text, "delta": text }))
            .raw(json!({ "type": "text-end", "id": text }))
    }

    /// Starts a call's input.
    pub fn input_start(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-input-start", "toolCallId": call, "toolName": "edit" }))
    }

    /// Adds a piece of a call's input.
    pub fn input_delta(self, call: &str, delta: &str) -> Self {
        self.raw(json!({ "type": "tool-input-delta", "toolCallId": call, "inputTextDelta": delta }))
    }

    /// Adds a call with its whole input.
    pub fn call(self, call: &str) -> Self {
        self.call_of("edit", call)
    }

    /// Adds a call of this tool, with its whole input.
    pub fn call_of(self, tool: &str, call: &str) -> Self {
        self.call_with(tool, call, json!({ "of": call }))
    }

    /// Adds a call of this tool with this input.
    pub fn call_with(self, tool: &str, call: &str, input: Json) -> Self {
        self.raw(json!({ "type": "tool-input-available", "toolCallId": call, "toolName": tool, "input": input }))
    }

    /// Updates the input of a call.
    pub fn update(self, call: &str, input: Json) -> Self {
        self.raw(json!({ "type": "tool-input-update", "toolCallId": call, "input": input }))
    }

    /// Adds a call that the model's provider runs.
    pub fn provider_call(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-input-available", "toolCallId": call, "toolName": "search", "input": {},
            "providerExecuted": true,
        }))
    }

    /// Adds a call with an invalid input.
    pub fn input_error(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-input-error", "toolCallId": call, "toolName": "edit", "input": {},
            "errorText": "no such file",
        }))
    }

    /// Requests approval of a call.
    pub fn request(self, call: &str, approval: &str) -> Self {
        self.raw(json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": approval }))
    }

    /// This client requests approval of a call.
    pub fn local_request(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": call, "isLocal": true }))
    }

    /// Adds a call and requests its approval.
    pub fn ask(self, call: &str, approval: &str) -> Self {
        self.call(call).request(call, approval)
    }

    /// Adds a call and a request that the backend decides itself.
    pub fn automatic(self, call: &str, approval: &str) -> Self {
        self.call(call).raw(json!({
            "type": "tool-approval-request", "toolCallId": call, "approvalId": approval, "isAutomatic": true,
        }))
    }

    /// Adds the backend's decision on an approval.
    pub fn response(self, approval: &str, approved: bool) -> Self {
        self.raw(json!({ "type": "tool-approval-response", "approvalId": approval, "approved": approved }))
    }

    /// Withdraws a request, without a decision.
    pub fn withdrawn(self, approval: &str) -> Self {
        self.raw(json!({ "type": "tool-approval-withdrawn", "approvalId": approval }))
    }

    /// Adds a call's output.
    pub fn output(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-available", "toolCallId": call, "output": { "did": call } }))
    }

    /// Adds a preliminary output.
    pub fn preliminary(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-output-available", "toolCallId": call, "output": { "so far": call }, "preliminary": true,
        }))
    }

    /// Adds a call's error.
    pub fn error(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-error", "toolCallId": call, "errorText": "disk full" }))
    }

    /// Adds a denial of a call.
    pub fn denied(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-denied", "toolCallId": call }))
    }

    /// Announces that the reply is complete.
    pub fn finish(self) -> Self {
        self.raw(json!({ "type": "finish", "finishReason": "stop" }))
    }

    /// Announces that the reply failed.
    pub fn failure(self) -> Self {
        self.raw(json!({ "type": "error", "errorText": "overloaded" }))
    }
}

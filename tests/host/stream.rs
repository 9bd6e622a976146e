//! Streams of the AI SDK, as short as a test wants to write them.
//!
//! `Stream::new().ask("c1", "a1").text("Done.")` is a list of UI message chunks. Every call is of the
//! tool `edit` and gets its own id as its input, unless a test says otherwise.

use serde_json::{Value as Json, json};

/// Some chunks, in order.
#[derive(Clone, Default)]
pub struct Stream {
    chunks: Vec<Json>,
}

impl Stream {
    /// No chunks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The chunks.
    pub fn chunks(self) -> Vec<Json> {
        self.chunks
    }

    /// Any chunk.
    pub fn raw(mut self, chunk: Json) -> Self {
        self.chunks.push(chunk);
        self
    }

    /// The reply writes this message.
    pub fn start(self, message: &str) -> Self {
        self.raw(json!({ "type": "start", "messageId": message }))
    }

    /// The model is called.
    pub fn step(self) -> Self {
        self.raw(json!({ "type": "start-step" }))
    }

    /// The model is through.
    pub fn step_done(self) -> Self {
        self.raw(json!({ "type": "finish-step" }))
    }

    /// The current step is taken back.
    pub fn reset(self) -> Self {
        self.raw(json!({ "type": "reset-step" }))
    }

    /// A whole text.
    pub fn text(self, text: &str) -> Self {
        self.raw(json!({ "type": "text-start", "id": text }))
            .raw(json!({ "type": "text-delta", "id": text, "delta": text }))
            .raw(json!({ "type": "text-end", "id": text }))
    }

    /// A call's input begins.
    pub fn input_start(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-input-start", "toolCallId": call, "toolName": "edit" }))
    }

    /// A piece of a call's input.
    pub fn input_delta(self, call: &str, delta: &str) -> Self {
        self.raw(json!({ "type": "tool-input-delta", "toolCallId": call, "inputTextDelta": delta }))
    }

    /// A call with its whole input.
    pub fn call(self, call: &str) -> Self {
        self.call_of("edit", call)
    }

    /// A call of this tool, with its whole input.
    pub fn call_of(self, tool: &str, call: &str) -> Self {
        self.call_with(tool, call, json!({ "of": call }))
    }

    /// A call of this tool with this input.
    pub fn call_with(self, tool: &str, call: &str, input: Json) -> Self {
        self.raw(json!({ "type": "tool-input-available", "toolCallId": call, "toolName": tool, "input": input }))
    }

    /// A call that the model's provider runs.
    pub fn provider_call(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-input-available", "toolCallId": call, "toolName": "search", "input": {},
            "providerExecuted": true,
        }))
    }

    /// A call whose input is unusable.
    pub fn input_error(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-input-error", "toolCallId": call, "toolName": "edit", "input": {}, "errorText": "no such file",
        }))
    }

    /// The user is asked about a call.
    pub fn request(self, call: &str, approval: &str) -> Self {
        self.raw(json!({ "type": "tool-approval-request", "toolCallId": call, "approvalId": approval }))
    }

    /// A call, and the user is asked about it.
    pub fn ask(self, call: &str, approval: &str) -> Self {
        self.call(call).request(call, approval)
    }

    /// A call, and the backend asks itself about it.
    pub fn automatic(self, call: &str, approval: &str) -> Self {
        self.call(call).raw(json!({
            "type": "tool-approval-request", "toolCallId": call, "approvalId": approval, "isAutomatic": true,
        }))
    }

    /// The backend answers an approval.
    pub fn response(self, approval: &str, approved: bool) -> Self {
        self.raw(json!({ "type": "tool-approval-response", "approvalId": approval, "approved": approved }))
    }

    /// A call's output.
    pub fn output(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-available", "toolCallId": call, "output": { "did": call } }))
    }

    /// An output that is not the last.
    pub fn preliminary(self, call: &str) -> Self {
        self.raw(json!({
            "type": "tool-output-available", "toolCallId": call, "output": { "so far": call }, "preliminary": true,
        }))
    }

    /// A call failed.
    pub fn error(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-error", "toolCallId": call, "errorText": "disk full" }))
    }

    /// A call was denied.
    pub fn denied(self, call: &str) -> Self {
        self.raw(json!({ "type": "tool-output-denied", "toolCallId": call }))
    }

    /// The reply says that it is complete.
    pub fn finish(self) -> Self {
        self.raw(json!({ "type": "finish", "finishReason": "stop" }))
    }

    /// The reply says that it failed.
    pub fn failure(self) -> Self {
        self.raw(json!({ "type": "error", "errorText": "overloaded" }))
    }
}

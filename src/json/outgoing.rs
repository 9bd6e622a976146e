//! The requests to the backend: their idempotency keys, and their bodies.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::canonical::digest;
use super::gate::Gate;
use super::view::{Outgoing, Undelivered};
use super::{GateError, Value};
use crate::machine::{Item, Kind, Payload};
use crate::wire::ai_sdk::{Shape, ui_message};
use crate::wire::{Name, Values, key_material};
use serde_json::{Map, Value as Json, json};

impl Gate {
    /// The items that may be sent now. Call [`claim`](Gate::claim) before any bytes of an item are sent.
    #[must_use]
    pub fn outgoing(&self) -> Vec<Outgoing> {
        let listed = self.machine.outgoing().map(|item| self.to_outgoing(item)).collect();
        self.store.end();
        listed
    }

    /// The items that failed, stalled or may not have arrived.
    #[must_use]
    pub fn undelivered(&self) -> Vec<Undelivered> {
        let undelivered = |item: &Item| Undelivered {
            id: item.id,
            key: self.key(item),
            approval_ids: self.approvals(item),
            attempt: item.attempt,
            state: item.state(),
            error: self.store.take(item.error).as_text().map(Into::into),
        };
        let listed = self.machine.outbox().undelivered().map(undelivered).collect();
        self.store.end();
        listed
    }

    /// Takes an item off the list. Returns `true` to one caller only: it sends the item. `false`: the item is not
    /// listed, because it was claimed or withdrawn.
    pub fn claim(&mut self, id: u32) -> bool {
        let Some(item) = self.machine.item(id).filter(|item| self.machine.is_listed(item)) else { return false };
        let Outgoing { body, key, .. } = self.to_outgoing(item);
        let is_claimed = self.machine.claim(id);
        if is_claimed {
            // A retry sends an equal body with the same key.
            let body = self.store.retain(self.store.json_value(body));
            let key = self.store.retain(self.store.give(Value::text(key)));
            self.machine.freeze(id, body, key, &mut |dropped| self.store.replace(dropped, Payload::NONE));
        }
        self.end();
        is_claimed
    }

    /// The backend has received the item. Claims the item if that was not done.
    ///
    /// # Errors
    /// `unknown-outgoing` for an item that does not exist.
    pub fn mark_sent(&mut self, id: u32) -> Result<(), GateError> {
        self.claim(id);
        let done = self.machine.mark_sent(id);
        self.finish(done)
    }

    /// The item could not be sent. It is listed again after [`retry`](Gate::retry).
    ///
    /// # Errors
    /// `unknown-outgoing` for an item that does not exist.
    pub fn mark_failed(&mut self, id: u32, error: &str) -> Result<(), GateError> {
        self.claim(id);
        let error = self.store.retain(self.store.give(Value::text(error)));
        let done = self.machine.mark_failed(id, error);
        self.finish(done)
    }

    /// Makes an undelivered item ready for one more attempt, with the same key and an equal body.
    ///
    /// # Errors
    /// `unknown-outgoing` for an item that does not exist; `busy` for one that is in flight or was delivered.
    pub fn retry(&mut self, id: u32) -> Result<(), GateError> {
        let done = self.machine.retry(id);
        self.finish(done)
    }

    fn to_outgoing(&self, item: &Item) -> Outgoing {
        let body = if item.body.is_some() { self.store.to_json(item.body) } else { self.body(item) };
        let (key, approval_ids) = (self.key(item), self.approvals(item));
        Outgoing { id: item.id, key, approval_ids, body, attempt: item.attempt }
    }

    fn approvals(&self, item: &Item) -> Vec<String> {
        item.approvals().map(|approval| self.store.text(approval).to_string()).collect()
    }

    /// The key: a digest of the chat's id and of what identifies the decisions.
    fn key(&self, item: &Item) -> String {
        if let Some(key) = self.store.take(item.key).as_text() {
            return key.into();
        }
        let material = self.store.take(key_material(&self.store, &self.machine, item));
        let parts = [Value::text(self.chat_id.as_str())].into_iter().chain(material.items().iter().cloned());
        let digest = digest(&Value::list(parts));
        format!("tg_{}", digest.get(..40).unwrap_or(&digest))
    }

    /// The body. Source: AI SDK, `HttpChatTransport.sendMessages` of `ai`.
    fn body(&self, item: &Item) -> Json {
        let writer = self.writer();
        let write = |message| self.store.to_json(ui_message(&writer, message, Shape::Body));
        let has_content = |message: &Json| {
            let is_content = |part: &Json| part[Name::Type.text()] != Name::StepStart.text();
            message["role"] != "assistant"
                || message["parts"].as_array().is_some_and(|parts| parts.iter().any(is_content))
        };
        let messages = self.machine.transcript().messages().iter().map(write);
        let mut body = Map::new();
        body.insert("id".into(), json!(self.chat_id));
        body.insert("messages".into(), messages.filter(has_content).collect());
        let trigger = if item.kind == Kind::Regenerate { Name::RegenerateMessage } else { Name::SubmitMessage };
        body.insert("trigger".into(), json!(trigger.text()));
        if let Some(message) = item.message_id {
            body.insert("messageId".into(), json!(&*self.store.text(message)));
        }
        Json::Object(body)
    }
}

/// Checks a user message: model APIs refuse one without content, and a tool part in it would be a call that no backend
/// made.
pub(super) fn check_user_message(message: &Json) -> Result<(), &'static str> {
    let Json::Object(message) = message else { return Err("the message must be an object") };
    if !matches!(message.get("role").map(Json::as_str), None | Some(Some("user" | "system"))) {
        return Err("`role` must be \"user\" or \"system\"");
    }
    let text = match message.get("text") {
        None => "",
        Some(text) => text.as_str().ok_or("`text` must be a string")?,
    };
    let parts = match message.get("parts") {
        None => &[],
        Some(parts) => parts.as_array().ok_or("`parts` must be an array")?.as_slice(),
    };
    let kind = |part: &Json| part.get("type").and_then(Json::as_str).map(ToString::to_string);
    let is_call = |part: &Json| kind(part).is_some_and(|kind| kind.starts_with("tool-") || kind == "dynamic-tool");
    if parts.iter().any(is_call) {
        return Err("a user message cannot have tool parts");
    }
    let has_content = |part: &Json| match kind(part).as_deref() {
        None | Some("step-start") => false,
        Some("text") => part.get("text").and_then(Json::as_str).is_some_and(|text| !text.is_empty()),
        Some(_) => true,
    };
    if text.is_empty() && !parts.iter().any(has_content) {
        return Err("the message has no content");
    }
    Ok(())
}

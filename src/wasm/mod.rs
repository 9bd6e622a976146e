//! The boundary to JavaScript: it converts and hands on, and takes no decision.
//!
//! [`Core`] is what `src/ts/store.ts` builds the public `ToolGate` on. A refusal is thrown as a plain
//! object; anything else that is thrown means that the core has failed and must not be used again.

// The macros of wasm-bindgen write items without documentation.
#![allow(missing_docs, clippy::must_use_candidate)]

mod events;
mod host;

use host::{Host, JsValues};
use wasm_bindgen::prelude::*;

use crate::machine::{
    About, Answer, Change, Digests, Id, Item, Machine, OnUserMessage, Options, Refusal, Sent, StreamEnd,
};
use crate::wire::ai_sdk::{self, AiSdk, Received, Shape};
use crate::wire::{Name, Texts, Values, key_material, snapshot};

/// Stands for the id of a message that the backend did not name, until the host gives it one.
const UNNAMED: &str = "\0unnamed";

/// One chat's machine, codec and values.
#[wasm_bindgen]
pub struct Core {
    machine: Machine,
    codec: AiSdk,
    values: JsValues,
    texts: Texts,
    unnamed: Id,
}

#[wasm_bindgen]
impl Core {
    /// A core. `texts`: cancelled, interrupted, may have run, deny pending; an empty one is the default.
    #[wasm_bindgen(constructor)]
    pub fn new(host: Host, on_user_message: &str, browser_tools: Vec<String>, texts: Vec<String>) -> Core {
        let mut values = JsValues::new(host);
        let mut own = Texts::default();
        let places = [&mut own.cancelled, &mut own.interrupted, &mut own.unknown_outcome, &mut own.moved_on];
        for (place, text) in places.into_iter().zip(texts) {
            if !text.is_empty() {
                *place = text;
            }
        }
        let options = Options {
            on_user_message: match on_user_message {
                "cancel-pending" => OnUserMessage::CancelPending,
                "queue" => OnUserMessage::Queue,
                "block" => OnUserMessage::Block,
                _ => OnUserMessage::DenyPending,
            },
            browser_tools: browser_tools.into_iter().map(Into::into).collect(),
            moved_on: values.keep(values.string(&own.moved_on)),
        };
        Core { machine: Machine::new(options), codec: AiSdk::default(), values, texts: own, unnamed: UNNAMED.into() }
    }

    /// Takes one event. Returns 0: taken, 1: of no known type, 2: malformed; plus 4 if a message was
    /// begun that has no id yet: call `name_message` at once.
    pub fn receive(&mut self, event: JsValue, request: u32, attempt: u32, now: f64) -> u32 {
        self.machine.set_now(now as u64);
        let about = about(request, attempt);
        let received = self.codec.receive(&mut self.machine, &mut self.values, &event, about, &self.unnamed);
        self.sweep();
        let unnamed = self.unnamed_message().is_some();
        let code = match received {
            Received::Taken => 0,
            Received::Unknown => 1,
            Received::Malformed => 2,
        };
        code | if unnamed { 4 } else { 0 }
    }

    fn unnamed_message(&self) -> Option<usize> {
        let index = self.machine.current_message()?;
        let message = self.machine.transcript().messages().get(index)?;
        (*message.id == *UNNAMED).then_some(index)
    }

    /// Gives the message its id.
    pub fn name_message(&mut self, id: String) {
        if self.unnamed_message().is_some() {
            self.machine.begin(Some(id.into()), &self.unnamed);
        }
    }

    /// The stream ended. `how`: 0 finished, 1 error, 2 aborted, 3 disconnected, 4 step limit.
    pub fn stream_ended(&mut self, how: u32, request: u32, attempt: u32) {
        let end = match how {
            0 => StreamEnd::Finished,
            1 => StreamEnd::Error,
            2 => StreamEnd::Aborted,
            3 => StreamEnd::Disconnected,
            _ => StreamEnd::StepLimit,
        };
        self.machine.stream_ended(end, about(request, attempt));
    }

    /// Replaces the transcript. Returns the repairs. `seed` starts the ids of messages without one.
    pub fn load(&mut self, history: JsValue, seed: &str) -> JsValue {
        let mut count = 0;
        let fresh = || {
            count += 1;
            Id::from(format!("{seed}-{count}"))
        };
        let repairs = ai_sdk::load(&mut self.machine, &mut self.values, &history, fresh);
        self.codec = AiSdk::default();
        let mut list = self.values.array();
        for repair in repairs {
            let mut entry = self.values.object();
            self.values.set_text(&mut entry, Name::Code, repair.code.as_str());
            if let Some(call) = &repair.call {
                self.values.set_text(&mut entry, Name::ToolCallId, call);
            }
            self.values.set_text(&mut entry, Name::Detail, &repair.detail);
            self.values.push(&mut list, &entry);
        }
        self.sweep();
        list
    }

    /// The user's message. Returns whether it is in an outgoing item; otherwise it waits.
    pub fn send_user_message(
        &mut self,
        message: JsValue,
        id: String,
        replace: Option<String>,
    ) -> Result<bool, JsValue> {
        let message = ai_sdk::user_message(&mut self.values, &message, id.into());
        let sent = self.machine.send_user_message(message, replace.as_deref());
        self.check(sent).map(|sent| sent == Sent::Sent)
    }

    /// The last answer once more.
    pub fn regenerate(&mut self, message_id: Option<String>) -> Result<(), JsValue> {
        let done = self.machine.regenerate(message_id.as_deref());
        self.check(done)
    }

    /// Answers an approval. Returns whether this was its decision; otherwise it had this very one.
    pub fn respond(
        &mut self,
        approval: &str,
        approved: bool,
        reason: JsValue,
        shown: Option<String>,
        current: &str,
    ) -> Result<bool, JsValue> {
        let reason = self.values.keep(reason);
        let digests = shown.as_deref().map(|shown| Digests { shown, current });
        let answer = self.machine.respond(approval, approved, reason, digests);
        self.check(answer).map(|answer| answer == Answer::Accepted)
    }

    /// Answers many. Returns how many were decided by it.
    pub fn respond_all(&mut self, approvals: Vec<String>, approved: bool, reason: JsValue) -> u32 {
        let reason = self.values.keep(reason);
        let approvals: Vec<Id> = approvals.into_iter().map(Into::into).collect();
        self.machine.respond_all(&approvals, approved, reason)
    }

    /// The input of the call that the approval is about.
    pub fn approval_input(&self, approval: &str) -> JsValue {
        self.machine.approval_call(approval).map_or(JsValue::UNDEFINED, |part| self.values.load(part.input))
    }

    /// When the approval of the call was asked for.
    pub fn requested_at(&self, call: &str) -> f64 {
        let approval = self.machine.transcript().call(call).and_then(|part| part.approval.as_ref());
        approval.map_or(0.0, |approval| approval.requested_at as f64)
    }

    /// Withdraws what is pending.
    pub fn cancel(&mut self, reason: JsValue) {
        let reason = self.values.keep(reason);
        self.machine.cancel(reason);
    }

    /// Voids what is about to leave by itself.
    pub fn stop(&mut self) {
        self.machine.stop();
    }

    /// Lets go what is held.
    pub fn resume(&mut self) {
        self.machine.resume();
    }

    /// The result of a tool that ran in the browser.
    pub fn add_output(&mut self, call: &str, output: JsValue, failed: bool) -> Result<(), JsValue> {
        let output = self.values.keep(output);
        let added = self.machine.add_output(call, output, failed);
        self.check(added)
    }

    /// What may leave now, without bodies; `key` is what the key is the digest of.
    pub fn outgoing(&self, chat: &str) -> JsValue {
        self.items(self.machine.outgoing(), chat)
    }

    /// What needs the user.
    pub fn undelivered(&self, chat: &str) -> JsValue {
        self.items(self.machine.undelivered(), chat)
    }

    fn items<'a>(&'a self, items: impl Iterator<Item = &'a Item>, chat: &str) -> JsValue {
        let mut list = self.values.array();
        for item in items {
            let material = key_material(&self.machine, chat, item);
            self.values.push(&mut list, &events::item(&self.values, item, &material));
        }
        list
    }

    /// Takes the item off the list.
    pub fn claim(&mut self, id: u32) -> bool {
        self.machine.claim(id)
    }

    /// Keeps the item's body for a retry.
    pub fn freeze(&mut self, id: u32, body: JsValue) {
        let body = self.values.keep(body);
        self.machine.freeze(id, body);
    }

    /// The backend has the item.
    pub fn mark_sent(&mut self, id: u32) -> Result<(), JsValue> {
        let done = self.machine.mark_sent(id);
        self.check(done)
    }

    /// The item could not be sent.
    pub fn mark_failed(&mut self, id: u32, error: &str) -> Result<(), JsValue> {
        let done = self.machine.mark_failed(id, error);
        self.check(done)
    }

    /// Once more.
    pub fn retry(&mut self, id: u32) -> Result<(), JsValue> {
        let done = self.machine.retry(id);
        self.check(done)
    }

    /// The state as a tree of arrays.
    pub fn save(&self) -> JsValue {
        snapshot::save(&self.values, &self.machine)
    }

    /// Takes the state of a tree that `save` wrote.
    pub fn restore(&mut self, tree: JsValue) -> Result<(), JsValue> {
        let options = self.machine.options().clone();
        let Some(machine) = snapshot::restore(&mut self.values, &tree, options) else {
            let mut error = self.values.object();
            self.values.set_text(&mut error, Name::Code, "bad-snapshot");
            let message = "the snapshot is damaged: pass what toJSON() returned, whole and unchanged";
            self.values.set_text(&mut error, Name::Message, message);
            return Err(error);
        };
        self.machine = machine;
        self.codec = AiSdk::default();
        Ok(())
    }

    /// Counts up with every change.
    pub fn revision(&self) -> u32 {
        self.machine.revision()
    }

    /// `[messages, queued, undecided, decided, status, turn, ending]`, the last three as places in the
    /// lists of `src/ts/view.ts`.
    pub fn summary(&self) -> Vec<u32> {
        let (undecided, decided) = self.machine.counts();
        let messages = self.machine.transcript().messages().len() as u32;
        let queued = self.machine.queued().count() as u32;
        let ending = self.machine.turn().ending.map_or(0, |ending| ending as u32 + 1);
        let (status, turn) = (self.machine.status() as u32, self.machine.turn_status() as u32);
        vec![messages, queued, undecided, decided, status, turn, ending]
    }

    /// What changed since the last call: pairs of message and part. Part -1 is the
    /// message's head, -2 says that the message is new.
    pub fn changes(&mut self) -> Vec<i32> {
        let mut pairs = Vec::new();
        for change in self.machine.take_changes() {
            match change {
                Change::Part(at) => pairs.extend([at.message as i32, at.part as i32]),
                Change::Message(message) => pairs.extend([message as i32, -1]),
                Change::New(message) => pairs.extend([message as i32, -2]),
            }
        }
        pairs
    }

    /// One part of the view.
    pub fn part(&self, message: usize, part: usize) -> JsValue {
        let part = self.machine.transcript().messages().get(message).and_then(|message| message.parts.get(part));
        part.map_or(JsValue::UNDEFINED, |part| ai_sdk::ui_part(&self.values, &self.texts, part, Shape::View))
    }

    /// A message of the view, without its parts.
    pub fn head(&self, message: usize) -> JsValue {
        let message = self.machine.transcript().messages().get(message);
        message.map_or(JsValue::UNDEFINED, |message| ai_sdk::message_head(&self.values, message))
    }

    /// How many parts a message has.
    pub fn part_count(&self, message: usize) -> usize {
        self.machine.transcript().messages().get(message).map_or(0, |message| message.parts.len())
    }

    /// A message of a request's body.
    pub fn body_message(&self, message: usize) -> JsValue {
        let message = self.machine.transcript().messages().get(message);
        message
            .map_or(JsValue::UNDEFINED, |message| ai_sdk::ui_message(&self.values, &self.texts, message, Shape::Body))
    }

    /// What a message becomes in the model's history: an array.
    pub fn model_messages(&self, message: usize) -> JsValue {
        let mut list = self.values.array();
        if let Some(message) = self.machine.transcript().messages().get(message) {
            ai_sdk::model_messages(&self.values, &self.texts, message, &mut list);
        }
        list
    }

    /// The messages that wait to leave.
    pub fn queued(&self) -> JsValue {
        let mut list = self.values.array();
        for message in self.machine.queued() {
            self.values.push(&mut list, &ai_sdk::ui_message(&self.values, &self.texts, message, Shape::View));
        }
        list
    }

    /// Whether there are events to take.
    pub fn has_events(&self) -> bool {
        self.machine.has_events()
    }

    /// What happened since the last call.
    pub fn take_events(&mut self) -> JsValue {
        let mut list = self.values.array();
        for event in self.machine.take_events() {
            let event = events::event(&self.values, &self.machine, &event);
            self.values.push(&mut list, &event);
        }
        list
    }

    fn check<T>(&self, result: Result<T, Refusal>) -> Result<T, JsValue> {
        result.map_err(|refusal| events::refusal(&self.values, &refusal))
    }

    fn sweep(&mut self) {
        if self.values.is_full() {
            let Core { machine, values, .. } = self;
            values.sweep(|keep| machine.payloads(keep));
        }
    }
}

fn about(request: u32, attempt: u32) -> About {
    About { request: (request > 0).then_some(request), attempt: (attempt > 0).then_some(attempt) }
}

//! Methods that read a virtual chat.

use crate::chat::Chat;
use crate::history::model_messages;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use toolgate::json::Store;
use toolgate::machine::{Code, DeliveryState, Ending, Event, Hold, Id, Item, OutcomeKind, Phase, ToolPart, WaitsOn};
use toolgate::wire::ai_sdk::{self, Shape, Writer};
use toolgate::wire::{decisions, key_material};

impl Chat {
    /// The text of an id.
    pub fn text(&self, id: Id) -> Arc<str> {
        self.store.text(id)
    }

    /// The newest call with this id.
    pub fn part(&self, call: &str) -> &ToolPart {
        let id = self.store.find(call);
        let part = id.and_then(|id| self.machine.transcript().calls_named(id).next()).map(|(_, part)| part);
        part.unwrap_or_else(|| panic!("the chat has no call {call}"))
    }

    /// The call's phase.
    pub fn phase(&self, call: &str) -> Phase {
        self.part(call).phase()
    }

    /// The call's state in messages.
    pub fn state(&self, call: &str) -> &'static str {
        self.phase(call).state()
    }

    /// The call's outcome, and whether it may have run.
    pub fn outcome(&self, call: &str) -> Option<(OutcomeKind, bool)> {
        self.part(call).outcome().map(|outcome| (outcome.kind, outcome.may_have_run))
    }

    /// The delivery state of the call's decision.
    pub fn delivery(&self, call: &str) -> Option<DeliveryState> {
        self.machine.delivery(self.part(call))
    }

    /// The items that may be sent now.
    pub fn listed(&self) -> Vec<u32> {
        self.machine.outgoing().map(|item| item.id).collect()
    }

    /// The item with this number.
    pub fn item(&self, item: u32) -> &Item {
        self.machine.item(item).expect("the item exists")
    }

    /// The delivery state of the item's decisions.
    pub fn item_state(&self, item: u32) -> DeliveryState {
        self.item(item).state().delivery()
    }

    /// The approvals in the item.
    pub fn approvals(&self, item: u32) -> String {
        self.words(self.item(item).approvals())
    }

    /// The calls whose outputs of the page are in the item.
    pub fn outputs(&self, item: u32) -> String {
        self.words(self.item(item).carried.iter().filter(|carried| carried.output).map(|carried| carried.id))
    }

    /// Whether the item's approvals are approved, in order.
    pub fn approved_flags(&self, item: u32) -> Vec<bool> {
        let carried = self.item(item).carried.iter().filter(|carried| carried.approval.is_some());
        carried.map(|carried| carried.approved).collect()
    }

    /// The effect of a denial: `end` if it ended the turn, `skip` if it skips the rest of its step.
    pub fn rule(&self) -> &'static str {
        let turn = self.machine.turn();
        match (turn.holds().has(Hold::TurnEnded), turn.skips_rest()) {
            (true, _) => "end",
            (false, true) => "skip",
            (false, false) => "",
        }
    }

    /// The parties that the chat waits for, each with their calls or items.
    pub fn waits_for(&self) -> String {
        let waiting = self.machine.waiting();
        let words = WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)).map(|&whom| {
            let calls = self.machine.awaited_calls(whom).map(|part| self.text(part.call).to_string());
            let items = self.machine.awaited_items(whom).into_iter().map(|item| item.to_string());
            let about: Vec<String> = calls.chain(items).collect();
            if about.is_empty() { whom.as_str().to_owned() } else { format!("{} {}", whom.as_str(), about.join(" ")) }
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// The calls that the page may run now.
    pub fn runnable(&self) -> String {
        self.words(self.machine.runnable_calls().map(|part| part.call))
    }

    /// The items that may be sent now, each with its approvals, messages and outputs.
    pub fn sendable(&self) -> String {
        let items = self.machine.outgoing().map(|item| {
            let outputs = item.carried.iter().filter(|carried| carried.output);
            let outputs = outputs.map(|carried| format!("output of {}", self.text(carried.id)));
            let carried = item.approvals().chain(item.messages.iter().copied()).map(|id| self.text(id).to_string());
            carried.chain(outputs).collect::<Vec<_>>().join(" ")
        });
        items.collect::<Vec<_>>().join(", ")
    }

    /// The item as the protocol's codec receives it.
    pub fn decisions(&self, item: u32) -> Json {
        self.store.to_json(decisions(&self.writer(), self.item(item)))
    }

    /// The user messages in the item.
    pub fn messages(&self, item: u32) -> String {
        self.words(self.item(item).messages.iter().copied())
    }

    /// The undelivered items, which only the user can retry or give up.
    pub fn undelivered(&self) -> Vec<u32> {
        self.machine.outbox().undelivered().map(|item| item.id).collect()
    }

    /// The pending approvals.
    pub fn pending(&self) -> String {
        self.words(self.machine.pending().filter_map(|part| part.approval.as_ref()).map(|approval| approval.id))
    }

    /// The texts of ids, separated by spaces.
    fn words(&self, ids: impl Iterator<Item = Id>) -> String {
        ids.map(|id| self.text(id).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The anomalies since the last call.
    pub fn anomalies(&mut self) -> Vec<Code> {
        let anomalies = self.take_events().into_iter().filter_map(|event| match event {
            Event::Anomaly(refusal) => Some(refusal.code),
            _ => None,
        });
        anomalies.collect()
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The contents of an item's key, or the key that was stored when it was claimed.
    pub fn key(&self, item: &Item) -> String {
        if let Json::String(frozen) = self.store.to_json(item.key) {
            return frozen;
        }
        self.store.to_json(key_material(&self.store, &self.machine, item)).to_string()
    }

    /// The body of a request, as JSON.
    pub fn body(&self, item: &Item) -> Json {
        if item.body.is_some() {
            return self.store.to_json(item.body);
        }
        let message_id = item.message_id.map(|id| self.text(id).to_string());
        let trigger = format!("{:?}", item.kind);
        json!({ "messages": self.ui_messages(Shape::Body), "trigger": trigger, "messageId": message_id })
    }

    /// The messages of the conversation as UI messages.
    pub fn ui_messages(&self, shape: Shape) -> Json {
        let messages = self.machine.transcript().messages();
        messages.iter().map(|message| self.store.to_json(ai_sdk::ui_message(&self.writer(), message, shape))).collect()
    }

    /// Everything that a chat shows, to compare two chats. The indices of values are not included.
    pub fn facts(&self) -> Json {
        let items = self
            .machine
            .outbox()
            .items()
            .iter()
            .map(|item| json!([item.id, item.state().as_str(), item.attempt, self.key(item), self.body(item)]));
        let memories = self.machine.remembered().all().map(|memory| {
            let input = memory.input.map(|input| self.text(input).to_string());
            json!([memory.id, self.text(memory.tool).to_string(), input, memory.approved, memory.expires_at])
        });
        json!({
            "messages": self.ui_messages(Shape::View),
            "history": self.history(),
            "items": items.collect::<Vec<_>>(),
            "queued": self.words(self.machine.queue().messages().iter().map(|queued| queued.message.id)),
            "status": self.machine.status().as_str(),
            "turn": [self.machine.turn_status().as_str(), self.machine.turn().ending().map(Ending::as_str)],
            "counts": self.machine.counts(),
            "pending": self.pending(),
            "held": self.machine.is_holding(),
            "holds": format!("{:?} {}", self.machine.turn().holds(), self.machine.turn().skips_rest()),
            "waiting": self.waits_for(),
            "deadline": self.machine.next_deadline(),
            "remembered": memories.collect::<Vec<_>>(),
        })
    }

    /// A call's part in a request's body.
    pub fn wire_part(&self, call: &str) -> Option<Json> {
        let messages = self.ui_messages(Shape::Body);
        let mut parts = messages.as_array().into_iter().flatten().filter_map(|message| message["parts"].as_array());
        parts.find_map(|parts| parts.iter().find(|part| part["toolCallId"] == call).cloned())
    }

    /// The conversation as `ModelMessage`s.
    pub fn history(&self) -> Json {
        model_messages(&self.entries())
    }

    /// The conversation as entries, which protocols read.
    pub fn entries(&self) -> Json {
        let list = self.store.json_value(json!([]));
        let messages = self.machine.transcript().messages();
        for (index, message) in messages.iter().enumerate() {
            ai_sdk::entries(&self.writer(), message, index + 1 == messages.len(), list);
        }
        self.store.to_json(list)
    }

    /// The result of a call in the form for the model.
    pub fn model_result(&self, call: &str) -> Option<Json> {
        let history = self.history();
        let mut entries = history.as_array()?.iter().filter_map(|message| message["content"].as_array()).flatten();
        let result = entries.find(|entry| entry["type"] == "tool-result" && entry["toolCallId"] == call)?;
        Some(result["output"].clone())
    }

    /// The texts of all messages, in order, including duplicates.
    pub fn said(&self) -> Vec<String> {
        let messages = self.ui_messages(Shape::Body);
        let parts = messages.as_array().into_iter().flatten().filter_map(|message| message["parts"].as_array());
        parts.flatten().filter_map(|part| part["text"].as_str().map(str::to_owned)).collect()
    }

    /// The options with which messages are written.
    pub fn writer(&self) -> Writer<'_, Store> {
        Writer { values: &self.store, texts: self.texts, machine: &self.machine }
    }
}

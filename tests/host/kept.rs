//! What outlives a page: histories that the app keeps, and snapshots.

use crate::chat::Chat;
use crate::mirror::Mirror;
use crate::value::Value;
use crate::values::Store;
use serde_json::{Value as Json, json};
use toolgate::machine::{Machine, Repair, Status};
use toolgate::wire::ai_sdk::{self, AiSdk};
use toolgate::wire::snapshot::{self, Lists};

impl Chat {
    /// Takes in a kept history.
    pub fn load(&mut self, history: Json) -> Vec<Repair> {
        self.load_value(Value::from_json(history))
    }

    /// Takes in a kept history: this very object.
    pub fn load_value(&mut self, history: Value) -> Vec<Repair> {
        self.act(|chat| {
            chat.watch.forget_calls(&chat.machine, |id| chat.store.text(id));
            chat.mirror = Mirror::default();
            let history = chat.store.give(history);
            let repairs = ai_sdk::load(&mut chat.machine, &chat.store, history);
            chat.codec = AiSdk::default();
            repairs
        })
    }

    /// A chat that goes on from a snapshot of this one.
    pub fn restored(&self) -> Self {
        self.taken_over(None)
    }

    /// A chat that shows what this one has, which goes on.
    pub fn followed(&self) -> Self {
        self.taken_over(Some(self.machine.status() == Status::Streaming))
    }

    fn taken_over(&self, live: Option<bool>) -> Self {
        let written = Lists { numbers: self.store.json_value(json!([])), values: self.store.json_value(json!([])) };
        snapshot::save(&self.store, &self.machine, written);
        let mut other = self.alike();
        let read = Lists {
            numbers: other.store.give(self.store.take(written.numbers).copied()),
            values: other.store.give(self.store.take(written.values).copied()),
        };
        let options = other.machine.options().clone();
        let machine = snapshot::take_over(&other.store, read, snapshot::VERSION, other.store.ids(), options, live);
        other.machine = machine.expect("what was saved can be restored");
        other.watch = self.watch.clone();
        other.at(self.clock);
        other
    }

    /// The machine of a snapshot that may be damaged; none if it is refused.
    pub fn revived(&self, numbers: &Json, values: &Json) -> Option<Machine> {
        let store = &self.alike().store;
        let lists = Lists { numbers: store.json_value(numbers.clone()), values: store.json_value(values.clone()) };
        snapshot::restore(store, lists, snapshot::VERSION, store.ids(), self.machine.options().clone())
    }

    /// A chat with the same options, and no messages.
    pub fn alike(&self) -> Self {
        let options = self.machine.options();
        let tools: Vec<_> = options.browser_tools.iter().map(|&tool| self.text(tool)).collect();
        let tools: Vec<&str> = tools.iter().map(|tool| &**tool).collect();
        let mut other = Self::over(Store::with_ids_of(&self.store), options.on_user_message, &tools);
        let (on_deny, approval_timeout, rewrites) = (options.on_deny, options.approval_timeout, options.rewrites);
        let (answering, first, cancels) = (options.answering, options.answers_first, options.cancel_answers);
        let outputs_approve = options.outputs_approve;
        other.set_options(|options| {
            (options.on_deny, options.approval_timeout, options.rewrites) = (on_deny, approval_timeout, rewrites);
            (options.answering, options.answers_first, options.cancel_answers) = (answering, first, cancels);
            options.outputs_approve = outputs_approve;
        });
        other
    }

    /// What a snapshot holds, to compare two chats.
    pub fn saved(&self) -> Json {
        let lists = Lists { numbers: self.store.json_value(json!([])), values: self.store.json_value(json!([])) };
        snapshot::save(&self.store, &self.machine, lists);
        json!([self.store.to_json(lists.numbers), self.store.to_json(lists.values)])
    }
}

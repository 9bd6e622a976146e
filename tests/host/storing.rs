//! Methods of a virtual chat for stored histories and snapshots.

use crate::chat::Chat;
use crate::mirror::Mirror;
use crate::watch::Watch;
use serde_json::{Value as Json, json};
use toolgate::json::Store;
use toolgate::json::Value;
use toolgate::machine::{Machine, OnUserMessage, Options, Payload, Repair};
use toolgate::wire::ai_sdk::{self, AiSdk};
use toolgate::wire::snapshot::{self, Lists};

impl Chat {
    /// Loads a stored history.
    pub fn load(&mut self, history: Json) -> Vec<Repair> {
        self.load_value(Value::from_json(history))
    }

    /// Loads a stored history without copying the object.
    pub fn load_value(&mut self, history: Value) -> Vec<Repair> {
        self.try_load(history).expect("a history is an array")
    }

    /// Loads a value as a history; `None` if it is not an array.
    pub fn try_load(&mut self, history: Value) -> Option<Vec<Repair>> {
        self.act(|chat| {
            let before = (chat.watch.clone(), chat.mirror.clone(), chat.codec.clone());
            chat.watch.forget_calls(&chat.machine, |id| chat.store.text(id));
            chat.mirror = Mirror::default();
            let history = chat.store.give(history);
            let repairs = ai_sdk::load(&mut chat.machine, &chat.store, history, chat.clock);
            chat.codec = AiSdk::default();
            if repairs.is_none() {
                (chat.watch, chat.mirror, chat.codec) = before;
            }
            repairs
        })
    }

    /// A chat that continues from a snapshot of this one.
    pub fn restored(&self) -> Self {
        self.taken_over(false)
    }

    /// A follower, which shows the state of this chat.
    pub fn followed(&self) -> Self {
        self.taken_over(true)
    }

    fn taken_over(&self, follows: bool) -> Self {
        let [numbers, ids, values] = self.lists();
        let mut other = self.alike();
        let give = |list: Payload| other.store.give(self.store.take(list).copied());
        let read = Lists { numbers: give(numbers), ids: give(ids), values: give(values) };
        let options = other.machine.options().clone();
        let machine = snapshot::restore(&other.store, read, options, follows);
        other.machine = machine.expect("a saved state can be restored");
        other.watch = self.watch.clone();
        (other.clock, other.closely) = (self.clock, self.closely);
        other.at(self.clock);
        other
    }

    /// A snapshot: its list of numbers, the texts of its ids, and its values.
    fn lists(&self) -> [Payload; 3] {
        let list = || self.store.json_value(json!([]));
        let written = Lists { numbers: list(), ids: list(), values: list() };
        snapshot::save(&self.store, &mut self.machine.clone(), written);
        [written.numbers, written.ids, written.values]
    }

    /// The machine of a snapshot that may be damaged; `None` if it is refused.
    pub fn revived(&self, saved: &[Json; 3]) -> Option<Machine> {
        self.revived_chat(saved).map(|chat| chat.machine)
    }

    /// A chat with that machine, which the watch does not check; `None` if the snapshot is refused.
    pub fn revived_chat(&self, saved: &[Json; 3]) -> Option<Self> {
        let mut other = self.alike();
        let [numbers, ids, values] = saved.clone().map(|list| other.store.json_value(list));
        let options = other.machine.options().clone();
        other.machine = snapshot::restore(&other.store, Lists { numbers, ids, values }, options, false)?;
        (other.clock, other.watch) = (self.clock, Watch::default());
        other.store.end();
        Some(other)
    }

    /// Like [`Self::restored`], for a chat that the watch does not check.
    pub fn restored_unseen(&self) -> Self {
        self.revived_chat(&self.saved_lists()).expect("a saved state can be restored")
    }

    /// A chat with the same options, and no messages.
    pub fn alike(&self) -> Self {
        let mut other = Self::over(Store::with_ids_of(&self.store), OnUserMessage::default(), &[]);
        other.set_options(|own| {
            // The texts are values of the other store.
            let (moved_on, superseded) = (own.moved_on, own.superseded);
            let (skipped, expired) = (own.skipped, own.expired);
            *own = Options { moved_on, superseded, skipped, expired, ..self.machine.options().clone() };
        });
        other
    }

    /// The contents of a snapshot, as JSON.
    pub fn saved_lists(&self) -> [Json; 3] {
        self.lists().map(|list| self.store.to_json(list))
    }

    /// The changes since this time of `Machine::change_clock`, as JSON.
    pub fn changes_since(&self, clock: u32) -> [Json; 3] {
        let list = || self.store.json_value(json!([]));
        let lists = Lists { numbers: list(), ids: list(), values: list() };
        snapshot::save_changes(&self.store, &mut self.machine.clone(), lists, clock);
        [lists.numbers, lists.ids, lists.values].map(|list| self.store.to_json(list))
    }

    /// Applies such changes to a follower. Returns whether they are valid.
    pub fn follow_changes(&mut self, changes: &[Json; 3]) -> bool {
        let [numbers, ids, values] = changes.clone().map(|list| self.store.json_value(list));
        let is_valid = snapshot::follow_changes(&self.store, &mut self.machine, Lists { numbers, ids, values });
        self.store.end();
        is_valid && self.machine.is_sound()
    }

    /// The contents of a snapshot, to compare two chats.
    pub fn saved(&self) -> Json {
        Json::Array(self.saved_lists().into())
    }
}

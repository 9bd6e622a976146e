//! The values of one chat of a native host: the tables behind the numbers that the machine and the codec use.
//!
//! A value is in one of two tables: the table of the current call, or the table of the values that the machine refers
//! to. Index 0 is `undefined`. An id is the index of its text.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::Value;
use super::canonical::digest;
use super::partial::PartialInput;
use crate::machine::{Id, Machine, Payload};
use crate::wire::{Name, OmitKeys, ValueKind, Values};
use serde_json::{Value as Json, json};

/// Indices from here on are valid during one call only.
const FLEETING: u32 = 0x4000_0000;

/// The tables of one chat.
#[derive(Clone, Debug)]
pub struct Store {
    kept: RefCell<Vec<Value>>,
    /// The indices of freed values, which are used again. Empty unless [`Store::free`] is called.
    free: RefCell<Vec<u32>>,
    fleeting: RefCell<Vec<Value>>,
    texts: RefCell<Vec<Arc<str>>>,
    places: RefCell<BTreeMap<Arc<str>, u32>>,
    free_ids: RefCell<Vec<u32>>,
    made: Cell<u32>,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            kept: RefCell::new(vec![Value::Undefined]),
            free: RefCell::default(),
            fleeting: RefCell::default(),
            texts: RefCell::default(),
            places: RefCell::default(),
            free_ids: RefCell::default(),
            made: Cell::default(),
        }
    }
}

impl Store {
    /// A store with the ids of another store, and no values.
    #[must_use]
    pub fn with_ids_of(other: &Store) -> Self {
        let Store { texts, places, free_ids, made, .. } = other.clone();
        Store { texts, places, free_ids, made, ..Store::default() }
    }

    /// The id of a text.
    pub fn make(&self, text: &str) -> Id {
        if let Some(id) = self.find(text) {
            return id;
        }
        let shared: Arc<str> = text.into();
        let mut texts = self.texts.borrow_mut();
        let place = self.free_ids.borrow_mut().pop().unwrap_or_else(|| {
            texts.push(Arc::clone(&shared));
            index(texts.len() - 1)
        });
        texts[place as usize] = Arc::clone(&shared);
        self.places.borrow_mut().insert(shared, place);
        Id::at(place)
    }

    /// The id of a text, or `None` if the text has no id.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Id> {
        self.places.borrow().get(text).copied().map(Id::at)
    }

    /// The text of an id; an empty text for an id of another store.
    #[must_use]
    pub fn text(&self, id: Id) -> Arc<str> {
        self.texts.borrow().get(id.place() as usize).cloned().unwrap_or_else(|| "".into())
    }

    /// How many ids there are, including those that were freed.
    #[must_use]
    pub fn ids(&self) -> u32 {
        index(self.texts.borrow().len())
    }

    /// How many values and texts the tables have room for.
    #[must_use]
    pub(super) fn size(&self) -> usize {
        self.kept.borrow().len() + self.texts.borrow().len()
    }

    /// How many of these entries are in use.
    #[must_use]
    pub(super) fn in_use(&self) -> usize {
        self.size() - self.free.borrow().len() - self.free_ids.borrow().len()
    }

    /// Marks the values that neither the machine nor `also` refers to as freed. Their indices are not used again, so
    /// that a test notices a value that is still used.
    pub fn sweep(&self, machine: &Machine, also: &[Payload]) {
        let mut live: BTreeSet<u32> = also.iter().map(|place| place.0).collect();
        machine.payloads(&mut |payload| {
            live.insert(payload.0);
        });
        for (place, value) in self.kept.borrow_mut().iter_mut().enumerate().skip(1) {
            if !live.contains(&index(place)) {
                *value = Value::Gone;
            }
        }
    }

    /// Frees the values and the texts that are not in use. Their indices are used again.
    pub(super) fn free(&self, machine: &Machine, also: &[Payload], ids: &[Id]) {
        self.sweep(machine, also);
        let gone = |(place, value): (usize, &Value)| matches!(value, Value::Gone).then(|| index(place));
        *self.free.borrow_mut() = self.kept.borrow().iter().enumerate().filter_map(gone).collect();
        let mut live: BTreeSet<u32> = ids.iter().map(|id| id.place()).collect();
        machine.ids(&mut |id| {
            live.insert(id.place());
        });
        let unused = (0..self.ids()).filter(|place| !live.contains(place)).collect::<Vec<_>>();
        let (mut texts, mut places) = (self.texts.borrow_mut(), self.places.borrow_mut());
        for &place in &unused {
            // A place that is free already has an empty text, which may belong to another place.
            let text = core::mem::replace(&mut texts[place as usize], "".into());
            if places.get(&text) == Some(&place) {
                places.remove(&text);
            }
        }
        *self.free_ids.borrow_mut() = unused;
    }

    /// Passes a value to the core for one call.
    pub fn give(&self, value: Value) -> Payload {
        if matches!(value, Value::Undefined) {
            return Payload::NONE;
        }
        let mut fleeting = self.fleeting.borrow_mut();
        fleeting.push(value);
        Payload(FLEETING + index(fleeting.len()) - 1)
    }

    /// Passes JSON to the core for one call.
    pub fn json_value(&self, json: Json) -> Payload {
        self.give(Value::from_json(json))
    }

    /// The value at an index. `Gone` for an index that the store never returned.
    #[must_use]
    pub fn take(&self, place: Payload) -> Value {
        self.with(place, Value::clone)
    }

    /// The value at an index, as JSON.
    #[must_use]
    pub fn to_json(&self, place: Payload) -> Json {
        self.with(place, Value::to_json)
    }

    /// Ends a call and frees its values. Nothing may refer to them afterwards.
    pub fn end(&self) {
        self.fleeting.borrow_mut().clear();
    }

    fn with<T>(&self, place: Payload, read: impl FnOnce(&Value) -> T) -> T {
        let (table, at) = self.table(place);
        let table = table.borrow();
        read(table.get(at).unwrap_or(&Value::Gone))
    }

    fn change(&self, place: Payload, change: impl FnOnce(&mut Value)) {
        let (table, at) = self.table(place);
        if let Some(value) = table.borrow_mut().get_mut(at) {
            change(value);
        }
    }

    fn table(&self, place: Payload) -> (&RefCell<Vec<Value>>, usize) {
        match place.0.checked_sub(FLEETING) {
            Some(at) => (&self.fleeting, at as usize),
            None => (&self.kept, place.0 as usize),
        }
    }

    fn put(&self, of: Payload, name: Name, value: Value) {
        self.change(of, |object| object.put(name.text(), value));
    }

    fn add(&self, to: Payload, value: Value) {
        self.change(to, |list| list.add(value));
    }

    fn own<T>(&self, of: Payload, name: Name, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        self.with(of, |object| object.own(name.text()).and_then(read))
    }

    fn own_text(&self, of: Payload, name: Name) -> Option<String> {
        self.own(of, name, |value| value.as_text().map(ToOwned::to_owned))
    }

    fn text_at(&self, value: Payload) -> Option<String> {
        self.with(value, |value| value.as_text().map(ToOwned::to_owned))
    }
}

/// An index as the machine has it. A table of more than 2³⁰ entries does not fit into the memory.
fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl Values for Store {
    fn kind(&self, value: Payload) -> ValueKind {
        self.with(value, |value| match value {
            Value::Undefined | Value::Plain(Json::Null) => ValueKind::Nothing,
            Value::Plain(Json::String(_)) => ValueKind::Text,
            Value::Array(_) => ValueKind::Array,
            Value::Object(_) | Value::Partial(..) | Value::Url(_) => ValueKind::Object,
            Value::Plain(_) | Value::Gone => ValueKind::Other,
        })
    }
    fn deep_equal(&self, a: Payload, b: Payload) -> bool {
        self.take(a).equals(&self.take(b))
    }
    fn get(&self, of: Payload, name: Name) -> Payload {
        self.give(self.own(of, name, |value| Some(value.clone())).unwrap_or(Value::Undefined))
    }
    fn has(&self, of: Payload, name: Name) -> bool {
        self.own(of, name, |_| Some(())).is_some()
    }
    fn name(&self, of: Payload, name: Name) -> Option<Name> {
        self.own(of, name, |value| {
            let text = value.as_text()?;
            Name::ALL.iter().copied().find(|name| name.text() == text)
        })
    }
    fn id(&self, of: Payload, name: Name) -> Option<Id> {
        Some(self.make(&self.own_text(of, name)?))
    }
    fn is_data(&self, of: Payload) -> bool {
        self.own_text(of, Name::Type).is_some_and(|kind| kind.starts_with("data-"))
    }
    fn tool_name(&self, part: Payload) -> Option<Id> {
        let kind = self.own_text(part, Name::Type)?;
        match kind.strip_prefix("tool-") {
            Some(name) => Some(self.make(name)),
            None if kind == Name::DynamicTool.text() => self.id(part, Name::ToolName),
            None => None,
        }
    }
    fn new_id(&self) -> Id {
        loop {
            self.made.set(self.made.get().wrapping_add(1));
            let text = format!("new-{}", self.made.get());
            if self.find(&text).is_none() {
                return self.make(&text);
            }
        }
    }
    fn flag(&self, of: Payload, name: Name) -> Option<bool> {
        self.own(of, name, |value| match value {
            Value::Plain(Json::Bool(flag)) => Some(*flag),
            _ => None,
        })
    }
    fn as_id(&self, value: Payload) -> Option<Id> {
        Some(self.make(&self.text_at(value)?))
    }
    fn as_number(&self, value: Payload) -> f64 {
        self.with(value, |value| match value {
            Value::Plain(Json::Number(number)) => number.as_f64().unwrap_or(f64::NAN),
            _ => f64::NAN,
        })
    }
    fn len(&self, of: Payload) -> u32 {
        self.with(of, |list| index(list.items().len()))
    }
    fn at(&self, of: Payload, at: u32) -> Payload {
        self.give(self.with(of, |list| list.items().get(at as usize).cloned()).unwrap_or(Value::Undefined))
    }

    fn object(&self) -> Payload {
        self.give(Value::of_entries(Vec::new()))
    }
    fn array(&self) -> Payload {
        self.give(Value::list([]))
    }
    fn set(&self, of: Payload, name: Name, value: Payload) {
        if value.is_some() {
            self.put(of, name, self.take(value));
        }
    }
    fn set_id(&self, of: Payload, name: Name, id: Id) {
        self.put(of, name, Value::text(&*self.text(id)));
    }
    fn set_tool(&self, of: Payload, tool: Id) {
        self.put(of, Name::Type, Value::text(format!("tool-{}", self.text(tool))));
    }
    fn set_name(&self, of: Payload, name: Name, value: Name) {
        self.put(of, name, Value::text(value.text()));
    }
    fn set_flag(&self, of: Payload, name: Name, value: bool) {
        self.put(of, name, Value::Plain(json!(value)));
    }
    fn set_number(&self, of: Payload, name: Name, value: f64) {
        self.put(of, name, Value::number(value));
    }
    fn push(&self, to: Payload, value: Payload) {
        self.add(to, self.take(value));
    }
    fn push_name(&self, to: Payload, name: Name) {
        self.add(to, Value::text(name.text()));
    }
    fn push_id(&self, to: Payload, id: Id) {
        self.add(to, Value::text(&*self.text(id)));
    }
    fn push_number(&self, to: Payload, number: f64) {
        self.add(to, Value::number(number));
    }
    fn extend(&self, of: Payload, from: Payload) {
        let from = self.take(from);
        self.change(of, |target| {
            for (name, value) in from.entries().iter().filter(|(_, value)| !matches!(value, Value::Undefined)) {
                target.put(name, value.clone());
            }
        });
    }
    fn omit(&self, of: Payload, without: OmitKeys) -> Payload {
        let is_kept = |(name, value): &&(String, Value)| {
            !matches!(value, Value::Undefined) && !without.names().iter().any(|without| without.text() == name)
        };
        let kept = self.with(of, |object| object.entries().iter().filter(is_kept).cloned().collect());
        self.give(Value::of_entries(kept))
    }
    fn merge(&self, base: Payload, over: Payload) -> Payload {
        self.give(self.take(base).merged(&self.take(over)))
    }
    fn append(&self, of: Payload, delta: Payload) -> Payload {
        let mut copy = self.take(of);
        let old = copy.own(Name::Text.text()).and_then(Value::as_text).unwrap_or_default().to_owned();
        copy.put(Name::Text.text(), Value::text(old + &self.text_at(delta).unwrap_or_default()));
        self.give(copy)
    }
    fn concat(&self, a: Payload, b: Payload) -> Payload {
        let text = |value: Payload| self.text_at(value).unwrap_or_default();
        self.give(Value::text(text(a) + &text(b)))
    }
    fn join(&self, a: Payload, b: Payload) -> Payload {
        match (self.text_at(a), self.text_at(b)) {
            (Some(a), Some(b)) => self.give(Value::text(format!("{a} {b}"))),
            _ => a,
        }
    }

    fn digest(&self, value: Payload) -> Option<Id> {
        Some(self.make(&self.with(value, digest)))
    }
    fn as_json(&self, value: Payload) -> Payload {
        match self.take(value) {
            Value::Undefined => self.give(Value::Plain(Json::Null)),
            _ => value,
        }
    }
    fn url(&self, value: Payload) -> Payload {
        self.text_at(value).map_or(value, |url| self.give(Value::Url(url)))
    }
    fn url_text(&self, value: Payload) -> Payload {
        match self.take(value) {
            Value::Url(url) => self.give(Value::text(url)),
            _ => value,
        }
    }

    fn partial_input(&self, plain_text: bool) -> Payload {
        self.give(Value::Partial(PartialInput::new(plain_text)))
    }
    fn feed(&self, partial: Payload, delta: Payload) {
        let Some(delta) = self.text_at(delta) else { return };
        self.change(partial, |value| {
            if let Value::Partial(input) = value {
                input.push(&delta);
            }
        });
    }
    fn partial_value(&self, partial: Payload) -> Payload {
        let value = self.with(partial, |value| match value {
            Value::Partial(input) => Some(input.value()),
            _ => None,
        });
        value.map_or(partial, |value| self.give(value))
    }
    fn partial_text(&self, partial: Payload) -> Payload {
        let text = self.with(partial, |value| match value {
            Value::Partial(input) => input.text().map(ToString::to_string),
            _ => None,
        });
        text.map_or(Payload::NONE, |text| self.give(Value::text(text)))
    }

    fn retain(&self, value: Payload) -> Payload {
        if value.0 < FLEETING {
            return value;
        }
        let taken = self.take(value);
        let mut kept = self.kept.borrow_mut();
        if let Some(place) = self.free.borrow_mut().pop() {
            kept[place as usize] = taken;
            return Payload(place);
        }
        kept.push(taken);
        Payload(index(kept.len()) - 1)
    }
    fn replace(&self, kept: Payload, value: Payload) {
        if kept.is_some() {
            let value = self.take(value);
            self.change(kept, |old| *old = value);
        }
    }
}

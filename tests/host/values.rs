//! The host's values for native tests, in tables like those of the browser's host.
//!
//! A value is in one of two tables: the table of the current call, or the table of the values that the machine refers
//! to. A value that the machine does not report is freed, so that a test notices a missing report. Index 0 is
//! `undefined`. Ids are the indices of their texts.

use crate::value::{Value, merge, same};
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use toolgate::machine::{Id, Machine, Payload};
use toolgate::wire::{Name, OmitKeys, ValueKind, Values};

/// Indices from here on are valid during one call only.
const FLEETING: u32 = 0x4000_0000;

/// The tables of one chat.
#[derive(Clone)]
pub struct Store {
    kept: RefCell<Vec<Value>>,
    fleeting: RefCell<Vec<Value>>,
    texts: RefCell<Vec<Rc<str>>>,
    places: RefCell<HashMap<Rc<str>, u32>>,
    made: Cell<u32>,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            kept: RefCell::new(vec![Value::Undefined]),
            fleeting: RefCell::default(),
            texts: RefCell::default(),
            places: RefCell::default(),
            made: Cell::default(),
        }
    }
}

impl Store {
    /// A store with the ids of another store, and no values.
    pub fn with_ids_of(other: &Store) -> Self {
        let (texts, places) = (other.texts.clone(), other.places.clone());
        Store { texts, places, made: other.made.clone(), ..Store::default() }
    }

    /// The id of a text.
    pub fn make(&self, text: &str) -> Id {
        self.find(text).unwrap_or_else(|| {
            let text: Rc<str> = text.into();
            self.places.borrow_mut().insert(Rc::clone(&text), self.ids());
            self.texts.borrow_mut().push(text);
            Id::at(self.ids() - 1)
        })
    }

    /// The id of a text, or `None` if the text has no id.
    pub fn find(&self, text: &str) -> Option<Id> {
        self.places.borrow().get(text).copied().map(Id::at)
    }

    /// The text of an id.
    pub fn text(&self, id: Id) -> Rc<str> {
        self.texts.borrow()[id.place() as usize].clone()
    }

    /// How many ids there are.
    pub fn ids(&self) -> u32 {
        u32::try_from(self.texts.borrow().len()).unwrap()
    }

    /// Frees the values that neither the machine nor `also` refers to.
    pub fn sweep(&self, machine: &Machine, also: &[Payload]) {
        let mut live: BTreeSet<u32> = also.iter().map(|place| place.0).collect();
        machine.payloads(&mut |payload| {
            live.insert(payload.0);
        });
        for (place, value) in self.kept.borrow_mut().iter_mut().enumerate().skip(1) {
            if !live.contains(&u32::try_from(place).unwrap()) {
                *value = Value::Gone;
            }
        }
    }

    /// Passes a value to the core for one call.
    pub fn give(&self, value: Value) -> Payload {
        if matches!(value, Value::Undefined) {
            return Payload::NONE;
        }
        let mut fleeting = self.fleeting.borrow_mut();
        fleeting.push(value);
        Payload(FLEETING + u32::try_from(fleeting.len()).unwrap() - 1)
    }

    /// Passes JSON to the core for one call.
    pub fn json_value(&self, json: Json) -> Payload {
        self.give(Value::from_json(json))
    }

    /// The value at an index. The core must not use an index that it was never given.
    pub fn take(&self, place: Payload) -> Value {
        if place.0 < FLEETING {
            let value = self.kept.borrow()[place.0 as usize].clone();
            assert!(!matches!(value, Value::Gone), "the value at {place:?} was freed, and is still referred to");
            value
        } else {
            self.fleeting.borrow()[(place.0 - FLEETING) as usize].clone()
        }
    }

    /// The value at an index, as JSON.
    pub fn to_json(&self, place: Payload) -> Json {
        self.take(place).to_json()
    }

    /// Ends a call and frees its values. Nothing may refer to them afterwards.
    pub fn end(&self) {
        self.fleeting.borrow_mut().clear();
    }
}

impl Values for Store {
    fn kind(&self, value: Payload) -> ValueKind {
        match self.take(value) {
            Value::Undefined | Value::Plain(Json::Null) => ValueKind::Nothing,
            Value::Plain(Json::String(_)) => ValueKind::Text,
            Value::Array(_) => ValueKind::Array,
            Value::Object(_) | Value::Partial(..) | Value::Url(_) => ValueKind::Object,
            Value::Plain(_) | Value::Gone => ValueKind::Other,
        }
    }
    fn deep_equal(&self, a: Payload, b: Payload) -> bool {
        same(&self.take(a), &self.take(b))
    }
    fn get(&self, of: Payload, name: Name) -> Payload {
        self.give(self.take(of).own(name.text()).unwrap_or(Value::Undefined))
    }
    fn has(&self, of: Payload, name: Name) -> bool {
        self.take(of).own(name.text()).is_some()
    }
    fn name(&self, of: Payload, name: Name) -> Option<Name> {
        let text = self.take(of).own(name.text())?.to_text()?;
        Name::ALL.iter().copied().find(|name| name.text() == text)
    }
    fn id(&self, of: Payload, name: Name) -> Option<Id> {
        Some(self.make(&self.take(of).own(name.text())?.to_text()?))
    }
    fn is_data(&self, of: Payload) -> bool {
        self.take(of).own("type").and_then(|kind| kind.to_text()).is_some_and(|kind| kind.starts_with("data-"))
    }
    fn tool_name(&self, part: Payload) -> Option<Id> {
        let part = self.take(part);
        let kind = part.own("type")?.to_text()?;
        match kind.strip_prefix("tool-") {
            Some(name) => Some(self.make(name)),
            None if kind == "dynamic-tool" => Some(self.make(&part.own("toolName")?.to_text()?)),
            None => None,
        }
    }
    fn new_id(&self) -> Id {
        loop {
            self.made.set(self.made.get() + 1);
            let text = format!("new-{}", self.made.get());
            if self.find(&text).is_none() {
                return self.make(&text);
            }
        }
    }
    fn flag(&self, of: Payload, name: Name) -> Option<bool> {
        match self.take(of).own(name.text())? {
            Value::Plain(Json::Bool(flag)) => Some(flag),
            _ => None,
        }
    }
    fn as_id(&self, value: Payload) -> Option<Id> {
        Some(self.make(&self.take(value).to_text()?))
    }
    fn as_number(&self, value: Payload) -> f64 {
        match self.take(value) {
            Value::Plain(Json::Number(number)) => number.as_f64().unwrap_or(f64::NAN),
            _ => f64::NAN,
        }
    }
    fn len(&self, of: Payload) -> u32 {
        match self.take(of) {
            Value::Array(items) => u32::try_from(items.borrow().len()).unwrap(),
            _ => 0,
        }
    }
    fn at(&self, of: Payload, index: u32) -> Payload {
        let item = match self.take(of) {
            Value::Array(items) => items.borrow().get(index as usize).cloned(),
            _ => None,
        };
        self.give(item.unwrap_or(Value::Undefined))
    }

    fn object(&self) -> Payload {
        self.json_value(json!({}))
    }
    fn array(&self) -> Payload {
        self.json_value(json!([]))
    }
    fn set(&self, of: Payload, name: Name, value: Payload) {
        if value.is_some() {
            self.take(of).put(name.text(), self.take(value));
        }
    }
    fn set_id(&self, of: Payload, name: Name, id: Id) {
        self.take(of).put(name.text(), Value::Plain(json!(&*self.text(id))));
    }
    fn set_tool(&self, of: Payload, tool: Id) {
        self.take(of).put("type", Value::Plain(json!(format!("tool-{}", self.text(tool)))));
    }
    fn set_name(&self, of: Payload, name: Name, value: Name) {
        self.take(of).put(name.text(), Value::Plain(json!(value.text())));
    }
    fn set_flag(&self, of: Payload, name: Name, value: bool) {
        self.take(of).put(name.text(), Value::Plain(json!(value)));
    }
    fn set_number(&self, of: Payload, name: Name, value: f64) {
        self.take(of).put(name.text(), Value::Plain(json!(value)));
    }
    fn push(&self, to: Payload, value: Payload) {
        self.take(to).add(self.take(value));
    }
    fn push_name(&self, to: Payload, name: Name) {
        self.take(to).add(Value::Plain(json!(name.text())));
    }
    fn push_id(&self, to: Payload, id: Id) {
        self.take(to).add(Value::Plain(json!(&*self.text(id))));
    }
    fn push_number(&self, to: Payload, number: f64) {
        self.take(to).add(Value::Plain(json!(number)));
    }
    fn extend(&self, of: Payload, from: Payload) {
        let target = self.take(of);
        for (name, value) in self.take(from).entries() {
            if !matches!(value, Value::Undefined) {
                target.put(&name, value);
            }
        }
    }
    fn omit(&self, of: Payload, without: OmitKeys) -> Payload {
        let kept = self.take(of).entries().into_iter().filter(|(name, value)| {
            !matches!(value, Value::Undefined) && !without.names().iter().any(|without| without.text() == name)
        });
        self.give(Value::Object(Rc::new(RefCell::new(kept.collect()))))
    }
    fn merge(&self, base: Payload, over: Payload) -> Payload {
        self.give(merge(&self.take(base), &self.take(over)))
    }
    fn append(&self, of: Payload, delta: Payload) -> Payload {
        let copy = Value::Object(Rc::new(RefCell::new(self.take(of).entries())));
        let old = copy.own("text").and_then(|text| text.to_text()).expect("a part that grows has a text");
        let new = self.take(delta).to_text().expect("a delta is a string");
        copy.put("text", Value::Plain(json!(old + &new)));
        self.give(copy)
    }
    fn concat(&self, a: Payload, b: Payload) -> Payload {
        let text = |value: Payload| self.take(value).to_text().unwrap_or_default();
        self.json_value(json!(text(a) + &text(b)))
    }
    fn join(&self, a: Payload, b: Payload) -> Payload {
        match (self.take(a).to_text(), self.take(b).to_text()) {
            (Some(a), Some(b)) => self.json_value(json!(format!("{a} {b}"))),
            _ => a,
        }
    }

    fn digest(&self, value: Payload) -> Option<Id> {
        Some(self.make(&self.to_json(value).to_string()))
    }
    fn as_json(&self, value: Payload) -> Payload {
        match self.take(value) {
            Value::Undefined => self.json_value(Json::Null),
            _ => value,
        }
    }
    fn url(&self, value: Payload) -> Payload {
        self.take(value).to_text().map_or(value, |url| self.give(Value::Url(url)))
    }
    fn url_text(&self, value: Payload) -> Payload {
        match self.take(value) {
            Value::Url(url) => self.json_value(json!(url)),
            _ => value,
        }
    }

    fn partial_input(&self, plain_text: bool) -> Payload {
        self.give(Value::Partial(Rc::default(), plain_text))
    }
    fn feed(&self, partial: Payload, delta: Payload) {
        if let (Value::Partial(text, _), Some(delta)) = (self.take(partial), self.take(delta).to_text()) {
            text.borrow_mut().get_or_insert_default().push_str(&delta);
        }
    }
    fn partial_value(&self, partial: Payload) -> Payload {
        match self.take(partial) {
            // Only the browser's host parses incomplete JSON. Here an input has a value only when it is complete.
            reader @ Value::Partial(..) => self.give(reader.copied()),
            _ => partial,
        }
    }
    fn partial_text(&self, partial: Payload) -> Payload {
        match self.take(partial) {
            Value::Partial(text, _) => {
                text.borrow().as_ref().map_or(Payload::NONE, |text| self.json_value(json!(text)))
            }
            _ => Payload::NONE,
        }
    }

    fn retain(&self, value: Payload) -> Payload {
        if value.0 < FLEETING {
            return value;
        }
        let mut kept = self.kept.borrow_mut();
        kept.push(self.take_fleeting(value));
        Payload(u32::try_from(kept.len()).unwrap() - 1)
    }
    fn replace(&self, kept: Payload, value: Payload) {
        if kept.is_some() {
            let value = self.take(value);
            self.kept.borrow_mut()[kept.0 as usize] = value;
        }
    }
}

impl Store {
    fn take_fleeting(&self, place: Payload) -> Value {
        self.fleeting.borrow()[(place.0 - FLEETING) as usize].clone()
    }
}

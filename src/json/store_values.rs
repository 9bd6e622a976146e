//! What the codec asks of the values of a [`Store`]: it reads their properties, and makes new ones.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::canonical::digest;
use super::partial::PartialInput;
use super::store::index;
use super::{Store, Value};
use crate::machine::{Id, Payload};
use crate::wire::{Name, OmitKeys, ValueKind, Values};
use serde_json::{Value as Json, json};

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
        self.make_new()
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
        self.keep(value)
    }
    fn replace(&self, kept: Payload, value: Payload) {
        if kept.is_some() {
            let value = self.take(value);
            self.change(kept, |old| *old = value);
        }
    }
}

//! A value of a native host, as JavaScript has it: JSON, `undefined`, a URL, or a streamed input.
//!
//! Containers are shared, not copied. A change copies a container that is shared, so that a value never changes where
//! it was stored earlier.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::partial::PartialInput;
use serde_json::{Map, Number, Value as Json};

/// A value in the tables of a [`Store`](super::Store).
#[derive(Clone, Debug)]
pub enum Value {
    /// `undefined`, which is not JSON, and distinct from `null`.
    Undefined,
    /// A string, a number, a boolean or `null`.
    Plain(Json),
    /// An array.
    Array(Arc<Vec<Value>>),
    /// An object, with its properties in order.
    Object(Arc<Vec<(String, Value)>>),
    /// An input that arrives in pieces.
    Partial(PartialInput),
    /// A URL.
    Url(String),
    /// Freed, because the machine did not refer to it.
    Gone,
}

impl Value {
    /// Converts JSON to a value.
    #[must_use]
    pub fn from_json(json: Json) -> Value {
        match json {
            Json::Array(items) => Value::list(items.into_iter().map(Value::from_json)),
            Json::Object(properties) => {
                Value::of_entries(properties.into_iter().map(|(name, value)| (name, Value::from_json(value))).collect())
            }
            plain => Value::Plain(plain),
        }
    }

    /// A string.
    pub(super) fn text(text: impl Into<String>) -> Value {
        Value::Plain(Json::String(text.into()))
    }

    /// A number. A whole number becomes an integer, as `JSON.stringify` writes it.
    pub(super) fn number(number: f64) -> Value {
        let is_integer = number % 1.0 == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        let json = if is_integer { Some(Number::from(number as i64)) } else { Number::from_f64(number) };
        Value::Plain(json.map_or(Json::Null, Json::Number))
    }

    /// An array of these values, which are not copied.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(Arc::new(values.into_iter().collect()))
    }

    /// An object with these properties.
    #[must_use]
    pub fn of_entries(entries: Vec<(String, Value)>) -> Value {
        Value::Object(Arc::new(entries))
    }

    /// The JSON that `JSON.stringify` would give: undefined properties are omitted. A freed value becomes `null`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Value::Undefined | Value::Gone => Json::Null,
            Value::Plain(json) => json.clone(),
            Value::Array(items) => Json::Array(items.iter().map(Value::to_json).collect()),
            Value::Object(properties) => {
                let defined = properties.iter().filter(|(_, value)| !matches!(value, Value::Undefined));
                Json::Object(defined.map(|(name, value)| (name.clone(), value.to_json())).collect::<Map<_, _>>())
            }
            Value::Partial(input) => input.value().to_json(),
            Value::Url(url) => Json::String(url.clone()),
        }
    }

    /// The value as in a snapshot: the reader of an input becomes its value so far.
    #[must_use]
    pub fn copied(&self) -> Value {
        super::canonical::decode(&super::canonical::encode(self)).unwrap_or(Value::Undefined)
    }

    /// Whether it is the identical array or object.
    #[must_use]
    pub fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The text, if the value is a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Plain(Json::String(text)) => Some(text),
            _ => None,
        }
    }

    /// An own property.
    #[must_use]
    pub fn own(&self, name: &str) -> Option<&Value> {
        self.entries().iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The own properties of an object; none for any other value.
    #[must_use]
    pub fn entries(&self) -> &[(String, Value)] {
        match self {
            Value::Object(properties) => properties,
            _ => &[],
        }
    }

    /// The items of an array; none for any other value.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        match self {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// Appends to an array. Any other value stays as it is.
    pub fn add(&mut self, value: Value) {
        if let Value::Array(items) = self {
            Arc::make_mut(items).push(value);
        }
    }

    /// Sets a property of an object. Any other value stays as it is.
    pub fn put(&mut self, name: &str, value: Value) {
        let Value::Object(properties) = self else { return };
        let properties = Arc::make_mut(properties);
        match properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => properties.push((name.to_owned(), value)),
        }
    }

    /// A deep merge: objects are merged, everything else is replaced.
    #[must_use]
    pub(super) fn merged(&self, over: &Value) -> Value {
        let (Value::Object(_), Value::Object(_)) = (self, over) else { return over.clone() };
        let mut merged = self.clone();
        for (name, value) in over.entries() {
            let next = merged.own(name).map_or_else(|| value.clone(), |old| old.merged(value));
            merged.put(name, next);
        }
        merged
    }

    /// Whether two values are deeply equal. The order of properties does not matter.
    #[must_use]
    pub fn equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undefined, Value::Undefined) => true,
            (Value::Plain(a), Value::Plain(b)) => a == b,
            (Value::Url(a), Value::Url(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => {
                Arc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b)))
            }
            (Value::Object(a), Value::Object(b)) => {
                let has_equal = |(name, value): &(String, Value)| other.own(name).is_some_and(|own| value.equals(own));
                Arc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().all(has_equal))
            }
            _ => false,
        }
    }
}

//! A value of the native host, like a JavaScript value in the browser.
//!
//! Values are shared, not copied, so that a test can check for the identical object. `undefined` is not a JSON value,
//! and distinct from `null`.

use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::rc::Rc;

/// A value: JSON by reference, or a reader of a streamed input.
#[derive(Clone)]
pub enum Value {
    /// `undefined`.
    Undefined,
    /// A string, a number, a boolean or `null`.
    Plain(Json),
    /// An array.
    Array(Rc<RefCell<Vec<Value>>>),
    /// An object, with its properties in order.
    Object(Rc<RefCell<Vec<(String, Value)>>>),
    /// The pieces of an input that have arrived, if any, and whether the input is plain text.
    Partial(Rc<RefCell<Option<String>>>, bool),
    /// A URL.
    Url(String),
    /// Freed, because the machine did not refer to it.
    Gone,
}

impl Value {
    /// Converts JSON to a value.
    pub fn from_json(json: Json) -> Value {
        match json {
            Json::Array(items) => {
                Value::Array(Rc::new(RefCell::new(items.into_iter().map(Value::from_json).collect())))
            }
            Json::Object(properties) => {
                let properties = properties.into_iter().map(|(name, value)| (name, Value::from_json(value)));
                Value::Object(Rc::new(RefCell::new(properties.collect())))
            }
            plain => Value::Plain(plain),
        }
    }

    /// An array of these values, which are not copied.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(Rc::new(RefCell::new(values.into_iter().collect())))
    }

    /// The JSON that `JSON.stringify` would give: undefined properties are omitted.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Gone => panic!("a value that the machine still refers to was freed"),
            Value::Undefined => Json::Null,
            Value::Plain(json) => json.clone(),
            Value::Array(items) => Json::Array(items.borrow().iter().map(Value::to_json).collect()),
            Value::Object(properties) => {
                let properties = properties.borrow();
                let defined = properties.iter().filter(|(_, value)| !matches!(value, Value::Undefined));
                Json::Object(defined.map(|(name, value)| (name.clone(), value.to_json())).collect())
            }
            Value::Partial(text, _) => json!({ "partial": *text.borrow() }),
            Value::Url(url) => json!(url),
        }
    }

    /// Whether [`Value::to_json`] equals this JSON.
    #[allow(dead_code)] // used by the fuzz targets
    pub fn is_json(&self, json: &Json) -> bool {
        match (self, json) {
            (Value::Plain(own), json) => own == json,
            (Value::Array(items), Json::Array(others)) => {
                let items = items.borrow();
                items.len() == others.len() && items.iter().zip(others).all(|(item, other)| item.is_json(other))
            }
            (Value::Object(properties), Json::Object(others)) => {
                let properties = properties.borrow();
                let is_there =
                    |(name, value): &(String, Value)| others.get(name).is_some_and(|other| value.is_json(other));
                properties.len() == others.len() && properties.iter().all(is_there)
            }
            _ => self.to_json() == *json,
        }
    }

    /// A deep copy, as in a snapshot: the reader of an input becomes its text, or the JSON value in it, if complete.
    pub fn copied(&self) -> Value {
        match self {
            Value::Array(items) => {
                Value::Array(Rc::new(RefCell::new(items.borrow().iter().map(Value::copied).collect())))
            }
            Value::Object(_) => {
                let copied = self.entries().into_iter().map(|(name, value)| (name, value.copied()));
                Value::Object(Rc::new(RefCell::new(copied.collect())))
            }
            Value::Partial(text, true) => Value::Plain(json!(*text.borrow())),
            Value::Partial(text, false) => {
                let text = text.borrow().clone().unwrap_or_default();
                serde_json::from_str(&text).map_or(Value::Undefined, Value::from_json)
            }
            Value::Undefined | Value::Plain(_) | Value::Url(_) | Value::Gone => self.clone(),
        }
    }

    /// Whether it is the identical object.
    pub fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The text, if the value is a string.
    pub fn to_text(&self) -> Option<String> {
        match self {
            Value::Plain(Json::String(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Appends to an array.
    pub fn add(&self, value: Value) {
        let Value::Array(items) = self else { panic!("cannot append to a value that is not an array") };
        items.borrow_mut().push(value);
    }

    /// An own property.
    pub fn own(&self, name: &str) -> Option<Value> {
        let Value::Object(properties) = self else { return None };
        properties.borrow().iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Sets a property.
    pub fn put(&self, name: &str, value: Value) {
        let Value::Object(properties) = self else { panic!("cannot set a property of a value that is not an object") };
        let mut properties = properties.borrow_mut();
        match properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => properties.push((name.to_owned(), value)),
        }
    }

    /// The own properties.
    pub fn entries(&self) -> Vec<(String, Value)> {
        match self {
            Value::Object(properties) => properties.borrow().clone(),
            _ => Vec::new(),
        }
    }
}

/// A deep merge: objects are merged, everything else is replaced.
pub fn merge(base: &Value, over: &Value) -> Value {
    let (Value::Object(_), Value::Object(_)) = (base, over) else { return over.clone() };
    let merged = Value::Object(Rc::new(RefCell::new(base.entries())));
    for (name, value) in over.entries() {
        let old = merged.own(&name).unwrap_or(Value::Undefined);
        merged.put(&name, merge(&old, &value));
    }
    merged
}

/// Whether two values are deeply equal.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undefined, Value::Undefined) => true,
        (Value::Plain(a), Value::Plain(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            let (a, b) = (a.borrow(), b.borrow());
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Object(in_a), Value::Object(in_b)) => {
            in_a.borrow().len() == in_b.borrow().len()
                && a.entries().iter().all(|(name, value)| b.own(name).is_some_and(|other| same(value, &other)))
        }
        _ => false,
    }
}

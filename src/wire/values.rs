//! How a codec reaches the host's values.

use super::Name;
use crate::machine::Payload;

/// The host's values: JavaScript's in the browser, `serde_json`'s in native tests.
///
/// Reading never fails: what is not there, or of another sort, is `undefined`. Only own properties
/// are read and written, so `__proto__` and `constructor` are names like any other.
pub trait Values {
    /// A value. Cloning is cheap, and a clone is the same value.
    type Value: Clone;

    /// `undefined`.
    fn none(&self) -> Self::Value;
    /// Whether it is neither `undefined` nor `null`.
    fn is_some(&self, value: &Self::Value) -> bool;
    /// Whether it is a string.
    fn is_text(&self, value: &Self::Value) -> bool;
    /// Whether it is an object (no array).
    fn is_object(&self, value: &Self::Value) -> bool;
    /// Whether two values are the same in depth.
    fn same(&self, a: &Self::Value, b: &Self::Value) -> bool;

    /// The own property, or `undefined`.
    fn get(&self, of: &Self::Value, name: Name) -> Self::Value;
    /// Whether there is such an own property, whatever its value.
    fn has(&self, of: &Self::Value, name: Name) -> bool;
    /// The own property's text, if it is a string that is one of the names.
    fn name(&self, of: &Self::Value, name: Name) -> Option<Name>;
    /// The own property's text, if it is a string.
    fn text(&self, of: &Self::Value, name: Name) -> Option<String>;
    /// The own property, if it is a boolean.
    fn flag(&self, of: &Self::Value, name: Name) -> Option<bool>;
    /// The text, if the value is a string.
    fn as_text(&self, value: &Self::Value) -> Option<String>;
    /// The number, if the value is one.
    fn as_number(&self, value: &Self::Value) -> Option<f64>;
    /// Whether it is an array.
    fn is_array(&self, value: &Self::Value) -> bool;
    /// How many elements an array has; 0 for anything else.
    fn len(&self, of: &Self::Value) -> u32;
    /// An array's element, or `undefined`.
    fn at(&self, of: &Self::Value, index: u32) -> Self::Value;

    /// A number.
    fn number(&self, number: f64) -> Self::Value;
    /// A string.
    fn string(&self, text: &str) -> Self::Value;
    /// An empty object.
    fn object(&self) -> Self::Value;
    /// An empty array.
    fn array(&self) -> Self::Value;
    /// Sets a property of an object that this codec made; `undefined` sets nothing.
    fn set(&self, of: &mut Self::Value, name: Name, value: &Self::Value);
    /// Sets a property to a text.
    fn set_text(&self, of: &mut Self::Value, name: Name, text: &str);
    /// Sets a property to one of the names.
    fn set_name(&self, of: &mut Self::Value, name: Name, value: Name);
    /// Sets a property to a boolean.
    fn set_flag(&self, of: &mut Self::Value, name: Name, value: bool);
    /// Adds to an array that this codec made.
    fn push(&self, to: &mut Self::Value, value: &Self::Value);
    /// Copies the own properties of `from` that are not `undefined` into an object that this codec made.
    fn extend(&self, of: &mut Self::Value, from: &Self::Value);
    /// A new object with the own properties that are neither `undefined` nor named here.
    fn rest(&self, of: &Self::Value, without: &[Name]) -> Self::Value;
    /// A deep merge: objects are merged, everything else is replaced.
    fn merge(&self, base: &Self::Value, over: &Self::Value) -> Self::Value;
    /// A new object: the same, with `delta` behind its text.
    fn append(&self, of: &Self::Value, delta: &Self::Value) -> Self::Value;

    /// The value as JSON would bring it back; itself where that makes no difference.
    fn json(&self, value: &Self::Value) -> Self::Value;
    /// An address, as the host's own type for addresses.
    fn url(&self, value: &Self::Value) -> Self::Value;
    /// The text of an address of the host's own type, or the value itself.
    fn url_text(&self, value: &Self::Value) -> Self::Value;

    /// A reader of an input that streams in: JSON, or plain text.
    fn partial(&self, plain_text: bool) -> Self::Value;
    /// Gives it the next piece of the input.
    fn feed(&self, partial: &Self::Value, delta: &Self::Value);
    /// What the input is so far; for a value that is no such reader, the value.
    fn partial_value(&self, partial: &Self::Value) -> Self::Value;
    /// The text so far; `undefined` for a value that is no such reader.
    fn partial_text(&self, partial: &Self::Value) -> Self::Value;

    /// Puts a value into the table that the machine's handles point to.
    fn keep(&mut self, value: Self::Value) -> Payload;
    /// The value of a handle.
    fn load(&self, payload: Payload) -> Self::Value;
    /// Replaces the value of a handle.
    fn put(&mut self, payload: Payload, value: Self::Value);
}

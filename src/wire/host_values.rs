//! How a codec reads and writes the host's values.

use super::{Name, OmitKeys};
use crate::machine::{Id, Payload};

/// The host's values: JavaScript's in the browser, `serde_json`'s in native tests.
///
/// For a codec, a value is a number: its index in the host's tables. An id is the host's number for a text.
/// Most indices are valid during one call only; values that the machine holds stay valid until nothing refers to them
/// ([`Values::retain`]). No text crosses the boundary. Reading never fails: a value that is missing or has another type
/// reads as `undefined`. Only own properties are read and written, so `__proto__` and `constructor` are names like any
/// other.
pub trait Values {
    /// The type of a value, as far as codecs need it.
    fn kind(&self, value: Payload) -> ValueKind;
    /// Whether two values are deeply equal.
    fn deep_equal(&self, a: Payload, b: Payload) -> bool;

    /// The own property, or `undefined`.
    fn get(&self, of: Payload, name: Name) -> Payload;
    /// Whether the own property exists, even with the value `undefined`.
    fn has(&self, of: Payload, name: Name) -> bool;
    /// The own property, if it is a string that is a [`Name`].
    fn name(&self, of: Payload, name: Name) -> Option<Name>;
    /// The id of the own property's text, if it is a string.
    fn id(&self, of: Payload, name: Name) -> Option<Id>;
    /// Whether the own property `type` begins with `data-`, the prefix of an app's own data parts.
    fn is_data(&self, of: Payload) -> bool;
    /// The tool's name, if the part is a tool call.
    fn tool_name(&self, part: Payload) -> Option<Id>;
    /// An id that no other message has, for a message without an id.
    fn new_id(&self) -> Id;
    /// The own property, if it is a boolean.
    fn flag(&self, of: Payload, name: Name) -> Option<bool>;
    /// The id of the text, if the value is a string.
    fn as_id(&self, value: Payload) -> Option<Id>;
    /// The value, if it is a number; else NaN.
    fn as_number(&self, value: Payload) -> f64;
    /// The length of an array; 0 for anything else.
    fn len(&self, of: Payload) -> u32;
    /// An element of an array, or `undefined`.
    fn at(&self, of: Payload, index: u32) -> Payload;

    /// An empty object.
    fn object(&self) -> Payload;
    /// An empty array.
    fn array(&self) -> Payload;
    /// Sets a property of an object that this codec made. A value of `undefined` is ignored.
    fn set(&self, of: Payload, name: Name, value: Payload);
    /// Sets a property to the text of an id.
    fn set_id(&self, of: Payload, name: Name, id: Id);
    /// Sets `type` to the part type of this tool.
    fn set_tool(&self, of: Payload, tool: Id);
    /// Sets a property to a fixed string.
    fn set_name(&self, of: Payload, name: Name, value: Name);
    /// Sets a property to a boolean.
    fn set_flag(&self, of: Payload, name: Name, value: bool);
    /// Sets a property to a number.
    fn set_number(&self, of: Payload, name: Name, value: f64);
    /// Appends to an array that this codec made.
    fn push(&self, to: Payload, value: Payload);
    /// Appends a fixed string to an array that this codec made.
    fn push_name(&self, to: Payload, name: Name);
    /// Appends the text of an id to an array that this codec made.
    fn push_id(&self, to: Payload, id: Id);
    /// Appends a number to an array that this codec made.
    fn push_number(&self, to: Payload, number: f64);
    /// Copies the own properties of `from` that are not `undefined` into an object that this codec made.
    fn extend(&self, of: Payload, from: Payload);
    /// A shallow copy without the properties that are `undefined` or in the set.
    fn omit(&self, of: Payload, without: OmitKeys) -> Payload;
    /// A deep merge: objects are merged, everything else is replaced.
    fn merge(&self, base: Payload, over: Payload) -> Payload;
    /// A copy of a part with `delta` appended to its text.
    fn append(&self, of: Payload, delta: Payload) -> Payload;
    /// Two texts, joined by a space; the first one if the second is not a string.
    fn join(&self, a: Payload, b: Payload) -> Payload;

    /// The digest of a value, as an id, if it can be computed. Equal inputs have equal digests.
    fn digest(&self, value: Payload) -> Option<Id>;

    /// The value after a round trip through JSON; the value itself if it would not change.
    fn as_json(&self, value: Payload) -> Payload;
    /// Converts the host's type for URLs to a string; other values are returned as they are.
    fn url_text(&self, value: Payload) -> Payload;

    /// A reader of a streamed input, which is JSON or plain text.
    fn partial_input(&self, plain_text: bool) -> Payload;
    /// Appends the next piece of the input to its reader.
    fn feed(&self, partial: Payload, delta: Payload);
    /// The input as far as its reader has parsed it; a value that is not a reader is returned as it is.
    fn partial_value(&self, partial: Payload) -> Payload;
    /// The text that a reader has received; `undefined` for a value that is not a reader.
    fn partial_text(&self, partial: Payload) -> Payload;

    /// Keeps a value valid after this call, so that the machine can hold it.
    fn retain(&self, value: Payload) -> Payload;
    /// Replaces the contents of a retained value.
    fn replace(&self, kept: Payload, value: Payload);

    /// Copies a property from another object, unless it is `undefined` or `null`.
    fn copy(&self, from: Payload, name: Name, to: Payload, to_name: Name) {
        let value = self.get(from, name);
        if self.is_some(value) {
            self.set(to, to_name, value);
        }
    }

    /// Whether the value is neither `undefined` nor `null`.
    fn is_some(&self, value: Payload) -> bool {
        self.kind(value) != ValueKind::Nothing
    }
    /// Whether the value is a string.
    fn is_text(&self, value: Payload) -> bool {
        self.kind(value) == ValueKind::Text
    }
    /// Whether the value is an object, and not an array.
    fn is_object(&self, value: Payload) -> bool {
        self.kind(value) == ValueKind::Object
    }
    /// Retains a string; any other value becomes `Payload::NONE`.
    fn retain_text(&self, value: Payload) -> Payload {
        if self.is_text(value) { self.retain(value) } else { Payload::NONE }
    }
}

/// An optional time in ms, as the host gave it. A time out of range, such as `Infinity`, means never (`None`).
#[must_use]
pub fn time(ms: f64) -> Option<u64> {
    (ms > 0.0 && ms < 1e16).then_some(ms as u64)
}

/// The types of values that codecs tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ValueKind {
    /// `undefined` or `null`.
    Nothing,
    /// A string.
    Text,
    /// An object.
    Object,
    /// An array.
    Array,
    /// Anything else.
    Other,
}

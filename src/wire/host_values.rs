//! How a codec reaches the host's values.

use super::{Name, Without};
use crate::machine::{Id, Payload};

/// The host's values: JavaScript's in the browser, `serde_json`'s in native tests.
///
/// A codec sees a value as a number, its place in the host's tables, and an id as the host's number for
/// its text: most of them for the length of
/// one call, those that the machine is to hold until nothing points to them ([`Values::keep`]). No
/// text crosses.
/// Reading never fails: what is not there, or of another sort, is `undefined`. Only own properties are
/// read and written, so `__proto__` and `constructor` are names like any other.
pub trait Values {
    /// What sort of value it is.
    fn sort(&self, value: Payload) -> Sort;
    /// Whether two values are the same in depth.
    fn same(&self, a: Payload, b: Payload) -> bool;

    /// The own property, or `undefined`.
    fn get(&self, of: Payload, name: Name) -> Payload;
    /// Whether there is such an own property, whatever its value.
    fn has(&self, of: Payload, name: Name) -> bool;
    /// The own property's text, if it is a string that is one of the names.
    fn name(&self, of: Payload, name: Name) -> Option<Name>;
    /// The number of the own property's text, if it is a string.
    fn id(&self, of: Payload, name: Name) -> Option<Id>;
    /// Whether the own property is a string that begins with `data-`: the type of an app's own data.
    fn is_data(&self, of: Payload) -> bool;
    /// The name of the tool whose call this part is; none for any other part.
    fn tool(&self, part: Payload) -> Option<Id>;
    /// A new id, for a message that has none.
    fn fresh(&self) -> Id;
    /// The own property, if it is a boolean.
    fn flag(&self, of: Payload, name: Name) -> Option<bool>;
    /// The number of the text, if the value is a string.
    fn as_id(&self, value: Payload) -> Option<Id>;
    /// The number, if the value is one; NaN for anything else.
    fn as_number(&self, value: Payload) -> f64;
    /// How many elements an array has; 0 for anything else.
    fn len(&self, of: Payload) -> u32;
    /// An array's element, or `undefined`.
    fn at(&self, of: Payload, index: u32) -> Payload;

    /// An empty object.
    fn object(&self) -> Payload;
    /// An empty array.
    fn array(&self) -> Payload;
    /// Sets a property of an object that this codec made; `undefined` sets nothing.
    fn set(&self, of: Payload, name: Name, value: Payload);
    /// Sets a property to the text of an id.
    fn set_id(&self, of: Payload, name: Name, id: Id);
    /// Sets the type that a part of this tool has.
    fn set_tool(&self, of: Payload, tool: Id);
    /// Sets a property to one of the names.
    fn set_name(&self, of: Payload, name: Name, value: Name);
    /// Sets a property to a boolean.
    fn set_flag(&self, of: Payload, name: Name, value: bool);
    /// Sets a property to a number.
    fn set_number(&self, of: Payload, name: Name, value: f64);
    /// Adds to an array that this codec made.
    fn push(&self, to: Payload, value: Payload);
    /// Adds one of the names to an array that this codec made.
    fn push_name(&self, to: Payload, name: Name);
    /// Adds the text of an id to an array that this codec made.
    fn push_id(&self, to: Payload, id: Id);
    /// Adds a number to an array that this codec made.
    fn push_number(&self, to: Payload, number: f64);
    /// Copies the own properties of `from` that are not `undefined` into an object that this codec made.
    fn extend(&self, of: Payload, from: Payload);
    /// A new object with the own properties that are neither `undefined` nor in the set.
    fn rest(&self, of: Payload, without: Without) -> Payload;
    /// A deep merge: objects are merged, everything else is replaced.
    fn merge(&self, base: Payload, over: Payload) -> Payload;
    /// Two texts, the second directly behind the first.
    fn concat(&self, a: Payload, b: Payload) -> Payload;
    /// A new object: the same, with `delta` behind its text.
    fn append(&self, of: Payload, delta: Payload) -> Payload;
    /// Two texts with a space between them; the first one if the second is no text.
    fn join(&self, a: Payload, b: Payload) -> Payload;

    /// The id of a value's digest; none for a value that has none. Equal inputs have equal digests.
    fn digest(&self, value: Payload) -> Option<Id>;

    /// The value as JSON would bring it back; itself where that makes no difference.
    fn json(&self, value: Payload) -> Payload;
    /// An address, as the host's own type for addresses.
    fn url(&self, value: Payload) -> Payload;
    /// The text of an address of the host's own type, or the value itself.
    fn url_text(&self, value: Payload) -> Payload;

    /// A reader of an input that streams in: JSON, or plain text.
    fn partial(&self, plain_text: bool) -> Payload;
    /// Gives it the next piece of the input.
    fn feed(&self, partial: Payload, delta: Payload);
    /// What the input is so far; for a value that is no such reader, the value.
    fn partial_value(&self, partial: Payload) -> Payload;
    /// The text so far; `undefined` for a value that is no such reader.
    fn partial_text(&self, partial: Payload) -> Payload;

    /// Keeps a value beyond this call: for the machine to hold.
    fn keep(&self, value: Payload) -> Payload;
    /// Replaces a value that was kept.
    fn put(&self, kept: Payload, value: Payload);

    /// Sets a property to what another object has, if that is neither `undefined` nor `null`.
    fn copy(&self, from: Payload, name: Name, to: Payload, to_name: Name) {
        let value = self.get(from, name);
        if self.is_some(value) {
            self.set(to, to_name, value);
        }
    }

    /// Whether it is neither `undefined` nor `null`.
    fn is_some(&self, value: Payload) -> bool {
        self.sort(value) != Sort::Nothing
    }
    /// Whether it is a string.
    fn is_text(&self, value: Payload) -> bool {
        self.sort(value) == Sort::Text
    }
    /// Whether it is an object (no array).
    fn is_object(&self, value: Payload) -> bool {
        self.sort(value) == Sort::Object
    }
    /// Keeps a text; no payload for anything else.
    fn keep_text(&self, value: Payload) -> Payload {
        if self.is_text(value) { self.keep(value) } else { Payload::NONE }
    }
}

/// A time in ms that may be missing, as it came. What lies beyond any calendar, as `Infinity` does, is never.
#[must_use]
pub fn time(ms: f64) -> Option<u64> {
    (ms > 0.0 && ms < 1e16).then_some(ms as u64)
}

/// The sorts of values that a codec tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sort {
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

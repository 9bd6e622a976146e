//! Ids, represented by small numbers.
//!
//! The host gives each text one number and stores the text; the machine compares numbers. Any string is an id,
//! including the empty one. Texts are never copied.

use core::num::NonZeroU32;

use crate::prelude::*;

/// The id of a message, a call, an approval or a tool, by the host's number for its text.
///
/// The number is never 0, so that an `Option<Id>` has the same size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(NonZeroU32);

impl Id {
    /// The id whose text has this index in the host's list.
    #[must_use]
    pub const fn at(place: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(place))
    }

    /// The index of its text in the host's list.
    #[must_use]
    pub const fn place(self) -> u32 {
        self.number() - 1
    }

    /// Decodes an optional id from JavaScript: 0 means none.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    /// Encodes the id for JavaScript: the index plus one.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0.get()
    }
}

impl Default for Id {
    fn default() -> Self {
        Self::at(0)
    }
}

/// Identifies a call within the chat: the n-th call that the transcript ever had.
///
/// A call's id is set by its backend and may repeat (local model servers write `call_0` in every reply). Its key never
/// repeats, so the machine identifies calls by their keys. Keys increase in transcript order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CallKey(pub u32);

impl CallKey {
    /// Stands for a call that was removed. No call has this key.
    pub(super) const GONE: Self = Self((1 << 30) - 1);
}

/// A map from ids to values.
#[derive(Clone, Debug)]
pub struct IdMap<T>(Vec<Option<T>>);

impl<T> Default for IdMap<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> IdMap<T> {
    /// The value of this id.
    #[must_use]
    pub fn get(&self, id: Id) -> Option<T> {
        self.0.get(id.place() as usize).copied().flatten()
    }

    /// Sets or removes the value of this id.
    pub fn set(&mut self, id: Id, value: Option<T>) {
        let place = id.place() as usize;
        if place >= self.0.len() {
            if value.is_none() {
                return;
            }
            self.0.grow(place + 1, None);
        }
        self.0[place] = value;
    }

    /// All entries, ordered by the ids' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Id, T)> {
        self.0.iter().enumerate().filter_map(|(place, value)| Some((Id::at(u32::try_from(place).ok()?), (*value)?)))
    }
}

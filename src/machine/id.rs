//! Ids as small numbers.
//!
//! The host keeps the texts: it gives each text one number, and the machine compares numbers. Any text
//! is an id, the empty one too, and none of them is ever copied.

use core::num::NonZeroU32;

use crate::prelude::*;

/// The id of a message, a call, an approval or a tool, by the host's number for its text.
///
/// The number is never 0, so an optional id is one word too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(NonZeroU32);

impl Id {
    /// The id whose text is at this place of the host's list.
    #[must_use]
    pub const fn at(place: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(place))
    }

    /// The place of its text.
    #[must_use]
    pub const fn place(self) -> u32 {
        self.number() - 1
    }

    /// Decodes an optional id: 0 is none.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    /// The number of an id where 0 means none: the place, counted from 1.
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

/// Which call of the chat: the n-th that was ever introduced.
///
/// A call's id is what its backend wrote, and may come again (local model servers write `call_0` in every reply). Its key
/// never does: inside the machine, keys say which call is meant. Keys grow in transcript order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CallKey(pub u32);

impl CallKey {
    /// The key of a call that is gone: no call has it.
    pub(super) const GONE: Self = Self((1 << 30) - 1);
}

/// A value for each of some ids.
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
            self.0.resize(place + 1, None);
        }
        self.0[place] = value;
    }

    /// All values, ordered by the numbers of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (Id, T)> {
        self.0.iter().enumerate().filter_map(|(place, value)| Some((Id::at(u32::try_from(place).ok()?), (*value)?)))
    }
}

//! Ids as small numbers.
//!
//! The host keeps the texts: it gives each text one number, and the machine compares numbers. Any text
//! is an id, the empty one too, and none of them is ever copied.

use core::num::NonZeroU32;

use crate::prelude::*;

/// The id of a message, a call, an approval or a tool, by the host's number for its text.
///
/// The number is never 0, so an id that may be missing is one word too: much of the core is about such ids.
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

    /// The id of a number as it crosses where there may be none: 0 for none.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    /// The number that crosses: the place, counted from 1.
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

/// Something for each of some ids.
#[derive(Clone, Debug)]
pub struct ById<T>(Vec<Option<T>>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> ById<T> {
    /// What is there for this id.
    #[must_use]
    pub fn get(&self, id: Id) -> Option<T> {
        self.0.get(id.place() as usize).copied().flatten()
    }

    /// Puts something there, or takes it away.
    pub fn set(&mut self, id: Id, value: Option<T>) {
        let place = id.place() as usize;
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        self.0[place] = value;
    }

    /// Everything, in the order of the ids' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Id, T)> {
        self.0.iter().enumerate().filter_map(|(place, value)| Some((Id::at(u32::try_from(place).ok()?), (*value)?)))
    }
}

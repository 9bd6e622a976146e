//! Ids as small numbers.
//!
//! The host keeps the texts: it gives each text one number, and the machine compares numbers. Any text
//! is an id, the empty one too, and none of them is ever copied.

use crate::prelude::*;

/// The id of a message, a call, an approval or a tool, by the host's number for its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Id(pub u32);

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
        self.0.get(id.0 as usize).copied().flatten()
    }

    /// Puts something there, or takes it away.
    pub fn set(&mut self, id: Id, value: Option<T>) {
        let place = id.0 as usize;
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        self.0[place] = value;
    }

    /// Everything, in the order of the ids' numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Id, T)> {
        self.0.iter().enumerate().filter_map(|(place, value)| Some((Id(u32::try_from(place).ok()?), (*value)?)))
    }
}

//! Ids as small numbers.
//!
//! Any text is an id, the empty one too. Each text is kept once, and everything else refers to it by
//! its number: copying an id is copying a number, and a lookup by id is a lookup by index.

use std::collections::HashMap;
use std::rc::Rc;

/// The id of a message, a call, an approval or a tool, as a number of the machine that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u32);

/// The texts behind the ids.
#[derive(Clone, Default, Debug)]
pub struct Ids {
    texts: Vec<Rc<str>>,
    places: HashMap<Rc<str>, u32>,
}

impl Ids {
    /// The id of this text; it is made if there is none yet.
    pub fn make(&mut self, text: &str) -> Id {
        if let Some(id) = self.find(text) {
            return id;
        }
        let shared: Rc<str> = text.into();
        let place = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.places.insert(shared.clone(), place);
        self.texts.push(shared);
        Id(place)
    }

    /// The id of this text, if there is one: a text that was never an id does not become one by being
    /// looked for.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Id> {
        self.places.get(text).map(|&place| Id(place))
    }

    /// All texts, in the order of their ids.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// The text of an id.
    #[must_use]
    pub fn text(&self, id: Id) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
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

    /// Everything, in the order in which the ids were made.
    pub fn iter(&self) -> impl Iterator<Item = (Id, T)> {
        self.0.iter().enumerate().filter_map(|(place, value)| Some((Id(u32::try_from(place).ok()?), (*value)?)))
    }
}

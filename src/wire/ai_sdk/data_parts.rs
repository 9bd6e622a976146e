//! The data parts of the message being streamed, found by type and id: a later chunk updates an earlier part.

use super::Kind;
use crate::machine::{Id, IdMap, Machine, Part, PartPos, Payload};
use crate::prelude::*;
use crate::wire::{Name, Values};

/// A data part: its type, its position, and the previous part with the same id.
#[derive(Clone, Copy, Debug)]
struct DataPart {
    kind: Id,
    /// Its index in the message.
    part: usize,
    before: Option<usize>,
}

/// The data parts of one message.
#[derive(Clone, Default, Debug)]
pub(super) struct DataParts {
    /// The message, and how many of its parts are indexed.
    message: Option<Id>,
    seen: usize,
    parts: Vec<DataPart>,
    /// The newest part with each id.
    newest: IdMap<usize>,
}

impl DataParts {
    /// The data part that this chunk updates, and its value: the part with the same type and id.
    pub fn find<V: Values>(
        &mut self,
        machine: &Machine,
        values: &V,
        message: usize,
        chunk: Payload,
    ) -> Option<(PartPos, Payload)> {
        let (kind, id) = (values.id(chunk, Name::Type)?, values.id(chunk, Name::Id)?);
        self.look(machine, values, message);
        let mut next = self.newest.get(id);
        while let Some(part) = next.and_then(|place| self.parts.get(place)) {
            if part.kind == kind {
                let at = PartPos { message, part: part.part };
                let (of, value) = machine.transcript().content(at).unwrap_or((Kind::Other as u8, Payload::NONE));
                let named = (values.id(value, Name::Type), values.id(value, Name::Id));
                if of == Kind::Data as u8 && named == (Some(kind), Some(id)) {
                    return Some((at, value));
                }
                // A step was reset, and another part is at this position: rebuild the index.
                *self = Self::default();
                return self.find(machine, values, message, chunk);
            }
            next = part.before;
        }
        None
    }

    /// Indexes the parts that were added since the last call.
    fn look<V: Values>(&mut self, machine: &Machine, values: &V, index: usize) {
        let Some(message) = machine.transcript().messages().get(index) else { return };
        if self.message != Some(message.id) || message.parts.len() < self.seen {
            *self = Self { message: Some(message.id), ..Self::default() };
        }
        for (part, value) in message.parts.iter().enumerate().skip(self.seen) {
            let Part::Content { kind, value } = value else { continue };
            let named = (values.id(*value, Name::Type), values.id(*value, Name::Id));
            if let (true, (Some(kind), Some(id))) = (*kind == Kind::Data as u8, named) {
                self.parts.push(DataPart { kind, part, before: self.newest.get(id) });
                self.newest.set(id, Some(self.parts.len() - 1));
            }
        }
        self.seen = message.parts.len();
    }

    /// Visits every id that the index holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.message.into_iter().for_each(&mut *each);
        self.newest.iter().for_each(|(id, _)| each(id));
        self.parts.iter().for_each(|part| each(part.kind));
    }
}

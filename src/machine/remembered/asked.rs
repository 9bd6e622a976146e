//! The calls of the current step that wait for the user, by the digest of their input.
//!
//! Remembering an answer answers the waiting calls with the same input too. With this index, a step of a thousand calls is
//! looked through once, and not with each answer.

use super::Digest;
use crate::machine::{CallKey, Id, IdMap, PartPos, Transcript};
use crate::prelude::*;

/// The waiting calls of some tools.
#[derive(Clone, Default, Debug)]
pub(in crate::machine) struct AskedIndex {
    /// The step that is meant.
    step: Option<PartPos>,
    tools: Vec<(Id, Asked)>,
}

/// The waiting calls of one tool: by digest the last entry, and by entry the one before it.
#[derive(Clone, Default, Debug)]
struct Asked {
    last: IdMap<usize>,
    entries: Vec<(CallKey, Option<usize>)>,
}

impl Asked {
    fn add(&mut self, digest: Id, call: CallKey) {
        self.entries.push((call, self.last.get(digest)));
        self.last.set(digest, Some(self.entries.len() - 1));
    }
}

impl AskedIndex {
    /// A request of this tool came. `digest`: that of its input, if it is known.
    pub fn add(&mut self, step: Option<PartPos>, tool: Id, call: CallKey, digest: Option<Id>) {
        if self.step != step {
            return;
        }
        let Some(place) = self.tools.iter().position(|(known, _)| *known == tool) else { return };
        match digest {
            Some(digest) => self.tools[place].1.add(digest, call),
            // It would be missing here: the next one who looks builds it anew.
            None => {
                self.tools.remove(place);
            }
        }
    }

    /// Every id that it holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        for (tool, asked) in &self.tools {
            each(*tool);
            asked.last.iter().for_each(|(digest, _)| each(digest));
        }
    }

    /// The calls of this tool, and this input, that wait for the user, in call order.
    pub fn find(&mut self, transcript: &Transcript, tool: Id, input: Id, digest: Digest) -> Vec<CallKey> {
        let step = transcript.step().next();
        if self.step != step {
            *self = Self { step, tools: Vec::new() };
        }
        let place = self.tools.iter().position(|(known, _)| *known == tool).unwrap_or_else(|| {
            let mut asked = Asked::default();
            for (_, part) in transcript.step_calls().filter(|(_, part)| part.is_pending() && part.name == tool) {
                if let Some(digest) = digest(part.input) {
                    asked.add(digest, part.key());
                }
            }
            self.tools.push((tool, asked));
            self.tools.len() - 1
        });
        let asked = &self.tools[place].1;
        let mut calls = Vec::new();
        let mut next = asked.last.get(input);
        while let Some(entry) = next {
            let (call, before) = asked.entries[entry];
            calls.push(call);
            next = before;
        }
        calls.reverse();
        calls
    }
}

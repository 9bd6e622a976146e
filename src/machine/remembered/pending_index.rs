//! The pending calls of the current step, by the digest of their input.
//!
//! Remembering a decision also decides the pending calls with the same input. The index avoids a search through the
//! whole step for each decision.

use super::Digest;
use crate::machine::{CallKey, Id, IdMap, PartPos, Transcript};
use crate::prelude::*;

/// The pending calls of the tools that were looked up.
#[derive(Clone, Default, Debug)]
pub(in crate::machine) struct PendingIndex {
    /// The first part of the indexed step.
    step: Option<PartPos>,
    tools: Vec<(Id, PendingCalls)>,
}

/// The pending calls of one tool: the last entry of each digest, and for each entry the previous one with its digest.
#[derive(Clone, Default, Debug)]
struct PendingCalls {
    last: IdMap<usize>,
    entries: Vec<(CallKey, Option<usize>)>,
}

impl PendingCalls {
    fn add(&mut self, digest: Id, call: CallKey) {
        self.entries.push((call, self.last.get(digest)));
        self.last.set(digest, Some(self.entries.len() - 1));
    }
}

impl PendingIndex {
    /// Adds a new approval request of this tool. `digest`: the digest of its input, if it is known.
    pub fn add(&mut self, step: Option<PartPos>, tool: Id, call: CallKey, digest: Option<Id>) {
        if self.step != step {
            return;
        }
        let Some(place) = self.tools.iter().position(|(indexed, _)| *indexed == tool) else { return };
        match digest {
            Some(digest) => self.tools[place].1.add(digest, call),
            // The index would lack this call, so the next `find` rebuilds it.
            None => {
                self.tools.remove(place);
            }
        }
    }

    /// The input of an indexed call changed: the next `find` rebuilds the index.
    pub fn outdate(&mut self) {
        self.step = None;
    }

    /// Visits every id that the index holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        for (tool, calls_of_tool) in &self.tools {
            each(*tool);
            calls_of_tool.last.iter().for_each(|(digest, _)| each(digest));
        }
    }

    /// The pending calls of this tool with this input, in call order.
    pub fn find(&mut self, transcript: &Transcript, tool: Id, input: Id, digest: Digest) -> Vec<CallKey> {
        let step = transcript.step().next();
        if self.step != step {
            *self = Self { step, tools: Vec::new() };
        }
        let place = self.tools.iter().position(|(indexed, _)| *indexed == tool).unwrap_or_else(|| {
            let mut calls_of_tool = PendingCalls::default();
            for (_, part) in transcript.step_calls().filter(|(_, part)| part.is_pending() && part.name == tool) {
                if let Some(digest) = digest(part.input) {
                    calls_of_tool.add(digest, part.key());
                }
            }
            self.tools.push((tool, calls_of_tool));
            self.tools.len() - 1
        });
        let calls_of_tool = &self.tools[place].1;
        let mut calls = Vec::new();
        let mut next = calls_of_tool.last.get(input);
        while let Some(entry) = next {
            let (call, previous) = calls_of_tool.entries[entry];
            calls.push(call);
            next = previous;
        }
        calls.reverse();
        calls
    }
}

//! The pending calls of the current step, by the digest of their input.
//!
//! Remembering a decision also decides the pending calls with the same input. The index avoids a search through the
//! whole step for each decision.

use super::Digest;
use crate::machine::{CallKey, Id, IdMap, PartPos, Transcript};
use crate::prelude::*;

/// The pending calls of a step, once any were looked up: the last entry of each digest, and for each entry the previous
/// one with its digest.
#[derive(Clone, Default, Debug)]
pub(in crate::machine) struct PendingIndex {
    /// The first part of the indexed step.
    step: Option<PartPos>,
    last: IdMap<usize>,
    entries: Vec<(CallKey, Option<usize>)>,
}

impl PendingIndex {
    /// Whether the index has the calls of this step, so that a new approval request must be added.
    pub fn covers(&self, step: Option<PartPos>) -> bool {
        self.step == step
    }

    /// Adds a pending call with this digest.
    pub fn add(&mut self, digest: Id, call: CallKey) {
        self.entries.push((call, self.last.get(digest)));
        self.last.set(digest, Some(self.entries.len() - 1));
    }

    /// The input of an indexed call changed: the next `find` rebuilds the index.
    pub fn outdate(&mut self) {
        self.step = None;
    }

    /// Visits every id that the index holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.last.iter().for_each(|(digest, _)| each(digest));
    }

    /// The pending calls with this input, the newest first.
    pub fn find(&mut self, transcript: &Transcript, input: Id, digest: Digest) -> Vec<CallKey> {
        let step = transcript.step().next();
        if !self.covers(step) {
            *self = Self { step, ..Self::default() };
            for (_, part) in transcript.step_calls().filter(|(_, part)| part.is_pending()) {
                if let Some(digest) = digest(part.input) {
                    self.add(digest, part.key());
                }
            }
        }
        let mut calls = Vec::new();
        let mut next = self.last.get(input);
        while let Some(entry) = next {
            let (call, previous) = self.entries[entry];
            calls.push(call);
            next = previous;
        }
        calls
    }
}

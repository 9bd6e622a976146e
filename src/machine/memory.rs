//! Decisions that the user wants remembered: they answer later calls too.
//!
//! A remembered decision is this client's own. It answers a request as it arrives, so the user is not
//! asked, and is delivered like any other. It acts once for each call, for no other input than it is
//! scoped to, and yields to a skip or an ended turn.

use super::machine::Machine;
use super::{At, Author, Cause, Id, Payload, Verdict};
use crate::prelude::*;

/// A decision that answers later calls too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its number.
    pub id: u32,
    /// The tool.
    pub tool: Id,
    /// The digest of the one input that it holds for; none: for every input of the tool.
    pub input: Option<Id>,
    /// The answer.
    pub approved: bool,
    /// Its reason.
    pub reason: Payload,
    /// The host carries it to other chats.
    pub always: bool,
    /// When it was made, in the host's milliseconds.
    pub decided_at: u64,
    /// From when on it holds no longer.
    pub expires_at: Option<u64>,
}

/// How the host tells two inputs apart: the id of an input's digest.
pub type Digest<'a> = &'a mut dyn FnMut(Payload) -> Option<Id>;

impl Machine {
    /// The remembered decisions that hold.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        let now = self.now;
        self.memories.iter().filter(move |memory| memory.expires_at.is_none_or(|end| end > now))
    }

    /// Every remembered decision, and the number of the latest.
    #[must_use]
    pub fn all_memories(&self) -> (&[Memory], u32) {
        (&self.memories, self.last_memory)
    }

    /// Remembers a decision, in place of an earlier one for the same. Its number is given here.
    pub fn add_memory(&mut self, mut memory: Memory) {
        self.memories.retain(|old| (old.tool, old.input) != (memory.tool, memory.input));
        self.last_memory += 1;
        memory.id = self.last_memory;
        self.memories.push(memory);
        self.touch();
    }

    /// Forgets a remembered decision. What it has answered stays answered.
    pub fn forget(&mut self, id: u32) {
        self.memories.retain(|memory| memory.id != id);
        self.touch();
    }

    /// Remembers the decision about an approval, and answers with it what is pending for the same.
    /// `this_input`: for this input only. Does nothing for an approval without a decision of the user.
    pub fn remember(&mut self, approval: Id, this_input: bool, always: bool, expires_at: Option<u64>, digest: Digest) {
        let Some(part) = self.approval_call(approval) else { return };
        let Some(decision) = part.decision().filter(|decision| decision.by == Author::User) else { return };
        // What was asked for is what the model wrote.
        let input = if this_input { digest(decision.original.unwrap_or(part.input)) } else { None };
        // An input without a digest is like no other.
        if this_input && input.is_none() {
            return;
        }
        let memory = Memory {
            id: 0,
            tool: part.name,
            input,
            approved: decision.approved,
            reason: decision.reason,
            always,
            decided_at: self.now,
            expires_at,
        };
        let call = part.call;
        self.add_memory(memory);
        let part = self.transcript.find(call).and_then(|at| self.transcript.tool_mut(at));
        if let Some(decision) = part.and_then(|part| part.approval.as_mut()?.decision.as_mut()) {
            decision.remember = Some(always);
        }
        for at in self.step_calls(&|_| true) {
            self.answer_as_before(at, digest);
        }
        self.advance();
    }

    /// Answers a request that was just asked, if the user had the answer remembered.
    pub fn recall(&mut self, at: At, digest: Digest) {
        self.answer_as_before(at, digest);
        // Elsewhere nothing leaves while the stream runs.
        if self.options.answering {
            self.advance();
        }
    }

    fn answer_as_before(&mut self, at: At, digest: Digest) {
        let Some(part) = self.transcript.tool(at).filter(|part| part.is_pending() && !part.recalled) else { return };
        let (tool, input) = (part.name, part.input);
        let mut known: Vec<&Memory> = self.memories().filter(|memory| memory.tool == tool).collect();
        if known.iter().any(|memory| memory.input.is_some()) {
            let this = digest(input);
            known.retain(|memory| memory.input.is_none() || memory.input == this);
        }
        // What was said of this very input goes before what was said of the tool.
        let found = known.iter().find(|memory| memory.input.is_some()).or(known.first());
        let Some((approved, reason)) = found.map(|memory| (memory.approved, memory.reason)) else { return };
        let cause = if approved { Cause::Approve } else { Cause::Deny };
        if !matches!(self.decide(at, cause, reason, Author::Remembered), Verdict::Go(_)) {
            return;
        }
        if let Some(part) = self.transcript.tool_mut(at) {
            part.recalled = true;
        }
        if !approved {
            self.apply_on_deny(reason.is_some());
        }
    }
}

//! Remembered decisions, and results that the host rewrites.

use super::{Core, events};
use crate::machine::{Id, Memory, Payload};
use crate::wire::{Values, time};

impl Core {
    /// Remembers the decision about the approval, for its input or for its tool. `expires_at`: 0 for never.
    pub fn remember(&mut self, approval: u32, this_input: bool, always: bool, expires_at: f64) {
        let host = &self.host;
        self.machine
            .remember(Id::at(approval), this_input, always, time(expires_at), &mut |input| Values::digest(host, input));
    }

    /// Takes over a decision that the host has kept. `digest`: of the one input it holds for, 0 and an id and 1.
    #[allow(clippy::too_many_arguments)] // an object would cost more than its numbers
    pub fn add_memory(
        &mut self,
        tool: u32,
        digest: u32,
        approved: bool,
        reason: u32,
        always: bool,
        decided_at: f64,
        expires_at: f64,
    ) {
        let reason = Values::keep(&self.host, Payload(reason));
        let (decided_at, expires_at) = (decided_at as u64, time(expires_at));
        let input = Id::of(digest);
        self.machine.add_memory(Memory {
            id: 0,
            tool: Id::at(tool),
            input,
            approved,
            reason,
            always,
            decided_at,
            expires_at,
        });
    }

    /// The remembered decisions that hold.
    pub fn remembered(&self) -> u32 {
        let list = Values::array(&self.host);
        for memory in self.machine.memories() {
            Values::push(&self.host, list, events::memory(&self.host, memory));
        }
        list.0
    }

    /// Forgets a remembered decision.
    pub fn forget(&mut self, id: u32) {
        self.machine.forget(id);
    }

    /// Whether results wait for what the host makes of them.
    pub fn is_writing(&self) -> bool {
        self.machine.is_writing()
    }

    /// What the host makes of a result.
    pub fn rewrite(&mut self, call: u32, text: u32) -> bool {
        let text = Values::keep(&self.host, Payload(text));
        self.machine.rewrite(Id::at(call), text)
    }
}

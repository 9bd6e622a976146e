//! Remembered decisions, and results that the host rewrites.

use super::{Core, events};
use crate::machine::{CallKey, Id, Payload, RememberedDecision};
use crate::wire::{Values, time};

impl Core {
    /// Remembers the decision on the approval, for its input only or for every call of its tool. `expires_at`: in ms
    /// since 1970, 0 for never.
    pub fn remember(&mut self, approval: u32, this_input: bool, always: bool, expires_at: f64, now: f64) {
        let (host, approval, expires_at) = (&self.host, Id::at(approval), time(expires_at));
        let digest = &mut |input| Values::digest(host, input);
        self.machine.remember(approval, this_input, always, expires_at, now as u64, digest);
    }

    /// Adds a decision that the host has stored. `digest`: the number of the digest of its only input, or 0 if it
    /// applies to every input.
    #[allow(clippy::too_many_arguments)] // passing an object would make the wasm file larger
    pub fn add_remembered(
        &mut self,
        tool: u32,
        digest: u32,
        approved: bool,
        reason: u32,
        always: bool,
        decided_at: f64,
        expires_at: f64,
    ) {
        let reason = Values::retain(&self.host, Payload(reason));
        let (decided_at, expires_at) = (decided_at as u64, time(expires_at));
        let input = Id::of(digest);
        self.machine.add_remembered(RememberedDecision {
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

    /// The remembered decisions that had not expired at the last tick.
    pub fn remembered(&self) -> u32 {
        let list = Values::array(&self.host);
        for decision in self.machine.remembered().all() {
            Values::push(&self.host, list, events::remembered(&self.host, decision));
        }
        list.0
    }

    /// Removes a remembered decision.
    pub fn forget(&mut self, id: u32) {
        self.machine.forget(id);
    }

    /// Whether results wait for the host to rewrite them.
    pub fn is_writing(&self) -> bool {
        self.machine.transcript().awaiting_rewrite() > 0
    }

    /// Sets the host's rewrite of the result of the call with this key. Returns `false` if that call awaits none.
    pub fn rewrite(&mut self, call: u32, text: u32) -> bool {
        let text = Values::retain(&self.host, Payload(text));
        self.machine.rewrite(CallKey(call), text)
    }
}

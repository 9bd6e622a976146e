//! What makes two machines the same from now on: for a checker that compares their states.
//!
//! The transcript, the items and the queue can be read off the machine, so a checker names calls and
//! messages there as it likes. This file has the rest.

use super::machine::Machine;
use super::reply::{PastReply, Reply};
use core::hash::{Hash, Hasher};

impl Machine {
    /// Adds to `state` what later behaviour depends on beside the transcript, the items and the queue.
    /// `name` gives an item a name that does not depend on how many items there were before it.
    ///
    /// Left out is what only tells (events, revisions, how many approvals are decided), the time, and
    /// the barrier's note of where to look first.
    pub fn hash_rest(&self, name: impl Fn(u32) -> u32, state: &mut impl Hasher) {
        // No `..`: a new field does not compile until it is decided whether it belongs here.
        #[rustfmt::skip]
        let Machine {
            reply, past, turn, hold, left, stopping, undecided, next_item, rule, memories, unwritten,
            options: _, transcript: _, items: _, queue: _,
            events: _, revision: _, queue_revision: _, decided: _, now: _, blocker: _, last_memory: _,
        } = self;
        (turn, hold, left, stopping, undecided, rule, unwritten).hash(state);
        for memory in memories {
            (memory.tool, memory.input, memory.approved, memory.reason, memory.expires_at).hash(state);
        }
        reply.as_ref().map(|reply| Reply { item: reply.item.map(&name), ..reply.clone() }).hash(state);
        // What ended well is told again only as long as nothing else was asked; what did not, in any case.
        let past = past.as_ref().filter(|past| !past.ending.completes_step() || past.next_item == *next_item);
        let past = past.map(|past| PastReply { item: past.item.map(&name), next_item: 0, ..past.clone() });
        past.hash(state);
    }

    /// Whether the reply that comes in tells again what stands in the transcript already: only then does
    /// the order of a step's calls matter.
    #[must_use]
    pub fn is_retelling(&self) -> bool {
        self.reply.as_ref().is_some_and(|reply| reply.replay.is_some())
    }
}

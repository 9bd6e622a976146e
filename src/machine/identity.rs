//! A hash of the machine's state, for a checker that looks for equal states.
//!
//! A checker can read the transcript, the items and the queue itself, and choose names for calls and messages. This
//! file hashes the rest.

use super::{CallKey, Exchange, LastReply, Machine};
use core::hash::{Hash, Hasher};

impl Machine {
    /// Hashes what affects later behaviour, except the options, the transcript, the items, the queue and the calls that
    /// were removed from the turn. `item` and `call` map an item and a call to numbers that don't depend on how many
    /// there were before.
    ///
    /// Not hashed: state that is only reported (events, revisions, how many approvals are decided), the time, and
    /// derived state.
    pub fn hash_rest(&self, item: &dyn Fn(u32) -> u32, call: &dyn Fn(CallKey) -> u32, state: &mut impl Hasher) {
        // No `..`: a new field does not compile until this function either hashes or ignores it.
        let Machine {
            exchange,
            turn,
            remembered,
            options: _,
            transcript: _,
            outbox: _,
            queue: _,
            events: _,
            exchange_revision: _,
        } = self;
        match exchange {
            Exchange::Idle => 0.hash(state),
            Exchange::InFlight { item: of, ending, stopping } => (1, item(*of), ending, stopping).hash(state),
            Exchange::Replying(reply) => {
                let mut reply = (**reply).clone();
                reply.item = reply.item.map(item);
                reply.repeated.iter_mut().for_each(|key| key.0 = call(*key));
                (2, reply).hash(state);
            }
            Exchange::Reconnecting { .. } => 3.hash(state),
        }
        (turn.ending(), turn.has_work(), turn.holds(), turn.skips_rest(), turn.broke_off(), turn.follows_cut())
            .hash(state);
        turn.last_reply().map(|last| LastReply { item: last.item.map(item), ..*last }).hash(state);
        for decision in remembered.all() {
            (decision.tool, decision.input, decision.approved, decision.reason, decision.expires_at).hash(state);
        }
    }

    /// Whether a second reading has not reached all known calls. The order of a step's calls then affects later
    /// behaviour.
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        let message = self.exchange.reply().and_then(|reply| self.transcript.messages().get(reply.message?));
        message.is_some_and(|message| message.calls().any(|part| part.reread.unread))
    }
}

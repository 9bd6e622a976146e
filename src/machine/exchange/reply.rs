//! The open reply, and the last one that ended.

use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, count, flag, option, variant};
use crate::machine::{CallKey, Ending};
use crate::prelude::*;

enumerated! {
    /// Where a reconnected stream starts.
    pub enum Reconnect {
        /// At the beginning of the reply: everything is replayed.
        Start,
        /// After the last event that arrived.
        Offset,
    }
}

/// Which request to the server an event answers, as far as the host says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// The outgoing item; `None` if the host does not say.
    pub request: Option<u32>,
    /// The attempt at the item; `None` for the last one.
    pub attempt: Option<u32>,
    /// Set if the event comes from a stream that the host reconnected to.
    pub reconnect: Option<Reconnect>,
}

/// How far a second reading of a reply has progressed. In a first reading nothing is known, and all fields are 0. Not
/// saved: a restored reply has ended.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Replay {
    /// The index of the part that is expected next, calls apart.
    pub cursor: usize,
    /// The number of known parts. Later ones were added by this reading.
    pub end: usize,
    /// How many steps have begun after the last known part that was repeated.
    pub pending: u32,
}

/// An open reply.
///
/// These rules hold for its flags (`tests/host/invariants.rs` checks them): a reply that is `hidden` has begun
/// its message; one with `content` is also `shown`; one that was `reopened` answers an item; and only one that
/// `is_earlier` still `may_answer`.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reply {
    /// The item that it answers; `None` if no request opened it.
    pub item: Option<u32>,
    /// The attempt that it answers.
    pub attempt: u32,
    /// Whether its events say which request they answer.
    pub labelled: bool,
    /// Whether an event that names no request reopened it after it broke off. The host may then never report its end.
    pub reopened: bool,
    /// The index of the message that it writes, once it has begun one.
    pub message: Option<usize>,
    /// How many parts the message had before this reply.
    pub base: usize,
    /// Whether its message is not shown yet, because the backend gave it no id and no visible content arrived.
    pub hidden: bool,
    /// Whether any content arrived.
    pub content: bool,
    /// Whether any visible content arrived.
    pub shown: bool,
    /// The ending that an event announced.
    pub ending: Option<Ending>,
    /// Whether the user stopped it, and it has not ended yet.
    pub stopping: bool,
    /// Whether `cancel` was called while it was open. Approval requests that still arrive are cancelled, too.
    pub cancelled: bool,
    /// Whether it is a replay or the rest of the last reply.
    pub is_replay: bool,
    /// Set if it names a message that is no longer the last one. It may only settle calls of that message.
    pub superseded: Option<usize>,
    /// The progress of a second reading: of a replay, or after a load.
    pub replay: Replay,
    /// Whether the host reconnected to its stream.
    pub reconnected: bool,
    /// For the reply to a step: whether nothing new has arrived. While this is so, an event that opens a settled call
    /// of that step repeats the call.
    pub may_repeat: bool,
    /// Settled calls that the backend repeated.
    pub repeated: Vec<CallKey>,
    /// Whether it seems to replay the reply before an unacknowledged request. It then does not change the turn.
    pub is_earlier: bool,
    /// With `is_earlier`: whether no step or call of it has begun. A result of a call that the earlier reply left open
    /// would then show that it is the reply to the unacknowledged request.
    pub may_answer: bool,
    /// Whether it has a call with an invalid input, which the page answers.
    pub invalid: bool,
    /// For the rest of a turn in which no answer was sent: until when a queued message waits for its next event, in ms
    /// since 1970. 0: it is not such a rest.
    pub until: u64,
}

impl Reply {
    /// The index that stands for a removed message that a reply has named. No message has it.
    pub const NO_MESSAGE: usize = (1 << 30) - 1;

    /// Visits the fields, to save or restore them. A restored reply has ended, and a follower reads no events: what
    /// only later events need is not saved.
    #[rustfmt::skip]
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            item, attempt: _, labelled: _, reopened, message, base, hidden, content, shown, ending: _, stopping,
            cancelled, is_replay, superseded: _, replay: _, reconnected, may_repeat: _, repeated: _, is_earlier,
            may_answer: _, invalid, until,
        } = self;
        option(ledger, item, || 0, |ledger, item| ledger.number(item));
        option(ledger, message, || 0, count);
        count(ledger, base);
        for value in [
            reopened, hidden, content, shown, stopping, cancelled, is_replay, reconnected, is_earlier, invalid,
        ] {
            flag(ledger, value);
        }
        ledger.time(until);
    }
}

enumerated! {
    /// What was sent after the last reply.
    pub enum Followed {
        /// Nothing was sent.
        Not,
        /// A request to the server was sent.
        Sent,
        /// A request to the server could not be sent.
        Failed,
        /// A request to the server may not have arrived. The item and the ending are that request's; all other fields
        /// are those of the reply before it.
        Lost,
    }
}

/// The last reply that ended. It may be replayed or continued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LastReply {
    /// The item that it answered.
    pub item: Option<u32>,
    /// The index of the message that it wrote.
    pub message: Option<usize>,
    /// How many parts the message had before this reply.
    pub base: usize,
    /// How it ended.
    pub ending: Ending,
    /// What was sent after it.
    pub followed: Followed,
    /// Whether `cancel` was called while it was open.
    pub cancelled: bool,
}

impl LastReply {
    /// Whether it broke off.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        !self.ending.completes_step()
    }

    /// Whether the same reply may arrive again: always after a bad ending, otherwise until the next request.
    #[must_use]
    pub fn may_return(&self) -> bool {
        self.is_cut() || self.followed == Followed::Not
    }

    /// Whether the request after it was not acknowledged: it could not be sent, or may not have arrived.
    #[must_use]
    pub fn is_earlier(&self) -> bool {
        matches!(self.followed, Followed::Failed | Followed::Lost)
    }

    /// The message that the reply to `item` wrote; `None` if it wrote none, or if `item` is a later request, whose
    /// reply has not arrived ([`Followed::Lost`]).
    pub(in crate::machine) fn written(&self) -> Option<usize> {
        self.message.filter(|_| self.followed != Followed::Lost)
    }

    /// A reply with defaults for everything.
    pub(in crate::machine) const fn empty() -> Self {
        let ending = Ending::Disconnected;
        Self { item: None, message: None, base: 0, ending, followed: Followed::Not, cancelled: false }
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { item, message, base, ending, followed, cancelled } = self;
        option(ledger, item, || 0, |ledger, item| ledger.number(item));
        option(ledger, message, || 0, count);
        count(ledger, base);
        variant(ledger, ending, Ending::ALL);
        variant(ledger, followed, Followed::ALL);
        flag(ledger, cancelled);
    }
}

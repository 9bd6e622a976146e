//! The reply that is arriving, and the last one that ended.

use super::Ending;
use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, count, flag, key, list, option, variant};
use crate::machine::{CallKey, Id};
use crate::prelude::*;

enumerated! {
    /// What a stream that was reconnected to begins with.
    pub enum Reconnect {
        /// The whole reply from its start.
        Start,
        /// What follows after the last event that arrived.
        Offset,
    }
}

/// Which request an event answers, as far as its reader knows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// The outgoing item; none: the host does not say.
    pub request: Option<u32>,
    /// Which attempt of it; none: the last.
    pub attempt: Option<u32>,
    /// The event comes from a stream that the host reconnected to.
    pub reconnect: Option<Reconnect>,
}

/// How far a reply that is replayed has got.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Replay {
    /// The part of the message that is expected next.
    pub cursor: usize,
    /// The call that each id means until its next opening event.
    pub opened: Vec<Opened>,
}

/// A call that was opened again in a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Opened {
    /// Its id.
    pub id: Id,
    /// The call.
    pub call: CallKey,
    /// Its input was told to its end.
    pub complete: bool,
}

/// A reply that is arriving.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reply {
    /// The item it answers; none: no request asked for it.
    pub item: Option<u32>,
    /// The attempt it answers.
    pub attempt: u32,
    /// Its events say which request they answer.
    pub labelled: bool,
    /// An event of no known stream opened it again after it broke off: its host may have no stream to end.
    pub unasked: bool,
    /// The message it writes, once it has begun one.
    pub message: Option<usize>,
    /// How many parts that message had before.
    pub base: usize,
    /// The message is new with this reply.
    pub is_new: bool,
    /// Nothing of its message is shown yet: the backend gave it no id, and nothing came that a user can see.
    pub hidden: bool,
    /// Some content came.
    pub content: bool,
    /// Something came that a user can see.
    pub shown: bool,
    /// How it ends, if an event has said so.
    pub ending: Option<Ending>,
    /// The user stopped it, and its end has not come.
    pub stopping: bool,
    /// `cancel` was called while it arrived: requests that still come are cancelled too.
    pub cancelled: bool,
    /// It is the last reply again: no request was made in between.
    pub is_replay: bool,
    /// It names a message that is no longer the last one: it may only settle that message's calls.
    pub superseded: Option<usize>,
    /// While it repeats what is there already: how far it got.
    pub replay: Option<Replay>,
    /// The stream was reconnected to.
    pub reconnected: bool,
    /// Nothing new came yet, so an announcement of a settled call of the step that was submitted is a repetition.
    pub may_repeat: bool,
    /// Settled calls that were announced again.
    pub repeated: Vec<CallKey>,
    /// A request that was not acknowledged follows the reply that it seems to replay: it changes nothing of the turn.
    pub is_earlier: bool,
    /// No step of it began, so a result of a call that is open says that it answers that request after all.
    pub may_answer: bool,
}

impl Reply {
    /// The place of a message that a reply has named, and that is gone: no message is there.
    pub const NO_MESSAGE: usize = (1 << 30) - 1;

    /// Its fields, for saving and restoring.
    #[rustfmt::skip]
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            item, attempt, labelled, unasked, message, base, is_new, hidden, content, shown, ending, stopping, cancelled,
            is_replay, superseded, replay, reconnected, may_repeat, repeated, is_earlier, may_answer,
        } = self;
        option(ledger, item, || 0, |ledger, item| ledger.number(item));
        ledger.number(attempt);
        option(ledger, message, || 0, count);
        count(ledger, base);
        option(ledger, ending, || Ending::Finished, |ledger, ending| variant(ledger, ending, Ending::ALL));
        option(ledger, superseded, || 0, count);
        option(ledger, replay, Replay::default, |ledger, Replay { cursor, opened }| {
            count(ledger, cursor);
            list(ledger, opened, Opened::default, |ledger, Opened { id, call, complete }| {
                ledger.id(id);
                key(ledger, call);
                flag(ledger, complete);
            });
        });
        for value in [
            labelled, unasked, is_new, hidden, content, shown, stopping, cancelled, is_replay, reconnected, may_repeat,
            is_earlier, may_answer,
        ] {
            flag(ledger, value);
        }
        list(ledger, repeated, CallKey::default, key);
    }
}

enumerated! {
    /// What was sent after the last reply.
    pub enum Followed {
        /// Nothing.
        Not,
        /// A request.
        Sent,
        /// A request, which could not be sent.
        Failed,
        /// A request that may not have arrived. The reply's item and ending are that request's; the rest is the reply before it.
        Lost,
    }
}

/// The last reply that ended: it may be replayed or go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LastReply {
    /// The item it answered.
    pub item: Option<u32>,
    /// The message it wrote.
    pub message: Option<usize>,
    /// How many parts that message had before.
    pub base: usize,
    /// How it ended.
    pub ending: Ending,
    /// What was sent since.
    pub followed: Followed,
    /// `cancel` was called while it arrived.
    pub cancelled: bool,
}

impl LastReply {
    /// Whether the same reply may still come again: after a bad ending always, else as long as nothing was asked since.
    #[must_use]
    pub fn may_return(&self) -> bool {
        !self.ending.completes_step() || self.followed == Followed::Not
    }

    /// Whether a request followed it that was not acknowledged.
    #[must_use]
    pub fn is_earlier(&self) -> bool {
        matches!(self.followed, Followed::Failed | Followed::Lost)
    }

    /// The message that the reply to its item wrote.
    pub(in crate::machine) fn written(&self) -> Option<usize> {
        self.message.filter(|_| self.followed != Followed::Lost)
    }

    /// A reply of which nothing is known.
    pub(in crate::machine) const fn empty() -> Self {
        let ending = Ending::Disconnected;
        Self { item: None, message: None, base: 0, ending, followed: Followed::Not, cancelled: false }
    }

    /// Its fields, for saving and restoring.
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { item, message, base, ending, followed, cancelled } = self;
        option(ledger, item, || 0, |ledger, item| ledger.number(item));
        option(ledger, message, || 0, count);
        count(ledger, base);
        variant(ledger, ending, Ending::ALL);
        variant(ledger, followed, Followed::ALL);
        flag(ledger, cancelled);
    }
}

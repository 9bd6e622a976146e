//! What is known of the turn beside its messages.

use super::{Ending, Followed, Hold, Holds, LastReply};
use crate::machine::ledger::{Ledger, counter, flag, list, option, variant};
use crate::machine::{Id, OutcomeKind};
use crate::prelude::*;

/// What is known of the turn beside its messages.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Turn {
    ending: Option<Ending>,
    work: bool,
    holds: Holds,
    skips: bool,
    broke_off: bool,
    decided: u32,
    removed: Vec<Id>,
    last_reply: Option<LastReply>,
    follows_cut: bool,
    revision: u32,
}

impl Turn {
    /// How its last reply ended; none while one is awaited.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether a step was completed or a call settled.
    #[must_use]
    pub fn has_work(&self) -> bool {
        self.work
    }

    /// Why decisions are held.
    #[must_use]
    pub fn holds(&self) -> Holds {
        self.holds
    }

    /// Whether a denial has the other calls of its step skipped.
    #[must_use]
    pub fn skips_rest(&self) -> bool {
        self.skips
    }

    /// Whether the last reply broke off, and no request was sent since: what only its stream could settle does not hold the
    /// step any longer.
    #[must_use]
    pub fn broke_off(&self) -> bool {
        self.broke_off
    }

    /// How many approvals of the turn are decided.
    #[must_use]
    pub fn decided(&self) -> u32 {
        self.decided
    }

    /// The last reply that ended, while it may come again.
    #[must_use]
    pub fn last_reply(&self) -> Option<&LastReply> {
        self.last_reply.as_ref()
    }

    /// Whether the turn before ended with a reply that broke off, and none was written since: the rest of its stream may arrive.
    #[must_use]
    pub fn follows_cut(&self) -> bool {
        self.follows_cut && self.last_reply.as_ref().is_none_or(|last| last.message.is_none())
    }

    /// Whether the last reply broke off and was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let cut = |last: &LastReply| last.cancelled && last.written().is_some() && !last.ending.completes_step();
        self.last_reply.as_ref().is_some_and(cut)
    }

    /// The user cancels after the last reply broke off: what its stream still brings is cancelled too.
    pub(in crate::machine) fn cancel(&mut self) {
        let is_cut = |last: &&mut LastReply| last.written().is_some() && !last.ending.completes_step();
        if let Some(last) = self.last_reply.as_mut().filter(is_cut) {
            last.cancelled = true;
        }
    }

    /// How many calls with this id were removed from the turn.
    #[must_use]
    pub fn removed(&self, call: Id) -> u32 {
        u32::try_from(self.removed.iter().filter(|&&removed| removed == call).count()).unwrap_or(u32::MAX)
    }

    /// Grows with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// The user sent a message: another turn begins.
    pub(in crate::machine) fn begin(&mut self) {
        let follows_cut = self.last_reply.as_ref().is_some_and(|last| !last.ending.completes_step());
        *self = Self { revision: self.revision, follows_cut, ..Self::default() };
        self.touch();
    }

    /// The conversation was cut within the turn, or loaded: nothing of its course is known any more.
    pub(in crate::machine) fn forget_course(&mut self) {
        let (removed, revision) = (core::mem::take(&mut self.removed), self.revision);
        *self = Self { removed, revision, ..Self::default() };
        self.touch();
    }

    /// A request is about to be sent: the turn goes on.
    pub(in crate::machine) fn reopen(&mut self) {
        self.ending = None;
        self.touch();
    }

    /// The turn ended, so far.
    pub(in crate::machine) fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.touch();
    }

    /// A step was completed or a call settled.
    pub(in crate::machine) fn work(&mut self) {
        if !self.work {
            self.work = true;
            self.touch();
        }
    }

    /// A call settled in this way: closing one without an answer or a result is no work.
    pub(in crate::machine) fn settle(&mut self, kind: OutcomeKind) {
        if !kind.is_closed() {
            self.work();
        }
    }

    /// An approval was decided.
    pub(in crate::machine) fn decide(&mut self) {
        self.decided += 1;
        self.touch();
    }

    /// Sets or clears a reason to hold decisions.
    pub(in crate::machine) fn hold(&mut self, hold: Hold, holds: bool) {
        self.holds.set(hold, holds);
        self.touch();
    }

    /// The user resumes or decides.
    pub(in crate::machine) fn resume(&mut self) {
        self.holds.resume();
        self.touch();
    }

    /// The user's message, or a retry, takes the turn up again: nothing is held any longer.
    pub(in crate::machine) fn clear_holds(&mut self) {
        self.holds = Holds::default();
        self.skips = false;
        self.touch();
    }

    /// A denial has the other calls of its step skipped.
    pub(in crate::machine) fn skip_rest(&mut self) {
        self.skips = true;
    }

    /// Another step begins: its calls are asked about, unless the turn is ended.
    pub(in crate::machine) fn leave_step(&mut self) {
        self.skips &= self.holds.has(Hold::TurnEnded);
    }

    /// The last reply broke off, or what goes without the rest of it was sent.
    pub(in crate::machine) fn set_broke_off(&mut self, broke_off: bool) {
        self.broke_off = broke_off;
        self.touch();
    }

    /// Calls were removed from the turn.
    pub(in crate::machine) fn remove(&mut self, calls: Vec<Id>) {
        self.removed.extend(calls);
        self.touch();
    }

    /// A reply ended, or is expected to come again.
    pub(in crate::machine) fn set_last_reply(&mut self, reply: Option<LastReply>) {
        self.last_reply = reply;
        self.touch();
    }

    /// A request was sent. `only_if_complete`: an answer, which follows a reply only if that ended well.
    pub(in crate::machine) fn follow(&mut self, only_if_complete: bool) {
        if let Some(last) = &mut self.last_reply
            && (!only_if_complete || last.ending.completes_step())
            && last.followed != Followed::Lost
        {
            last.followed = Followed::Sent;
        }
    }

    /// The request that was sent last could not be sent.
    pub(in crate::machine) fn fail(&mut self) {
        self.end(Ending::Failed);
        if let Some(last) = self.last_reply.as_mut().filter(|last| last.followed == Followed::Sent) {
            last.followed = Followed::Failed;
        }
    }

    /// The request with this item may not have arrived. If a reply comes after all, it is this one's, and not what is left of an
    /// earlier one.
    pub(in crate::machine) fn lose(&mut self, item: u32, ending: Ending) {
        let before = self.last_reply.take().unwrap_or_else(LastReply::empty);
        self.set_last_reply(Some(LastReply { item: Some(item), ending, followed: Followed::Lost, ..before }));
    }

    /// Messages from `from` on moved by one place.
    pub(in crate::machine) fn shift(&mut self, from: usize) {
        if let Some(message) = self.last_reply.as_mut().and_then(|last| last.message.as_mut()) {
            *message += usize::from(*message >= from);
        }
    }

    /// The message at this place has that many parts left.
    pub(in crate::machine) fn cut(&mut self, message: usize, parts: usize) {
        if let Some(last) = self.last_reply.as_mut().filter(|last| last.message == Some(message)) {
            last.base = last.base.min(parts);
        }
    }

    /// The message at this place was removed: no reply goes on with it.
    pub(in crate::machine) fn forget_message(&mut self, removed: usize) {
        if self.last_reply.as_ref().and_then(|last| last.message).is_some_and(|message| message >= removed) {
            self.last_reply = None;
        }
    }

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.removed.iter().copied().for_each(each);
    }

    /// Its fields, for saving and restoring.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self { ending, work, holds, skips, broke_off, decided, removed, last_reply, follows_cut, revision } = self;
        option(ledger, ending, || Ending::Finished, |ledger, ending| variant(ledger, ending, Ending::ALL));
        flag(ledger, work);
        holds.ledger(ledger);
        flag(ledger, skips);
        flag(ledger, broke_off);
        counter(ledger, decided);
        list(ledger, removed, Id::default, |ledger, id| ledger.id(id));
        flag(ledger, follows_cut);
        option(ledger, last_reply, LastReply::empty, |ledger, reply| reply.ledger(ledger));
        if ledger.is_reading() {
            *revision = revision.wrapping_add(1);
        }
    }
}

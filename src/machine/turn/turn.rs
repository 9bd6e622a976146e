//! The state of the turn, besides its messages.

use super::{Ending, Hold, Holds};
use crate::machine::ledger::{Ledger, counter, flag, list, option, variant};
use crate::machine::{Followed, Id, LastReply, OutcomeKind};
use crate::prelude::*;

/// How many replies in a row with invalid inputs are answered without an act of the user.
const INVALID_REPLIES: u32 = 3;

/// The state of the turn, besides its messages.
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
    invalid: u32,
    revision: u32,
}

impl Turn {
    /// How its last reply ended; `None` while a reply is awaited.
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

    /// Whether the policy skips the other calls of the step, because one was denied.
    #[must_use]
    pub fn skips_rest(&self) -> bool {
        self.skips
    }

    /// Whether the last reply broke off and no request was sent since. Calls that only its stream could settle then no
    /// longer block the step.
    #[must_use]
    pub fn broke_off(&self) -> bool {
        self.broke_off
    }

    /// How many approvals of the turn are decided.
    #[must_use]
    pub fn decided(&self) -> u32 {
        self.decided
    }

    /// The last reply that ended, or that is expected. [`LastReply::may_return`] says whether it may arrive again.
    #[must_use]
    pub fn last_reply(&self) -> Option<&LastReply> {
        self.last_reply.as_ref()
    }

    /// Whether the previous turn ended with a reply that broke off, and no reply was written since. The rest of its
    /// stream may still arrive.
    #[must_use]
    pub fn follows_cut(&self) -> bool {
        self.follows_cut && self.last_reply.as_ref().is_none_or(|last| last.message.is_none())
    }

    /// Whether the last reply broke off and was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let cut = |last: &LastReply| last.cancelled && last.written().is_some() && last.is_cut();
        self.last_reply.as_ref().is_some_and(cut)
    }

    /// Records that the user cancelled after the last reply broke off. Approval requests that arrive with the rest of
    /// its stream are cancelled, too.
    pub(in crate::machine) fn cancel(&mut self) {
        let is_cut = |last: &&mut LastReply| last.written().is_some() && last.is_cut();
        if let Some(last) = self.last_reply.as_mut().filter(is_cut) {
            last.cancelled = true;
        }
    }

    /// How many calls with this id were removed from the turn.
    #[must_use]
    pub fn removed(&self, call: Id) -> u32 {
        u32::try_from(self.removed.iter().filter(|&&removed| removed == call).count()).unwrap_or(u32::MAX)
    }

    /// Counts replies in a row that have calls with invalid inputs. Returns whether this one is beyond the limit.
    pub(in crate::machine) fn is_over_limit(&mut self, is_invalid: bool) -> bool {
        self.invalid = if is_invalid { self.invalid + 1 } else { 0 };
        self.invalid > INVALID_REPLIES
    }

    /// Increases with every change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    /// Starts a new turn, with a user message.
    pub(in crate::machine) fn begin(&mut self) {
        let follows_cut = self.last_reply.as_ref().is_some_and(LastReply::is_cut);
        *self = Self { revision: self.revision, follows_cut, ..Self::default() };
        self.touch();
    }

    /// Forgets how the turn went, except for the last reply, because messages were removed or a history was loaded.
    pub(in crate::machine) fn forget_course(&mut self) {
        let (removed, revision, last_reply) = (core::mem::take(&mut self.removed), self.revision, self.last_reply);
        *self = Self { removed, revision, last_reply, ..Self::default() };
        self.touch();
    }

    /// Continues the turn, because a request to the server is about to be sent.
    pub(in crate::machine) fn reopen(&mut self) {
        self.ending = None;
        self.touch();
    }

    /// Sets how the turn ended. A later request may continue it.
    pub(in crate::machine) fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.touch();
    }

    /// Records that a step was completed or a call settled.
    pub(in crate::machine) fn work(&mut self) {
        if !self.work {
            self.work = true;
            self.touch();
        }
    }

    /// Records that a call settled. A cancelled or interrupted call does not count as work.
    pub(in crate::machine) fn settle(&mut self, kind: OutcomeKind) {
        if !kind.is_closed() {
            self.work();
        }
    }

    /// Counts a decided approval.
    pub(in crate::machine) fn decide(&mut self) {
        self.decided += 1;
        self.invalid = 0;
        self.touch();
    }

    /// Counts an approval as undecided again, because its decision is void.
    pub(in crate::machine) fn undo_decision(&mut self) {
        self.decided = self.decided.saturating_sub(1);
        self.touch();
    }

    /// Ends the policy for the other calls of the step, because no denial applies any more.
    pub(in crate::machine) fn lift_skips(&mut self) {
        self.skips = false;
        self.hold(Hold::TurnEnded, false);
    }

    /// Adds or removes a reason to hold decisions.
    pub(in crate::machine) fn hold(&mut self, hold: Hold, holds: bool) {
        self.holds.set(hold, holds);
        self.touch();
    }

    /// Removes the holds [`Hold::Stopped`] and [`Hold::BadEnding`], so that decisions may be sent again.
    pub(in crate::machine) fn resume(&mut self) {
        self.holds.resume();
        self.invalid = 0;
        self.touch();
    }

    /// Removes all holds, because a user message or a retry continues the turn.
    pub(in crate::machine) fn clear_holds(&mut self) {
        self.holds = Holds::default();
        self.skips = false;
        self.touch();
    }

    /// Makes the policy skip the other calls of the step.
    pub(in crate::machine) fn skip_rest(&mut self) {
        self.skips = true;
    }

    /// Starts a new step, whose calls are not skipped unless the turn has ended.
    pub(in crate::machine) fn leave_step(&mut self) {
        self.skips &= self.holds.has(Hold::TurnEnded);
    }

    /// Sets whether the last reply broke off. A new request resets this: then nothing waits for the rest of that reply.
    pub(in crate::machine) fn set_broke_off(&mut self, broke_off: bool) {
        self.broke_off = broke_off;
        self.touch();
    }

    /// Counts calls that were removed from the turn.
    pub(in crate::machine) fn remove(&mut self, calls: Vec<Id>) {
        self.removed.extend(calls);
        self.touch();
    }

    /// Sets the last reply: it ended, or is expected again.
    pub(in crate::machine) fn set_last_reply(&mut self, reply: Option<LastReply>) {
        self.last_reply = reply;
        self.touch();
    }

    /// Records that a request was sent after the last reply. With `only_if_complete`, which is set for answers, does so
    /// only if that reply ended well. A lost request stays recorded.
    pub(in crate::machine) fn follow(&mut self, only_if_complete: bool) {
        if let Some(last) = &mut self.last_reply
            && (!only_if_complete || !last.is_cut())
            && last.followed != Followed::Lost
        {
            last.followed = Followed::Sent;
        }
    }

    /// Records that the last request could not be sent.
    pub(in crate::machine) fn fail(&mut self) {
        self.end(Ending::Failed);
        if let Some(last) = self.last_reply.as_mut().filter(|last| last.followed == Followed::Sent) {
            last.followed = Followed::Failed;
        }
    }

    /// Records that the request with this item may not have arrived. A reply that arrives later belongs to this item,
    /// and not to an earlier reply. If the request was a retry, the reply to the next one still repeats the reply that
    /// broke off.
    pub(in crate::machine) fn lose(&mut self, item: u32, ending: Ending) {
        let before = self.last_reply.take().unwrap_or_else(LastReply::empty);
        let was_retry = before.item == Some(item) && before.followed == Followed::Sent && before.is_cut();
        let followed = if was_retry { before.followed } else { Followed::Lost };
        self.set_last_reply(Some(LastReply { item: Some(item), ending, followed, ..before }));
    }

    /// Increments the message indices from `from` on.
    pub(in crate::machine) fn shift(&mut self, from: usize) {
        if let Some(message) = self.last_reply.as_mut().and_then(|last| last.message.as_mut()) {
            *message += usize::from(*message >= from);
        }
    }

    /// Adapts to a message that was cut to this number of parts.
    pub(in crate::machine) fn cut(&mut self, message: usize, parts: usize) {
        if let Some(last) = self.last_reply.as_mut().filter(|last| last.message == Some(message)) {
            last.base = last.base.min(parts);
        }
    }

    /// Forgets the last reply if its message was removed, because no reply can continue that message.
    pub(in crate::machine) fn forget_message(&mut self, removed: usize) {
        if self.last_reply.as_ref().and_then(|last| last.message).is_some_and(|message| message >= removed) {
            self.last_reply = None;
        }
    }

    /// Visits every id that the turn holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.removed.iter().copied().for_each(each);
    }

    /// Visits the fields, to save or restore them.
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            ending,
            work,
            holds,
            skips,
            broke_off,
            decided,
            removed,
            last_reply,
            follows_cut,
            invalid,
            revision,
        } = self;
        option(ledger, ending, || Ending::Finished, |ledger, ending| variant(ledger, ending, Ending::ALL));
        flag(ledger, work);
        holds.ledger(ledger);
        flag(ledger, skips);
        flag(ledger, broke_off);
        counter(ledger, decided);
        list(ledger, removed, Id::default, |ledger, id| ledger.id(id));
        flag(ledger, follows_cut);
        counter(ledger, invalid);
        option(ledger, last_reply, LastReply::empty, |ledger, reply| reply.ledger(ledger));
        if ledger.is_reading() {
            *revision = revision.wrapping_add(1);
        }
    }
}

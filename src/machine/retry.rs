//! The ways in which an item is sent a second time: the user wants it, or a message of the user counts as its retry.

use super::{
    Carried, Code, DecidedBy, Delivery, Exchange, Hold, Input, Item, ItemInput, ItemState, Kind, Machine, PartPos,
    Payload, Phase, Refusal, RefusalReason, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Puts a failed, unconfirmed or stalled item on the list again.
    ///
    /// # Errors
    /// `unknown-outgoing` for a number that was never listed, `busy` for one that needs no retry or
    /// while another item is under way, `approval-pending` while one of its calls is asked about again, `repeat-unsafe` for
    /// an answer that the backend could take for one to a newer request.
    pub fn retry(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item(id).filter(|item| item.state().is_undelivered()) else {
            return Err(Refusal::new(Code::Busy, RefusalReason::NotUndelivered));
        };
        if !item.is_answer() && (self.outbox.active().is_some() || self.exchange != Exchange::Idle) {
            return Err(Refusal::new(Code::Busy, RefusalReason::UnderWay));
        }
        // A step is never sent while the user is asked about it.
        if let Some(part) = self.asked_again(item) {
            return Err(Refusal::new(Code::ApprovalPending, RefusalReason::OutputUnasked).about(part));
        }
        if item.repeat_unsafe {
            return Err(Refusal::new(Code::RepeatUnsafe, RefusalReason::UnsafeRetry));
        }
        // No server would execute now what is gone, or what a later step superseded before it was ever sent.
        if !item.carried.iter().all(|carried| self.can_be_sent(item, carried)) {
            self.give_up(id, Input::Interrupt, Payload::NONE);
            self.advance();
            return Ok(());
        }
        self.send_again(id);
        Ok(())
    }

    /// Makes an item ready once more.
    pub(super) fn send_again(&mut self, id: u32) {
        let Some(item) = self.item(id) else { return };
        let (is_answer, goes_on) = (item.is_answer(), item.is_answer() && self.goes_on_after(item));
        self.outbox.change(id, |item| {
            item.attempt += 1;
            item.goes_on = goes_on;
        });
        if !is_answer {
            self.close_partial_reply(id);
            // The user takes the turn up again.
            let denials = self.turn.holds().has(Hold::DenialsOnly);
            self.turn.clear_holds();
            self.turn.hold(Hold::DenialsOnly, denials);
            self.turn.set_broke_off(false);
            self.turn.reopen();
        }
        self.move_item(id, ItemInput::Retry);
    }

    fn can_be_sent(&self, item: &Item, carried: &Carried) -> bool {
        let Some(at) = self.transcript.place(carried.call) else { return false };
        let Some(part) = self.transcript.tool(at) else { return false };
        let waits = part.phase() == Phase::Submitted;
        // A call that was asked again has an answer that is not this item's.
        self.is_own_approval(carried)
            && !part.is_undelivered()
            && (!waits || item.body.is_some() || self.transcript.is_in_step(at))
    }

    /// Whether the approval that an item carries is still its call's: another call may be asked about under its id by now.
    fn is_own_approval(&self, carried: &Carried) -> bool {
        let owner = |approval| self.transcript.approval(approval).map(super::ApprovalOwner::key);
        carried.approval.is_none_or(|approval| owner(approval) == Some(carried.call))
    }

    /// Items that have nothing left to carry are done: there is nothing to send again.
    pub(super) fn settle_empty_items(&mut self) {
        for id in self.outbox.undelivered_numbers() {
            let Some(item) = self.item(id) else { continue };
            let carries = |carried: &Carried| {
                self.transcript.call(carried.call).is_some_and(|part| {
                    let decision = carried.approval.is_some() && part.delivery() == Delivery::In(id);
                    let denied = matches!(part.phase(), Phase::Denied | Phase::OutputDenied);
                    // A result of the page's own follows the approval.
                    let in_page = part.has_unsent_output() || part.output_in.is_some();
                    let owes = part.phase().owes_result() || denied || in_page || part.is_closed();
                    (decision && owes) || (carried.output && part.output_in == Some(id))
                })
            };
            let empty = !item.asks_anew() && !item.carried.iter().any(carries);
            if empty {
                self.move_item(id, ItemInput::Settles);
            }
        }
    }

    /// A retry asks for the whole reply again, so parts that the old reply left unfinished are closed.
    fn close_partial_reply(&mut self, id: u32) {
        let Some(item) = self.item(id) else { return };
        let carried: Vec<super::CallKey> = item.carried.iter().map(|carried| carried.call).collect();
        let mut left = self.transcript.open_turn_calls();
        for &at in &left {
            if !self.transcript.is_in_step(at) {
                self.apply(at, Input::ConfirmDenial);
            }
        }
        left.retain(|&at| self.transcript.tool(at).is_some_and(|part| !carried.contains(&part.key())));
        self.supersede_calls(left.clone());
        for at in left {
            if self.transcript.tool(at).is_some_and(|part| !part.is_with_provider()) {
                self.apply(at, Input::Interrupt);
                self.apply(at, Input::ConfirmDenial);
            }
        }
    }

    /// Gives an undelivered item up: what it carried may have run, and that will not be known.
    pub(super) fn give_up(&mut self, id: u32, input: Input, reason: Payload) {
        let Some(item) = self.item(id).cloned() else { return };
        // Closing its calls is no late settlement of it.
        self.move_item(id, ItemInput::GiveUp);
        for carried in &item.carried {
            let Some(at) = self.transcript.place(carried.call) else { continue };
            if self.transcript.tool(at).is_some_and(|part| part.phase() == Phase::Submitted) {
                self.close(at, input, reason);
            }
            let Some(part) = self.transcript.tool(at) else { continue };
            // A call that was asked again has a newer decision, which is not this item's.
            let same = part.approval.as_ref().map(|approval| approval.id) == carried.approval;
            if !same || part.delivery() != Delivery::In(id) || item.state() == ItemState::Stalled {
                continue;
            }
            // A denial that may not have arrived is sent with the next request; an answer only by a retry.
            let by_backend = part.decision().is_some_and(|decision| decision.by == DecidedBy::Backend);
            let denied = matches!(part.phase(), Phase::Denied | Phase::OutputDenied) && !by_backend;
            // What never arrived is asked there still.
            let open = self.options.answers_ahead() && item.state() == ItemState::Failed && part.is_closed();
            // Ahead of a message it was repeated once, and was lost again: it is not sent for ever.
            let own = self.is_own_approval(carried);
            // One that may have arrived, and could answer something newer, is not sent again under another name either.
            let unsafe_now = item.repeat_unsafe && item.state() == ItemState::Unconfirmed;
            let held = own && (denied || open) && !item.is_answer() && !item.repeated && !unsafe_now;
            self.transcript.update(at, &mut |part| part.deliver(if held { Delivery::Held } else { Delivery::None }));
        }
    }

    /// The user's message counts as the retry of answers that must arrive before it, once: if they approve nothing and
    /// carry no output, or if the backend ignores what it was sent before. Returns whether one is sent again.
    pub(super) fn repeat_for_message(&mut self) -> bool {
        let harmless = |item: &Item| {
            let runs = item.approves() || item.has_outputs();
            let lost = matches!(item.state(), ItemState::Failed | ItemState::Unconfirmed);
            let answers = item.messages.is_empty() && item.kind != Kind::Regenerate;
            lost && answers && !item.repeated && !item.repeat_unsafe && (!runs || self.options.repeats_ignored)
        };
        let meant = |item: &Item| harmless(item) && item.carried.iter().all(|carried| self.can_be_sent(item, carried));
        let ids: Vec<u32> = self.outbox.undelivered().filter(|item| meant(item)).map(|item| item.id).collect();
        for &id in &ids {
            self.outbox.change(id, |item| item.repeated = true);
            self.send_again(id);
            // Submissions go one at a time.
            if self.outbox.active().is_some() {
                break;
            }
        }
        !ids.is_empty()
    }

    /// Answers that must arrive before the user's message, and may not have.
    pub(super) fn has_lost_answers(&self) -> bool {
        let lost = |item: &Item| {
            let answers = item.messages.is_empty() && item.kind != Kind::Regenerate;
            answers && matches!(item.state(), ItemState::Failed | ItemState::Unconfirmed)
        };
        self.options.answers_first && self.outbox.undelivered().any(lost)
    }

    /// The places of these open calls, for callers that change them.
    pub(super) fn turn_places(&self, is_meant: &dyn Fn(PartPos, &ToolPart) -> bool) -> Vec<PartPos> {
        let mut places = self.transcript.open_turn_calls();
        places.retain(|&at| self.transcript.tool(at).is_some_and(|part| is_meant(at, part)));
        places
    }
}

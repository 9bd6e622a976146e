//! Sends an item again: because the user retries it, or because a user message counts as its retry.

use crate::machine::{
    ApprovalOwner, CallKey, Carried, Code, DecidedBy, Delivery, Exchange, Hold, Input, Item, ItemInput, ItemState,
    Machine, PartPos, Payload, Phase, Refusal, RefusalReason, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Makes a failed, unconfirmed or stalled item ready again.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number; `busy` if the item needs no retry or another item is under
    /// way; `approval-pending` while one of its calls has a new pending approval request; `repeat-unsafe` if the
    /// backend could apply the answer to a newer approval request.
    pub fn retry(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item(id).filter(|item| item.state().is_undelivered()) else {
            return Err(Refusal::new(Code::Busy, RefusalReason::NotUndelivered));
        };
        if !item.is_aside() && (self.outbox.active().is_some() || self.exchange != Exchange::Idle) {
            return Err(Refusal::new(Code::Busy, RefusalReason::UnderWay));
        }
        // A step with a pending approval is never sent.
        if let Some(part) = self.asked_again(item) {
            return Err(Refusal::new(Code::ApprovalPending, RefusalReason::OutputUnasked).about(part));
        }
        if item.repeat_unsafe {
            return Err(Refusal::new(Code::RepeatUnsafe, RefusalReason::UnsafeRetry));
        }
        // No server would execute a call that was removed, or that a later step followed before it was sent.
        if !item.carried.iter().all(|carried| self.can_be_sent(item, carried)) {
            self.give_up(id, Input::Interrupt, Payload::NONE);
            self.advance();
            return Ok(());
        }
        self.send_again(id);
        Ok(())
    }

    /// Makes an item ready for another attempt.
    pub(in crate::machine) fn send_again(&mut self, id: u32) {
        let Some(item) = self.item(id) else { return };
        let is_aside = item.is_aside();
        self.outbox.change(id, |item| item.attempt += 1);
        if !is_aside {
            self.close_partial_reply(id);
            // A retry continues the turn.
            let denials = self.turn.holds().has(Hold::DenialsOnly);
            self.turn.clear_holds();
            self.turn.hold(Hold::DenialsOnly, denials);
            self.turn.set_broke_off(false);
            self.turn.reopen();
        }
        self.move_item(id, ItemInput::Retry);
    }

    fn can_be_sent(&self, item: &Item, carried: &Carried) -> bool {
        let Some(at) = self.transcript.place(carried.call) else { return item.tool.is_some() };
        let Some(part) = self.transcript.tool(at) else { return false };
        let waits = part.phase() == Phase::Submitted;
        // If the call has a newer approval request, the decision in this item does not apply to that.
        self.is_own_approval(carried)
            && !part.is_undelivered()
            && (!waits || item.body.is_some() || self.transcript.is_in_step(at))
    }

    /// Whether the call still has the approval in the item. Another call may have the approval's id by now.
    fn is_own_approval(&self, carried: &Carried) -> bool {
        let owner = |approval| self.transcript.approval(approval).map(ApprovalOwner::key);
        carried.approval.is_none_or(|approval| owner(approval) == Some(carried.call))
    }

    /// Settles undelivered items whose contents are all delivered or obsolete, because nothing is left to send again.
    pub(in crate::machine) fn settle_empty_items(&mut self) {
        for &id in self.transcript.take_unchecked().as_slice() {
            let Some(item) = self.item(id).filter(|item| item.state().is_undelivered()) else { continue };
            let carries = |carried: &Carried| {
                self.transcript.call(carried.call).is_some_and(|part| {
                    let decision = carried.approval.is_some() && part.delivery() == Delivery::In(id);
                    let denied = part.phase().is_denied();
                    // The page's own result is sent after the approval.
                    let in_page = part.has_unsent_output() || part.output_in.is_some();
                    let owes = part.phase().owes_result() || denied || in_page || part.is_closed();
                    (decision && owes) || (carried.output && part.output_in == Some(id))
                })
            };
            let asks = item.asks_for_reply() || item.only_continues() || item.tool.is_some();
            let empty = !asks && !item.carried.iter().any(carries);
            if empty {
                self.move_item(id, ItemInput::CallsSettle);
            }
        }
    }

    /// A retry asks for the whole reply again, so parts that the old reply left unfinished are closed.
    fn close_partial_reply(&mut self, id: u32) {
        let Some(item) = self.item(id) else { return };
        let carried = item.calls();
        let mut left = self.transcript.open_turn_calls();
        for &at in &left {
            if !self.transcript.is_in_step(at) {
                self.apply(at, Input::ConfirmDenial);
            }
        }
        left.keep(|&at| self.transcript.tool(at).is_some_and(|part| !carried.contains(&part.key())));
        self.supersede_calls(&left);
        for at in left {
            if self.transcript.tool(at).is_some_and(|part| !part.is_with_provider()) {
                self.apply(at, Input::Interrupt);
                self.apply(at, Input::ConfirmDenial);
            }
        }
    }

    /// Gives up all undelivered items.
    pub(in crate::machine) fn give_up_all(&mut self, input: Input, reason: Payload) {
        for id in self.outbox.undelivered_numbers() {
            self.give_up(id, input, reason);
        }
    }

    /// Gives up an undelivered item. Its calls may have run, but their results will never be known.
    pub(in crate::machine) fn give_up(&mut self, id: u32, input: Input, reason: Payload) {
        let Some(item) = self.item(id) else { return };
        let (contents, state) = (item.carried.clone(), item.state());
        let may_have_arrived = state == ItemState::Unconfirmed;
        // What has not arrived can be repeated. An answer that may have arrived is sent again only by a retry, unless
        // the backend takes no message without it, and never if it could decide a newer approval request.
        let may_repeat = !may_have_arrived || (!item.is_aside() || self.options.answers_first) && !item.repeat_unsafe;
        // A request that its call does not show waits for an answer, too. It is refused, once.
        let is_refusal = contents.first().is_some_and(|carried| carried.call == CallKey::GONE);
        if item.tool.is_some() && state == ItemState::Failed && !is_refusal {
            self.move_item(id, ItemInput::Retry);
            return self.refuse_request(id);
        }
        // Remove the item first, so that closing its calls does not settle it.
        self.move_item(id, ItemInput::GiveUp);
        for carried in &contents {
            let Some(at) = self.transcript.place(carried.call) else { continue };
            if self.transcript.tool(at).is_some_and(|part| part.phase() == Phase::Submitted) {
                self.close(at, input, reason);
            }
            let Some(part) = self.transcript.tool(at) else { continue };
            // If the call has a newer approval request, the decision in this item does not apply to that.
            let same = part.approval_id() == carried.approval;
            if !same || part.delivery() != Delivery::In(id) || state == ItemState::Stalled {
                continue;
            }
            let is_sent_again = may_repeat && self.is_own_approval(carried) && self.is_sent_again(part);
            let delivery = if is_sent_again { Delivery::Held } else { Delivery::None };
            self.transcript.update(at, &mut |part| {
                part.set_delivery(delivery);
                part.given_up = true;
            });
        }
    }

    /// Whether the next request to the server contains this call's decision again, although the item with it was given
    /// up.
    fn is_sent_again(&self, part: &ToolPart) -> bool {
        // The message is sent without an answer that was lost in two items: otherwise it would never be sent.
        let ahead = self.options.answers_ahead();
        if ahead && part.given_up {
            return false;
        }
        // A denial may not have arrived, so it is sent with the next request to the server.
        let by_backend = part.decision().is_some_and(|decision| decision.by == DecidedBy::Backend);
        let denied = part.phase().is_denied() && !by_backend;
        // The backend may still wait for an answer to an approval that is given up: it is cancelled. If the approval
        // has arrived after all, a cancellation runs nothing.
        denied || ((ahead || self.options.answering) && part.is_closed())
    }

    /// Sends answers that must arrive before the user's message again, once: if they approve nothing and have no
    /// output, or if the backend ignores repeated answers. Returns whether any is sent again.
    pub(in crate::machine) fn repeat_for_message(&mut self) -> bool {
        let mut repeats = false;
        for id in self.outbox.undelivered_numbers() {
            if !self.item(id).is_some_and(|item| self.is_harmless(item)) {
                continue;
            }
            repeats = true;
            self.outbox.change(id, |item| item.repeated = true);
            self.send_again(id);
            // Only one submission may be active.
            if self.outbox.active().is_some() {
                break;
            }
        }
        repeats
    }

    fn is_harmless(&self, item: &Item) -> bool {
        let runs = item.approves() || item.has_outputs();
        is_lost_answer(item)
            && !item.repeated
            && !item.repeat_unsafe
            && !runs
            && item.carried.iter().all(|carried| self.can_be_sent(item, carried))
    }

    /// Whether answers that must arrive before the user's message may have been lost.
    #[inline(never)] // smaller than a copy in each caller
    pub(in crate::machine) fn has_lost_answers(&self) -> bool {
        self.options.answers_first && self.outbox.find_undelivered(&is_lost_answer).is_some()
    }

    /// The positions of the turn's open calls that match, collected because the callers change them.
    pub(in crate::machine) fn turn_places(&self, matches: &dyn Fn(PartPos, &ToolPart) -> bool) -> Vec<PartPos> {
        let mut places = self.transcript.open_turn_calls();
        places.keep(|&at| self.transcript.tool(at).is_some_and(|part| matches(at, part)));
        places
    }
}

/// Whether an item that has answers, and asks for no reply, may be lost.
fn is_lost_answer(item: &Item) -> bool {
    !item.asks_for_reply() && matches!(item.state(), ItemState::Failed | ItemState::Unconfirmed)
}

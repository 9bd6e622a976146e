//! The one way in which an item leaves a second time: the user wants it.

use super::delivery::Item;
use super::machine::Machine;
use super::{Cause, Code, DeliveryState, Id, Payload, Phase, Refusal, Why};

impl Machine {
    /// Puts a failed, unconfirmed or stalled item on the list again.
    ///
    /// # Errors
    /// `unknown-outgoing` for a number that was never listed, `busy` for one that needs no retry or
    /// while another item is on its way, `approval-pending` while one of its calls is asked about again.
    pub fn retry(&mut self, id: u32) -> Result<(), Refusal> {
        self.known(id)?;
        if !self.item(id).is_some_and(Item::is_undelivered) {
            return Err(Refusal::new(Code::Busy, Why::NotUndelivered));
        }
        let answers = self.item(id).is_some_and(Item::is_answer);
        if !answers && (self.active().is_some() || self.reply.is_some()) {
            return Err(Refusal::new(Code::Busy, Why::UnderWay));
        }
        // A step never leaves while the user is asked about it.
        let mut carried = self.item(id).into_iter().flat_map(|item| &item.calls);
        let asked = carried.find_map(|call| self.transcript.call(*call).filter(|part| part.is_pending()));
        if let Some(part) = asked {
            return Err(Refusal::new(Code::ApprovalPending, Why::OutputUnasked).about(part));
        }
        // No server would execute now what is gone, or what a later step has left behind before it was ever sent.
        if self.item(id).is_some_and(|item| !item.calls.iter().all(|call| self.can_be_sent(item, *call))) {
            self.give_up(id, Cause::Interrupt, Payload::NONE);
            self.advance();
            return Ok(());
        }
        let waits = self.options.answers_first && self.item(id).is_some_and(|item| item.goes_on(&self.options));
        if let Some(item) = self.item_mut(id) {
            item.attempt += 1;
            item.stalled = false;
            item.ended = answers && !waits;
        }
        if !answers {
            self.close_partial_reply(id);
            // The user takes the turn up again.
            self.hold = false;
            self.rule = None;
            self.turn.reopen();
        }
        self.move_item(id, DeliveryState::Ready);
        Ok(())
    }

    fn can_be_sent(&self, item: &Item, call: Id) -> bool {
        self.transcript.find(call).is_some_and(|at| {
            let part = self.transcript.tool(at);
            let waits = part.is_some_and(|part| part.phase == Phase::Submitted);
            // A call that was asked again has an answer that is not this item's.
            let newer = part.is_some_and(super::ToolPart::is_undelivered);
            !newer && (!waits || item.body.is_some() || self.is_in_step(at))
        })
    }

    /// What a reply that will be asked for anew has left half done is nobody's to finish.
    fn close_partial_reply(&mut self, id: u32) {
        let carried = self.item(id).map(|item| item.calls.clone()).unwrap_or_default();
        let mut left = self.turn_calls();
        for &at in &left {
            if !self.is_in_step(at) {
                self.apply(at, Cause::ConfirmDenial);
            }
        }
        left.retain(|&at| self.transcript.tool(at).is_some_and(|part| !carried.contains(&part.call)));
        self.close_behind(left.clone());
        for at in left {
            if self.transcript.tool(at).is_some_and(|part| !part.is_with_provider()) {
                self.apply(at, Cause::Interrupt);
                self.apply(at, Cause::ConfirmDenial);
            }
        }
    }
}

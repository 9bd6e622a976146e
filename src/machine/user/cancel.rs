//! The user cancels calls, stops the turn, and continues it.

use crate::machine::{
    Exchange, ExchangeInput, Hold, Id, Input, Item, Kind, Machine, PartPos, Payload, Phase, Refusal, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Cancels everything that is pending. Undecided calls and undelivered approvals settle as cancelled. Denials and
    /// outputs stay, and requests in flight are not changed.
    pub fn cancel(&mut self, reason: Payload) {
        // Stop waiting for rewrites now; the host may still rewrite results of calls that are cancelled below.
        self.stop_rewriting();
        self.asides_are_followed(true);
        if let Some(id) = self.outbox.ready_submission().filter(|item| item.kind == Kind::Step).map(|item| item.id) {
            self.take_back(id);
        }
        // A cancellation that was sent once, and may be lost, is not sent again automatically.
        let lost = self.outbox.find_undelivered(&Item::cancels).is_some();
        self.give_up_all(Input::Cancel, reason);
        let streaming = matches!(self.exchange, Exchange::Replying(_) | Exchange::Reconnecting { .. });
        let sent = streaming || self.outbox.active().is_some();
        let over = self.options.page_tools.rest
            && !streaming
            && self.turn.ending().is_none_or(|ending| ending.completes_step());
        let cancels = |part: &ToolPart| {
            let in_page = self.options.is_page_tool(part) || (over && !part.provider_executed);
            match part.phase() {
                phase if phase.is_revocable() => true,
                Phase::InputAvailable => in_page,
                // A request in flight is not changed: approved calls are cancelled only if no request is under way.
                Phase::Submitted if self.options.answering => self.options.is_page_tool(part),
                phase => phase == Phase::Submitted && !sent && !part.provider_executed,
            }
        };
        for at in self.turn_places(&|_, part| cancels(part)) {
            self.close_call(at, Input::Cancel, reason);
        }
        if self.exchange == Exchange::Idle {
            self.turn.cancel();
        }
        self.move_exchange(ExchangeInput::Cancel);
        self.settle_cancelled(lost);
    }

    /// Cancels the call of an approval that was given and is in no request yet. Other calls stay as they are, so other
    /// approvals are held as before. Nothing happens if the approval was sent, is undecided, or has no call.
    pub fn cancel_unsent(&mut self, approval: Id, reason: Payload) {
        let owns = |at: &PartPos| self.transcript.tool(*at).and_then(ToolPart::approval_id) == Some(approval);
        let Some(at) = self.unsent_approvals().find(owns) else { return };
        self.close_call(at, Input::Cancel, reason);
        self.settle_cancelled(false);
    }

    /// Gives up one undelivered item, as `cancel` does with all of them. Its approved calls are cancelled, and may have
    /// run.
    ///
    /// # Errors
    /// `unknown-outgoing` if no item ever had this number.
    pub fn cancel_item(&mut self, id: u32, reason: Payload) -> Result<(), Refusal> {
        self.known(id)?;
        let Some(item) = self.item(id).filter(|item| item.state().is_undelivered()) else { return Ok(()) };
        let lost = item.cancels();
        self.give_up(id, Input::Cancel, reason);
        self.settle_cancelled(lost);
        Ok(())
    }

    /// Sends what a cancellation leaves. Unsent denials and outputs are sent with the next message: cancelling sends
    /// nothing, except on protocols that report cancellations. `lost`: the cancellation was sent before, and may be
    /// lost. An approval that is still held is not released.
    fn settle_cancelled(&mut self, lost: bool) {
        let closed = self.transcript.unsent_calls().any(|(_, part)| part.is_closed());
        let reports_cancellation = self.options.cancel_answers && !lost && closed;
        self.turn.hold(Hold::DenialsOnly, !reports_cancellation && self.transcript.has_unsent());
        if reports_cancellation && self.unsent_approvals().next().is_none() {
            self.turn.resume();
        }
        self.advance();
    }

    /// Stops automatic sending: submissions that were not sent are withdrawn, and approvals stay pending. Approvals
    /// that were given before are held until `resume`, a retry or another approval; the next message closes them. The
    /// host must end the stream of an open request itself.
    pub fn stop(&mut self) {
        for id in self.outbox.ready_numbers() {
            if self.item(id).is_some_and(|item| item.tool.is_some() && item.approves()) {
                // The approval of its call was sent before, so nothing could release this one later.
                self.refuse_request(id);
            } else if self.item(id).is_some_and(|item| item.messages.is_empty()) {
                self.take_back(id);
            }
        }
        self.asides_are_followed(true);
        self.move_exchange(ExchangeInput::Stop);
        let open = self.exchange != Exchange::Idle;
        if !open || self.options.answering {
            self.hold_decisions(Hold::Stopped);
        }
        self.advance();
    }

    /// Releases decisions held by `stop` or by a stream that ended badly.
    ///
    /// Unless the protocol is an answering one, also continues a reply that reached a step limit.
    pub fn resume(&mut self) {
        let continues = self.is_paused();
        self.turn.resume();
        if continues {
            let message_id = self.transcript.last().map(|message| message.id);
            self.push_item(Kind::Step, &[], Vec::new(), message_id);
        }
        self.advance();
    }
}

//! Changes to the exchange without an event: a stream ends, the host reconnects or fails, the page is closed.

use crate::machine::{
    About, Ending, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, Hold, Item, ItemInput, ItemState,
    Machine, Phase, Reply, StreamEnd, exchange_transition,
};

/// How long decisions are held while the host reconnects, and messages for the rest of a reply, in milliseconds.
pub(in crate::machine) const RECONNECT_MS: u64 = 10_000;

impl Machine {
    /// A stream ended. Does nothing if another stream is being read, or if this end was reported before.
    pub fn stream_ended(&mut self, end: StreamEnd, about: About) {
        let finishes = matches!(end, StreamEnd::Finished | StreamEnd::StepLimit);
        // The stream of an answer ended without opening a reply.
        let of_aside = |item: &&Item| {
            let fits = about.attempt.is_none_or(|attempt| attempt == item.attempt);
            fits && item.is_aside() && self.exchange.item() != Some(item.id)
        };
        if let Some(item) = about.request.and_then(|id| self.item(id)).filter(of_aside) {
            let lost = item.state() == ItemState::InFlight && !finishes;
            self.move_item(item.id, if lost { ItemInput::IsLost } else { ItemInput::ReplyEnds });
            self.advance();
        }
        let reconnects = matches!(self.exchange, Exchange::Reconnecting { .. });
        let matches = about.request.is_none_or(|id| reconnects || self.is_ended(id, about.attempt));
        if !matches {
            return;
        }
        if self.exchange == Exchange::Idle {
            // The reply that followed the answers has ended without any event.
            self.asides_are_followed(false);
        }
        if let Exchange::InFlight { item, ending, .. } = self.exchange
            && finishes
        {
            // The backend received the submission, and its reply has no content.
            self.open_reply(Some(item), About::default());
            if let Some(reply) = self.exchange.reply_mut() {
                reply.ending = ending;
            }
        }
        let noted = self.exchange.reply().and_then(|reply| reply.ending);
        let ending = match noted.unwrap_or_else(|| end.into()) {
            // Both are true: the reply finished because of the step limit.
            Ending::Finished if end == StreamEnd::StepLimit => Ending::StepLimit,
            ending => ending,
        };
        let input = if finishes { ExchangeInput::StreamFinishes } else { ExchangeInput::StreamBreaks };
        self.move_exchange_as(input, Exchange::Idle, ending);
        self.advance();
    }

    /// Whether this stream belongs to the open reply or to the submission in flight.
    fn is_ended(&self, id: u32, attempt: Option<u32>) -> bool {
        self.exchange.item() == Some(id) && self.is_answered(id, attempt)
    }

    /// The host starts to reconnect. Decisions are accepted, and held until the first event, the stream's end, or a
    /// `tick` ten seconds after `now`.
    pub fn reconnecting(&mut self, about: About, now: u64) {
        if about.request.is_some_and(|id| self.exchange.item().is_some_and(|item| item != id)) {
            return;
        }
        let next = Exchange::Reconnecting { until: now.saturating_add(RECONNECT_MS) };
        self.move_exchange_as(ExchangeInput::Reconnect, next, Ending::Disconnected);
        self.advance();
    }

    /// Applies an input to the exchange that is not an event, and neither sends a submission nor reconnects.
    pub(in crate::machine) fn move_exchange(&mut self, input: ExchangeInput) {
        self.move_exchange_as(input, Exchange::Idle, Ending::Interrupted);
    }

    /// The host claims this submission.
    pub(in crate::machine) fn claim_in_exchange(&mut self, item: u32) {
        let next = Exchange::InFlight { item, ending: None, stopping: false };
        self.move_exchange_as(ExchangeInput::Claim, next, Ending::Disconnected);
    }

    /// The submission of the exchange could not be sent, or its connection was lost.
    pub(in crate::machine) fn fail_in_exchange(&mut self) {
        self.move_exchange_as(ExchangeInput::SendFails, Exchange::Idle, Ending::Disconnected);
    }

    /// Applies an input that is not an event. `next`: the new state, if the transition sends or waits for the host;
    /// other transitions do not use it. `ending`: the ending of the reply, if the transition ends one.
    fn move_exchange_as(&mut self, input: ExchangeInput, next: Exchange, ending: Ending) {
        match exchange_transition(self.exchange.state(), input) {
            ExchangeTransition::Send | ExchangeTransition::Wait => self.set_exchange(next),
            ExchangeTransition::EndAndSend | ExchangeTransition::EndAndWait => {
                self.end_reply(ending);
                self.set_exchange(next);
            }
            ExchangeTransition::End => self.end_reply(ending),
            ExchangeTransition::Lose => self.lose(ending),
            ExchangeTransition::Fail => self.fail(),
            ExchangeTransition::MarkStopped => self.mark_stopping(),
            ExchangeTransition::MarkCancelled => {
                if let Some(reply) = self.exchange.reply_mut() {
                    reply.cancelled = true;
                }
            }
            ExchangeTransition::LoseAndWait => {
                self.lose(ending);
                self.set_exchange(next);
            }
            ExchangeTransition::Return => self.set_exchange(Exchange::Idle),
            ExchangeTransition::Ignore => {}
            // Only events lead to these transitions. When the stream of a submission in flight finishes,
            // `stream_ended` has opened its reply already.
            ExchangeTransition::Open
            | ExchangeTransition::OpenUnrequested
            | ExchangeTransition::EndAndOpen
            | ExchangeTransition::Continue
            | ExchangeTransition::Outside
            | ExchangeTransition::Late
            | ExchangeTransition::NoteEnding => {}
        }
    }

    fn mark_stopping(&mut self) {
        match &mut self.exchange {
            Exchange::InFlight { stopping, .. } => *stopping = true,
            Exchange::Replying(reply) => reply.stopping = true,
            Exchange::Idle | Exchange::Reconnecting { .. } => {}
        }
    }

    /// The submission in flight becomes unconfirmed.
    fn lose(&mut self, ending: Ending) {
        if let Some(id) = self.exchange.item() {
            self.move_item(id, ItemInput::IsLost);
            self.turn.lose(id, ending);
        }
        self.set_exchange(Exchange::Idle);
        self.turn.end(ending);
        self.hold_decisions(Hold::BadEnding);
    }

    /// The submission in flight could not be sent.
    fn fail(&mut self) {
        if let Some(id) = self.exchange.item() {
            self.move_item(id, ItemInput::SendFails);
        }
        self.set_exchange(Exchange::Idle);
        self.turn.fail();
    }

    /// The host reports that the request of the open reply failed. An event that named no request opened the reply, so
    /// it may answer another request. The item becomes unconfirmed.
    pub(in crate::machine) fn lose_reply(&mut self) {
        let item = self.exchange.item();
        if let Some(id) = item {
            self.move_item(id, ItemInput::IsLost);
        }
        // The host no longer reads the stream, so the reply ends as if the stream had broken off.
        self.move_exchange_as(ExchangeInput::StreamBreaks, Exchange::Idle, Ending::Disconnected);
        self.advance();
    }

    /// The page was closed, and restored from a snapshot. Items that were in flight become unconfirmed, and so does a
    /// submission with an open reply: it may not have been processed completely. No reply to an answer that arrived is
    /// awaited, and an agent that asks during its reply continues without the page.
    pub(in crate::machine) fn reload(&mut self) {
        let goes_on = self.options.asks_in_reply();
        let arrived = |item: &Item| item.state() == ItemState::Replying && (goes_on || item.is_aside());
        for id in self.outbox.numbers(&arrived) {
            self.move_item(id, ItemInput::NoReplyExpected);
        }
        for id in self.outbox.numbers(&|item| item.state().is_under_way()) {
            self.move_item(id, ItemInput::Reload);
        }
        let open = self.exchange != Exchange::Idle;
        self.move_exchange_as(ExchangeInput::Reload, Exchange::Idle, Ending::Disconnected);
        if open {
            // Closing the page does not release decisions that were held for the stream.
            self.hold_decisions(Hold::BadEnding);
            if self.runs_approved_call() {
                self.await_rest();
            }
        }
    }

    /// Ends the reply that [`Self::reload`] awaits, if a loaded history has the results of its calls.
    pub(in crate::machine) fn end_awaited_rest(&mut self) {
        let is_unrequested = self.exchange.state() == ExchangeState::Unrequested;
        let is_new = |reply: &Reply| reply.message.is_none() && reply.superseded.is_none();
        if is_unrequested && self.exchange.reply().is_some_and(is_new) && !self.runs_approved_call() {
            self.end_reply(Ending::Disconnected);
        }
    }

    /// Whether an approval of the step was sent and may have arrived, and its call has no result.
    fn runs_approved_call(&self) -> bool {
        let mut calls = self.transcript.step_calls();
        self.failed_with_approvals().is_none() && calls.any(|(_, part)| part.phase() == Phase::Submitted)
    }
}

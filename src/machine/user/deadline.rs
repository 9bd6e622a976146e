//! Time limits: approvals and remembered decisions expire, and reconnecting to a stream ends.

use crate::machine::{
    DecidedBy, Ending, Exchange, ExchangeInput, ExchangeState, Input, Machine, PartPos, RECONNECT_MS, ToolPart,
};
use crate::prelude::*;

impl Machine {
    /// Sets the time. Approvals that are due expire, and are sent as denials with their own reason; remembered
    /// decisions that are due are forgotten. After the limit for reconnecting, decisions no longer wait for the lost
    /// stream. `now`: in ms since 1970.
    pub fn tick(&mut self, now: u64) {
        let expired: Vec<u32> =
            self.remembered.all().filter(|decision| !decision.holds(now)).map(|decision| decision.id).listed();
        expired.into_iter().for_each(|id| self.remembered.forget(id));
        if let Exchange::Reconnecting { until } = self.exchange
            && until <= now
        {
            self.move_exchange(ExchangeInput::TimeIsUp);
            self.advance();
        }
        if (1..=now).contains(&self.rest_limit()) {
            self.end_reply(Ending::Disconnected);
            self.advance();
        }
        if self.transcript.expiring() == 0 {
            return;
        }
        let is_due = |part: &ToolPart| deadline(part).is_some_and(|deadline| deadline <= now);
        let due = self.transcript.step_calls().filter(|(_, part)| is_due(part));
        let due: Vec<PartPos> = due.map(|(at, _)| at).listed();
        for &at in &due {
            self.decide(at, Input::Expire, self.options.expired, DecidedBy::Policy);
        }
        if !due.is_empty() {
            self.advance();
        }
    }

    /// An event arrived, and was read. `now`: in ms since 1970.
    pub fn heard(&mut self, now: u64) {
        if let Some(reply) = self.exchange.reply_mut().filter(|reply| reply.until > 0) {
            reply.until = now.saturating_add(RECONNECT_MS);
        }
    }

    /// Until when queued messages wait for the next event of the open reply, in ms since 1970. 0: no limit.
    fn rest_limit(&self) -> u64 {
        let is_limited = self.exchange.state() == ExchangeState::Unrequested && self.has_waiting_message();
        self.exchange.reply().filter(|_| is_limited).map_or(0, |reply| reply.until)
    }

    /// Loaded approvals without a known start time get their deadline from `now`.
    pub(in crate::machine) fn start_waiting(&mut self, now: u64) {
        let timeout = self.options.approval_timeout;
        let pending = self.transcript.step_calls().filter(|(_, part)| part.is_pending());
        let pending: Vec<PartPos> = pending.map(|(at, _)| at).listed();
        for at in pending {
            self.transcript.update(at, &mut |part| {
                let Some(approval) = part.approval.as_mut().filter(|approval| approval.requested_at == 0) else {
                    return;
                };
                approval.requested_at = now;
                approval.expires_at = approval.expires_at.or(timeout.map(|timeout| now.saturating_add(timeout)));
            });
        }
    }

    /// When `tick` must be called next, in ms since 1970; `None` if nothing is due.
    #[must_use]
    pub fn next_deadline(&self) -> Option<u64> {
        let reconnects = match self.exchange {
            Exchange::Reconnecting { until } => Some(until),
            Exchange::Replying(_) => Some(self.rest_limit()).filter(|&until| until > 0),
            Exchange::Idle | Exchange::InFlight { .. } => None,
        };
        let mut next = reconnects;
        let mut add = |time: Option<u64>| {
            if let Some(time) = time {
                next = Some(next.map_or(time, |next| next.min(time)));
            }
        };
        self.remembered.all().for_each(|decision| add(decision.expires_at));
        if self.transcript.expiring() > 0 {
            self.pending().for_each(|part| add(deadline(part)));
        }
        next
    }
}

/// When the call's approval expires, while it is pending.
fn deadline(part: &ToolPart) -> Option<u64> {
    part.approval.as_ref().filter(|_| part.is_pending())?.expires_at
}

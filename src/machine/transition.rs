//! The one way in which a call changes its phase: what the table says, and what follows from it.

use super::machine::Machine;
use super::{
    At, Cause, Code, DeliveryState, Event, Id, Outcome, OutcomeKind, Payload, Phase, Refusal, ToolPart, Verdict, Why,
    verdict,
};

impl Machine {
    /// Takes in something that happened to a call, as the table has it.
    pub(super) fn apply(&mut self, at: At, cause: Cause) -> Verdict {
        self.apply_with(at, cause, &mut |_| {})
    }

    /// As [`Self::apply`]; `take` writes what came with the cause, if the table lets it in.
    pub(super) fn apply_with(&mut self, at: At, cause: Cause, take: &mut dyn FnMut(&mut ToolPart)) -> Verdict {
        self.apply_because(at, cause, Payload::NONE, take)
    }

    /// As [`Self::apply_with`]; a call that is closed by it has `reason` in its outcome.
    pub(super) fn apply_because(
        &mut self,
        at: At,
        cause: Cause,
        reason: Payload,
        take: &mut dyn FnMut(&mut ToolPart),
    ) -> Verdict {
        let Some(part) = self.transcript.tool(at) else { return Verdict::Ignore };
        let from = part.phase;
        let verdict = verdict(from, cause);
        match verdict {
            Verdict::Go(to) | Verdict::GoAmiss(to, _) => {
                if let Verdict::GoAmiss(_, code) = verdict {
                    let refusal = contradiction(part, cause, code);
                    self.anomaly(refusal);
                }
                // Until it is claimed, an item can be taken back and made anew.
                let output = self.options.answering && matches!(cause, Cause::ClientOutput | Cause::ClientError);
                if cause != Cause::Sent && !output && self.transcript.tool(at).is_some_and(is_ready) {
                    self.withdraw_carrier(at);
                }
                if let Some(part) = self.transcript.tool_mut(at) {
                    take(part);
                    part.phase = to;
                    settle(part, from, cause);
                    if let Some(outcome) = part.outcome.as_mut().filter(|_| reason.is_some()) {
                        outcome.reason = reason;
                    }
                }
                self.transcript.index_approval(at);
                self.count(from, to);
                self.report(at, from, to);
            }
            Verdict::Keep => {
                if let Some(part) = self.transcript.tool_mut(at) {
                    take(part);
                }
                self.touch();
            }
            Verdict::Anomaly(code) if !self.is_replay(at) => {
                let refusal = contradiction(part, cause, code);
                self.anomaly(refusal);
            }
            Verdict::Anomaly(_) | Verdict::Ignore | Verdict::Recorded | Verdict::Refuse(_) => {}
        }
        verdict
    }

    pub(super) fn withdraw_carrier(&mut self, at: At) {
        let asked = self.transcript.tool(at).and_then(|part| part.approval.as_ref());
        let Some(asked) = asked.map(|approval| approval.id) else { return };
        let mut ready = self.items.iter().filter(|item| item.state == DeliveryState::Ready);
        let carrier = ready.find(|item| item.approvals.contains(&asked));
        // A message that is about to leave stays: it was the user's act.
        if let Some(id) = carrier.filter(|item| item.messages.is_empty()).map(|item| item.id) {
            self.withdraw(id);
        }
    }

    fn count(&mut self, from: Phase, to: Phase) {
        let (was, is) = (from == Phase::ApprovalRequested, to == Phase::ApprovalRequested);
        if was && !is {
            self.undecided = self.undecided.saturating_sub(1);
            if matches!(to, Phase::Approved | Phase::Submitted | Phase::Denied) {
                self.decided += 1;
            }
        }
        if is && !was {
            self.undecided += 1;
            self.blocker = None;
        }
    }

    fn report(&mut self, at: At, from: Phase, to: Phase) {
        let Some(part) = self.transcript.tool(at) else { return };
        let (call, tool, outcome, output) = (part.call, part.name, part.outcome.clone(), part.output);
        let settles = to.is_settled() && !from.is_settled();
        if settles && !matches!(&outcome, Some(Outcome { kind: OutcomeKind::Cancelled | OutcomeKind::Interrupted, .. }))
        {
            self.turn.work = true;
        }
        // What only decides the next step (sent or not) is told by the delivery.
        if from.state() != to.state() || settles {
            let asks = to == Phase::ApprovalRequested;
            let approval = part.approval.as_ref().filter(|_| asks).map(|approval| approval.id);
            self.push_event(Event::Transition { call, tool, from: Some(from), to, approval, outcome: outcome.clone() });
        }
        if settles && let Some(outcome) = outcome {
            self.await_rewrite(at);
            self.push_event(Event::Result { call, tool, outcome, output });
        }
        // What the browser gives says nothing of what the backend has.
        let given = self.options.answering && self.transcript.tool(at).is_some_and(|part| part.unsent_output);
        if settles && !given {
            self.late_settlement(call);
        }
    }

    /// A stalled reply whose calls got their results after all owes nothing more.
    fn late_settlement(&mut self, call: Id) {
        let settled = self.items_that(&|item| {
            let waits = item.stalled || item.state == DeliveryState::Unconfirmed;
            item.calls.contains(&call) && item.ended && waits && !self.owes(item)
        });
        for id in settled {
            if let Some(item) = self.item_mut(id) {
                item.stalled = false;
            }
            self.move_item(id, DeliveryState::Acknowledged);
        }
    }
}

fn is_ready(part: &ToolPart) -> bool {
    part.delivery == Some(DeliveryState::Ready)
}

/// Writes what follows from the new phase alone.
fn settle(part: &mut ToolPart, from: Phase, cause: Cause) {
    let started = matches!(from, Phase::Submitted | Phase::Preliminary | Phase::InputAvailable);
    let outcome = |kind, may_have_run| Some(Outcome { kind, reason: Payload::NONE, may_have_run });
    match part.phase {
        Phase::InputStreaming | Phase::Preliminary => {}
        Phase::InputAvailable | Phase::AutomaticRequest => part.input_complete = true,
        Phase::ApprovalRequested => {
            part.input_complete = true;
            part.delivery = None;
            part.outcome = None;
        }
        Phase::Approved => part.delivery = Some(DeliveryState::Held),
        Phase::Submitted => {}
        Phase::Denied => {
            let reason = part.decision().map_or(Payload::NONE, |decision| decision.reason);
            part.outcome = Some(Outcome { kind: OutcomeKind::Denied, reason, may_have_run: false });
            match cause {
                Cause::Skip => part.outcome = outcome(OutcomeKind::Skipped, false),
                Cause::Expire => part.outcome = outcome(OutcomeKind::Expired, false),
                _ => {}
            }
            if matches!(cause, Cause::Deny | Cause::Skip | Cause::Expire) {
                part.delivery = Some(DeliveryState::Held);
            }
        }
        Phase::OutputDenied => {
            let reason = part.decision().filter(|decision| !decision.approved).map_or(Payload::NONE, |d| d.reason);
            part.input_complete = true;
            if from != Phase::Denied {
                part.outcome = Some(Outcome { kind: OutcomeKind::Denied, reason, may_have_run: false });
                part.record_denial();
            }
        }
        Phase::OutputAvailable => {
            part.input_complete = true;
            part.outcome = outcome(OutcomeKind::Executed, false);
        }
        Phase::OutputError => {
            part.outcome = match cause {
                Cause::Cancel => outcome(OutcomeKind::Cancelled, started),
                Cause::Interrupt => outcome(OutcomeKind::Interrupted, started),
                _ => outcome(OutcomeKind::Failed, false),
            };
            if matches!(cause, Cause::Error | Cause::InputError | Cause::ClientError) {
                part.input_complete = true;
            }
        }
    }
    // A decision that never left has nowhere to go once the call is settled otherwise.
    if part.phase.is_settled() && part.phase != Phase::Denied && part.delivery == Some(DeliveryState::Held) {
        let travels = matches!(cause, Cause::ConfirmDenial | Cause::ClientOutput | Cause::ClientError);
        if !travels {
            part.delivery = None;
        }
    }
}

fn contradiction(part: &ToolPart, cause: Cause, code: Code) -> Refusal {
    let mut refusal = Refusal::new(code, Why::Contradiction).about(part);
    refusal.cause = Some(cause);
    refusal
}

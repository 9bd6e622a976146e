//! The machine's state, and the one way in which a call changes its phase.

use super::delivery::Item;
use super::memory::Memory;
use super::on_deny::Rule;
use super::reply::{PastReply, Reply};
use super::user::Queued;
use super::{
    At, Cause, Change, Code, DeliveryState, Event, Id, Options, Outcome, OutcomeKind, Payload, Phase, Refusal,
    ToolPart, Transcript, Turn, TurnStatus, Verdict, Why, verdict,
};
use crate::prelude::*;

/// What the chat is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing: the user may write.
    Idle,
    /// A request is about to leave, or no content of its reply has come yet.
    Submitted,
    /// A reply is coming in.
    Streaming,
    /// The user is asked.
    AwaitingApproval,
    /// A reply ended without what it owed.
    Stalled,
}

impl Status {
    /// The status as the view shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Idle => "idle",
            Status::Submitted => "submitted",
            Status::Streaming => "streaming",
            Status::AwaitingApproval => "awaiting-approval",
            Status::Stalled => "stalled",
        }
    }
}

/// The state machine. See the module for how to use it.
#[derive(Clone, Default, Debug)]
pub struct Machine {
    pub(super) options: Options,
    pub(super) transcript: Transcript,
    pub(super) items: Vec<Item>,
    pub(super) next_item: u32,
    pub(super) reply: Option<Reply>,
    pub(super) past: Option<PastReply>,
    pub(super) queue: Vec<Queued>,
    pub(super) turn: Turn,
    /// Decisions of the step wait for the user's next act.
    pub(super) hold: bool,
    /// `cancel` left denials for the user's next message: nothing else sends them.
    pub(super) left: bool,
    /// `stop` was called, and the reply that it stops has not ended.
    pub(super) stopping: bool,
    pub(super) undecided: u32,
    pub(super) decided: u32,
    pub(super) now: u64,
    /// What a denial has made of the last step.
    pub(super) rule: Option<Rule>,
    /// Decisions that answer later calls too.
    pub(super) memories: Vec<Memory>,
    pub(super) next_memory: u32,
    /// How many results wait for what the host makes of them.
    pub(super) unwritten: u32,
    /// Where the barrier found a call that is neither settled nor decided: look there first.
    pub(super) blocker: Option<At>,
    events: Vec<Event>,
    revision: u32,
    /// Counts up with every change to the queue.
    pub(super) queue_revision: u32,
}

impl Machine {
    /// A machine with an empty transcript.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, next_item: 1, ..Self::default() }
    }

    /// The conversation.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The options it was made with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options: for what happens from now on.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Counts up with every change that anybody could see.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// What the chat is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        if let Some(reply) = &self.reply {
            return if reply.shown { Status::Streaming } else { Status::Submitted };
        }
        if self.active().is_some() {
            return Status::Submitted;
        }
        if self.is_stalled() {
            return Status::Stalled;
        }
        if self.undecided > 0 { Status::AwaitingApproval } else { Status::Idle }
    }

    /// The turn's endings so far.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Where the turn stands.
    #[must_use]
    pub fn turn_status(&self) -> TurnStatus {
        if self.is_stalled() {
            return TurnStatus::Stalled;
        }
        if self.reply.is_some() || self.active().is_some() {
            return TurnStatus::Open;
        }
        let waiting = self.undecided > 0 || (self.rule != Some(Rule::End) && self.step_waits());
        match self.turn.ending {
            Some(ending) if !matches!(ending, super::Ending::Finished) => {
                if self.turn.work {
                    TurnStatus::Incomplete
                } else {
                    TurnStatus::Error
                }
            }
            Some(_) | None if waiting => TurnStatus::Open,
            Some(_) | None => TurnStatus::Done,
        }
    }

    /// How many approvals of the turn wait for the user, and how many are decided.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        (self.undecided, self.decided)
    }

    /// Whether a reply ended without what it owed: nothing more leaves by itself.
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        self.items.iter().any(|item| item.stalled)
    }

    /// The user's messages that wait to leave.
    pub fn queued(&self) -> impl Iterator<Item = &super::Message> {
        self.queue.iter().map(|queued| &queued.message)
    }

    /// Counts up with every change to the queue.
    #[must_use]
    pub fn queue_revision(&self) -> u32 {
        self.queue_revision
    }

    /// Sets the time that new requests are stamped with, in the host's milliseconds.
    pub fn set_now(&mut self, now: u64) {
        self.now = now;
    }

    /// What happened since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// Whether there are events to take.
    #[must_use]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// What changed in the transcript since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.transcript.take_changes()
    }

    /// Every payload that the machine holds. A host frees the others.
    pub fn payloads(&self, keep: &mut dyn FnMut(Payload)) {
        let options = &self.options;
        [options.moved_on, options.superseded, options.skipped, options.expired].into_iter().for_each(&mut *keep);
        self.memories.iter().for_each(|memory| keep(memory.reason));
        let queued = self.queue.iter().map(|queued| &queued.message);
        for message in self.transcript.messages().iter().chain(queued) {
            keep(message.fields);
            keep(message.source);
            for part in &message.parts {
                match part {
                    super::Part::StepStart => {}
                    super::Part::Content { value, .. } => keep(*value),
                    super::Part::Tool(tool) => {
                        [tool.input, tool.output, tool.fields, tool.written].into_iter().for_each(&mut *keep);
                        if let Some(approval) = &tool.approval {
                            keep(approval.envelope);
                            if let Some(decision) = &approval.decision {
                                keep(decision.reason);
                            }
                        }
                        if let Some(outcome) = &tool.outcome {
                            keep(outcome.reason);
                        }
                    }
                }
            }
        }
        for item in &self.items {
            keep(item.body);
            keep(item.error);
        }
        for event in &self.events {
            match event {
                Event::Decision { reason, .. } => keep(*reason),
                Event::Result { output, outcome, .. } => {
                    keep(*output);
                    keep(outcome.reason);
                }
                Event::Transition { outcome: Some(outcome), .. } => keep(outcome.reason),
                Event::Transition { .. } | Event::Delivery { .. } | Event::Anomaly(_) | Event::Stalled { .. } => {}
            }
        }
    }

    /// Tells of something that a codec met: an event that it could not use.
    pub fn tell(&mut self, event: Event) {
        self.push_event(event);
    }

    pub(super) fn push_event(&mut self, event: Event) {
        self.touch();
        self.events.push(event);
    }

    pub(super) fn touch(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    pub(super) fn anomaly(&mut self, refusal: Refusal) {
        self.push_event(Event::Anomaly(refusal));
    }

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
        // An approved browser tool may be at work: its approval is all that it waited for.
        let runs_here = from == Phase::Approved && self.options.is_browser_tool(part);
        let verdict = verdict(from, cause);
        match verdict {
            Verdict::Go(to) | Verdict::GoAmiss(to, _) => {
                if let Verdict::GoAmiss(_, code) = verdict {
                    let refusal = contradiction(part, cause, code);
                    self.anomaly(refusal);
                }
                // Until it is claimed, an item can be taken back and made anew.
                if cause != Cause::Sent && self.transcript.tool(at).is_some_and(is_ready) {
                    self.withdraw_carrier(at);
                }
                if let Some(part) = self.transcript.tool_mut(at) {
                    take(part);
                    part.phase = to;
                    settle(part, from, cause, runs_here);
                    if let Some(outcome) = part.outcome.as_mut().filter(|_| reason.is_some()) {
                        outcome.reason = reason;
                    }
                }
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

    fn withdraw_carrier(&mut self, at: At) {
        let Some(call) = self.transcript.tool(at).map(|part| part.call) else { return };
        let carrier = self.items.iter().find(|item| item.state == DeliveryState::Ready && item.calls.contains(&call));
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
        if settles {
            self.late_settlement(call);
        }
    }

    /// A stalled reply whose calls got their results after all owes nothing more.
    fn late_settlement(&mut self, call: Id) {
        let settled: Vec<u32> = self
            .items
            .iter()
            .filter(|item| item.calls.contains(&call) && item.ended && !item.calls.is_empty())
            .filter(|item| item.stalled || item.state == DeliveryState::Unconfirmed)
            .filter(|item| !self.owes(item))
            .map(|item| item.id)
            .collect();
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

/// Writes what follows from the new phase alone. `runs_here`: the host had what it needs to run it.
fn settle(part: &mut ToolPart, from: Phase, cause: Cause, runs_here: bool) {
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
                Cause::Cancel => outcome(OutcomeKind::Cancelled, started && from != Phase::InputAvailable),
                Cause::Interrupt => outcome(OutcomeKind::Interrupted, started || runs_here),
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

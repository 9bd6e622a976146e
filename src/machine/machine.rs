//! The machine's state, and the one way in which a call changes its phase.

use super::delivery::Item;
use super::memory::Memory;
use super::on_deny::Rule;
use super::reply::{PastReply, Reply};
use super::user::Queued;
use super::{At, Change, Event, Options, Payload, Refusal, Transcript, Turn, TurnStatus};
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
    pub(super) last_memory: u32,
    /// How many results wait for what the host makes of them.
    pub(super) unwritten: u32,
    /// Where the barrier found a call that is neither settled nor decided: look there first.
    pub(super) blocker: Option<At>,
    pub(super) events: Vec<Event>,
    pub(super) revision: u32,
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
        if self.reply.is_some() || self.active().is_some() || self.answers_wait() {
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
                                decision.original.into_iter().for_each(&mut *keep);
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
}

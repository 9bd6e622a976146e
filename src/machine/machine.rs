//! The machine's state, and the methods that read it.

use super::enumerated::enumerated;
use super::{
    Change, Delivery, DeliveryState, Ending, Event, Exchange, Id, Item, Message, Options, Outbox, Payload, Queue,
    Refusal, Remembered, ToolPart, Transcript, Turn, TurnStatus, WaitsFor,
};
use crate::prelude::*;

enumerated! {
    /// The status of the chat.
    pub enum Status {
        /// Nothing is under way: the user may write.
        Idle = "idle",
        /// A request to the server is about to be sent, or its reply has no content yet.
        Submitted = "submitted",
        /// A reply is streaming.
        Streaming = "streaming",
        /// An approval waits for the user.
        AwaitingApproval = "awaiting-approval",
        /// A reply ended empty, or without results for approved calls in its request.
        Stalled = "stalled",
    }
}

/// The state machine. See the module for how to use it.
#[derive(Clone, Default, Debug)]
pub struct Machine {
    pub(super) options: Options,
    pub(super) transcript: Transcript,
    pub(super) outbox: Outbox,
    pub(super) queue: Queue,
    pub(super) exchange: Exchange,
    pub(super) turn: Turn,
    pub(super) remembered: Remembered,
    pub(super) events: Vec<Event>,
    /// Increases with every change to the exchange.
    pub(super) exchange_revision: u32,
}

impl Machine {
    /// A machine with an empty transcript.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let mut machine = Self::default();
        machine.set_options(options);
        machine
    }

    /// The messages of the conversation.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The outgoing items that are not done.
    #[must_use]
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// The user's queued messages.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The message with this id, in the transcript or in the queue.
    #[must_use]
    pub fn message(&self, id: Id) -> Option<&Message> {
        let place = self.transcript.position(id);
        place.and_then(|place| self.transcript.messages().get(place)).or_else(|| self.queue.message(id))
    }

    /// The exchange with the backend: idle, a request in flight, or an open reply.
    #[must_use]
    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// The turn's own state. Its messages are in the transcript.
    #[must_use]
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The remembered decisions, which are applied to later calls.
    #[must_use]
    pub fn remembered(&self) -> &Remembered {
        &self.remembered
    }

    /// The current options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options. They apply from the next input on.
    pub fn set_options(&mut self, options: Options) {
        self.transcript.set_options(&options);
        self.options = options;
    }

    /// Increases with every visible change.
    #[must_use]
    pub fn revision(&self) -> u32 {
        let Self { transcript, outbox, queue, turn, remembered, exchange_revision, .. } = self;
        [transcript.revision(), outbox.revision(), queue.revision(), turn.revision(), remembered.revision()]
            .into_iter()
            .fold(*exchange_revision, u32::wrapping_add)
    }

    /// What the chat is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.exchange {
            Exchange::Replying(reply) if reply.shown => return Status::Streaming,
            Exchange::Replying(_) | Exchange::InFlight { .. } => return Status::Submitted,
            // While the host reconnects, no event of the reply has arrived yet, so the view does not show it.
            Exchange::Idle | Exchange::Reconnecting { .. } => {}
        }
        if self.outbox.active().is_some() {
            return Status::Submitted;
        }
        if self.is_stalled() {
            return Status::Stalled;
        }
        if self.transcript.waiting_for_user() > 0 { Status::AwaitingApproval } else { Status::Idle }
    }

    /// The state of the turn.
    #[must_use]
    pub fn turn_status(&self) -> TurnStatus {
        if self.is_stalled() {
            return TurnStatus::Stalled;
        }
        let answers = self.outbox.has_ready_asides() || self.outbox.has_sent_asides();
        if self.exchange != Exchange::Idle || self.outbox.active().is_some() || answers {
            return TurnStatus::Open;
        }
        let transcript = &self.transcript;
        let rest = if self.runs_in_page(WaitsFor::Server) { transcript.waiting_for_server() } else { 0 };
        let step = transcript.waiting_for_page() + rest;
        let decided = transcript.has_unsent() && !self.holds_denials_only();
        let waits = decided || step > 0;
        let waiting = transcript.waiting_for_user() > 0 || (!self.waits_for_message() && waits);
        match self.turn.ending() {
            Some(ending) if ending != Ending::Finished => {
                if self.turn.has_work() {
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
        (self.transcript.waiting_for_user(), self.turn.decided())
    }

    /// Whether a reply ended empty, or without results for approved calls in its request. Meanwhile nothing is sent
    /// automatically.
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        self.outbox.submission_in(super::ItemState::Stalled).is_some()
    }

    /// The calls that wait for a decision of the user, in call order.
    pub fn pending(&self) -> impl Iterator<Item = &ToolPart> {
        let any = self.transcript.waiting_for_user() > 0;
        let calls = self.transcript.step_calls().take_while(move |_| any);
        calls.map(|(_, part)| part).filter(|part| part.is_pending())
    }

    /// How far the delivery of this client's decision on a call is.
    #[must_use]
    pub fn delivery(&self, part: &ToolPart) -> Option<DeliveryState> {
        match part.delivery() {
            Delivery::None => None,
            Delivery::Held => Some(DeliveryState::Held),
            // An item that no longer exists was delivered.
            Delivery::In(item) => {
                Some(self.outbox.item(item).map_or(DeliveryState::Acknowledged, |item| item.state().delivery()))
            }
        }
    }

    /// The item with this number, while it exists.
    #[must_use]
    pub fn item(&self, id: u32) -> Option<&Item> {
        self.outbox.item(id)
    }

    /// Returns and clears the events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// Drops the oldest events if there are more than twice as many as `keep`. Returns how many were dropped.
    pub fn drop_events(&mut self, keep: usize) -> usize {
        drop_oldest(&mut self.events, keep)
    }

    /// Whether there are events to take.
    #[must_use]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns and clears the changes to the transcript since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.transcript.take_changes()
    }

    /// Visits every value that the machine holds. The host may free all others.
    pub fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        let Self { options, transcript, outbox, queue, remembered, events, .. } = self;
        options.payloads(each);
        transcript.payloads(each);
        outbox.payloads(each);
        queue.payloads(each);
        remembered.payloads(each);
        events.iter().for_each(|event| event.payloads(each));
    }

    /// Visits every id that the machine holds. The host may forget the texts of all others.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        let Self { transcript, outbox, queue, turn, remembered, events, .. } = self;
        transcript.ids(each);
        outbox.ids(each);
        queue.ids(each);
        turn.ids(each);
        remembered.ids(each);
        events.iter().for_each(|event| event.ids(each));
    }

    /// Reports an event that a codec could not use, as an anomaly.
    pub fn raise(&mut self, refusal: Refusal) {
        self.anomaly(refusal);
    }

    pub(super) fn push_event(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn anomaly(&mut self, refusal: Refusal) {
        self.push_event(Event::Anomaly(refusal));
    }

    pub(super) fn set_exchange(&mut self, exchange: Exchange) {
        self.exchange = exchange;
        self.touch_exchange();
    }

    pub(super) fn touch_exchange(&mut self) {
        self.exchange_revision = self.exchange_revision.wrapping_add(1);
    }
}

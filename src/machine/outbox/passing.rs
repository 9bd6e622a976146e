//! Messages that pass: with [`OnUserMessage::Pass`](crate::machine::OnUserMessage::Pass), a message is sent while
//! approvals stay pending, beside the reply that waits for them.
//!
//! Such a message is in the queue until the turn has ended, because the reply still adds to the message before it. Then
//! it is added to the transcript, and the backend replies to it without another request.

use crate::machine::{Id, Item, ItemInput, ItemState, Kind, Machine, Message, Part, Queued, Role};
use crate::prelude::*;
use core::ops::Range;

impl Machine {
    /// Creates an item for each queued message that may pass and is in no item yet.
    pub(in crate::machine) fn pass_messages(&mut self) {
        if !self.options.passes_messages() || self.transcript.waiting_for_user() == 0 {
            return;
        }
        // The user retries the failed approvals first, or gives them up.
        if self.failed_with_approvals().is_some() {
            return;
        }
        for place in 0..self.queue.messages().len() {
            let queued = &self.queue.messages()[place];
            if queued.waits() {
                let id = queued.message.id;
                let item = self.push_item(Kind::PassedMessage, &[], [id].into_iter().listed(), Some(id));
                self.queue.set_passing(&[id], item, false);
            }
        }
    }

    /// Whether any queued message is in no item and was not sent.
    pub(in crate::machine) fn has_waiting_message(&self) -> bool {
        self.queue.messages().iter().any(Queued::waits)
    }

    /// The item in which this queued message is sent while approvals stay pending.
    #[must_use]
    pub fn passing_item(&self, queued: &Queued) -> Option<&Item> {
        self.outbox.item(queued.item).filter(|item| item.kind == Kind::PassedMessage)
    }

    /// The indices of the messages that are new to the backend in the request with this item; `None` if these are all
    /// messages after the last reply. The queued messages follow those of the transcript.
    #[must_use]
    pub fn new_messages(&self, item: &Item) -> Option<Range<usize>> {
        let messages = self.transcript.messages();
        if item.kind == Kind::PassedMessage {
            let passes = |queued: &Queued| item.messages.contains(&queued.message.id);
            let place = messages.len() + self.queue.messages().iter().position(passes)?;
            return Some(place..place + 1);
        }
        let is_known = |message: &Message| {
            let replies = || message.parts.iter().any(|part| !matches!(part, Part::StepStart));
            message.passed || (message.role == Role::Assistant && replies())
        };
        let known = messages.iter().rposition(is_known).filter(|&known| messages[known].passed)?;
        Some(known + 1..messages.len())
    }

    /// Records whether messages were sent, after their item has changed its state. `item`: 0 if it was removed in this
    /// state.
    pub(in crate::machine) fn note_passing(&mut self, messages: &[Id], item: u32, state: ItemState) {
        if messages.is_empty() {
            return;
        }
        let is_sent = match state {
            ItemState::Ready | ItemState::Failed => false,
            ItemState::InFlight
            | ItemState::Replying
            | ItemState::Done
            | ItemState::Unconfirmed
            | ItemState::Stalled => true,
        };
        self.queue.set_passing(messages, item, is_sent);
    }

    /// The backend's turn ended, and its model has not read the message that was sent in this item. The message becomes
    /// a queued one that was never sent, so it is sent after the reply.
    pub fn message_unread(&mut self, item: u32) {
        let is_sent = |item: &&Item| match item.state() {
            ItemState::InFlight | ItemState::Replying | ItemState::Done | ItemState::Unconfirmed => true,
            ItemState::Ready | ItemState::Failed | ItemState::Stalled => false,
        };
        let found = self.item(item).filter(|item| item.kind == Kind::PassedMessage).filter(is_sent);
        let Some(messages) = found.map(|item| item.messages.clone()) else { return };
        if !messages.iter().any(|&id| self.queue.has(id)) {
            return;
        }
        self.move_item(item, ItemInput::GiveUp);
        self.queue.set_passing(&messages, 0, false);
        self.advance();
    }

    /// Whether a message that passes may be lost. It stays in the queue until the user retries it or gives it up.
    pub(in crate::machine) fn has_lost_message(&self) -> bool {
        self.outbox.find_undelivered(&|item| item.kind == Kind::PassedMessage).is_some()
    }

    /// Whether a message that passes may be sent now: it never overtakes a decision or an earlier message.
    pub(in crate::machine) fn is_next_message(&self, item: &Item) -> bool {
        let precedes = |other: &Item| match other.kind {
            Kind::Answer => true,
            Kind::PassedMessage => other.id < item.id,
            Kind::Step | Kind::Message | Kind::Regenerate => false,
        };
        // Only asides precede, so all items are looked at only while some are sent.
        let is_ahead = |other: &Item| precedes(other) && other.state() == ItemState::InFlight;
        self.outbox.waiting().is_empty()
            && !(self.outbox.has_sent_asides() && self.outbox.items().iter().any(is_ahead))
            && !self.outbox.ready().any(precedes)
    }
}

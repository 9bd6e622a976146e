//! The end of a reply: what it settles, what it leaves open, and whether it owes something.

use super::machine::Machine;
use super::reply::{PastReply, Reply};
use super::{About, Cause, DeliveryState, Ending, Event, Part, Phase, Role, StreamEnd, TurnStatus};

impl Machine {
    /// The stream ended. Only the stream that is read, and only its first end, counts.
    pub fn stream_ended(&mut self, end: StreamEnd, about: About) {
        let Some(reply) = self.reply.take() else {
            self.ended_before_it_began(end, about);
            return;
        };
        let same = about.request.is_none_or(|id| reply.item == Some(id))
            && about.attempt.is_none_or(|attempt| attempt == reply.attempt);
        if !same {
            self.reply = Some(reply);
            return;
        }
        let ending = match reply.ending.unwrap_or_else(|| end.into()) {
            Ending::Finished if !reply.content || self.ends_in_an_empty_step(&reply) => Ending::Empty,
            // No contradiction: why the backend finished.
            Ending::Finished if end == StreamEnd::StepLimit => Ending::StepLimit,
            ending => ending,
        };
        self.end(reply, ending);
    }

    fn ended_before_it_began(&mut self, end: StreamEnd, about: About) {
        let awaited = self.items.iter().find(|item| {
            item.is_active()
                && item.state == DeliveryState::InFlight
                && about.request.is_none_or(|id| id == item.id)
                && about.attempt.is_none_or(|attempt| attempt == item.attempt)
        });
        let Some((id, attempt)) = awaited.map(|item| (item.id, item.attempt)) else { return };
        if end == StreamEnd::Finished || end == StreamEnd::StepLimit {
            self.admit(About { request: Some(id), attempt: Some(attempt) });
            self.stream_ended(end, About::default());
            return;
        }
        if let Some(item) = self.item_mut(id) {
            item.ended = true;
        }
        self.move_item(id, DeliveryState::Unconfirmed);
        self.turn.ending = Some(end.into());
        self.stopping = false;
        self.hold_decisions();
        self.advance();
    }

    /// A request failed before it got a reply.
    pub(super) fn reply_failed(&mut self) {
        self.turn.ending = Some(Ending::Failed);
        self.stopping = false;
        self.advance();
    }

    fn end(&mut self, reply: Reply, ending: Ending) {
        self.turn.ending = Some(ending);
        self.past = Some(PastReply {
            item: reply.item,
            message: reply.message,
            base: reply.base,
            ending,
            next_item: self.next_item,
        });
        self.touch();
        let item = reply.item.and_then(|id| self.item(id)).cloned();
        if let Some(item) = &item {
            for call in &item.calls {
                if let Some(at) = self.transcript.find(*call) {
                    self.apply(at, Cause::ConfirmDenial);
                }
            }
        }
        self.close_unfinished(reply.message, ending);
        let completes = ending.completes_step();
        let owes = item.as_ref().is_some_and(|item| self.owes_to_user(item));
        let awaited = item.as_ref().is_none_or(|item| !item.is_answer() && !item.cancels);
        let stalls = awaited && matches!(ending, Ending::Finished | Ending::Empty) && (owes || !reply.content);
        if let Some(item) = item.and_then(|item| self.item_mut(item.id)) {
            item.ended = true;
            item.stalled = stalls;
            let (id, approvals) = (item.id, item.approvals.clone());
            if stalls {
                self.push_event(Event::Stalled { item: Some(id), approvals });
            }
        }
        if reply.again && completes {
            self.hold = false;
        }
        if !completes || self.stopping {
            self.hold_decisions();
        }
        self.stopping = false;
        self.go_on_behind_answers(false);
        self.advance();
    }

    /// Drops a turn that ended badly: the conversation ends with the user's message again. Returns whether it did.
    pub fn drop_turn(&mut self) -> bool {
        let bad = matches!(self.turn_status(), TurnStatus::Incomplete | TurnStatus::Error | TurnStatus::Stalled);
        let messages = self.transcript.messages();
        let user = messages.iter().rposition(|message| message.role == Role::User);
        let Some(next) = user.and_then(|user| messages.get(user + 1)).map(|next| next.id).filter(|_| bad) else {
            return false;
        };
        self.truncate_at(next, false).is_ok()
    }

    /// Whether the model said nothing when it was called last: work stands before it, and the turn is not done.
    fn ends_in_an_empty_step(&self, reply: &Reply) -> bool {
        let message = reply.message.and_then(|index| self.transcript.messages().get(index));
        message.is_some_and(|message| message.parts.last() == Some(&Part::StepStart))
    }

    /// Whether an approved call of the item has no result, and it is not the provider's to run.
    fn owes_to_user(&self, item: &super::Item) -> bool {
        item.calls.iter().any(|call| {
            self.transcript
                .call(*call)
                .is_some_and(|part| matches!(part.phase, Phase::Submitted) && !part.provider_executed)
        })
    }

    /// Decisions made so far wait for the user's next act.
    pub(super) fn hold_decisions(&mut self) {
        if !self.unsent().is_empty() {
            self.hold = true;
        }
    }

    /// What a stream leaves half done when it ends. A lost connection may still be replayed.
    fn close_unfinished(&mut self, message: Option<usize>, ending: Ending) {
        // A reply that only reports on calls names no message: they stand in the last one.
        let last = self.transcript.messages().len().checked_sub(1);
        let Some(index) = message.or(last) else { return };
        let Some(message) = self.transcript.messages().get(index) else { return };
        for at in super::barrier::calls_of(index, message) {
            let Some(part) = self.transcript.tool(at) else { continue };
            let heard = part.delivery.is_none_or(|state| state == DeliveryState::Acknowledged);
            let denied = part.phase == Phase::Denied && heard;
            match part.phase {
                Phase::InputStreaming | Phase::Preliminary if ending != Ending::Disconnected => {
                    self.apply(at, Cause::Interrupt);
                }
                // The backend's own denial, or one that it has: it sent no event.
                Phase::Denied if denied => {
                    self.apply(at, Cause::ConfirmDenial);
                }
                _ => {}
            }
        }
    }
}

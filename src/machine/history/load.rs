//! Loads a conversation that an app has stored. A history is repaired where necessary, and never refused.

use super::{Repair, RepairCode};
use crate::machine::outbox::{Carried, Queued};
use crate::machine::{
    DecidedBy, Delivery, Input, Item, ItemInput, Kind, Machine, Message, Part, PartPos, Payload, Phase, Role, ToolPart,
    WaitsOn,
};
use crate::prelude::*;

impl Machine {
    /// Replaces the transcript with a stored history, in which every message, call and approval occurs once. `repairs`
    /// are those of the codec that read it; they are returned with the repairs made here. Loading sends nothing. `now`:
    /// in ms since 1970.
    pub fn load(&mut self, mut messages: Vec<Message>, mut repairs: Vec<Repair>, now: u64) -> Vec<Repair> {
        self.adapt_history(&mut messages, &mut repairs);
        self.replace_transcript(messages, &mut repairs);
        self.settle_loaded_items();
        self.start_loaded(now);
        repairs
    }

    /// First: the queue and the history. Afterwards nothing is ready to be sent, no message is in both, and the history
    /// has every decision that is known here.
    fn adapt_history(&mut self, messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
        self.queue_unsent_messages();
        self.take_back_ready_items();
        self.settle_queue(messages, repairs);
        self.apply_known_decisions(messages, repairs);
    }

    /// Second: the transcript. Afterwards it is the history, with no open call before the last step; the items know the
    /// calls by their new keys, and the open reply writes to the loaded copy of its message.
    fn replace_transcript(&mut self, messages: Vec<Message>, repairs: &mut Vec<Repair>) {
        let stays = |item: &Item| item.state().is_under_way() || item.state().is_undelivered() || item.tool.is_some();
        self.outbox.retain(&stays);
        let old = self.transcript.empty();
        let turn = messages.iter().rposition(|message| message.role == Role::User);
        for (index, message) in messages.into_iter().enumerate() {
            self.add_loaded(message, turn.is_none_or(|turn| index > turn));
        }
        self.keep_old_approvals(&old);
        self.keep_page_outputs(&old);
        self.rekey_items(&old);
        self.close_followed_calls(repairs);
        self.turn.forget_course();
        self.relink_last_reply(&old);
        self.relink_reply(&old);
    }

    /// Third: the outbox. Afterwards every decision that may have been sent is in an item, and every item has a call
    /// that still needs it.
    fn settle_loaded_items(&mut self) {
        self.drop_settled_items();
        self.relink_items();
        self.mark_followed_answers();
        self.add_unconfirmed_answers();
    }

    /// Last: what happens next. Afterwards deadlines run, the last reply may be replayed, and a queued message is ready
    /// if the history has settled the calls that it waited for.
    fn start_loaded(&mut self, now: u64) {
        self.end_awaited_rest();
        self.start_waiting(now);
        self.expect_replay();
        // A loaded state is not news: report no events.
        self.stop_rewriting();
        self.take_events();
        // This history may settle the calls that a queued message waited for.
        if self.outbox.undelivered().next().is_none() && !self.queue.is_empty() {
            self.advance();
        }
    }

    /// Adds a loaded message. `is_current`: whether its turn is the present one. Calls that were removed from the
    /// present turn count as repeated, too.
    fn add_loaded(&mut self, mut message: Message, is_current: bool) {
        for part in &mut message.parts {
            if let Part::Tool(tool) = part {
                tool.repeats = if is_current { self.turn.removed(tool.call) } else { 0 };
            }
        }
        self.transcript.push_message(message);
    }

    /// Queues user messages that were not sent yet, because the history need not contain them.
    fn queue_unsent_messages(&mut self) {
        let is_new = |item: &&Item| item.kind == Kind::Message && item.attempt == 1;
        let Some(item) = self.outbox.ready_submission().filter(is_new) else { return };
        let (id, unsent) = (item.id, item.messages.len());
        self.take_back(id);
        // The messages of a request are the last ones.
        let from = self.transcript.messages().len() - unsent;
        let (_, messages) = self.transcript.cut_messages(from);
        self.queue.put_first(messages.into_iter().map(|message| Queued::new(message, false)).listed());
    }

    /// Withdraws everything that was ready to be sent: loading sends nothing.
    fn take_back_ready_items(&mut self) {
        for id in self.outbox.ready_numbers() {
            self.take_back(id);
        }
    }

    /// Queued messages at the end of the history are still queued. A queued message elsewhere in it was sent. User
    /// messages after a pending call have passed it.
    fn settle_queue(&mut self, messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
        let passes = self.options.passes_messages() && is_pending_before_messages(messages);
        let mut passed: Vec<Queued> = Vec::new();
        while let Some(last) = messages.last().filter(|last| last.role != Role::Assistant) {
            if self.queue.has(last.id) {
                repairs.push(Repair::new(RepairCode::DuplicateMessage));
                messages.pop();
            } else if passes {
                passed.extend(messages.pop().map(|message| Queued { is_sent: true, ..Queued::new(message, false) }));
            } else {
                break;
            }
        }
        passed.reverse();
        self.queue.put_first(passed);
        if !self.queue.is_empty() {
            self.queue.retain(&|queued| messages.iter().all(|message| message.id != queued.message.id));
        }
    }

    /// Closes calls that are followed by a later step, by a later message, or by another call with the same id.
    fn close_followed_calls(&mut self, repairs: &mut Vec<Repair>) {
        for at in self.transcript.all_calls() {
            let Some(part) = self.transcript.tool(at) else { continue };
            let in_step = self.transcript.is_in_step(at);
            if !in_step && part.has_unsent_output() {
                // The backend has continued without this output. The next request contains it as a part of the history.
                self.transcript.update(at, &mut |part| part.unsent_output = false);
            }
            let Some(part) = self.transcript.tool(at) else { continue };
            // Servers find an approved call by its id, so only the newest call with an id can be approved.
            let followed = !in_step || self.transcript.newest(part.call) != Some(part.key());
            let code = match part.phase() {
                Phase::InputStreaming | Phase::RequestWaits => RepairCode::IncompleteInput,
                Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => continue,
                Phase::ApprovalRequested if followed => RepairCode::StaleApproval,
                Phase::Denied if !in_step => {
                    repairs.push(Repair::of(RepairCode::UnansweredCall, part.call, Phase::OutputDenied));
                    self.apply(at, Input::ConfirmDenial);
                    continue;
                }
                // The provider runs the call, and stores its result.
                Phase::InputAvailable | Phase::Approved | Phase::Submitted if part.provider_executed && !in_step => {
                    self.apply(at, Input::Sent);
                    continue;
                }
                Phase::AutomaticRequest | Phase::Approved if followed => RepairCode::UnansweredCall,
                Phase::InputAvailable | Phase::Submitted | Phase::Preliminary if !in_step => RepairCode::UnansweredCall,
                Phase::InputAvailable
                | Phase::ApprovalRequested
                | Phase::AutomaticRequest
                | Phase::Approved
                | Phase::Submitted
                | Phase::Denied
                | Phase::Preliminary => continue,
            };
            repairs.push(Repair::of(code, part.call, Phase::OutputError));
            self.supersede_approval(at);
            // If the call is approved, its approval may have been sent before the app stored the history.
            self.apply(at, Input::Sent);
            let stale = code == RepairCode::StaleApproval;
            self.close(at, Input::Interrupt, if stale { self.options.superseded } else { Payload::NONE });
            // The backend has continued, so it does not wait for an answer.
            self.transcript.update(at, &mut |part| {
                part.set_delivery(Delivery::None);
                part.unsent_output = false;
            });
        }
    }

    /// Removes undelivered items whose calls the history has settled or no longer contains.
    fn drop_settled_items(&mut self) {
        for id in self.outbox.undelivered_numbers() {
            let Some(item) = self.item(id) else { continue };
            let open = |part: &ToolPart| part.phase().owes_result() || part.phase() == Phase::Denied;
            let waits = |carried: &Carried| {
                let at = self.transcript.place(carried.call).filter(|&at| self.transcript.is_in_step(at));
                at.and_then(|at| self.transcript.tool(at)).is_some_and(open)
            };
            let passes = item.tool.is_some()
                || item.kind == Kind::PassedMessage && item.messages.iter().any(|&id| self.queue.has(id));
            if !passes && !item.carried.iter().any(waits) {
                self.outbox.apply(id, ItemInput::GiveUp);
            }
        }
    }

    /// If content follows an answered call in the history, the backend has continued: stop waiting for its reply.
    #[inline(never)] // A page loads fewer bytes.
    fn mark_followed_answers(&mut self) {
        let follows = |at: PartPos| {
            let following = self.transcript.messages().get(at.message).map(|message| &message.parts[at.part..]);
            following.is_some_and(|parts| parts.iter().any(|part| matches!(part, Part::Content { .. })))
                || self.transcript.messages().len() > at.message + 1
        };
        let is_followed = |carried: &Carried| self.transcript.place(carried.call).is_some_and(follows);
        let items = self.outbox.items();
        if items.iter().any(|item| item.is_aside() && item.carried.iter().any(is_followed)) {
            self.asides_are_followed(false);
        }
    }

    /// Adds unconfirmed items for decisions of the last step, which may have been sent before the app closed, and for
    /// outputs of the page that were not sent yet, so that a retry can send them.
    fn add_unconfirmed_answers(&mut self) {
        let is_decided = |part: &ToolPart| {
            // The approval of a request that this client made is never sent.
            let approved = part.phase() == Phase::Approved && !part.is_asked_locally();
            let unsent = approved || part.phase() == Phase::Denied || part.has_unsent_output();
            let unsent = unsent && part.delivery() == Delivery::None;
            unsent && part.decision().is_some_and(|decision| decision.by != DecidedBy::Backend)
        };
        let may_be_sent = |part: &ToolPart| {
            let carried = self.outbox.items().iter().any(|item| item.carries(part.key()).is_some());
            (is_decided(part) || part.has_unsent_output()) && !carried
        };
        let answered = self.transcript.step_calls().filter(|(_, part)| may_be_sent(part));
        let answered: Vec<PartPos> = answered.map(|(at, _)| at).listed();
        for &at in &answered {
            self.transcript.update(at, &mut |part| {
                if is_decided(part) {
                    part.set_delivery(Delivery::Held);
                }
            });
        }
        let answering = self.options.answering;
        // While another call of the step is undecided or waits for the page, nothing can have been sent.
        let waiting = self.waiting();
        let is_held = waiting.on(WaitsOn::User) || waiting.on(WaitsOn::Tool);
        if !answering && (is_held || self.outbox.active().is_some()) {
            return;
        }
        let message_id = self.transcript.last().map(|message| message.id).filter(|_| !answering);
        let (kind, size) = if answering { (Kind::Answer, 1) } else { (Kind::Step, usize::MAX) };
        for calls in answered.chunks(size) {
            let id = self.push_item(kind, calls, Vec::new(), message_id);
            self.move_item(id, ItemInput::Claim);
            for &at in calls {
                self.apply(at, Input::Sent);
            }
            self.move_item(id, ItemInput::IsLost);
        }
        self.turn.forget_course();
    }
}

/// Whether the last step of the last assistant's message has a pending call, and only user messages follow.
fn is_pending_before_messages(messages: &[Message]) -> bool {
    let last = messages.iter().rfind(|message| message.role != Role::User);
    last.is_some_and(|last| {
        let step = last.parts.get(last.last_step()..).unwrap_or_default();
        step.iter().filter_map(Part::tool).any(ToolPart::is_pending)
    })
}

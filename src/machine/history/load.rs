//! Taking in a conversation that an app has kept: repaired where it has to be, and never refused.

use super::{Repair, RepairCode};
use crate::machine::outbox::{Carried, Queued};
use crate::machine::turn::{LastReply, Reply};
use crate::machine::{
    DecidedBy, Delivery, DeliveryState, Ending, Id, Input, Item, ItemInput, ItemState, Kind, Machine, Message, Part,
    PartPos, Payload, Phase, Role, ToolPart, Transcript,
};
use crate::prelude::*;

impl Machine {
    /// Replaces the transcript by what an app has kept, with every message, call and approval in it once.
    /// `repairs` holds what its reader repaired, and is returned with what was repaired here. Nothing is sent by loading.
    /// `now` is in the host's milliseconds.
    pub fn load(&mut self, mut messages: Vec<Message>, mut repairs: Vec<Repair>, now: u64) -> Vec<Repair> {
        self.queue_unsent_messages();
        self.settle_queue(&mut messages, &mut repairs);
        self.recall_decisions(&mut messages, &mut repairs);
        let id_at = |at: usize| self.transcript.messages().get(at).map(|message| message.id);
        let written = self.current_message().and_then(id_at);
        let named = self.exchange.reply().and_then(|reply| reply.superseded).map(id_at);
        self.drop_ready_items();
        self.outbox.retain(&|item| item.state().is_under_way() || item.state().is_undelivered());
        let empty = self.transcript.emptied();
        let known = core::mem::replace(&mut self.transcript, empty);
        for message in messages {
            self.add_loaded(message);
        }
        self.transcript.remember_approvals_of(&known);
        self.rekey_items(&known);
        self.close_earlier(&mut repairs);
        self.turn.forget_course();
        self.turn.set_last_reply(None);
        self.find_reply(written, named);
        self.clear_settled();
        self.rejoin();
        self.find_replies_to_answers();
        self.unconfirm();
        self.start_waiting(now);
        self.expect_replay();
        // It was so already: nothing is reported.
        self.stop_rewriting();
        self.take_events();
        // What a queued message waited for may be settled in this history.
        if self.outbox.undelivered().next().is_none() && !self.queue.is_empty() {
            self.advance();
        }
        repairs
    }

    /// Adds a loaded message; a call's repeated ids are counted within its turn.
    fn add_loaded(&mut self, mut message: Message) {
        let turn =
            self.transcript.messages().iter().rposition(|message| message.role == Role::User).map_or(0, |at| at + 1);
        let mut before: Vec<Id> = Vec::new();
        for part in &mut message.parts {
            let Part::Tool(tool) = part else { continue };
            let earlier = self.transcript.calls_named(tool.call).take_while(|(at, _)| at.message >= turn).count();
            let here = before.iter().filter(|&&call| call == tool.call).count();
            tool.repeats = u32::try_from(earlier + here).unwrap_or(u32::MAX);
            before.push(tool.call);
        }
        self.transcript.push_message(message);
    }

    /// What the user has written and nobody has sent yet waits, as if it were queued: the history need not have it.
    fn queue_unsent_messages(&mut self) {
        let is_new = |item: &&Item| item.kind == Kind::Message && item.attempt == 1;
        let Some(item) = self.outbox.ready_submission().filter(is_new) else { return };
        let (id, unsent) = (item.id, item.messages.clone());
        self.take_back(id);
        let all = self.transcript.messages();
        let messages = all.iter().filter(|message| unsent.contains(&message.id)).cloned();
        let unsent: Vec<Queued> = messages.map(|message| Queued { message, replaces: false }).collect();
        for queued in unsent.into_iter().chain(self.queue.take()) {
            self.queue.push(queued);
        }
    }

    /// If the history ends with a queued message, that message is still queued; elsewhere, it was sent.
    fn settle_queue(&mut self, messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
        while messages.last().is_some_and(|last| self.queue.has(last.id)) {
            messages.pop();
            repairs.push(Repair::new(RepairCode::DuplicateMessage));
        }
        if !self.queue.is_empty() {
            self.queue.retain(&|queued| messages.iter().all(|message| message.id != queued.message.id));
        }
    }

    /// The items carry the loaded copies of their calls from now on.
    fn rekey_items(&mut self, known: &Transcript) {
        let (transcript, outbox) = (&self.transcript, &mut self.outbox);
        outbox.rekey(&|carried: &Carried| {
            let was = known.call(carried.call)?;
            let asked = |part: &ToolPart| part.approval.as_ref().map(|approval| approval.id);
            let same = |is_meant: &dyn Fn(&ToolPart) -> bool| {
                transcript.calls_named(carried.id).map(|(_, part)| part).find(|part| is_meant(part)).map(ToolPart::key)
            };
            let by_approval = same(&|part| carried.approval.is_none() || asked(part) == asked(was));
            by_approval.or_else(|| same(&|part| asked(part).is_none()))
        });
    }

    /// The message that the open reply writes, in the loaded history; and the earlier one that it has named, if it has.
    fn find_reply(&mut self, written: Option<Id>, named: Option<Option<Id>>) {
        let own = |&at: &usize| self.transcript.messages()[at].role == Role::Assistant;
        let place = written.and_then(|id| self.transcript.position(id)).filter(own);
        let named = named.map(|id| id.and_then(|id| self.transcript.position(id)).unwrap_or(Reply::NO_MESSAGE));
        let followed = place.filter(|at| at + 1 < self.transcript.messages().len());
        let parts = place.map_or(0, |at| self.transcript.messages()[at].parts.len());
        if let Some(reply) = self.exchange.reply_mut() {
            reply.message = place;
            reply.base = reply.base.min(parts);
            // The app has it: it is not dropped as one that was never shown.
            reply.hidden = false;
            (reply.is_replay, reply.is_earlier, reply.may_answer) = (false, false, false);
            // If messages follow the one being streamed, the stream may no longer add to it.
            reply.superseded = named.or(followed);
            reply.replay = None;
            reply.repeated.clear();
        }
    }

    /// The reply that wrote the last message may still be running: if the host gets hold of it again, it comes from its
    /// beginning, and nothing may be doubled.
    fn expect_replay(&mut self) {
        let messages = self.transcript.messages();
        let Some(last) = messages.last().filter(|last| last.role == Role::Assistant) else { return };
        let unconfirmed = self.outbox.undelivered().find(|item| item.state() == ItemState::Unconfirmed);
        let base = unconfirmed.map_or(0, |_| last.parts.len());
        let (item, message) = (unconfirmed.map(|item| item.id), Some(messages.len() - 1));
        let ending = Ending::Disconnected;
        self.turn.set_last_reply(Some(LastReply { item, message, base, ending, ..LastReply::empty() }));
    }

    /// A decision that this machine knows wins over a history that does not have it yet, or has another one; and
    /// a request that it knows waits no longer for being loaded.
    fn recall_decisions(&self, messages: &mut [Message], repairs: &mut Vec<Repair>) {
        for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
            let Part::Tool(tool) = part else { continue };
            let asked = tool.approval.as_ref().map(|approval| approval.id);
            let same =
                |part: &&ToolPart| asked.is_none() || part.approval.as_ref().map(|approval| approval.id) == asked;
            let Some(known) = self.transcript.calls_named(tool.call).map(|(_, part)| part).find(same) else { continue };
            tool.recalled = known.recalled;
            self.recall_decision(tool, known, repairs);
        }
    }

    fn recall_decision(&self, tool: &mut ToolPart, known: &ToolPart, repairs: &mut Vec<Repair>) {
        let (Some(asked), Some(again)) = (&known.approval, &mut tool.approval) else { return };
        if asked.id != again.id {
            return;
        }
        again.requested_at = asked.requested_at;
        again.expires_at = asked.expires_at;
        again.reused_id = asked.reused_id;
        let Some(decision) = &asked.decision else { return };
        let other = tool.decision().is_some_and(|new| new.approved != decision.approved);
        if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()).filter(|_| !other) {
            (new.original, new.remember) = (decision.original, decision.remember);
            tool.input = if decision.original.is_some() { known.input } else { tool.input };
        }
        // A backend may overrule an approval: it is the one that runs the call.
        if other && tool.phase() == Phase::OutputDenied && !known.phase().is_settled() {
            if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
                new.by = DecidedBy::Backend;
            }
            return;
        }
        if other || matches!(tool.phase(), Phase::ApprovalRequested | Phase::AutomaticRequest) {
            *tool = known.clone();
            tool.output_in = None;
        }
        // What has arrived is not sent again. Whether anything else has, its item says, if there is one.
        let arrived = self.delivery(known) == Some(DeliveryState::Acknowledged);
        if decision.by != DecidedBy::Backend {
            tool.set_sent(arrived);
        }
        let keeps = arrived && tool.phase() != Phase::ApprovalRequested;
        tool.deliver(if keeps { known.delivery() } else { Delivery::None });
        if other {
            repairs.push(Repair::of(RepairCode::DuplicateApproval, tool.call, tool.phase()));
        }
    }

    /// Closes what a later step or message follows.
    fn close_earlier(&mut self, repairs: &mut Vec<Repair>) {
        for at in self.transcript.calls_from(0) {
            let Some(part) = self.transcript.tool(at) else { continue };
            let in_step = self.transcript.is_in_step(at);
            let code = match part.phase() {
                Phase::InputStreaming => RepairCode::IncompleteInput,
                Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => continue,
                Phase::ApprovalRequested | Phase::AutomaticRequest if !in_step => RepairCode::StaleApproval,
                Phase::Denied if !in_step => {
                    repairs.push(Repair::of(RepairCode::UnansweredCall, part.call, Phase::OutputDenied));
                    self.apply(at, Input::ConfirmDenial);
                    continue;
                }
                // The provider runs it, and keeps its result on its own side.
                Phase::InputAvailable | Phase::Approved | Phase::Submitted if part.provider_executed && !in_step => {
                    self.apply(at, Input::Sent);
                    continue;
                }
                Phase::InputAvailable | Phase::Approved | Phase::Submitted | Phase::Preliminary if !in_step => {
                    RepairCode::UnansweredCall
                }
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
            // An app that kept it as approved had sent it, as far as can be known.
            self.apply(at, Input::Sent);
            let stale = code == RepairCode::StaleApproval;
            self.close(at, Input::Interrupt, if stale { self.options.superseded } else { Payload::NONE });
        }
    }

    /// What may not have arrived has, where the history has settled its calls; and it is void where they are gone.
    fn clear_settled(&mut self) {
        for id in self.outbox.undelivered_numbers() {
            let Some(item) = self.item(id) else { continue };
            let open = |part: &ToolPart| part.phase().owes_result() || part.phase() == Phase::Denied;
            let waits = |carried: &Carried| {
                let at = self.transcript.place(carried.call).filter(|&at| self.transcript.is_in_step(at));
                at.and_then(|at| self.transcript.tool(at)).is_some_and(open)
            };
            if !item.carried.iter().any(waits) {
                self.outbox.apply(id, ItemInput::GiveUp);
            }
        }
    }

    /// Where the history goes on after an answered call, so did the backend: that reply is not waited for any longer.
    fn find_replies_to_answers(&mut self) {
        let follows = |at: PartPos| {
            let behind = self.transcript.messages().get(at.message).map(|message| &message.parts[at.part..]);
            behind.is_some_and(|parts| parts.iter().any(|part| matches!(part, Part::Content { .. })))
                || self.transcript.messages().len() > at.message + 1
        };
        let answered = self.outbox.items().iter().filter(|item| item.is_answer()).flat_map(|item| &item.carried);
        let mut places = answered.filter_map(|carried| self.transcript.place(carried.call));
        if places.any(follows) {
            self.answers_are_followed(false);
        }
    }

    /// Re-links loaded calls to the requests in flight that carry them. Of two calls with one id and one approval id, only
    /// one was carried.
    fn rejoin(&mut self) {
        let items: Vec<Item> = self.outbox.items().to_vec();
        let carried_by = |id: u32, key| items.iter().find(|item| item.id == id).map(|item| item.carries(key).is_some());
        for at in self.transcript.calls_from(0) {
            let Some(part) = self.transcript.tool(at) else { continue };
            if matches!(part.delivery(), Delivery::In(id) if carried_by(id, part.key()) == Some(false)) {
                self.transcript.update(at, &mut |part| part.deliver(Delivery::None));
            }
        }
        for item in &items {
            for carried in &item.carried {
                let Some(at) = self.transcript.place(carried.call) else { continue };
                self.apply(at, Input::Sent);
                self.transcript.update(at, &mut |part| {
                    let own = part.approval.as_ref().map(|approval| approval.id) == carried.approval;
                    if own && part.decision().is_some() {
                        part.deliver(Delivery::In(item.id));
                    }
                    if carried.output {
                        (part.output_in, part.unsent_output) = (Some(item.id), false);
                    }
                });
            }
        }
    }

    /// Answers of the last step that may have been sent before the app was closed.
    fn unconfirm(&mut self) {
        let may_be_sent = |part: &ToolPart| {
            let decided = matches!(part.phase(), Phase::Approved | Phase::Denied) && part.delivery() == Delivery::None;
            let ours = part.decision().is_some_and(|decision| decision.by != DecidedBy::Backend);
            let carried = self.outbox.items().iter().any(|item| item.carries(part.key()).is_some());
            decided && ours && !carried
        };
        let answered = self.transcript.step_calls().filter(|(_, part)| may_be_sent(part));
        let answered: Vec<PartPos> = answered.map(|(at, _)| at).collect();
        for &at in &answered {
            self.transcript.update(at, &mut |part| part.deliver(Delivery::Held));
        }
        let answering = self.options.answering;
        // If another call of the step is still undecided, nothing can have been sent.
        if !answering && (self.transcript.waiting_for_user() > 0 || self.outbox.active().is_some()) {
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

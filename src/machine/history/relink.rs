//! Links a loaded history to what the machine knows: decisions, items in flight, and the open reply.

use super::{Repair, RepairCode};
use crate::machine::outbox::Carried;
use crate::machine::{
    ApprovalOwner, CallKey, DecidedBy, Delivery, DeliveryState, Followed, Input, LastReply, Machine, Message, Part,
    Phase, Reply, Role, ToolPart, Transcript,
};
use crate::prelude::*;

impl Machine {
    /// Applies decisions that this machine knows to a history that lacks them or has others. A known request keeps its
    /// times.
    pub(super) fn apply_known_decisions(&self, messages: &mut [Message], repairs: &mut Vec<Repair>) {
        for message in messages {
            for part in &mut message.parts {
                let Part::Tool(tool) = part else { continue };
                let asked = tool.approval_id();
                let same = |part: &&ToolPart| asked.is_none() || part.approval_id() == asked;
                let mut named = self.transcript.calls_named(tool.call).map(|(_, part)| part);
                let Some(known) = named.find(same) else { continue };
                tool.decided_from_memory = known.decided_from_memory;
                self.apply_known_decision(tool, known, repairs);
            }
        }
    }

    fn apply_known_decision(&self, tool: &mut ToolPart, known: &ToolPart, repairs: &mut Vec<Repair>) {
        // The backend's history has no requests that this client made.
        if tool.phase() == Phase::InputAvailable && known.is_asked_locally() && known.name == tool.name {
            *tool = *known;
            return self.keep_delivery(tool, known);
        }
        let (Some(asked), Some(loaded)) = (&known.approval, &mut tool.approval) else { return };
        if asked.id != loaded.id {
            return;
        }
        loaded.requested_at = asked.requested_at;
        loaded.expires_at = asked.expires_at;
        loaded.reused_id = asked.reused_id;
        let asks = tool.phase().is_requested();
        let Some(decision) = &asked.decision else {
            // A cancellation that is still to be sent, or was sent, is not taken back either.
            if asks && known.is_closed() && known.delivery() != Delivery::None {
                *tool = *known;
                self.keep_delivery(tool, known);
            }
            return;
        };
        let differs = tool.decision().is_some_and(|new| new.approved != decision.approved);
        if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()).filter(|_| !differs) {
            (new.original, new.remember) = (decision.original, decision.remember);
            tool.input = if decision.original.is_some() { known.input } else { tool.input };
        }
        // The backend runs the call, so its final state overrules a decision. A result beside an approval is true: what
        // a client writes for a call that it has denied has no approval.
        if differs && !tool.phase().is_open() && known.phase().is_overrulable() {
            if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
                new.by = DecidedBy::Backend;
            }
            return;
        }
        // A provider may store its result without the decision that let the call run. A denied call has no result.
        let undecided = !asks && tool.decision().is_none();
        if differs || asks || (undecided && !decision.approved) {
            *tool = *known;
        } else if let Some(new) = tool.approval.as_mut().filter(|_| undecided) {
            new.decision = Some(*decision);
        }
        if decision.by != DecidedBy::Backend {
            tool.set_sent(self.is_delivered(known));
        }
        self.keep_delivery(tool, known);
        if differs {
            repairs.push(Repair::of(RepairCode::DuplicateApproval, tool.call, tool.phase()));
        } else if undecided && !decision.approved {
            repairs.push(Repair::of(RepairCode::DeniedOutput, tool.call, tool.phase()));
        }
    }

    fn is_delivered(&self, known: &ToolPart) -> bool {
        self.delivery(known) == Some(DeliveryState::Acknowledged)
    }

    /// Keeps the delivery of a decision that was delivered, so that it is not sent again. `relink_items` sets the
    /// delivery of other decisions.
    fn keep_delivery(&self, tool: &mut ToolPart, known: &ToolPart) {
        let keeps = self.is_delivered(known) && tool.phase() != Phase::ApprovalRequested;
        tool.set_delivery(if keeps { known.delivery() } else { Delivery::None });
        tool.output_in = None;
    }

    /// Keeps the outputs of page tools that the history lacks: without them, the page would run the tools again. Of
    /// calls with one id only the newest is compared, and only if both histories have equally many.
    pub(super) fn keep_page_outputs(&mut self, old: &Transcript) {
        for known in old.messages().iter().flat_map(Message::calls) {
            let is_newest = old.newest(known.call) == Some(known.key());
            if !is_newest || !(known.unsent_output || known.output_in.is_some()) {
                continue;
            }
            let times = |history: &Transcript| history.calls_named(known.call).count();
            let Some((at, part)) = self.transcript.calls_named(known.call).next() else { continue };
            let is_open = !part.phase().is_settled();
            let is_same = part.name == known.name && part.approval_id() == known.approval_id();
            if !is_open || !is_same || times(old) != times(&self.transcript) {
                continue;
            }
            let undelivered =
                known.output_in.and_then(|id| self.item(id)).is_some_and(|item| item.state().is_undelivered());
            let mut kept = *known;
            kept.unsent_output |= undelivered;
            self.keep_delivery(&mut kept, known);
            (kept.key, kept.previous, kept.repeats) = (part.key, part.previous, part.repeats);
            self.transcript.update(at, &mut |part| *part = kept);
        }
    }

    /// Replaces the keys of calls in items with those of the loaded copies.
    pub(super) fn rekey_items(&mut self, old: &Transcript) {
        let (transcript, outbox) = (&self.transcript, &mut self.outbox);
        outbox.rekey(&|carried: &Carried| {
            let old = old.call(carried.call)?;
            let by_approval = |part: &ToolPart| carried.approval.is_none() || part.approval_id() == old.approval_id();
            let copy = loaded_copy(transcript, old, &by_approval)
                .or_else(|| loaded_copy(transcript, old, &|part| part.approval_id().is_none()));
            // A request with the output of a page tool is not sent for a copy without it.
            copy.filter(|&copy| !carried.output || transcript.call(copy).is_some_and(|part| part.phase().is_settled()))
        });
    }

    /// Remembers the approvals that the history lacks, so that deciding one is refused. A superseded approval of a call
    /// that was loaded again stays superseded: its decision may have been sent, so the user must not be asked again.
    pub(super) fn keep_old_approvals(&mut self, old: &Transcript) {
        self.transcript.remember_removed_of(old);
        for (approval, owner) in old.approvals() {
            if self.transcript.approval(approval).is_some() {
                continue;
            }
            let call = old.call(owner.key()).filter(|_| matches!(owner, ApprovalOwner::Superseded(_)));
            let same =
                |call: &ToolPart| loaded_copy(&self.transcript, call, &|part| part.approval_id() == call.approval_id());
            match call.and_then(same) {
                Some(copy) => {
                    self.transcript.own_approval(approval, copy);
                    self.transcript.supersede(approval, copy);
                }
                None => self.transcript.remember_removed(approval),
            }
        }
    }

    /// Finds the message of the open reply in the loaded history, and the earlier message that the reply has named. The
    /// message may have parts that the stream has not reached yet, so it is read a second time from here on.
    pub(super) fn relink_reply(&mut self, old: &Transcript) {
        let Some(reply) = self.exchange.reply_mut() else { return };
        let loaded = |at: usize| old.messages().get(at).and_then(|message| self.transcript.position(message.id));
        let is_assistants = |&at: &usize| self.transcript.messages()[at].role == Role::Assistant;
        let was = reply.message.and_then(|at| old.messages().get(at));
        let named = reply.superseded.map(|at| loaded(at).unwrap_or(Reply::NO_MESSAGE));
        let place = reply.message.and_then(loaded).filter(is_assistants);
        // If messages follow the one being streamed, the stream may no longer add to it.
        reply.superseded = named.or(place.filter(|at| at + 1 < self.transcript.messages().len()));
        reply.message = place;
        reply.base = reply.base.min(place.map_or(0, |at| self.transcript.messages()[at].parts.len()));
        // The app has this message, so it is no longer dropped as one that was never shown.
        reply.hidden = false;
        reply.is_replay &= place.is_some();
        (reply.is_earlier, reply.may_answer) = (false, false);
        reply.repeated.clear();
        if let Some((was, place)) = was.zip(place) {
            self.read_on_in(was, place);
        }
    }

    /// Keeps the last reply if it may arrive again and wrote the last message of the history, at the same place.
    pub(super) fn relink_last_reply(&mut self, old: &Transcript) {
        let messages = self.transcript.messages();
        let at = messages.len().wrapping_sub(1);
        let id = |messages: &[Message]| messages.get(at).map(|message| message.id);
        let may_return = self.turn.last_reply().is_some_and(|last| last.message == Some(at) && last.may_return());
        if may_return && id(messages) == id(old.messages()) {
            self.turn.cut(at, messages[at].parts.len());
        } else {
            self.turn.set_last_reply(None);
        }
    }

    /// The reply that wrote the last message may still be running. If the host reconnects, its stream is replayed from
    /// the start, and must not duplicate parts. Decisions that may have been sent follow that reply.
    pub(super) fn expect_replay(&mut self) {
        let messages = self.transcript.messages();
        let is_known = self.turn.last_reply().is_some();
        if is_known || messages.last().is_none_or(|last| last.role != Role::Assistant) {
            return;
        }
        let item = self.unconfirmed_submission();
        let followed = if item.is_some() { Followed::Lost } else { Followed::Not };
        let message = Some(messages.len() - 1);
        self.turn.set_last_reply(Some(LastReply { item, message, followed, ..LastReply::empty() }));
    }

    /// Links loaded calls and the items that contain them. If two calls have the same id and the same approval id, an
    /// item contains only one of them.
    pub(super) fn relink_items(&mut self) {
        for at in self.transcript.all_calls() {
            let delivery = self.transcript.tool(at).map(|part| part.delivery());
            if matches!(delivery, Some(Delivery::In(id)) if self.item(id).is_some()) {
                self.transcript.update(at, &mut |part| part.set_delivery(Delivery::None));
            }
        }
        let mut contents: Vec<(u32, Carried)> = Vec::new();
        for item in self.outbox.items() {
            item.carried.iter().for_each(|&carried| contents.push((item.id, carried)));
        }
        for (item, carried) in contents {
            let Some(at) = self.transcript.place(carried.call) else { continue };
            self.apply(at, Input::Sent);
            self.transcript.update(at, &mut |part| {
                // If the history contains the denial, nothing of it is left to send if the item fails.
                if carried.approval.is_some()
                    && part.approval_id() == carried.approval
                    && (part.decision().is_some() || part.is_closed())
                    && part.phase() != Phase::OutputDenied
                {
                    part.set_delivery(Delivery::In(item));
                }
                if carried.output {
                    (part.output_in, part.unsent_output) = (Some(item), false);
                }
            });
        }
    }
}

/// The key of a matching loaded copy of this call. If several calls with its id match, the one that has as many earlier
/// calls with the id in its turn is preferred.
fn loaded_copy(loaded: &Transcript, call: &ToolPart, matches: &dyn Fn(&ToolPart) -> bool) -> Option<CallKey> {
    let find = |fits: &dyn Fn(&ToolPart) -> bool| {
        loaded.calls_named(call.call).map(|(_, part)| part).find(|part| fits(part)).map(ToolPart::key)
    };
    find(&|part| matches(part) && part.repeats == call.repeats).or_else(|| find(matches))
}

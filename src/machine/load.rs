//! Taking in a conversation that an app has kept: mended where it has to be, and never refused.

use super::machine::Machine;
use super::reply::PastReply;
use super::{
    At, Author, ById, Cause, DeliveryState, Ending, Id, Message, OutcomeKind, Part, Payload, Phase, Role, ToolPart,
    Transcript, Trigger, Turn,
};
use crate::prelude::*;

/// What was mended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepairCode {
    /// The same call, or its result, stood in the history more than once.
    DuplicateCall,
    /// A tool part had no state, one that nobody knows, or one at odds with what it holds.
    MissingState,
    /// A denied call had no approval, or one that was granted.
    MissingApproval,
    /// An approval was still asked for, and something stands behind it.
    StaleApproval,
    /// A call had no result, and something stands behind it.
    UnansweredCall,
    /// A call's input was never complete.
    IncompleteInput,
    /// An entry was no message, or a part no part.
    Malformed,
    /// A message's id stood in the history more than once, or the same answer twice in a row.
    DuplicateMessage,
    /// Two calls had one approval, or an approval was asked or answered twice.
    DuplicateApproval,
    /// A request, an answer or a result belonged to no call.
    Orphaned,
    /// A value was of a wrong sort, or one that the state of its call does not allow.
    InvalidValue,
}

impl RepairCode {
    /// The code as a report shows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RepairCode::DuplicateCall => "duplicate-call",
            RepairCode::MissingState => "missing-state",
            RepairCode::MissingApproval => "missing-approval",
            RepairCode::StaleApproval => "stale-approval",
            RepairCode::UnansweredCall => "unanswered-call",
            RepairCode::IncompleteInput => "incomplete-input",
            RepairCode::Malformed => "malformed",
            RepairCode::DuplicateMessage => "duplicate-message",
            RepairCode::DuplicateApproval => "duplicate-approval",
            RepairCode::Orphaned => "orphaned",
            RepairCode::InvalidValue => "invalid-value",
        }
    }
}

/// One thing that was mended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repair {
    /// What was wrong.
    pub code: RepairCode,
    /// The call concerned.
    pub call: Option<Id>,
    /// Where the call stands now.
    pub phase: Option<Phase>,
}

impl Repair {
    /// A repair of something that is no call.
    #[must_use]
    pub fn new(code: RepairCode) -> Self {
        Self { code, call: None, phase: None }
    }

    /// A repair of a call.
    #[must_use]
    pub fn of(code: RepairCode, call: Id, phase: Phase) -> Self {
        Self { code, call: Some(call), phase: Some(phase) }
    }
}

impl Machine {
    /// Replaces the transcript by what an app has kept, with every message, call and approval in it once.
    /// `repairs` holds what its reader mended, and comes back with what was mended here. Nothing leaves by
    /// loading.
    pub fn load(&mut self, mut messages: Vec<Message>, mut repairs: Vec<Repair>) -> Vec<Repair> {
        self.settle_queue(&mut messages, &mut repairs);
        self.recall_decisions(&mut messages, &mut repairs);
        let written = self.current_message().and_then(|at| Some(self.transcript.messages().get(at)?.id));
        let known = core::mem::take(&mut self.transcript);
        for item in self.items_that(&|item| item.state == DeliveryState::Ready) {
            self.drop_item(item);
        }
        self.items.retain(|item| item.is_under_way() || item.is_undelivered());
        for message in messages {
            self.transcript.push_message(message);
        }
        carry_closed(&known, &mut self.transcript);
        self.close_earlier(&mut repairs);
        self.turn = Turn::default();
        self.past = None;
        self.hold = false;
        self.left = false;
        self.rule = None;
        self.decided = 0;
        let own = |message: &Message| written == Some(message.id) && message.role == Role::Assistant;
        let rewritten = self.transcript.messages().iter().position(own);
        if let Some(reply) = &mut self.reply {
            reply.message = rewritten;
            reply.again = false;
            // What stands behind its message cannot wait for it.
            reply.stale |= rewritten.is_some_and(|at| at + 1 < self.transcript.messages().len());
            reply.replay = None;
        }
        self.recount();
        self.clear_settled();
        let carried: Vec<Id> = self.items.iter().flat_map(|item| item.calls.iter().cloned()).collect();
        self.rejoin();
        self.unconfirm(&carried);
        self.start_waiting();
        self.expect_replay();
        // Nothing happened: it was so already.
        self.stop_rewriting();
        self.take_events();
        self.touch();
        // What a queued message waited for may be settled in this history.
        if !self.items.iter().any(super::Item::is_undelivered) && !self.queue.is_empty() {
            self.advance();
        }
        repairs
    }

    /// A queued message that the history has: at its end it waits still, before an answer it has left.
    fn settle_queue(&mut self, messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
        while messages.last().is_some_and(|last| self.queue.iter().any(|queued| queued.message.id == last.id)) {
            messages.pop();
            repairs.push(Repair::new(RepairCode::DuplicateMessage));
        }
        self.queue.retain(|queued| messages.iter().all(|message| message.id != queued.message.id));
        self.queue_revision += 1;
    }

    /// The reply that wrote the last message may still be running: if the host gets hold of it again,
    /// it is told from its beginning, and nothing may be doubled.
    fn expect_replay(&mut self) {
        let messages = self.transcript.messages();
        let Some(last) = messages.last().filter(|last| last.role == Role::Assistant) else { return };
        let unconfirmed = self.items.iter().find(|item| item.state == DeliveryState::Unconfirmed);
        let base = unconfirmed.map_or(0, |_| last.parts.len());
        let (item, message) = (unconfirmed.map(|item| item.id), Some(messages.len() - 1));
        let next_item = self.next_item;
        self.past = Some(PastReply { item, message, base, ending: Ending::Disconnected, next_item });
    }

    /// A decision that this machine knows wins over a history that does not have it yet, or has another one; and
    /// a request that it knows waits no longer for being loaded.
    fn recall_decisions(&self, messages: &mut [Message], repairs: &mut Vec<Repair>) {
        for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
            let Part::Tool(tool) = part else { continue };
            let Some(known) = self.transcript.call(tool.call) else { continue };
            tool.recalled = known.recalled;
            let (Some(asked), Some(again)) = (&known.approval, &mut tool.approval) else { continue };
            if asked.id != again.id {
                continue;
            }
            again.requested_at = asked.requested_at;
            again.expires_at = asked.expires_at;
            let Some(decision) = &asked.decision else { continue };
            let other = tool.decision().is_some_and(|new| new.approved != decision.approved);
            if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()).filter(|_| !other)
            {
                (new.original, new.remember) = (decision.original, decision.remember);
                tool.input = if decision.original.is_some() { known.input } else { tool.input };
            }
            // A backend may overrule an approval: it is the one that runs the call.
            if other && tool.phase == Phase::OutputDenied && !known.phase.is_settled() {
                if let Some(new) = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut()) {
                    new.by = Author::Backend;
                }
                continue;
            }
            if other || matches!(tool.phase, Phase::ApprovalRequested | Phase::AutomaticRequest) {
                **tool = known.clone();
            }
            // What has arrived leaves no second time. Whether anything else has, its item says, if there is one.
            let arrived = known.delivery == Some(DeliveryState::Acknowledged);
            if matches!(tool.phase, Phase::Approved | Phase::Submitted) && decision.by != Author::Backend {
                tool.phase = if arrived { Phase::Submitted } else { Phase::Approved };
            }
            tool.delivery = known.delivery.filter(|_| arrived && !matches!(tool.phase, Phase::ApprovalRequested));
            if other {
                repairs.push(Repair::of(RepairCode::DuplicateApproval, tool.call, tool.phase));
            }
        }
    }

    /// Closes what stands before a later step or message.
    fn close_earlier(&mut self, repairs: &mut Vec<Repair>) {
        let last_step = self.step_calls(&|_| true);
        for at in self.calls_from(0) {
            let Some(part) = self.transcript.tool(at) else { continue };
            let in_last_step = last_step.contains(&at);
            let code = match part.phase {
                Phase::InputStreaming => RepairCode::IncompleteInput,
                _ if in_last_step => continue,
                Phase::ApprovalRequested | Phase::AutomaticRequest => RepairCode::StaleApproval,
                Phase::Denied => {
                    repairs.push(Repair::of(RepairCode::UnansweredCall, part.call, Phase::OutputDenied));
                    self.apply(at, Cause::ConfirmDenial);
                    continue;
                }
                // The provider runs it, and keeps its result on its own side.
                Phase::InputAvailable | Phase::Approved | Phase::Submitted if part.provider_executed => {
                    self.apply(at, Cause::Sent);
                    continue;
                }
                Phase::InputAvailable | Phase::Approved | Phase::Submitted | Phase::Preliminary => {
                    RepairCode::UnansweredCall
                }
                Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => continue,
            };
            repairs.push(Repair::of(code, part.call, Phase::OutputError));
            if let Some(approval) = part.approval.as_ref().map(|approval| approval.id) {
                self.transcript.supersede(approval);
            }
            // Who kept it as approved had sent it, as far as anybody knows.
            self.apply(at, Cause::Sent);
            let stale = code == RepairCode::StaleApproval;
            self.close(at, Cause::Interrupt, if stale { self.options.superseded } else { Payload::NONE });
        }
    }

    /// What may not have arrived has, where the history has settled its calls; and it is void where they are gone.
    fn clear_settled(&mut self) {
        let last_step = self.step_calls(&|_| true);
        let waits = |call: &Id| {
            self.transcript.find(*call).is_some_and(|at| {
                let open =
                    |part: &ToolPart| matches!(part.phase, Phase::Submitted | Phase::Denied | Phase::Preliminary);
                last_step.contains(&at) && self.transcript.tool(at).is_some_and(open)
            })
        };
        for id in self.items_that(&|item| item.is_undelivered() && !item.calls.iter().any(waits)) {
            self.drop_item(id);
        }
    }

    /// Calls that a request on its way carries are its calls still.
    fn rejoin(&mut self) {
        for item in self.items.clone() {
            for call in &item.calls {
                let Some(at) = self.transcript.find(*call) else { continue };
                self.apply(at, Cause::Sent);
                if let Some(part) = self.transcript.tool_mut(at)
                    && part.approval.as_ref().is_some_and(|approval| item.approvals.contains(&approval.id))
                    && part.decision().is_some()
                {
                    part.delivery = Some(item.state);
                }
            }
        }
    }

    /// Answers of the last step that may have left before the app was closed.
    fn unconfirm(&mut self, carried: &[Id]) {
        let answered = self.step_calls(&|part| {
            matches!(part.phase, Phase::Approved | Phase::Denied)
                && part.delivery.is_none()
                && !carried.contains(&part.call)
                && part.decision().is_some_and(|decision| decision.by != Author::Backend)
        });
        for &at in &answered {
            if let Some(part) = self.transcript.tool_mut(at) {
                part.delivery = Some(DeliveryState::Held);
            }
        }
        let answering = self.options.answering;
        if !answering && (self.undecided > 0 || self.active().is_some()) {
            return;
        }
        let message_id = self.transcript.last().map(|message| message.id).filter(|_| !answering);
        let (trigger, size) = if answering { (Trigger::Answer, 1) } else { (Trigger::Submit, usize::MAX) };
        for calls in answered.chunks(size) {
            let id = self.push_item(trigger, calls, Vec::new(), message_id);
            self.take(id);
            if let Some(item) = self.item_mut(id) {
                item.ended = true;
            }
            self.move_item(id, DeliveryState::Unconfirmed);
        }
    }
}

/// How far a call has come: of two copies, the one that knows more is kept.
fn rank(part: &ToolPart) -> u8 {
    let told = part.outcome.as_ref().map(|outcome| outcome.kind);
    match part.phase {
        Phase::InputStreaming => 0,
        Phase::InputAvailable => 1,
        Phase::ApprovalRequested | Phase::AutomaticRequest => 2,
        Phase::Approved | Phase::Submitted => 3,
        Phase::Denied => 4,
        Phase::Preliminary => 5,
        // Closed for want of a result: whoever has one knows more.
        Phase::OutputError if told != Some(OutcomeKind::Failed) => 6,
        Phase::OutputAvailable | Phase::OutputError | Phase::OutputDenied => 7,
    }
}

/// Keeps every call once, where it first stood, with what its copies knew.
pub fn merge_calls(messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
    let mut first: ById<At> = ById::default();
    let mut doubled: Vec<(usize, usize)> = Vec::new();
    for m in 0..messages.len() {
        for p in 0..messages[m].parts.len() {
            let Some(tool) = messages[m].parts[p].tool() else { continue };
            let Some(at) = first.get(tool.call) else {
                first.set(tool.call, Some(At { message: m, part: p }));
                continue;
            };
            doubled.push((m, p));
            let copy = tool.clone();
            if let Part::Tool(kept) = &mut messages[at.message].parts[at.part] {
                if rank(&copy) > rank(kept) {
                    **kept = copy;
                }
                repairs.push(Repair::of(RepairCode::DuplicateCall, kept.call, kept.phase));
            }
            messages[m].source = Payload::NONE;
            messages[at.message].source = Payload::NONE;
        }
    }
    for &(m, p) in doubled.iter().rev() {
        messages[m].parts.remove(p);
        if messages[m].parts.iter().all(|part| matches!(part, Part::StepStart)) {
            messages.remove(m);
        }
    }
}

/// Approvals that were closed before stay closed, unless the history asks for them again.
fn carry_closed(known: &Transcript, now: &mut Transcript) {
    for (approval, holder) in known.approvals() {
        if now.approval(approval).is_none() {
            let (super::Holder::Call(call) | super::Holder::Superseded(call)) = holder;
            now.set_approval(approval, super::Holder::Superseded(call));
        }
    }
}

//! Answering backends wait for an answer to each of their requests, also to one that is not, or no longer, the one that
//! its call shows.
//!
//! A second request about a call *joins* the first one while that has no answer: the user decides once, and both are
//! answered. A request about which the user must not be asked is *refused*: the answer refuses that request and nothing
//! else. Either answer is an item with a `tool`, which is neither withdrawn nor held. One that joins waits until the
//! request that the call shows is answered.

use crate::machine::{
    Approval, CallKey, Carried, DeliveryState, Event, Id, Item, ItemInput, ItemState, Kind, Machine, PartPos, Payload,
    Request,
};

/// How many requests may wait for the answer to another one. Further ones are refused, because each change looks at
/// all.
const MAX_WAITING: usize = 1000;

impl Machine {
    /// The backend's request about this call, if it waits for an answer that was not sent yet.
    pub(in crate::machine) fn open_request(&self, at: PartPos) -> Option<Approval> {
        let part = self.transcript.tool(at).filter(|_| self.options.answering)?;
        let is_unsent = matches!(self.delivery(part), Some(DeliveryState::Ready | DeliveryState::Failed));
        part.approval.filter(|request| (part.is_unanswered() || is_unsent) && !request.is_local && !request.automatic)
    }

    /// Joins a request to the open one of its call. Returns whether it did, now or before.
    pub(in crate::machine) fn join(&mut self, at: PartPos, request: &Request) -> bool {
        let id = request.approval;
        if request.automatic || request.is_local || self.open_request(at).is_none_or(|open| open.id == id) {
            return false;
        }
        let owner = self.transcript.approval(id);
        if owner.is_none() && self.outbox.waiting().len() < MAX_WAITING {
            self.keep_request(at, id, request.envelope);
        } else if owner.is_none() {
            self.refuse_new(at, request);
        }
        // A request that joined before is repeated.
        owner.is_none_or(|owner| self.transcript.place(owner.key()) == Some(at))
    }

    /// The backend withdraws a request whose answer waits, or could not be sent. Returns whether there is one.
    pub(in crate::machine) fn withdraw_waiting(&mut self, approval: Id) -> bool {
        let is_unsent = |item: &Item| item.waits || item.tool.is_some() && item.state() == ItemState::Failed;
        let items = self.outbox.items().len();
        self.outbox.retain(&|item| !is_unsent(item) || item.approvals().next() != Some(approval));
        self.outbox.items().len() < items
    }

    /// Keeps a request about this call that the call does not show. It waits for its answer.
    pub(in crate::machine) fn keep_request(&mut self, at: PartPos, approval: Id, envelope: Payload) -> u32 {
        let Some(&part) = self.transcript.tool(at) else { return 0 };
        let (call, id) = (part.key(), part.call);
        if self.transcript.approval(approval).is_none() {
            self.transcript.own_approval(approval, call);
        }
        self.transcript.supersede(approval, call);
        let turn = self.transcript.turn_message();
        self.outbox.push(Kind::Answer, |item| {
            (item.tool, item.envelope, item.turn, item.waits) = (Some(part.name), envelope, turn, true);
            let approval = Some(approval);
            item.carried.push(Carried { call, id, approval, approved: false, cancelled: false, output: false });
        })
    }

    /// Refuses a new request about a call that the user must not be asked about.
    pub(in crate::machine) fn refuse_new(&mut self, at: PartPos, request: &Request) {
        let is_known = self.transcript.approval(request.approval).is_some() || self.is_replayed(at);
        if !is_known && self.options.answering && !request.automatic && !request.is_local {
            let id = self.keep_request(at, request.approval, request.envelope);
            self.refuse_request(id);
        }
    }

    /// Answers the requests that wait for the answer to another one, if that was sent. If their call was closed without
    /// an answer, they are refused.
    pub(in crate::machine) fn answer_joined(&mut self) {
        for id in self.outbox.waiting().to_vec() {
            let Some(&carried) = self.item(id).and_then(|item| item.carried.first()) else { continue };
            let at = self.transcript.place(carried.call);
            if at.is_some_and(|at| self.open_request(at).is_some()) {
                continue;
            }
            let part = at.and_then(|at| self.transcript.tool(at));
            let Some(part) = part.filter(|part| self.delivery(part).is_some()) else {
                // The backend has settled the call, so it waits for no answer.
                if part.is_some_and(|part| part.phase().is_settled() && !part.is_closed()) {
                    self.outbox.apply(id, ItemInput::TakeBack);
                } else {
                    self.refuse_request(id);
                }
                continue;
            };
            let cancelled = part.is_closed();
            let approved = !cancelled && part.decision().is_some_and(|decision| decision.approved);
            self.answer_request(id, Carried { approved, cancelled, ..carried });
        }
    }

    /// Keeps the open requests of calls that an edit removes, from this message on. They are refused afterwards.
    pub(in crate::machine) fn keep_removed_requests(&mut self, from: usize) {
        for at in self.transcript.open_turn_calls() {
            if let Some(open) = self.open_request(at).filter(|_| at.message >= from) {
                self.keep_request(at, open.id, open.envelope);
            }
        }
    }

    /// Refuses a request that waits, or whose approval must not be sent any more. Nothing is sent where that would
    /// refuse others, too.
    pub(in crate::machine) fn refuse_request(&mut self, id: u32) {
        let Some(&carried) = self.item(id).and_then(|item| item.carried.first()) else { return };
        if self.options.denials_spread {
            self.outbox.apply(id, ItemInput::TakeBack);
        } else {
            self.answer_request(id, Carried { call: CallKey::GONE, approved: false, ..carried });
        }
    }

    /// The answer to a request that waited is ready.
    #[inline(never)] // A page loads fewer bytes.
    fn answer_request(&mut self, id: u32, carried: Carried) {
        let item = self.outbox.release(id, carried);
        self.push_event(Event::Delivery { item, from: None, to: Some(DeliveryState::Ready), attempt: 1 });
    }
}

//! Answering backends wait for an answer to each of their requests, also to one that is not, or no longer, the request
//! of its call: because another request replaced it, or because the user must not be asked about the call. Such a
//! request is refused: the answer refuses that request and nothing else.
//!
//! The refusal is an item with a `tool`. It is ready at once, and is neither withdrawn nor held.

use super::{Approval, CallKey, Carried, DeliveryState, Id, Kind, Machine, PartPos, Payload, Request};
use crate::prelude::*;

impl Machine {
    /// Whether the backend waits for an answer to each request, and one can be refused alone.
    fn refuses(&self) -> bool {
        self.options.answering && !self.options.denials_spread
    }

    /// The backend's request about this call, if it waits for an answer that was not sent yet.
    pub(super) fn open_request(&self, at: PartPos) -> Option<Approval> {
        let part = self.transcript.tool(at)?;
        let is_unsent = matches!(self.delivery(part), Some(DeliveryState::Ready | DeliveryState::Failed));
        part.approval.filter(|request| self.refuses() && (part.is_unanswered() || is_unsent) && !request.is_local)
    }

    /// Refuses a request about this call that the call does not have any more.
    pub(super) fn refuse_request(&mut self, at: PartPos, approval: Id, envelope: Payload) {
        let Some(&part) = self.transcript.tool(at) else { return };
        let id = self.push_item(Kind::Answer, &[], Vec::new(), None);
        self.outbox.change(id, |item| {
            (item.tool, item.envelope) = (Some(part.name), envelope);
            let (call, id, approval) = (CallKey::GONE, part.call, Some(approval));
            item.carried.push(Carried { call, id, approval, approved: false, cancelled: false, output: false });
        });
    }

    /// Refuses a new request about a call that the user must not be asked about.
    pub(super) fn refuse_new(&mut self, at: PartPos, request: &Request) {
        let Some(key) = self.transcript.tool(at).map(super::ToolPart::key) else { return };
        let is_known = self.transcript.approval(request.approval).is_some() || self.is_replayed(at);
        if !is_known && self.refuses() && !request.automatic && !request.is_local {
            self.transcript.own_approval(request.approval, key);
            self.transcript.supersede(request.approval, key);
            self.refuse_request(at, request.approval, request.envelope);
        }
    }
}

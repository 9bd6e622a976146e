//! What a program reads from a [`Gate`]: what to show, whom the chat waits for, and the history for a model.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::gate::Gate;
use super::model_messages::model_messages;
use super::view::{GateView, PendingApproval, Turn, WaitingFor};
use super::{Value, digest};
use crate::machine::{Id, ToolPart, WaitsOn};
use crate::wire::ai_sdk::{self, Shape, ui_message};
use serde_json::Value as Json;

impl Gate {
    /// The approvals that the user can decide now, in call order.
    #[must_use]
    pub fn pending(&self) -> Vec<PendingApproval> {
        self.machine.pending().filter_map(|part| self.pending_approval(part)).collect()
    }

    /// The messages, as the AI SDK's `UIMessage`s. Tool parts also have `outcome` and `delivery`.
    #[must_use]
    pub fn messages(&self) -> Vec<Json> {
        let writer = self.writer();
        let messages = self.machine.transcript().messages().iter().take(self.machine.shown_messages());
        let messages = messages.map(|message| self.store.to_json(ui_message(&writer, message, Shape::View))).collect();
        self.store.end();
        messages
    }

    /// The history as a model reads it: `ModelMessage`s. Every call has one result or one decision.
    #[must_use]
    pub fn assemble(&self) -> Vec<Json> {
        let list = self.store.give(Value::list([]));
        let messages = self.machine.transcript().messages();
        let count = self.machine.shown_messages();
        for (at, message) in messages.iter().take(count).enumerate() {
            ai_sdk::entries(&self.writer(), message, at + 1 == messages.len(), list);
        }
        let entries: Vec<Json> = self.store.take(list).items().iter().map(Value::to_json).collect();
        self.store.end();
        entries.into_iter().flat_map(model_messages).collect()
    }

    /// Everything that a program shows of the chat.
    #[must_use]
    pub fn view(&self) -> GateView {
        let writer = self.writer();
        let queued = self.machine.queue().messages().iter();
        let queued =
            queued.map(|queued| self.store.to_json(ui_message(&writer, &queued.message, Shape::View))).collect();
        let (undecided, decided) = self.machine.counts();
        let view = GateView {
            status: self.machine.status(),
            messages: self.messages(),
            queued,
            pending: self.pending(),
            undelivered: self.undelivered(),
            turn: Turn {
                status: self.machine.turn_status(),
                ending: self.machine.turn().ending(),
                undecided,
                decided,
                waiting_for: self.waiting_for(),
            },
        };
        self.store.end();
        view
    }

    /// Who must act before the chat can continue. Empty if only the user's next message is awaited.
    #[must_use]
    pub fn waiting_for(&self) -> Vec<WaitingFor> {
        let waiting = self.machine.waiting();
        let calls = |whom, id: fn(&ToolPart) -> Id| {
            self.machine.awaited_calls(whom).map(|part| self.store.text(id(part)).to_string()).collect()
        };
        let items = |whom| self.machine.awaited_items(whom);
        let entry = |&whom: &WaitsOn| match whom {
            WaitsOn::User => {
                Some(WaitingFor::User { approval_ids: calls(whom, |part| part.approval_id().unwrap_or(part.call)) })
            }
            WaitsOn::Tool => Some(WaitingFor::Tool { tool_call_ids: calls(whom, |part| part.call) }),
            WaitsOn::Host => Some(WaitingFor::Host { ids: items(whom) }),
            WaitsOn::Reply => Some(WaitingFor::Reply),
            WaitsOn::Resume => Some(WaitingFor::Resume),
            WaitsOn::Retry => Some(WaitingFor::Retry { ids: items(whom) }),
            WaitsOn::Cancel => Some(WaitingFor::Cancel { ids: items(whom) }),
            // The gate has no option that rewrites results.
            WaitsOn::Rewrite => None,
        };
        WaitsOn::ALL.iter().filter(|&&whom| waiting.on(whom)).filter_map(entry).collect()
    }

    fn pending_approval(&self, part: &ToolPart) -> Option<PendingApproval> {
        let approval = part.approval.as_ref()?;
        let input = self.store.take(part.input);
        Some(PendingApproval {
            approval_id: self.store.text(approval.id).to_string(),
            tool_call_id: self.store.text(part.call).to_string(),
            tool_name: self.store.text(part.name).to_string(),
            input_digest: digest(&input),
            input: input.to_json(),
            requested_at: approval.requested_at,
            expires_at: approval.expires_at,
        })
    }
}

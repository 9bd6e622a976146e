//! Reading `ModelMessage`s, so that what was assembled can be taken in again.

use super::Kind;
use super::load::{Reading, kept_outcome, settle};
use super::tool_chunk::expiry;
use crate::machine::{Approval, Author, Decision, Message, Outcome, OutcomeKind, Part, Payload, Phase, Role, ToolPart};
use crate::prelude::*;
use crate::wire::{Name, Values, Without};

/// The reader of one history.
#[derive(Default)]
pub(super) struct Models {
    /// The last entry came from the assistant or a tool: what follows is another step of one message.
    goes_on: bool,
}

impl Models {
    /// The role of a `UIMessage`; it has no tool messages.
    pub(super) fn ui_role(&mut self, role: Name) -> Option<Role> {
        self.goes_on = false;
        match role {
            Name::System => Some(Role::System),
            Name::User => Some(Role::User),
            Name::Assistant => Some(Role::Assistant),
            _ => None,
        }
    }

    /// Reads one `ModelMessage`.
    pub(super) fn read<V: Values>(
        &mut self,
        r: &mut Reading<V>,
        entry: Payload,
        role: Name,
        messages: &mut Vec<Message>,
    ) {
        let content = r.values.get(entry, Name::Content);
        match role {
            Name::System | Name::User => {
                self.goes_on = false;
                let role = if role == Name::User { Role::User } else { Role::System };
                let mut message = Message::new(r.values.fresh(), role);
                let options = r.values.get(entry, Name::ProviderOptions);
                self.each(r, content, options, |r, part| push_content(r, part, &mut message));
                messages.push(message);
            }
            Name::Assistant => {
                if !self.goes_on {
                    messages.push(Message::new(r.values.fresh(), Role::Assistant));
                }
                self.goes_on = true;
                let Some(message) = messages.last_mut() else { return };
                message.parts.push(Part::StepStart);
                self.each(r, content, Payload::NONE, |r, part| push_said(r, part, message));
            }
            _ => {
                let Some(message) = messages.last_mut().filter(|_| self.goes_on) else { return };
                for index in 0..r.values.len(content) {
                    let part = r.values.at(content, index);
                    push_answer(r, part, message);
                }
            }
        }
    }

    /// Content is a text, or an array of parts.
    fn each<V: Values>(
        &self,
        r: &mut Reading<V>,
        content: Payload,
        options: Payload,
        mut read: impl FnMut(&mut Reading<V>, Payload),
    ) {
        if r.values.is_text(content) {
            let part = r.values.object();
            r.values.set_name(part, Name::Type, Name::Text);
            r.values.set(part, Name::Text, content);
            r.values.set(part, Name::ProviderOptions, options);
            read(r, part);
        }
        for index in 0..r.values.len(content) {
            let part = r.values.at(content, index);
            read(r, part);
        }
    }
}

fn push_content<V: Values>(r: &mut Reading<V>, part: Payload, message: &mut Message) {
    let name = r.values.name(part, Name::Type);
    let kind = Kind::of(name, false);
    let ui = r.values.rest(part, Without::ModelContent);
    r.values.set(ui, Name::ProviderMetadata, r.values.get(part, Name::ProviderOptions));
    if matches!(kind, Kind::File | Kind::ReasoningFile) {
        let data = r.values.get(part, Name::Data);
        if r.values.is_object(data) && !r.values.is_some(r.values.get(data, Name::Type)) {
            r.values.set(ui, Name::Url, r.values.url_text(data));
        } else if r.values.is_object(data) {
            r.values.set(ui, Name::ProviderReference, r.values.get(data, Name::Reference));
            r.values.set(ui, Name::Url, r.values.url_text(r.values.get(data, Name::Url)));
        } else {
            r.values.set(ui, Name::Url, data);
        }
    }
    let value = r.values.keep(ui);
    message.parts.push(Part::Content { kind: kind as u8, value });
}

fn push_said<V: Values>(r: &mut Reading<V>, part: Payload, message: &mut Message) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolCall) => {
            let (Some(call), Some(name)) = (r.values.id(part, Name::ToolCallId), r.values.id(part, Name::ToolName))
            else {
                return;
            };
            let mut read = ToolPart::new(call, name, Phase::InputAvailable);
            read.input_complete = true;
            read.input = r.values.keep(r.values.get(part, Name::Input));
            read.provider_executed = r.values.flag(part, Name::ProviderExecuted) == Some(true);
            let fields = r.values.object();
            r.values.set(fields, Name::ProviderExecuted, r.values.get(part, Name::ProviderExecuted));
            r.values.set(fields, Name::CallProviderMetadata, r.values.get(part, Name::ProviderOptions));
            read.fields = r.values.keep(fields);
            message.parts.push(Part::Tool(Box::new(read)));
        }
        Some(Name::ToolApprovalRequest) => {
            let (Some(id), Some(call)) = (r.values.id(part, Name::ApprovalId), r.values.id(part, Name::ToolCallId))
            else {
                return;
            };
            let envelope = r.values.rest(part, Without::PlacedInRequest);
            r.values.set(envelope, Name::RequestReason, r.values.get(part, Name::Reason));
            r.values.set(envelope, Name::Signature, r.values.get(part, Name::Signature));
            let automatic = r.values.flag(part, Name::IsAutomatic) == Some(true);
            let envelope = r.values.keep(envelope);
            let expires_at = expiry(r.values, part);
            if let Some(tool) = find(message, |tool| tool.call == call) {
                tool.approval = Some(Approval { id, envelope, automatic, requested_at: 0, expires_at, decision: None });
                tool.phase = if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested };
            }
        }
        Some(Name::ToolResult) => push_answer(r, part, message),
        _ => push_content(r, part, message),
    }
}

fn push_answer<V: Values>(r: &mut Reading<V>, part: Payload, message: &mut Message) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolApprovalResponse) => {
            let (Some(id), Some(approved)) = (r.values.id(part, Name::ApprovalId), r.values.flag(part, Name::Approved))
            else {
                return;
            };
            let reason = r.values.get(part, Name::Reason);
            let reason = r.values.keep_text(reason);
            let holds = |tool: &ToolPart| tool.approval.as_ref().is_some_and(|approval| approval.id == id);
            if let Some(tool) = find(message, holds) {
                if let Some(approval) = &mut tool.approval {
                    let by = if approval.automatic { Author::Backend } else { Author::User };
                    approval.decision = Some(Decision { approved, reason, by });
                }
                // A provider's own result stands before the answer that let it run.
                if tool.phase.is_settled() {
                    return;
                }
                tool.phase = if approved { Phase::Approved } else { Phase::Denied };
                settle(r.values, tool);
            }
        }
        Some(Name::ToolResult) => {
            let Some(call) = r.values.id(part, Name::ToolCallId) else { return };
            let options = r.values.get(part, Name::ProviderOptions);
            let kept = kept_outcome(r.values, options);
            let output = r.values.get(part, Name::Output);
            let value = r.values.keep(r.values.get(output, Name::Value));
            let kind = r.values.name(output, Name::Type);
            let reason = r.values.get(output, Name::Reason);
            let reason = r.values.keep_text(reason);
            let Some(tool) = find(message, |tool| tool.call == call) else { return };
            let plain = |kind| Some(Outcome { kind, reason: Payload::NONE, may_have_run: false });
            match kind {
                Some(Name::ExecutionDenied) => {
                    tool.phase = Phase::OutputDenied;
                    // The response before it has said so already, and settled the call.
                    if tool.outcome.is_none() {
                        tool.outcome = Some(Outcome { kind: OutcomeKind::Denied, reason, may_have_run: false });
                    }
                    tool.record_denial();
                }
                Some(Name::TextError | Name::ErrorJson) => {
                    tool.phase = Phase::OutputError;
                    tool.output = value;
                    if let Some(kept) = kept {
                        tool.written = value;
                        tool.outcome = Some(kept);
                    } else {
                        tool.outcome = plain(OutcomeKind::Failed);
                    }
                }
                _ => {
                    tool.phase = Phase::OutputAvailable;
                    tool.output = value;
                    tool.outcome = plain(OutcomeKind::Executed);
                }
            }
            let failed = tool.phase == Phase::OutputError;
            let of_call = r.values.get(tool.fields, Name::CallProviderMetadata);
            // A failed call without metadata of its own shows its result's.
            if failed && !tool.provider_executed && !r.values.is_some(options) && r.values.is_some(of_call) {
                let fields = r.values.rest(tool.fields, Without::CallMetadata);
                r.values.set(fields, Name::ResultProviderMetadata, of_call);
                tool.fields = r.values.keep(fields);
            }
            if tool.provider_executed && r.values.is_some(options) {
                let fields = r.values.rest(tool.fields, Without::Nothing);
                r.values.set(fields, Name::ResultProviderMetadata, options);
                tool.fields = r.values.keep(fields);
            }
        }
        _ => {}
    }
}

fn find(message: &mut Message, holds: impl Fn(&ToolPart) -> bool) -> Option<&mut ToolPart> {
    message.parts.iter_mut().rev().find_map(|part| match part {
        Part::Tool(tool) if holds(tool) => Some(&mut **tool),
        Part::Tool(_) | Part::StepStart | Part::Content { .. } => None,
    })
}

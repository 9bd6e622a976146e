//! Reading `ModelMessage`s, so that what was assembled can be taken in again.

use super::Kind;
use super::load::kept_outcome;
use crate::machine::{
    Approval, Author, Decision, Id, Message, Outcome, OutcomeKind, Part, Payload, Phase, Role, ToolPart,
};
use crate::wire::{Name, Values};

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
        values: &mut V,
        entry: &V::Value,
        role: Name,
        messages: &mut Vec<Message>,
        fresh: &mut impl FnMut() -> Id,
    ) {
        let content = values.get(entry, Name::Content);
        match role {
            Name::System | Name::User => {
                self.goes_on = false;
                let role = if role == Name::User { Role::User } else { Role::System };
                let mut message = Message::new(fresh(), role);
                let options = values.get(entry, Name::ProviderOptions);
                self.each(values, &content, &options, |values, part| push_content(values, part, &mut message));
                messages.push(message);
            }
            Name::Assistant => {
                if !self.goes_on {
                    messages.push(Message::new(fresh(), Role::Assistant));
                }
                self.goes_on = true;
                let Some(message) = messages.last_mut() else { return };
                message.parts.push(Part::StepStart);
                let none = values.none();
                self.each(values, &content, &none, |values, part| push_said(values, part, message));
            }
            _ => {
                let Some(message) = messages.last_mut().filter(|_| self.goes_on) else { return };
                for index in 0..values.len(&content) {
                    let part = values.at(&content, index);
                    push_answer(values, &part, message);
                }
            }
        }
    }

    /// Content is a text, or an array of parts.
    fn each<V: Values>(
        &self,
        values: &mut V,
        content: &V::Value,
        options: &V::Value,
        mut read: impl FnMut(&mut V, &V::Value),
    ) {
        if values.is_text(content) {
            let mut part = values.object();
            values.set_name(&mut part, Name::Type, Name::Text);
            values.set(&mut part, Name::Text, content);
            values.set(&mut part, Name::ProviderOptions, options);
            read(values, &part);
        }
        for index in 0..values.len(content) {
            let part = values.at(content, index);
            read(values, &part);
        }
    }
}

fn push_content<V: Values>(values: &mut V, part: &V::Value, message: &mut Message) {
    let name = values.name(part, Name::Type);
    let kind = Kind::of(name, false);
    let mut ui = values.rest(part, &[Name::ProviderOptions, Name::Data]);
    values.set(&mut ui, Name::ProviderMetadata, &values.get(part, Name::ProviderOptions));
    if matches!(kind, Kind::File | Kind::ReasoningFile) {
        let data = values.get(part, Name::Data);
        if values.is_object(&data) && !values.is_some(&values.get(&data, Name::Type)) {
            values.set(&mut ui, Name::Url, &values.url_text(&data));
        } else if values.is_object(&data) {
            values.set(&mut ui, Name::ProviderReference, &values.get(&data, Name::Reference));
            values.set(&mut ui, Name::Url, &values.url_text(&values.get(&data, Name::Url)));
        } else {
            values.set(&mut ui, Name::Url, &data);
        }
    }
    let value = values.keep(ui);
    message.parts.push(Part::Content { kind: kind as u8, value });
}

fn push_said<V: Values>(values: &mut V, part: &V::Value, message: &mut Message) {
    match values.name(part, Name::Type) {
        Some(Name::ToolCall) => {
            let (Some(call), Some(name)) = (values.text(part, Name::ToolCallId), values.text(part, Name::ToolName))
            else {
                return;
            };
            let mut read = ToolPart::new(call.into(), name.into(), Phase::InputAvailable);
            read.input_complete = true;
            read.input = values.keep(values.get(part, Name::Input));
            read.provider_executed = values.flag(part, Name::ProviderExecuted) == Some(true);
            let mut fields = values.object();
            values.set(&mut fields, Name::ProviderExecuted, &values.get(part, Name::ProviderExecuted));
            values.set(&mut fields, Name::CallProviderMetadata, &values.get(part, Name::ProviderOptions));
            read.fields = values.keep(fields);
            message.parts.push(Part::Tool(Box::new(read)));
        }
        Some(Name::ToolApprovalRequest) => {
            let (Some(id), Some(call)) = (values.text(part, Name::ApprovalId), values.text(part, Name::ToolCallId))
            else {
                return;
            };
            let drop = [Name::Type, Name::ApprovalId, Name::ToolCallId, Name::Reason, Name::IsAutomatic];
            let mut envelope = values.rest(part, &drop);
            values.set(&mut envelope, Name::RequestReason, &values.get(part, Name::Reason));
            let automatic = values.flag(part, Name::IsAutomatic) == Some(true);
            let envelope = values.keep(envelope);
            if let Some(tool) = find(message, |tool| *tool.call == *call) {
                tool.approval = Some(Approval { id: id.into(), envelope, automatic, requested_at: 0, decision: None });
                tool.phase = if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested };
            }
        }
        Some(Name::ToolResult) => push_answer(values, part, message),
        _ => push_content(values, part, message),
    }
}

fn push_answer<V: Values>(values: &mut V, part: &V::Value, message: &mut Message) {
    match values.name(part, Name::Type) {
        Some(Name::ToolApprovalResponse) => {
            let (Some(id), Some(approved)) = (values.text(part, Name::ApprovalId), values.flag(part, Name::Approved))
            else {
                return;
            };
            let reason = values.get(part, Name::Reason);
            let reason = if values.is_text(&reason) { values.keep(reason) } else { Payload::NONE };
            let holds = |tool: &ToolPart| tool.approval.as_ref().is_some_and(|approval| *approval.id == *id);
            if let Some(tool) = find(message, holds) {
                if let Some(approval) = &mut tool.approval {
                    let by = if approval.automatic { Author::Backend } else { Author::User };
                    approval.decision = Some(Decision { approved, reason, by });
                }
                tool.phase = if approved { Phase::Approved } else { Phase::Denied };
                if !approved {
                    tool.outcome = Some(Outcome { kind: OutcomeKind::Denied, reason, may_have_run: false });
                }
            }
        }
        Some(Name::ToolResult) => {
            let Some(call) = values.text(part, Name::ToolCallId) else { return };
            let options = values.get(part, Name::ProviderOptions);
            let kept = kept_outcome(values, &options);
            let output = values.get(part, Name::Output);
            let value = values.keep(values.get(&output, Name::Value));
            let kind = values.text(&output, Name::Type).unwrap_or_default();
            let reason = values.get(&output, Name::Reason);
            let reason = if values.is_text(&reason) { values.keep(reason) } else { Payload::NONE };
            let Some(tool) = find(message, |tool| *tool.call == *call) else { return };
            let plain = |kind| Some(Outcome { kind, reason: Payload::NONE, may_have_run: false });
            match kind.as_str() {
                "execution-denied" => {
                    tool.phase = Phase::OutputDenied;
                    tool.outcome = Some(Outcome { kind: OutcomeKind::Denied, reason, may_have_run: false });
                    tool.record_denial();
                }
                "error-text" | "error-json" => {
                    tool.phase = Phase::OutputError;
                    tool.output = value;
                    tool.outcome = kept.or_else(|| plain(OutcomeKind::Failed));
                }
                _ => {
                    tool.phase = Phase::OutputAvailable;
                    tool.output = value;
                    tool.outcome = plain(OutcomeKind::Executed);
                }
            }
            if tool.provider_executed && values.is_some(&options) {
                let mut fields = values.rest(&values.load(tool.fields), &[]);
                values.set(&mut fields, Name::ResultProviderMetadata, &options);
                tool.fields = values.keep(fields);
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

//! Reads `ModelMessage`s, so that an assembled history can be loaded again.

use super::Kind;
use super::load_model_calls::{push_request, push_tool_part};
use super::property_checks::{OF_CALLS, OF_CONTENT, has_file, has_text, without_invalid};
use super::reading::Reading;
use crate::machine::{Message, Part, Payload, Phase, RepairCode, Role, ToolPart};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, ValueKind, Values};

/// The reader of one model history.
#[derive(Default)]
pub(super) struct ModelReader {
    /// Whether the last entry was from the assistant or a tool: the next one adds a step to the same message.
    continues_message: bool,
}

impl ModelReader {
    /// The role of a `UIMessage`, which has no tool messages.
    pub(super) fn ui_role(&mut self, role: Name) -> Option<Role> {
        self.continues_message = false;
        match role {
            Name::System => Some(Role::System),
            Name::User => Some(Role::User),
            Name::Assistant => Some(Role::Assistant),
            _ => None,
        }
    }

    /// Reads one `ModelMessage` into `messages`.
    pub(super) fn read<V: Values>(
        &mut self,
        r: &mut Reading<V>,
        entry: Payload,
        role: Name,
        messages: &mut Vec<Message>,
    ) {
        let content = r.values.get(entry, Name::Content);
        let readable = match r.values.kind(content) {
            ValueKind::Array => true,
            ValueKind::Text => role != Name::Tool,
            ValueKind::Nothing | ValueKind::Object | ValueKind::Other => false,
        };
        if !readable {
            return r.skipped(None);
        }
        match role {
            Name::System | Name::User => {
                self.continues_message = false;
                let role = if role == Name::User { Role::User } else { Role::System };
                let mut message = Message::new(r.values.new_id(), role);
                let options = r.values.get(entry, Name::ProviderOptions);
                each(r, content, options, |r, part| push_content(r, part, &mut message));
                if message.parts.is_empty() {
                    return r.skipped(None);
                }
                messages.push(message);
            }
            Name::Assistant => {
                if !self.continues_message {
                    messages.push(Message::new(r.values.new_id(), Role::Assistant));
                }
                self.continues_message = true;
                if let Some(message) = messages.last_mut() {
                    message.parts.push(Part::StepStart);
                }
                each(r, content, Payload::NONE, |r, part| push_assistant_part(r, part, messages));
            }
            _ => {
                // A denial changes how its result is read, so decisions are read before results.
                for decisions in [true, false] {
                    for index in 0..r.values.len(content) {
                        let part = r.values.at(content, index);
                        if (r.values.name(part, Name::Type) == Some(Name::ToolApprovalResponse)) == decisions {
                            push_tool_part(r, part, messages);
                        }
                    }
                }
            }
        }
    }
}

/// Calls `read` for each part of the content, which is a text or an array of parts.
fn each<V: Values>(
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

fn push_content<V: Values>(r: &mut Reading<V>, part: Payload, message: &mut Message) {
    let name = r.values.name(part, Name::Type);
    let kind = Kind::of(name, false);
    // A `UIMessage` tool part is invalid in a `ModelMessage`.
    if !has_text(r.values, part, kind) || name == Some(Name::DynamicTool) || r.values.tool_name(part).is_some() {
        return r.skipped(None);
    }
    let ui = r.values.omit(part, OmitKeys::ModelContent);
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
    let (ui, invalid) = without_invalid(r.values, ui, &OF_CONTENT);
    if !has_file(r.values, ui, kind) {
        return r.skipped(None);
    }
    if invalid {
        r.repaired(RepairCode::InvalidValue);
    }
    let value = r.values.retain(ui);
    message.parts.push(Part::Content { kind: kind as u8, value });
}

fn push_assistant_part<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolCall) => {
            let call = r.values.id(part, Name::ToolCallId);
            let (Some(call), Some(name)) = (call, r.values.id(part, Name::ToolName)) else {
                return r.skipped(call);
            };
            let mut read = ToolPart::new(call, name, Phase::InputAvailable);
            read.input_complete = true;
            let input = r.values.get(part, Name::Input);
            // A protocol's reader writes `undefined` for a call that was stored without an input.
            let lacks_input = !input.is_some() || !r.values.has(part, Name::Input);
            read.input = r.values.retain(if lacks_input { r.values.as_json(input) } else { input });
            read.provider_executed = r.values.flag(part, Name::ProviderExecuted) == Some(true);
            let fields = r.values.object();
            r.values.set(fields, Name::ProviderExecuted, r.values.get(part, Name::ProviderExecuted));
            r.values.set(fields, Name::CallProviderMetadata, r.values.get(part, Name::ProviderOptions));
            let (fields, invalid) = without_invalid(r.values, fields, &OF_CALLS);
            read.fields = r.values.retain(fields);
            if invalid || lacks_input {
                r.repair(RepairCode::InvalidValue, call, read.phase());
            }
            if let Some(message) = messages.last_mut() {
                message.parts.push(Part::Tool(Box::new(read)));
            }
        }
        Some(Name::ToolApprovalRequest) => push_request(r, part, messages),
        Some(Name::ToolResult | Name::ToolApprovalResponse) => push_tool_part(r, part, messages),
        _ => {
            if let Some(message) = messages.last_mut() {
                push_content(r, part, message);
            }
        }
    }
}

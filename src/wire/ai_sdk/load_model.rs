//! Reading `ModelMessage`s, so that what was assembled can be taken in again.

use super::Kind;
use super::load::{Reading, has_file, has_text, kept_outcome, settle};
use super::load_call::{OF_APPROVALS, OF_CALLS, OF_CONTENT, answered, tidy};
use super::tool_chunk::expiry;
use crate::machine::{
    Approval, DecidedBy, Decision, Id, Message, Outcome, OutcomeKind, Part, Payload, Phase, RepairCode, Role, ToolPart,
};
use crate::prelude::*;
use crate::wire::{Name, Sort, Values, Without};

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
        let readable = match r.values.sort(content) {
            Sort::Array => true,
            Sort::Text => role != Name::Tool,
            Sort::Nothing | Sort::Object | Sort::Other => false,
        };
        if !readable {
            return r.left_out(None);
        }
        match role {
            Name::System | Name::User => {
                self.goes_on = false;
                let role = if role == Name::User { Role::User } else { Role::System };
                let mut message = Message::new(r.values.fresh(), role);
                let options = r.values.get(entry, Name::ProviderOptions);
                each(r, content, options, |r, part| push_content(r, part, &mut message));
                if message.parts.is_empty() {
                    return r.left_out(None);
                }
                messages.push(message);
            }
            Name::Assistant => {
                if !self.goes_on {
                    messages.push(Message::new(r.values.fresh(), Role::Assistant));
                }
                self.goes_on = true;
                if let Some(message) = messages.last_mut() {
                    message.parts.push(Part::StepStart);
                }
                each(r, content, Payload::NONE, |r, part| push_said(r, part, messages));
            }
            _ => {
                // A denial's answer says that its result is one, so answers are read before results.
                for answers in [true, false] {
                    for index in 0..r.values.len(content) {
                        let part = r.values.at(content, index);
                        if (r.values.name(part, Name::Type) == Some(Name::ToolApprovalResponse)) == answers {
                            push_answer(r, part, messages);
                        }
                    }
                }
            }
        }
    }
}

/// Content is a text, or an array of parts.
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
    // A tool part of a `UIMessage` is none here.
    if !has_text(r.values, part, kind) || name == Some(Name::DynamicTool) || r.values.tool(part).is_some() {
        return r.left_out(None);
    }
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
    let (ui, odd) = tidy(r.values, ui, &OF_CONTENT);
    if !has_file(r.values, ui, kind) {
        return r.left_out(None);
    }
    if odd {
        r.repaired(RepairCode::InvalidValue);
    }
    let value = r.values.keep(ui);
    message.parts.push(Part::Content { kind: kind as u8, value });
}

fn push_said<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolCall) => {
            let call = r.values.id(part, Name::ToolCallId);
            let (Some(call), Some(name)) = (call, r.values.id(part, Name::ToolName)) else {
                return r.left_out(call);
            };
            let mut read = ToolPart::new(call, name, Phase::InputAvailable);
            read.input_complete = true;
            let input = r.values.get(part, Name::Input);
            let lost = !r.values.has(part, Name::Input);
            read.input = r.values.keep(if lost { r.values.json(input) } else { input });
            read.provider_executed = r.values.flag(part, Name::ProviderExecuted) == Some(true);
            let fields = r.values.object();
            r.values.set(fields, Name::ProviderExecuted, r.values.get(part, Name::ProviderExecuted));
            r.values.set(fields, Name::CallProviderMetadata, r.values.get(part, Name::ProviderOptions));
            let (fields, odd) = tidy(r.values, fields, &OF_CALLS);
            read.fields = r.values.keep(fields);
            if odd || lost {
                r.repair(RepairCode::InvalidValue, call, read.phase());
            }
            if let Some(message) = messages.last_mut() {
                message.parts.push(Part::Tool(Box::new(read)));
            }
        }
        Some(Name::ToolApprovalRequest) => push_request(r, part, messages),
        Some(Name::ToolResult | Name::ToolApprovalResponse) => push_answer(r, part, messages),
        _ => {
            if let Some(message) = messages.last_mut() {
                push_content(r, part, message);
            }
        }
    }
}

fn push_request<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let call = r.values.id(part, Name::ToolCallId);
    let (Some(id), Some(of)) = (r.values.id(part, Name::ApprovalId), call) else { return r.left_out(call) };
    let Some((tool, _)) = find(messages, Wanted::Call(of)) else { return r.orphaned(call) };
    // A request never takes anything back.
    if tool.phase().is_settled() || tool.approval.as_ref().is_some_and(|approval| approval.id == id) {
        return r.repair(RepairCode::DuplicateApproval, of, tool.phase());
    }
    let envelope = r.values.rest(part, Without::PlacedInRequest);
    r.values.set(envelope, Name::RequestReason, r.values.get(part, Name::Reason));
    r.values.set(envelope, Name::Signature, r.values.get(part, Name::Signature));
    let automatic = r.values.flag(part, Name::IsAutomatic) == Some(true);
    let (envelope, odd) = tidy(r.values, envelope, &OF_APPROVALS);
    let envelope = r.values.keep(envelope);
    let repeat_unsafe = r.values.flag(part, Name::RepeatUnsafe) == Some(true);
    let expires_at = expiry(r.values, part);
    tool.approval = Some(Approval { envelope, automatic, repeat_unsafe, expires_at, ..Approval::new(id) });
    tool.read_as(if automatic { Phase::AutomaticRequest } else { Phase::ApprovalRequested }, None);
    if odd {
        r.repair(RepairCode::InvalidValue, of, tool.phase());
    }
}

fn push_answer<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    match r.values.name(part, Name::Type) {
        Some(Name::ToolApprovalResponse) => push_response(r, part, messages),
        Some(Name::ToolResult) => push_result(r, part, messages),
        _ => r.left_out(None),
    }
}

fn push_response<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let (Some(id), Some(approved)) = (r.values.id(part, Name::ApprovalId), r.values.flag(part, Name::Approved)) else {
        return r.left_out(None);
    };
    let Some((tool, apart)) = find(messages, Wanted::Approval(id)) else { return r.orphaned(None) };
    let Some(approval) = tool.approval.as_mut().filter(|approval| approval.decision.is_none()) else {
        return r.repair(RepairCode::DuplicateApproval, tool.call, tool.phase());
    };
    let reason = r.values.get(part, Name::Reason);
    let reason = r.values.keep_text(reason);
    let by = if approval.automatic { DecidedBy::Backend } else { DecidedBy::User };
    approval.decision = Some(Decision::new(approved, reason, by));
    // A provider's own result comes before the answer that let it run.
    if !tool.phase().is_settled() {
        tool.read_as(answered(approved, by), None);
        settle(r.values, tool);
    }
    if apart {
        r.repair(RepairCode::Orphaned, tool.call, tool.phase());
    }
}

fn push_result<V: Values>(r: &mut Reading<V>, part: Payload, messages: &mut [Message]) {
    let call = r.values.id(part, Name::ToolCallId);
    let output = r.values.get(part, Name::Output);
    let kind = r.values.name(output, Name::Type);
    // A result without an output is none: nobody may say that the call succeeded.
    let failed = matches!(kind, Some(Name::ExecutionDenied | Name::TextError | Name::ErrorJson));
    let whole = failed || (r.values.is_text(r.values.get(output, Name::Type)) && r.values.has(output, Name::Value));
    let Some(of) = call.filter(|_| whole) else { return r.left_out(call) };
    let Some((tool, apart)) = find(messages, Wanted::Unanswered(of)) else { return r.orphaned(call) };
    let denied = tool.phase() == Phase::Denied;
    if tool.phase().is_settled() && !denied {
        return r.repair(RepairCode::DuplicateCall, of, tool.phase());
    }
    let options = r.values.get(part, Name::ProviderOptions);
    let value = r.values.keep(r.values.get(output, Name::Value));
    match kind {
        // How the package writes an old denial. Source: `output-denied` in `ui/convert-to-model-messages.ts`.
        Some(Name::TextError) if denied => tool.read_as(Phase::OutputDenied, tool.outcome().cloned()),
        Some(Name::ExecutionDenied) => {
            let reason = r.values.get(output, Name::Reason);
            push_denial(r, tool, reason);
        }
        // The denial counts: this is the made-up result with which clients used to tell that the user said no.
        _ if denied => {
            tool.read_as(Phase::OutputDenied, tool.outcome().cloned());
            r.repair(RepairCode::DeniedOutput, of, tool.phase());
        }
        Some(Name::TextError | Name::ErrorJson) => {
            let kept = kept_outcome(r.values, options).filter(|kept| kept.kind.is_closed());
            (tool.output, tool.written) = (value, if kept.is_some() { value } else { Payload::NONE });
            tool.read_as(Phase::OutputError, kept.or(Some(Outcome::new(OutcomeKind::Failed))));
        }
        _ => {
            tool.output = value;
            tool.read_as(Phase::OutputAvailable, Some(Outcome::new(OutcomeKind::Executed)));
        }
    }
    if apart {
        r.repair(RepairCode::Orphaned, of, tool.phase());
    }
    let failed = tool.phase() == Phase::OutputError;
    // A result beside an approval that was not given is what happened; a provider's answer comes later.
    let granted = tool.decision().map(|decision| decision.approved);
    if tool.phase() != Phase::OutputDenied
        && tool.approval.is_some()
        && granted != Some(true)
        && !(tool.provider_executed && granted.is_none())
    {
        tool.approval = None;
        r.repair(RepairCode::InvalidValue, of, tool.phase());
    }
    let of_call = r.values.get(tool.fields, Name::CallProviderMetadata);
    // A failed call without metadata of its own shows its result's.
    if failed && !tool.provider_executed && !r.values.is_some(options) && r.values.is_some(of_call) {
        let fields = r.values.rest(tool.fields, Without::CallMetadata);
        r.values.set(fields, Name::ResultProviderMetadata, r.values.rest(of_call, Without::Toolgate));
        tool.fields = r.values.keep(fields);
    }
    if tool.provider_executed && r.values.is_object(options) {
        let fields = r.values.rest(tool.fields, Without::Nothing);
        r.values.set(fields, Name::ResultProviderMetadata, options);
        tool.fields = r.values.keep(fields);
    }
}

/// A call's result that says that the call was denied.
fn push_denial<V: Values>(r: &mut Reading<V>, tool: &mut ToolPart, reason: Payload) {
    let reason = r.values.keep_text(reason);
    let denied = tool.phase() == Phase::Denied;
    tool.record_denial();
    let decision = tool.approval.as_mut().and_then(|approval| approval.decision.as_mut());
    let reason = decision.map_or(reason, |decision| {
        decision.reason = if decision.reason.is_some() { decision.reason } else { reason };
        decision.reason
    });
    // The response before it has settled the call already, and may have said more.
    let known = tool.outcome().filter(|outcome| outcome.kind != OutcomeKind::Denied || tool.written.is_some()).cloned();
    let plain = Outcome { reason, ..Outcome::new(OutcomeKind::Denied) };
    tool.read_as(Phase::OutputDenied, Some(known.filter(|_| denied).unwrap_or(plain)));
    if !denied {
        r.repair(RepairCode::MissingApproval, tool.call, tool.phase());
    }
}

/// Which call is looked for.
#[derive(Clone, Copy)]
enum Wanted {
    /// The last one with this id.
    Call(Id),
    /// The one that has this approval.
    Approval(Id),
    /// Of the last step with calls of this id, the first one without a result: results come in call order.
    Unanswered(Id),
}

/// Finds a call in the whole history, last first: an answer may come after a later message. With it, whether it does.
fn find(messages: &mut [Message], wanted: Wanted) -> Option<(&mut ToolPart, bool)> {
    let is_meant = |tool: &ToolPart| match wanted {
        Wanted::Call(id) | Wanted::Unanswered(id) => tool.call == id,
        Wanted::Approval(id) => tool.approval.as_ref().is_some_and(|approval| approval.id == id),
    };
    let index = messages.iter().rposition(|message| message.calls().any(is_meant))?;
    let apart = index + 1 < messages.len();
    let message = &messages[index];
    let last = message.parts.iter().rposition(|part| part.tool().is_some_and(is_meant))?;
    let start = message.parts[..last].iter().rposition(|part| *part == Part::StepStart).unwrap_or(0);
    let waits = |part: &Part| {
        part.tool().is_some_and(|tool| is_meant(tool) && (!tool.phase().is_settled() || tool.phase() == Phase::Denied))
    };
    let unanswered = message.parts[start..=last].iter().position(waits).map(|place| start + place);
    let place = if matches!(wanted, Wanted::Unanswered(_)) { unanswered.unwrap_or(last) } else { last };
    match &mut messages[index].parts[place] {
        Part::Tool(tool) => Some((tool, apart)),
        Part::StepStart | Part::Content { .. } => None,
    }
}

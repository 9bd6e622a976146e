//! Reads the stream: the chunks of tool calls.

use super::chunk::{Chunk, Malformed};
use super::property_checks::{OF_APPROVALS, OF_CALLS, expiry, without_invalid};
use crate::machine::{
    Admission, Brings, CallReport, Id, Input, InputUpdate, Machine, Opening, PartPos, Payload, Phase, Request, ToolPart,
};
use crate::wire::{Name, OmitKeys, Values};

/// A chunk about a tool call.
#[derive(Clone, Copy)]
pub(super) enum ToolChunk {
    InputStart,
    InputDelta,
    InputAvailable,
    InputUpdate,
    InputError,
    ApprovalRequest,
    ApprovalResponse,
    ApprovalWithdrawn,
    OutputAvailable,
    OutputError,
    OutputDenied,
}

impl ToolChunk {
    /// The chunk with this type; `None` if a chunk of this type is not about a tool call. A name that is missing here
    /// and in `AiSdk::read` is passed through as unknown; `tests/host/reply_content.rs` looks for such names.
    pub(super) fn of(kind: Name) -> Option<Self> {
        Some(match kind {
            Name::ToolInputStart => ToolChunk::InputStart,
            Name::ToolInputDelta => ToolChunk::InputDelta,
            Name::ToolInputAvailable => ToolChunk::InputAvailable,
            Name::ToolInputUpdate => ToolChunk::InputUpdate,
            Name::ToolInputError => ToolChunk::InputError,
            Name::ToolApprovalRequest => ToolChunk::ApprovalRequest,
            Name::ToolApprovalResponse => ToolChunk::ApprovalResponse,
            Name::ToolApprovalWithdrawn => ToolChunk::ApprovalWithdrawn,
            Name::ToolOutputAvailable => ToolChunk::OutputAvailable,
            Name::ToolOutputError => ToolChunk::OutputError,
            Name::ToolOutputDenied => ToolChunk::OutputDenied,
            _ => return None,
        })
    }
}

/// Reads a chunk about a tool call. `kind`: its type, for errors. What a chunk means is matched without a catch-all: a
/// chunk that is added to [`ToolChunk`] must not be taken for another one.
pub(super) fn read<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Chunk,
    tool: ToolChunk,
    kind: Name,
) -> Result<(), Malformed> {
    let call = || required(values, chunk, kind, Name::ToolCallId);
    match tool {
        ToolChunk::ApprovalResponse => return approval_response(machine, values, chunk),
        ToolChunk::ApprovalWithdrawn => {
            let approval = required(values, chunk, kind, Name::ApprovalId)?;
            let admission = machine.admit(chunk.about, Brings::Report);
            machine.request_withdrawn(admission, approval);
        }
        ToolChunk::InputDelta => return input_delta(machine, values, chunk, call()?),
        ToolChunk::InputStart => return opening(machine, values, chunk, kind, Input::InputStart, call()?),
        ToolChunk::InputAvailable => return opening(machine, values, chunk, kind, Input::InputAvailable, call()?),
        ToolChunk::InputUpdate => return opening(machine, values, chunk, kind, Input::InputUpdate, call()?),
        ToolChunk::InputError => return opening(machine, values, chunk, kind, Input::InputError, call()?),
        ToolChunk::ApprovalRequest => return approval_request(machine, values, chunk, call()?),
        ToolChunk::OutputAvailable => {
            let call = call()?;
            let preliminary = values.flag(chunk.value, Name::Preliminary) == Some(true);
            let input = if preliminary { Input::Preliminary } else { Input::Output };
            result(machine, values, chunk, input, call, values.get(chunk.value, Name::Output));
        }
        ToolChunk::OutputError => {
            result(machine, values, chunk, Input::Error, call()?, values.get(chunk.value, Name::ErrorText));
        }
        ToolChunk::OutputDenied => {
            let call = call()?;
            let admission = machine.admit(chunk.about, Brings::Result(call));
            let report = CallReport { call, input: Input::OutputDenied, same: &mut |_| false };
            machine.report_on(admission, report, &mut |part| complete_input(values, part));
        }
    }
    Ok(())
}

fn required<V: Values>(values: &V, chunk: Chunk, kind: Name, name: Name) -> Result<Id, Malformed> {
    values.id(chunk.value, name).ok_or(Malformed(kind, name))
}

fn input_delta<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk, call: Id) -> Result<(), Malformed> {
    let delta = values.get(chunk.value, Name::InputTextDelta);
    let admission = machine.admit(chunk.about, Brings::Report);
    if admission != Admission::Current {
        return Ok(());
    }
    let mut is_text = true;
    let report = CallReport { call, input: Input::InputDelta, same: &mut |_| false };
    machine.report_on(admission, report, &mut |part| {
        is_text = values.is_text(delta);
        if part.phase().is_streaming() && is_text {
            values.feed(part.input, delta);
        }
    });
    if is_text { Ok(()) } else { Err(Malformed(Name::ToolInputDelta, Name::InputTextDelta)) }
}

/// Reads a chunk that starts an input, completes it, updates it, or reports it as invalid.
fn opening<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Chunk,
    kind: Name,
    input: Input,
    call: Id,
) -> Result<(), Malformed> {
    let is_update = input == Input::InputUpdate;
    let named = values.id(chunk.value, Name::ToolName);
    let Some(name) = named.or(is_update.then_some(call)) else { return Err(Malformed(kind, Name::ToolName)) };
    let admission = machine.admit(chunk.about, if is_update { Brings::Report } else { Brings::Content });
    if admission != Admission::Current && !is_update {
        return Ok(());
    }
    let input_value = values.get(chunk.value, Name::Input);
    let error = (input == Input::InputError).then(|| values.get(chunk.value, Name::ErrorText));
    let metadata_as = if error.is_some() { Name::ResultProviderMetadata } else { Name::CallProviderMetadata };
    let dynamic = values.flag(chunk.value, Name::Dynamic) == Some(true);
    let provider = values.flag(chunk.value, Name::ProviderExecuted);
    let has_input = values.has(chunk.value, Name::Input);
    let mut same = |known: Payload| {
        let omits_input = (error.is_some() || is_update) && !has_input;
        omits_input || values.deep_equal(values.partial_value(known), input_value)
    };
    let mut asks = is_update;
    let mut take = |part: &mut ToolPart| {
        asks |= part.phase() == Phase::RequestWaits;
        let is_new = !part.input.is_some() && !part.input_complete;
        let keeps_input = is_update && !has_input;
        // The reader of an unfinished input has its text.
        let streamed = if keeps_input { OmitKeys::Nothing } else { OmitKeys::StreamedInput };
        let fields = fields(values, chunk, values.omit(part.fields, streamed), metadata_as);
        part.in_page |= runs_in_page(values, fields);
        part.fields = values.retain(fields);
        part.input = match input {
            Input::InputStart => {
                let plain_text = values.name(chunk.value, Name::InputEncoding) == Some(Name::Text);
                values.retain(values.partial_input(plain_text))
            }
            _ if keeps_input => part.input,
            _ => values.retain(input_value),
        };
        part.dynamic |= is_new && dynamic;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
        if let Some(text) = error {
            part.output = values.retain(text);
            part.input_complete = true;
        }
    };
    let at = if is_update {
        machine.update_call(admission, InputUpdate { call, name: named, has_input, same: &mut same }, &mut take)
    } else {
        let opening = Opening { call, name, input, fallback_id: chunk.fallback_id, same: &mut same };
        machine.open_call(admission, opening, &mut take)
    };
    if let Some(at) = at.filter(|_| asks) {
        recall(machine, values, chunk, at);
    }
    Ok(())
}

/// Applies a remembered decision to a call, if its approval is pending.
fn recall<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk, at: PartPos) {
    machine.recall(at, chunk.now, &mut |input| values.digest(input));
}

/// Whether the backend marks the call as one of the page.
fn runs_in_page<V: Values>(values: &V, fields: Payload) -> bool {
    let own = values.get(values.get(fields, Name::CallProviderMetadata), Name::Toolgate);
    values.flag(own, Name::RunsInPage) == Some(true)
}

/// The call's remaining properties after this chunk. `fields`: a copy of those before it.
fn fields<V: Values>(values: &V, chunk: Chunk, fields: Payload, metadata_as: Name) -> Payload {
    values.extend(fields, values.omit(chunk.value, OmitKeys::PlacedInToolChunk));
    if let Some(executed) = values.flag(chunk.value, Name::ProviderExecuted) {
        values.set_flag(fields, Name::ProviderExecuted, executed);
    }
    if values.is_object(values.get(chunk.value, Name::ProviderMetadata)) {
        values.copy(chunk.value, Name::ProviderMetadata, fields, metadata_as);
    }
    without_invalid(values, fields, &OF_CALLS).0
}

fn result<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk, input: Input, call: Id, result: Payload) {
    let admission = machine.admit(chunk.about, Brings::Result(call));
    let provider = values.flag(chunk.value, Name::ProviderExecuted);
    let report = CallReport { call, input, same: &mut |known| values.deep_equal(known, result) };
    machine.report_on(admission, report, &mut |part| {
        complete_input(values, part);
        part.output = values.retain(result);
        let known = values.omit(part.fields, OmitKeys::StreamedInput);
        part.fields = values.retain(fields(values, chunk, known, Name::ResultProviderMetadata));
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
}

/// Completes an unfinished input as far as it was parsed, because a result or an approval request shows that no more of
/// it follows.
fn complete_input<V: Values>(values: &V, part: &ToolPart) {
    values.replace(part.input, values.partial_value(part.input));
    // A loaded call may have the text of an unfinished input in its fields.
    if values.has(part.fields, Name::RawInput) {
        values.replace(part.fields, values.omit(part.fields, OmitKeys::StreamedInput));
    }
}

fn approval_request<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk, call: Id) -> Result<(), Malformed> {
    let approval = required(values, chunk, Name::ToolApprovalRequest, Name::ApprovalId)?;
    let admission = machine.admit(chunk.about, Brings::Request(call, approval));
    let envelope = values.omit(chunk.value, OmitKeys::PlacedInRequest);
    values.copy(chunk.value, Name::ApprovalDescriptor, envelope, Name::Descriptor);
    values.copy(chunk.value, Name::Reason, envelope, Name::RequestReason);
    values.copy(chunk.value, Name::Signature, envelope, Name::Signature);
    let request = Request {
        approval,
        envelope: values.retain(without_invalid(values, envelope, &OF_APPROVALS).0),
        automatic: values.flag(chunk.value, Name::IsAutomatic) == Some(true),
        repeat_unsafe: values.flag(chunk.value, Name::RepeatUnsafe) == Some(true),
        is_local: values.flag(chunk.value, Name::IsLocal) == Some(true),
        expires_at: expiry(values, chunk.value),
    };
    if let Some(at) = machine.request(admission, call, &request, chunk.now, &mut |input| values.digest(input)) {
        if let Some(part) = machine.transcript().tool(at) {
            complete_input(values, part);
        }
        recall(machine, values, chunk, at);
    }
    Ok(())
}

fn approval_response<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk) -> Result<(), Malformed> {
    let approval = required(values, chunk, Name::ToolApprovalResponse, Name::ApprovalId)?;
    let Some(approved) = values.flag(chunk.value, Name::Approved) else {
        return Err(Malformed(Name::ToolApprovalResponse, Name::Approved));
    };
    let admission = machine.admit(chunk.about, Brings::Report);
    let reason = values.retain_text(values.get(chunk.value, Name::Reason));
    let provider = values.flag(chunk.value, Name::ProviderExecuted);
    machine.backend_decided(admission, approval, approved, reason, &mut |part| {
        complete_input(values, part);
        let fields = values.omit(part.fields, OmitKeys::Nothing);
        if let Some(provider) = provider {
            values.set_flag(fields, Name::ProviderExecuted, provider);
        }
        if values.is_object(values.get(chunk.value, Name::ProviderMetadata)) {
            values.copy(chunk.value, Name::ProviderMetadata, fields, Name::CallProviderMetadata);
        }
        part.fields = values.retain(fields);
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
    Ok(())
}

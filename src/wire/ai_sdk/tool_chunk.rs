//! Reading the stream: the chunks of tool calls.

use super::chunk::Malformed;
use super::load_call::{OF_APPROVALS, OF_CALLS, tidy};
use crate::machine::{Admission, Cause, Code, Event, Id, Machine, Payload, Phase, Refusal, Request, ToolPart, Why};
use crate::wire::{Name, Values, Without, time};

pub(super) fn read<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    kind: Name,
    admission: Admission,
    fresh: Id,
) -> Result<(), Malformed> {
    if kind == Name::ToolApprovalResponse {
        return approval_response(machine, values, chunk, admission);
    }
    let call = required(values, chunk, kind, Name::ToolCallId)?;
    match kind {
        Name::ToolInputDelta => input_delta(machine, values, chunk, admission, call)?,
        Name::ToolInputStart => input(machine, values, chunk, kind, Cause::InputStart, admission, call, fresh)?,
        Name::ToolInputAvailable => input(machine, values, chunk, kind, Cause::InputAvailable, admission, call, fresh)?,
        Name::ToolInputError => input(machine, values, chunk, kind, Cause::InputError, admission, call, fresh)?,
        Name::ToolApprovalRequest => approval_request(machine, values, chunk, admission, call)?,
        Name::ToolOutputAvailable => {
            let preliminary = values.flag(chunk, Name::Preliminary) == Some(true);
            let cause = if preliminary { Cause::Preliminary } else { Cause::Output };
            let output = values.get(chunk, Name::Output);
            result(machine, values, chunk, cause, admission, call, output);
        }
        Name::ToolOutputError => {
            let text = values.get(chunk, Name::ErrorText);
            result(machine, values, chunk, Cause::Error, admission, call, text);
        }
        _ => {
            machine.report_on(admission, call, Cause::OutputDenied, &mut |part| complete_input(values, part));
        }
    }
    Ok(())
}

fn required<V: Values>(values: &V, chunk: Payload, kind: Name, name: Name) -> Result<Id, Malformed> {
    values.id(chunk, name).ok_or(Malformed(kind, name))
}

fn input_delta<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    admission: Admission,
    call: Id,
) -> Result<(), Malformed> {
    let delta = values.get(chunk, Name::InputTextDelta);
    if let Some(part) = machine.transcript().call(call)
        && part.phase == Phase::InputStreaming
        && admission == Admission::Current
    {
        if !values.is_text(delta) {
            return Err(Malformed(Name::ToolInputDelta, Name::InputTextDelta));
        }
        values.feed(part.input, delta);
    }
    if admission == Admission::Current {
        machine.report_on(admission, call, Cause::InputDelta, &mut |_| {});
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)] // one chunk, taken apart once
fn input<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    kind: Name,
    cause: Cause,
    admission: Admission,
    call: Id,
    fresh: Id,
) -> Result<(), Malformed> {
    let name = required(values, chunk, kind, Name::ToolName)?;
    let known = machine.transcript().call(call);
    let value = match cause {
        Cause::InputStart => values.partial(values.name(chunk, Name::InputEncoding) == Some(Name::Text)),
        _ => values.get(chunk, Name::Input),
    };
    if cause == Cause::InputAvailable
        && let Some(part) = known
        && matches!(part.phase, Phase::ApprovalRequested | Phase::Approved | Phase::Submitted)
        && !values.same(part.input, value)
        && !part.decision().and_then(|decision| decision.original).is_some_and(|input| values.same(input, value))
    {
        let refusal = Refusal::new(Code::StaleInput, Why::Changed).about(part);
        machine.tell(Event::Anomaly(refusal));
        return Ok(());
    }
    let result = (cause == Cause::InputError).then(|| values.get(chunk, Name::ErrorText));
    let old = known.map_or(Payload::NONE, |part| part.fields);
    let fields = fields(
        values,
        chunk,
        old,
        if result.is_some() { Name::ResultProviderMetadata } else { Name::CallProviderMetadata },
    );
    let fields = values.keep(fields);
    let value = values.keep(value);
    let result = result.map(|text| values.keep(text));
    let dynamic = known.is_none() && values.flag(chunk, Name::Dynamic) == Some(true);
    let provider = values.flag(chunk, Name::ProviderExecuted);
    machine.input(admission, call, name, cause, fresh, &mut |part| {
        part.input = value;
        part.fields = fields;
        part.dynamic |= dynamic;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
        if let Some(text) = result {
            part.output = text;
            part.input_complete = true;
        }
    });
    Ok(())
}

/// The fields that have no place of their own, as they are after this chunk.
fn fields<V: Values>(values: &V, chunk: Payload, old: Payload, metadata_as: Name) -> Payload {
    // The text of an unfinished input is told by the input itself.
    let fields = values.rest(old, Without::StreamedInput);
    values.extend(fields, values.rest(chunk, Without::PlacedInToolChunk));
    if let Some(executed) = values.flag(chunk, Name::ProviderExecuted) {
        values.set_flag(fields, Name::ProviderExecuted, executed);
    }
    if values.is_object(values.get(chunk, Name::ProviderMetadata)) {
        values.copy(chunk, Name::ProviderMetadata, fields, metadata_as);
    }
    tidy(values, fields, &OF_CALLS).0
}

fn result<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    cause: Cause,
    admission: Admission,
    call: Id,
    result: Payload,
) {
    let known = machine.transcript().call(call);
    let old = known.map_or(Payload::NONE, |part| part.fields);
    let fields = fields(values, chunk, old, Name::ResultProviderMetadata);
    let fields = values.keep(fields);
    let result = values.keep(result);
    let provider = values.flag(chunk, Name::ProviderExecuted);
    machine.report_on(admission, call, cause, &mut |part| {
        complete_input(values, part);
        part.output = result;
        part.fields = fields;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
}

/// What goes on with an unfinished input takes it as it stands.
fn complete_input<V: Values>(values: &V, part: &ToolPart) {
    values.put(part.input, values.partial_value(part.input));
}

fn approval_request<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    admission: Admission,
    call: Id,
) -> Result<(), Malformed> {
    let approval = required(values, chunk, Name::ToolApprovalRequest, Name::ApprovalId)?;
    let envelope = values.rest(chunk, Without::PlacedInRequest);
    values.copy(chunk, Name::ApprovalDescriptor, envelope, Name::Descriptor);
    values.copy(chunk, Name::Reason, envelope, Name::RequestReason);
    values.copy(chunk, Name::Signature, envelope, Name::Signature);
    let envelope = values.keep(tidy(values, envelope, &OF_APPROVALS).0);
    let automatic = values.flag(chunk, Name::IsAutomatic) == Some(true);
    let expires_at = expiry(values, chunk);
    if let Some(at) = machine.request(admission, call, Request { approval, envelope, automatic, expires_at }) {
        if let Some(part) = machine.transcript().tool(at) {
            complete_input(values, part);
        }
        machine.recall(at, &mut |input| values.digest(input));
    }
    Ok(())
}

/// When the backend lets an approval expire: `expiresAt`, in ms since 1970. The AI SDK has no such field; a
/// backend of one's own may send it.
pub(super) fn expiry<V: Values>(values: &V, request: Payload) -> Option<u64> {
    time(values.as_number(values.get(request, Name::ExpiresAt)))
}

fn approval_response<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    admission: Admission,
) -> Result<(), Malformed> {
    let approval = required(values, chunk, Name::ToolApprovalResponse, Name::ApprovalId)?;
    let Some(approved) = values.flag(chunk, Name::Approved) else {
        return Err(Malformed(Name::ToolApprovalResponse, Name::Approved));
    };
    let reason = values.keep_text(values.get(chunk, Name::Reason));
    let provider = values.flag(chunk, Name::ProviderExecuted);
    let old = machine.approval_call(approval).map_or(Payload::NONE, |part| part.fields);
    let fields = values.rest(old, Without::Nothing);
    if let Some(provider) = provider {
        values.set_flag(fields, Name::ProviderExecuted, provider);
    }
    if values.is_object(values.get(chunk, Name::ProviderMetadata)) {
        values.copy(chunk, Name::ProviderMetadata, fields, Name::CallProviderMetadata);
    }
    let fields = values.keep(fields);
    machine.backend_decided(admission, approval, approved, reason, &mut |part| {
        part.fields = fields;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
    Ok(())
}

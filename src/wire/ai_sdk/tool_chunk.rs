//! Reading the stream: the chunks of tool calls.

use super::chunk::Malformed;
use crate::machine::{Admission, Cause, Code, Event, Id, Machine, Payload, Phase, Refusal, Request, ToolPart, Why};
use crate::wire::{Name, Values, Without};

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
            complete_input(values, machine.transcript().call(call));
            machine.report_on(admission, call, Cause::OutputDenied, &mut |_| {});
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
    let executed = values.get(chunk, Name::ProviderExecuted);
    if values.is_some(executed) {
        values.set(fields, Name::ProviderExecuted, executed);
    }
    let metadata = values.get(chunk, Name::ProviderMetadata);
    if values.is_some(metadata) {
        values.set(fields, metadata_as, metadata);
    }
    fields
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
    complete_input(values, known);
    let old = known.map_or(Payload::NONE, |part| part.fields);
    let fields = fields(values, chunk, old, Name::ResultProviderMetadata);
    let fields = values.keep(fields);
    let result = values.keep(result);
    let provider = values.flag(chunk, Name::ProviderExecuted);
    machine.report_on(admission, call, cause, &mut |part| {
        part.output = result;
        part.fields = fields;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
}

/// What goes on with an unfinished input takes it as it stands.
fn complete_input<V: Values>(values: &V, part: Option<&ToolPart>) {
    if let Some(part) = part.filter(|part| part.phase == Phase::InputStreaming) {
        values.put(part.input, values.partial_value(part.input));
    }
}

fn approval_request<V: Values>(
    machine: &mut Machine,
    values: &V,
    chunk: Payload,
    admission: Admission,
    call: Id,
) -> Result<(), Malformed> {
    let approval = required(values, chunk, Name::ToolApprovalRequest, Name::ApprovalId)?;
    complete_input(values, machine.transcript().call(call));
    let envelope = values.rest(chunk, Without::PlacedInRequest);
    for (from, to) in [
        (Name::ApprovalDescriptor, Name::Descriptor),
        (Name::Reason, Name::RequestReason),
        (Name::Signature, Name::Signature),
    ] {
        let value = values.get(chunk, from);
        if values.is_some(value) {
            values.set(envelope, to, value);
        }
    }
    let envelope = values.keep(envelope);
    let automatic = values.flag(chunk, Name::IsAutomatic) == Some(true);
    machine.request(admission, call, Request { approval, envelope, automatic });
    Ok(())
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
    let reason = values.get(chunk, Name::Reason);
    let reason = if values.is_some(reason) { values.keep(reason) } else { Payload::NONE };
    let provider = values.flag(chunk, Name::ProviderExecuted);
    let metadata = values.get(chunk, Name::ProviderMetadata);
    let old = machine.approval_call(approval).map_or(Payload::NONE, |part| part.fields);
    let fields = values.rest(old, Without::Nothing);
    if let Some(provider) = provider {
        values.set_flag(fields, Name::ProviderExecuted, provider);
    }
    if values.is_some(metadata) {
        values.set(fields, Name::CallProviderMetadata, metadata);
    }
    let fields = values.keep(fields);
    machine.backend_decided(admission, approval, approved, reason, &mut |part| {
        part.fields = fields;
        part.provider_executed = provider.unwrap_or(part.provider_executed);
    });
    Ok(())
}

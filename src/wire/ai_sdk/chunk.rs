//! Reading the stream: every UI message chunk but those of tool calls.

use super::Kind;
use super::load::has_file;
use super::load_call::{OF_CONTENT, tidy};
use crate::machine::{About, Admission, At, Code, Ending, Event, Id, Machine, Payload, Refusal, Why};
use crate::prelude::*;
use crate::wire::{Name, Values, Without};

/// What became of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// It was read; whether it changed anything is the machine's to say.
    Taken,
    /// Its type is not of this protocol: it is passed on to the host, untouched.
    Unknown,
    /// It was no chunk at all, or lacked what its type needs: an anomaly was raised.
    Malformed,
}

/// The reader of one chat's streams.
#[derive(Clone, Default, Debug)]
pub struct AiSdk {
    /// Text and reasoning parts that still grow: whether it is reasoning, and its id in the stream.
    open: Vec<(bool, Id, At)>,
}

/// A chunk whose type needs a property that it does not have: the type, and the property.
pub(super) struct Malformed(pub(super) Name, pub(super) Name);

impl AiSdk {
    /// Reads one chunk. `fresh` is the id of a message that the backend does not name.
    pub fn receive<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        about: About,
        fresh: Id,
    ) -> Received {
        match self.read(machine, values, chunk, about, fresh) {
            Ok(received) => received,
            Err(Malformed(kind, property)) => {
                let mut refusal = Refusal::new(Code::MalformedEvent, Why::Malformed);
                refusal.detail = Some((kind as u8, property as u8));
                machine.tell(Event::Anomaly(refusal));
                Received::Malformed
            }
        }
    }

    fn read<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        about: About,
        fresh: Id,
    ) -> Result<Received, Malformed> {
        let Some(kind) = values.name(chunk, Name::Type) else {
            return self.read_unnamed(machine, values, chunk, about, fresh);
        };
        if is_tool(kind) {
            let over = values.id(chunk, Name::ToolCallId).is_some_and(|call| machine.is_over(call));
            let admission = if over { Admission::Current } else { machine.admit(about) };
            super::tool_chunk::read(machine, values, chunk, kind, admission, fresh)?;
            return Ok(Received::Taken);
        }
        if !is_chunk(kind) {
            return Ok(Received::Unknown);
        }
        if machine.admit(about) != Admission::Current {
            return Ok(Received::Taken);
        }
        match kind {
            Name::Start => {
                // Merged streams send more starts: texts stay open across them.
                if machine.current_message().is_none() {
                    self.open.clear();
                }
                let id = values.id(chunk, Name::MessageId);
                machine.begin(id, fresh);
                merge_metadata(machine, values, chunk, fresh);
            }
            Name::MessageMetadata => merge_metadata(machine, values, chunk, fresh),
            Name::Finish => {
                let interrupted = values.name(chunk, Name::FinishReason) == Some(Name::Interrupted);
                merge_metadata(machine, values, chunk, fresh);
                machine.fix_ending(if interrupted { Ending::Disconnected } else { Ending::Finished });
            }
            Name::Error => machine.fix_ending(Ending::Failed),
            Name::Abort => machine.fix_ending(Ending::Interrupted),
            Name::StartStep => machine.step_start(fresh),
            Name::FinishStep => machine.step_finish(),
            Name::ResetStep => {
                self.open.clear();
                machine.step_reset();
            }
            Name::TextStart => self.open_text(machine, values, chunk, false, fresh)?,
            Name::ReasoningStart => self.open_text(machine, values, chunk, true, fresh)?,
            Name::TextDelta => self.grow_text(machine, values, chunk, false)?,
            Name::ReasoningDelta => self.grow_text(machine, values, chunk, true)?,
            Name::TextEnd => self.close_text(machine, values, chunk, false)?,
            Name::ReasoningEnd => self.close_text(machine, values, chunk, true)?,
            _ => {
                let of = Kind::of(Some(kind), false);
                if !has_file(values, chunk, of) {
                    return Err(Malformed(kind, Name::Url));
                }
                let part = values.keep(tidy(values, values.rest(chunk, Without::Nothing), &OF_CONTENT).0);
                machine.content(of as u8, part, fresh);
            }
        }
        Ok(Received::Taken)
    }

    fn read_unnamed<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        about: About,
        fresh: Id,
    ) -> Result<Received, Malformed> {
        if values.id(chunk, Name::Type).is_none() {
            return Err(Malformed(Name::Type, Name::Type));
        }
        if !values.is_data(chunk) {
            return Ok(Received::Unknown);
        }
        if machine.admit(about) != Admission::Current || values.flag(chunk, Name::Transient) == Some(true) {
            return Ok(Received::Taken);
        }
        match find_data(machine, values, chunk) {
            Some((at, old)) => {
                let part = values.rest(old, Without::Nothing);
                values.set(part, Name::Data, values.get(chunk, Name::Data));
                values.put(old, part);
                machine.content_changed(at, old);
            }
            None => {
                let part = values.keep(chunk);
                machine.content(Kind::Data as u8, part, fresh);
            }
        }
        Ok(Received::Taken)
    }

    fn open_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        reasoning: bool,
        fresh: Id,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let drop = if reasoning { Without::Type } else { Without::TypeAndId };
        let part = values.object();
        values.set_name(part, Name::Type, if reasoning { Name::Reasoning } else { Name::Text });
        values.extend(part, tidy(values, values.rest(chunk, drop), &OF_CONTENT).0);
        values.set_name(part, Name::Text, Name::Empty);
        values.set_name(part, Name::State, Name::Streaming);
        let kind = if reasoning { Kind::Reasoning } else { Kind::Text };
        let payload = values.keep(part);
        let at = machine.content(kind as u8, payload, fresh);
        self.open.retain(|(kind, open, _)| (*kind, *open) != (reasoning, id));
        self.open.push((reasoning, id, at));
        Ok(())
    }

    fn grow_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let delta = values.get(chunk, Name::Delta);
        if !values.is_text(delta) {
            return Err(Malformed(if reasoning { Name::ReasoningDelta } else { Name::TextDelta }, Name::Delta));
        }
        let Some((at, payload)) = self.find(machine, reasoning, id) else {
            return Err(Malformed(if reasoning { Name::ReasoningDelta } else { Name::TextDelta }, Name::Id));
        };
        let part = values.append(payload, delta);
        if values.is_object(values.get(chunk, Name::ProviderMetadata)) {
            values.copy(chunk, Name::ProviderMetadata, part, Name::ProviderMetadata);
        }
        values.put(payload, part);
        machine.content_changed(at, payload);
        Ok(())
    }

    fn close_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let Some((at, payload)) = self.find(machine, reasoning, id) else {
            return Err(Malformed(if reasoning { Name::ReasoningEnd } else { Name::TextEnd }, Name::Id));
        };
        let part = values.rest(payload, Without::Nothing);
        values.set_name(part, Name::State, Name::Done);
        values.copy(chunk, Name::Citations, part, Name::Citations);
        values.copy(chunk, Name::ProviderMetadata, part, Name::ProviderMetadata);
        values.put(payload, tidy(values, part, &OF_CONTENT).0);
        machine.content_changed(at, payload);
        self.open.retain(|(kind, open, _)| (*kind, *open) != (reasoning, id));
        Ok(())
    }

    fn find(&self, machine: &Machine, reasoning: bool, id: Id) -> Option<(At, Payload)> {
        let &(_, _, at) = self.open.iter().find(|(kind, open, _)| *kind == reasoning && *open == id)?;
        Some((at, machine.content_at(at)?))
    }
}

/// The text's id, with which start, delta and end belong together.
fn text_id<V: Values>(values: &V, chunk: Payload) -> Result<Id, Malformed> {
    let kind = values.name(chunk, Name::Type).unwrap_or(Name::Type);
    values.id(chunk, Name::Id).ok_or(Malformed(kind, Name::Id))
}

fn merge_metadata<V: Values>(machine: &mut Machine, values: &V, chunk: Payload, fresh: Id) {
    let new = values.get(chunk, Name::MetadataOfMessage);
    if !values.is_some(new) {
        return;
    }
    let message = machine.current_message().and_then(|index| machine.transcript().messages().get(index));
    let old = message.map_or(Payload::NONE, |message| message.fields);
    let was = values.get(old, Name::Metadata);
    let fields = values.rest(old, Without::Metadata);
    let metadata = if values.is_some(was) { values.merge(was, new) } else { new };
    values.set(fields, Name::Metadata, metadata);
    let payload = values.keep(fields);
    machine.message_fields(payload, fresh);
}

/// The data part of the reply's message that this chunk updates: same type, same id.
fn find_data<V: Values>(machine: &Machine, values: &V, chunk: Payload) -> Option<(At, Payload)> {
    let (kind, id) = (values.id(chunk, Name::Type)?, values.id(chunk, Name::Id)?);
    let message = machine.current_message()?;
    let parts = &machine.transcript().messages().get(message)?.parts;
    (0..parts.len()).map(|part| At { message, part }).find_map(|at| {
        let part = machine.content_at(at)?;
        let same = values.id(part, Name::Type) == Some(kind) && values.id(part, Name::Id) == Some(id);
        same.then_some((at, part))
    })
}

/// Chunks about tool calls.
fn is_tool(name: Name) -> bool {
    matches!(
        name,
        Name::ToolInputStart
            | Name::ToolInputDelta
            | Name::ToolInputAvailable
            | Name::ToolInputError
            | Name::ToolApprovalRequest
            | Name::ToolApprovalResponse
            | Name::ToolOutputAvailable
            | Name::ToolOutputError
            | Name::ToolOutputDenied
    )
}

/// Chunks about everything else.
fn is_chunk(name: Name) -> bool {
    matches!(
        name,
        Name::Start
            | Name::MessageMetadata
            | Name::Finish
            | Name::Error
            | Name::Abort
            | Name::StartStep
            | Name::FinishStep
            | Name::ResetStep
            | Name::TextStart
            | Name::TextDelta
            | Name::TextEnd
            | Name::ReasoningStart
            | Name::ReasoningDelta
            | Name::ReasoningEnd
            | Name::File
            | Name::ReasoningFile
            | Name::SourceUrl
            | Name::SourceDocument
            | Name::Custom
            | Name::SteeringMessage
    )
}

//! Reading the stream: every UI message chunk but those of tool calls.

use std::collections::HashMap;

use super::Kind;
use crate::machine::{About, Admission, At, Code, Ending, Event, Id, Machine, Payload, Refusal};
use crate::wire::{Name, Values};

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
    open: HashMap<(bool, String), At>,
}

/// A chunk that its type does not allow.
pub(super) struct Malformed(pub(super) String);

impl AiSdk {
    /// Reads one chunk. `fresh` is the id of a message that the backend does not name.
    pub fn receive<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        about: About,
        fresh: &Id,
    ) -> Received {
        match self.read(machine, values, chunk, about, fresh) {
            Ok(received) => received,
            Err(Malformed(message)) => {
                machine.tell(Event::Anomaly(Refusal::new(Code::MalformedEvent, message)));
                Received::Malformed
            }
        }
    }

    fn read<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        about: About,
        fresh: &Id,
    ) -> Result<Received, Malformed> {
        let Some(kind) = values.name(chunk, Name::Type) else {
            return self.read_unnamed(machine, values, chunk, about, fresh);
        };
        if is_tool(kind) {
            let admission = machine.admit(about);
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
                machine.begin(values.text(chunk, Name::MessageId).map(Into::into), fresh);
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
                let part = values.keep(values.rest(chunk, &[]));
                machine.content(Kind::of(Some(kind), false) as u8, part, fresh);
            }
        }
        Ok(Received::Taken)
    }

    fn read_unnamed<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        about: About,
        fresh: &Id,
    ) -> Result<Received, Malformed> {
        if !values.is_object(chunk) {
            return Err(Malformed("an event is no object: each event of the stream is an object with a type".into()));
        }
        let Some(kind) = values.text(chunk, Name::Type) else {
            return Err(Malformed("an event has no type: each event of the stream is an object with a type".into()));
        };
        if !kind.starts_with("data-") {
            return Ok(Received::Unknown);
        }
        if machine.admit(about) != Admission::Current || values.flag(chunk, Name::Transient) == Some(true) {
            return Ok(Received::Taken);
        }
        match find_data(machine, values, chunk, &kind) {
            Some((at, old)) => {
                let mut part = values.rest(&values.load(old), &[]);
                values.set(&mut part, Name::Data, &values.get(chunk, Name::Data));
                values.put(old, part);
                machine.content_changed(at, old);
            }
            None => {
                let part = values.keep(chunk.clone());
                machine.content(Kind::Data as u8, part, fresh);
            }
        }
        Ok(Received::Taken)
    }

    fn open_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        reasoning: bool,
        fresh: &Id,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let drop: &[Name] = if reasoning { &[Name::Type] } else { &[Name::Type, Name::Id] };
        let mut part = values.object();
        values.set_name(&mut part, Name::Type, if reasoning { Name::Reasoning } else { Name::Text });
        values.extend(&mut part, &values.rest(chunk, drop));
        values.set_text(&mut part, Name::Text, "");
        values.set_name(&mut part, Name::State, Name::Streaming);
        let kind = if reasoning { Kind::Reasoning } else { Kind::Text };
        let payload = values.keep(part);
        let at = machine.content(kind as u8, payload, fresh);
        self.open.insert((reasoning, id), at);
        Ok(())
    }

    fn grow_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let delta = values.get(chunk, Name::Delta);
        if !values.is_text(&delta) {
            return Err(Malformed(format!("a delta of text \"{id}\" has no text in \"delta\"")));
        }
        let Some((at, payload)) = self.find(machine, reasoning, &id) else {
            return Err(Malformed(format!("text \"{id}\" got a delta and was never started: send its start first")));
        };
        let mut part = values.append(&values.load(payload), &delta);
        let metadata = values.get(chunk, Name::ProviderMetadata);
        if values.is_some(&metadata) {
            values.set(&mut part, Name::ProviderMetadata, &metadata);
        }
        values.put(payload, part);
        machine.content_changed(at, payload);
        Ok(())
    }

    fn close_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &mut V,
        chunk: &V::Value,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk)?;
        let Some((at, payload)) = self.find(machine, reasoning, &id) else {
            return Err(Malformed(format!("text \"{id}\" was ended and never started: send its start first")));
        };
        let mut part = values.rest(&values.load(payload), &[]);
        values.set_name(&mut part, Name::State, Name::Done);
        for name in [Name::Citations, Name::ProviderMetadata] {
            let value = values.get(chunk, name);
            if values.is_some(&value) {
                values.set(&mut part, name, &value);
            }
        }
        values.put(payload, part);
        machine.content_changed(at, payload);
        self.open.remove(&(reasoning, id));
        Ok(())
    }

    fn find(&self, machine: &Machine, reasoning: bool, id: &str) -> Option<(At, Payload)> {
        let at = *self.open.get(&(reasoning, id.to_owned()))?;
        Some((at, machine.content_at(at)?))
    }
}

fn text_id<V: Values>(values: &V, chunk: &V::Value) -> Result<String, Malformed> {
    values
        .text(chunk, Name::Id)
        .ok_or_else(|| Malformed("a text chunk has no id: start, delta and end carry the text's id".into()))
}

fn merge_metadata<V: Values>(machine: &mut Machine, values: &mut V, chunk: &V::Value, fresh: &Id) {
    let new = values.get(chunk, Name::MessageMetadata);
    if !values.is_some(&new) {
        return;
    }
    let message = machine.current_message().and_then(|index| machine.transcript().messages().get(index));
    let old = values.load(message.map_or(Payload::NONE, |message| message.fields));
    let was = values.get(&old, Name::Metadata);
    let mut fields = values.rest(&old, &[Name::Metadata]);
    let metadata = if values.is_some(&was) { values.merge(&was, &new) } else { new };
    values.set(&mut fields, Name::Metadata, &metadata);
    let payload = values.keep(fields);
    machine.message_fields(payload, fresh);
}

/// The data part of the reply's message that this chunk updates: same type, same id.
fn find_data<V: Values>(machine: &Machine, values: &V, chunk: &V::Value, kind: &str) -> Option<(At, Payload)> {
    let id = values.text(chunk, Name::Id)?;
    let message = machine.current_message()?;
    let parts = &machine.transcript().messages().get(message)?.parts;
    (0..parts.len()).map(|part| At { message, part }).find_map(|at| {
        let payload = machine.content_at(at)?;
        let part = values.load(payload);
        let same = values.text(&part, Name::Type).as_deref() == Some(kind)
            && values.text(&part, Name::Id).as_deref() == Some(&id);
        same.then_some((at, payload))
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

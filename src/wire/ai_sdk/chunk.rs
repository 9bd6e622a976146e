//! Reading the stream: every UI message chunk but those of tool calls.

use super::Kind;
use super::data_parts::DataParts;
use super::load::has_file;
use super::load_call::{OF_CONTENT, tidy};
use crate::machine::{
    About, Admission, Brings, Code, Ending, Id, Machine, PartPos, Payload, Refusal, RefusalReason, Role,
};
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
    /// Text and reasoning parts that still grow: whether it is reasoning, its id in the stream, its place and its value.
    open: Vec<(bool, Id, PartPos, Payload)>,
    data: DataParts,
}

/// A chunk whose type needs a property that it does not have: the type, and the property.
pub(super) struct Malformed(pub(super) Name, pub(super) Name);

/// A chunk, with what belongs to it.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    /// The chunk.
    pub(super) value: Payload,
    /// Which request it answers.
    pub(super) about: About,
    /// The id of a message that the backend does not name.
    pub(super) fresh: Id,
    /// The host's time in milliseconds.
    pub(super) now: u64,
}

impl AiSdk {
    /// Reads one chunk. `fresh` is the id of a message that the backend does not name, `now` the host's time in
    /// milliseconds.
    pub fn receive<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        about: About,
        fresh: Id,
        now: u64,
    ) -> Received {
        match self.read(machine, values, Chunk { value: chunk, about, fresh, now }) {
            Ok(received) => received,
            Err(Malformed(kind, property)) => {
                let mut refusal = Refusal::new(Code::MalformedEvent, RefusalReason::Malformed);
                refusal.detail = Some((kind as u8, property as u8));
                machine.raise(refusal);
                Received::Malformed
            }
        }
    }

    /// Every id that it holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.open.iter().for_each(|(_, id, ..)| each(*id));
        self.data.ids(each);
    }

    fn read<V: Values>(&mut self, machine: &mut Machine, values: &V, chunk: Chunk) -> Result<Received, Malformed> {
        let Some(kind) = values.name(chunk.value, Name::Type) else {
            return self.read_unnamed(machine, values, chunk);
        };
        if is_tool(kind) {
            super::tool_chunk::read(machine, values, chunk, kind)?;
            return Ok(Received::Taken);
        }
        let mut admit = |brings: Brings| machine.admit(chunk.about, brings) == Admission::Current;
        match kind {
            Name::Start => {
                let id = values.id(chunk.value, Name::MessageId);
                if admit(Brings::Start(id)) {
                    // Merged streams send more starts: texts stay open across them.
                    if machine.current_message().is_none() {
                        self.open.clear();
                    }
                    machine.begin(id, chunk.fresh);
                    merge_metadata(machine, values, chunk);
                }
            }
            Name::MessageMetadata => {
                if admit(Brings::Housekeeping) {
                    merge_metadata(machine, values, chunk);
                }
            }
            Name::Finish => {
                let interrupted = values.name(chunk.value, Name::FinishReason) == Some(Name::Interrupted);
                let ending = if interrupted { Ending::Disconnected } else { Ending::Finished };
                if admit(Brings::Ending(ending)) {
                    merge_metadata(machine, values, chunk);
                    machine.end_if_unrequested();
                }
            }
            Name::Error | Name::Abort => {
                let ending = if kind == Name::Error { Ending::Failed } else { Ending::Interrupted };
                if admit(Brings::Ending(ending)) {
                    machine.end_if_unrequested();
                }
            }
            Name::StartStep => {
                if admit(Brings::Content) {
                    machine.step_start(chunk.fresh);
                }
            }
            Name::FinishStep => {
                if admit(Brings::Housekeeping) {
                    machine.step_finish();
                }
            }
            Name::ResetStep => {
                if admit(Brings::Housekeeping) {
                    self.open.clear();
                    machine.step_reset();
                }
            }
            Name::TextStart => self.open_text(machine, values, chunk, false)?,
            Name::ReasoningStart => self.open_text(machine, values, chunk, true)?,
            Name::TextDelta => self.grow_text(machine, values, chunk, false)?,
            Name::ReasoningDelta => self.grow_text(machine, values, chunk, true)?,
            Name::TextEnd => self.close_text(machine, values, chunk, false)?,
            Name::ReasoningEnd => self.close_text(machine, values, chunk, true)?,
            Name::File
            | Name::ReasoningFile
            | Name::SourceUrl
            | Name::SourceDocument
            | Name::Custom
            | Name::SteeringMessage => {
                let of = Kind::of(Some(kind), false);
                if !has_file(values, chunk.value, of) {
                    return Err(Malformed(kind, Name::Url));
                }
                let admission = machine.admit(chunk.about, Brings::Attachment);
                let part = || values.keep(tidy(values, values.rest(chunk.value, Without::Nothing), &OF_CONTENT).0);
                add_content(machine, admission, of, part, chunk.fresh);
            }
            _ => return Ok(Received::Unknown),
        }
        Ok(Received::Taken)
    }

    fn read_unnamed<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
    ) -> Result<Received, Malformed> {
        if values.id(chunk.value, Name::Type).is_none() {
            return Err(Malformed(Name::Type, Name::Type));
        }
        if !values.is_data(chunk.value) {
            return Ok(Received::Unknown);
        }
        if values.flag(chunk.value, Name::Transient) == Some(true) {
            machine.admit(chunk.about, Brings::Housekeeping);
            return Ok(Received::Taken);
        }
        let admission = machine.admit(chunk.about, Brings::Attachment);
        let writes = matches!(admission, Admission::Current | Admission::Outside);
        let last = || machine.transcript().messages().iter().rposition(|message| message.role == Role::Assistant);
        let message = machine.current_message().or_else(last).filter(|_| writes);
        let known = message.and_then(|message| self.data.find(machine, values, message, chunk.value));
        match known {
            Some((at, old)) => {
                let part = values.rest(old, Without::Nothing);
                values.set(part, Name::Data, values.get(chunk.value, Name::Data));
                values.put(old, part);
                machine.content_changed(at, old);
            }
            None => add_content(machine, admission, Kind::Data, || values.keep(chunk.value), chunk.fresh),
        }
        Ok(Received::Taken)
    }

    fn open_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let id = text_id(values, chunk.value)?;
        if machine.admit(chunk.about, Brings::Content) != Admission::Current {
            return Ok(());
        }
        let drop = if reasoning { Without::Type } else { Without::TypeAndId };
        let part = values.object();
        values.set_name(part, Name::Type, if reasoning { Name::Reasoning } else { Name::Text });
        values.extend(part, tidy(values, values.rest(chunk.value, drop), &OF_CONTENT).0);
        values.set_name(part, Name::Text, Name::Empty);
        values.set_name(part, Name::State, Name::Streaming);
        let kind = if reasoning { Kind::Reasoning } else { Kind::Text };
        let payload = values.keep(part);
        self.open.retain(|(kind, open, ..)| (*kind, *open) != (reasoning, id));
        if let Some(at) = machine.text(kind as u8, payload, chunk.fresh) {
            self.open.push((reasoning, id, at, payload));
        }
        Ok(())
    }

    fn grow_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let kind = if reasoning { Name::ReasoningDelta } else { Name::TextDelta };
        let delta = values.get(chunk.value, Name::Delta);
        if !values.is_text(delta) {
            return Err(Malformed(kind, Name::Delta));
        }
        let Some((at, payload)) = self.text(machine, values, chunk, reasoning, kind)? else { return Ok(()) };
        let part = values.append(payload, delta);
        if values.is_object(values.get(chunk.value, Name::ProviderMetadata)) {
            values.copy(chunk.value, Name::ProviderMetadata, part, Name::ProviderMetadata);
        }
        values.put(payload, part);
        machine.content_changed(at, payload);
        Ok(())
    }

    fn close_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let kind = if reasoning { Name::ReasoningEnd } else { Name::TextEnd };
        let Some((at, payload)) = self.text(machine, values, chunk, reasoning, kind)? else { return Ok(()) };
        let part = values.rest(payload, Without::Nothing);
        values.set_name(part, Name::State, Name::Done);
        values.copy(chunk.value, Name::Citations, part, Name::Citations);
        values.copy(chunk.value, Name::ProviderMetadata, part, Name::ProviderMetadata);
        values.put(payload, tidy(values, part, &OF_CONTENT).0);
        machine.content_changed(at, payload);
        self.open.retain(|(_, _, open, _)| *open != at);
        Ok(())
    }

    /// The text that a chunk adds to or ends; none where the chunk may not write.
    fn text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
        reasoning: bool,
        kind: Name,
    ) -> Result<Option<(PartPos, Payload)>, Malformed> {
        let id = text_id(values, chunk.value)?;
        let admission = machine.admit(chunk.about, Brings::Report);
        let open = self.open.iter().find(|(is_reasoning, open, ..)| *is_reasoning == reasoning && *open == id);
        // Its message may have been removed, and something else may be in its place.
        let of = if reasoning { Kind::Reasoning } else { Kind::Text } as u8;
        let is_there = |at: PartPos, value| machine.transcript().content(at) == Some((of, value));
        let open = open.map(|(_, _, at, value)| (*at, *value)).filter(|&(at, value)| is_there(at, value));
        let resumed = || {
            let at = resumed_text(machine, values, reasoning)?;
            Some((at, machine.transcript().content(at)?.1))
        };
        let found = open.or_else(resumed);
        match admission {
            Admission::Current if found.is_none() => Err(Malformed(kind, Name::Id)),
            Admission::Current => Ok(found),
            // The rest of a text that a reply began before it broke off.
            Admission::Outside if found.is_none() => Err(Malformed(kind, Name::Id)),
            Admission::Outside | Admission::Late(_) | Admission::Superseded(_) | Admission::Ignored => Ok(None),
        }
    }
}

/// The text that a stream goes on with which was reconnected to where it was cut: after a reload its id is not known any more.
fn resumed_text<V: Values>(machine: &Machine, values: &V, reasoning: bool) -> Option<PartPos> {
    let reply = machine.exchange().reply().filter(|reply| reply.reconnected)?;
    let message = reply.message?;
    let kind = if reasoning { Kind::Reasoning } else { Kind::Text } as u8;
    let parts = &machine.transcript().messages().get(message)?.parts;
    (0..parts.len()).rev().map(|part| PartPos { message, part }).find(|&at| {
        let content = machine.transcript().content(at).filter(|(of, _)| *of == kind);
        content.is_some_and(|(_, value)| values.name(value, Name::State) == Some(Name::Streaming))
    })
}

/// Adds content to the reply's message, or outside of a reply to the last one.
fn add_content(machine: &mut Machine, admission: Admission, kind: Kind, part: impl FnOnce() -> Payload, fresh: Id) {
    match admission {
        Admission::Current => {
            machine.content(kind as u8, part(), fresh);
        }
        Admission::Outside => {
            machine.content_outside(kind as u8, part());
        }
        Admission::Late(_) | Admission::Superseded(_) | Admission::Ignored => {}
    }
}

/// The text's id, with which start, delta and end belong together.
fn text_id<V: Values>(values: &V, chunk: Payload) -> Result<Id, Malformed> {
    let kind = values.name(chunk, Name::Type).unwrap_or(Name::Type);
    values.id(chunk, Name::Id).ok_or(Malformed(kind, Name::Id))
}

fn merge_metadata<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk) {
    let new = values.get(chunk.value, Name::MetadataOfMessage);
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
    machine.message_fields(payload, chunk.fresh);
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

//! Reads the stream: every UI message chunk. The chunks of texts and of tool calls have a file each.

use super::Kind;
use super::chunk::{Chunk, Malformed};
use super::data_parts::DataParts;
use super::property_checks::{OF_CONTENT, has_file, without_invalid};
use super::tool_chunk::{self, ToolChunk};
use crate::machine::{
    About, Admission, Brings, Code, Ending, Id, Machine, PartPos, Payload, Refusal, RefusalReason, Role,
};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, Values};

/// What was done with a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// It was read; the machine decides whether it changes anything.
    Taken,
    /// Its type is not part of this protocol: the host gets it unchanged.
    Unknown,
    /// It is not a chunk, or lacks a required property: an anomaly was raised.
    Malformed,
}

/// A text or a reasoning that the stream has started and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenText {
    /// Whether it is reasoning.
    pub(super) reasoning: bool,
    /// Its id in the stream.
    pub(super) id: Id,
    /// Its position.
    pub(super) at: PartPos,
    /// Its value.
    pub(super) value: Payload,
}

/// The reader of one chat's streams.
#[derive(Clone, Default, Debug)]
pub struct AiSdk {
    /// Open text and reasoning parts.
    pub(super) open: Vec<OpenText>,
    data: DataParts,
}

impl AiSdk {
    /// Reads one chunk. `fallback_id` is the id for a message that the backend does not name, `now` the host's time in
    /// milliseconds.
    pub fn receive<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Payload,
        about: About,
        fallback_id: Id,
        now: u64,
    ) -> Received {
        let read = self.read(machine, values, Chunk { value: chunk, about, fallback_id, now });
        machine.heard(now);
        match read {
            Ok(received) => received,
            Err(Malformed(kind, property)) => {
                let mut refusal = Refusal::new(Code::MalformedEvent, RefusalReason::Malformed);
                refusal.detail = Some((kind as u8, property as u8));
                machine.raise(refusal);
                Received::Malformed
            }
        }
    }

    /// Visits every id that the reader holds.
    pub fn ids(&self, each: &mut dyn FnMut(Id)) {
        self.open.iter().for_each(|open| each(open.id));
        self.data.ids(each);
    }

    fn read<V: Values>(&mut self, machine: &mut Machine, values: &V, chunk: Chunk) -> Result<Received, Malformed> {
        let Some(kind) = values.name(chunk.value, Name::Type) else {
            return self.read_unnamed(machine, values, chunk);
        };
        if let Some(tool) = ToolChunk::of(kind) {
            tool_chunk::read(machine, values, chunk, tool, kind)?;
            return Ok(Received::Taken);
        }
        let mut admit = |brings: Brings| machine.admit(chunk.about, brings) == Admission::Current;
        match kind {
            Name::Start => {
                let id = values.id(chunk.value, Name::MessageId);
                if admit(Brings::Start(id)) {
                    // Merged streams send more `start` chunks: open texts stay open.
                    if machine.current_message().is_none() {
                        self.open.clear();
                    }
                    machine.begin(id, chunk.fallback_id);
                    merge_metadata(machine, values, chunk);
                }
            }
            Name::MessageMetadata => {
                if admit(Brings::Housekeeping) {
                    merge_metadata(machine, values, chunk);
                }
            }
            Name::Finish => {
                let ending = match values.name(chunk.value, Name::FinishReason) {
                    Some(Name::Interrupted) => Ending::Disconnected,
                    Some(Name::StepLimit) => Ending::StepLimit,
                    _ => Ending::Finished,
                };
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
                    machine.step_start(chunk.fallback_id);
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
                let part = || {
                    values.retain(without_invalid(values, values.omit(chunk.value, OmitKeys::Nothing), &OF_CONTENT).0)
                };
                add_content(machine, admission, of, part, chunk.fallback_id);
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
                let part = values.omit(old, OmitKeys::Nothing);
                values.set(part, Name::Data, values.get(chunk.value, Name::Data));
                values.replace(old, part);
                machine.content_changed(at, old);
            }
            None => add_content(machine, admission, Kind::Data, || values.retain(chunk.value), chunk.fallback_id),
        }
        Ok(Received::Taken)
    }
}

/// Adds content to the reply's message. Without an open reply, adds it to the assistant's last message of the turn.
fn add_content(
    machine: &mut Machine,
    admission: Admission,
    kind: Kind,
    part: impl FnOnce() -> Payload,
    fallback_id: Id,
) {
    match admission {
        Admission::Current => {
            machine.content(kind as u8, part(), fallback_id);
        }
        Admission::Outside => {
            machine.content_outside(kind as u8, part());
        }
        Admission::Late(_) | Admission::Superseded(_) | Admission::Ignored => {}
    }
}

fn merge_metadata<V: Values>(machine: &mut Machine, values: &V, chunk: Chunk) {
    let new = values.get(chunk.value, Name::MetadataOfMessage);
    if !values.is_some(new) {
        return;
    }
    let message = machine.current_message().and_then(|index| machine.transcript().messages().get(index));
    let old = message.map_or(Payload::NONE, |message| message.fields);
    let was = values.get(old, Name::Metadata);
    let fields = values.omit(old, OmitKeys::Metadata);
    let metadata = if values.is_some(was) { values.merge(was, new) } else { new };
    values.set(fields, Name::Metadata, metadata);
    let payload = values.retain(fields);
    machine.message_fields(payload, chunk.fallback_id);
}

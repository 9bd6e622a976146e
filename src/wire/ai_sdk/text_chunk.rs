//! Reads the stream: the chunks of texts and of reasoning.

use super::Kind;
use super::chunk::{Chunk, Malformed};
use super::property_checks::{OF_CONTENT, without_invalid};
use super::stream::{AiSdk, OpenText};
use crate::machine::{Admission, Brings, Id, Machine, PartPos, Payload};
use crate::prelude::*;
use crate::wire::{Name, OmitKeys, Values};

impl AiSdk {
    pub(super) fn open_text<V: Values>(
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
        let drop = if reasoning { OmitKeys::Type } else { OmitKeys::TypeAndId };
        let part = values.object();
        values.set_name(part, Name::Type, if reasoning { Name::Reasoning } else { Name::Text });
        values.extend(part, without_invalid(values, values.omit(chunk.value, drop), &OF_CONTENT).0);
        values.set_name(part, Name::Text, Name::Empty);
        values.set_name(part, Name::State, Name::Streaming);
        let kind = if reasoning { Kind::Reasoning } else { Kind::Text };
        let payload = values.retain(part);
        self.open.keep(|open| (open.reasoning, open.id) != (reasoning, id));
        if let Some(at) = machine.text(kind as u8, payload, chunk.fallback_id) {
            self.open.push(OpenText { reasoning, id, at, value: payload });
        }
        Ok(())
    }

    pub(super) fn grow_text<V: Values>(
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
        values.replace(payload, part);
        machine.content_changed(at, payload);
        Ok(())
    }

    pub(super) fn close_text<V: Values>(
        &mut self,
        machine: &mut Machine,
        values: &V,
        chunk: Chunk,
        reasoning: bool,
    ) -> Result<(), Malformed> {
        let kind = if reasoning { Name::ReasoningEnd } else { Name::TextEnd };
        let Some((at, payload)) = self.text(machine, values, chunk, reasoning, kind)? else { return Ok(()) };
        let part = values.omit(payload, OmitKeys::Nothing);
        values.set_name(part, Name::State, Name::Done);
        values.copy(chunk.value, Name::Citations, part, Name::Citations);
        values.copy(chunk.value, Name::ProviderMetadata, part, Name::ProviderMetadata);
        values.replace(payload, without_invalid(values, part, &OF_CONTENT).0);
        machine.content_changed(at, payload);
        self.open.keep(|open| open.at != at);
        Ok(())
    }

    /// The text that a chunk extends or ends; `None` if the chunk may not write.
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
        let open = self.open.iter().find(|open| open.reasoning == reasoning && open.id == id);
        // The text's message may have been removed, and another part may be at its position.
        let of = if reasoning { Kind::Reasoning } else { Kind::Text } as u8;
        let is_there = |at: PartPos, value| machine.transcript().content(at) == Some((of, value));
        let open = open.map(|open| (open.at, open.value)).filter(|&(at, value)| is_there(at, value));
        let resumed = || {
            let at = resumed_text(machine, values, reasoning)?;
            Some((at, machine.transcript().content(at)?.1))
        };
        let found = open.or_else(resumed);
        match admission {
            Admission::Current if found.is_none() => Err(Malformed(kind, Name::Id)),
            Admission::Current => Ok(found),
            // Without an open reply, a chunk is ignored if its text is known from a reply that broke off. Any other one
            // is malformed.
            Admission::Outside if found.is_none() => Err(Malformed(kind, Name::Id)),
            Admission::Outside | Admission::Late(_) | Admission::Superseded(_) | Admission::Ignored => Ok(None),
        }
    }
}

/// The text that a reconnected stream continues. Its id in the stream is unknown after a reload, so this is the last
/// open text.
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

/// The text's id in the stream, which its start, delta and end have in common.
fn text_id<V: Values>(values: &V, chunk: Payload) -> Result<Id, Malformed> {
    let kind = values.name(chunk, Name::Type).unwrap_or(Name::Type);
    values.id(chunk, Name::Id).ok_or(Malformed(kind, Name::Id))
}

//! Outputs that are content parts: a list of texts, images and files, as `{ type: 'content', value }` of a
//! `ModelMessage`.
//!
//! In a `UIMessage` such an output is the list. `resultProviderMetadata.toolgate.output` is `'content'` then: every
//! schema of a part with a result has this field, and it is not sent to providers.

use crate::machine::{Payload, ToolPart};
use crate::wire::{Name, OmitKeys, ValueKind, Values};

/// Whether the output of a call is a list of content parts.
pub(in crate::wire) fn is_content<V: Values>(values: &V, part: &ToolPart) -> bool {
    let own = values.get(values.get(part.fields, Name::ResultProviderMetadata), Name::Toolgate);
    values.name(own, Name::Output) == Some(Name::Content) && values.kind(part.output) == ValueKind::Array
}

/// The fields of a call whose output is a list of content parts.
pub fn content_fields<V: Values>(values: &V, fields: Payload) -> Payload {
    let own = values.object();
    values.set_name(own, Name::Output, Name::Content);
    let metadata = values.omit(values.get(fields, Name::ResultProviderMetadata), OmitKeys::Toolgate);
    values.set(metadata, Name::Toolgate, own);
    let marked = values.omit(fields, OmitKeys::Nothing);
    values.set(marked, Name::ResultProviderMetadata, metadata);
    marked
}

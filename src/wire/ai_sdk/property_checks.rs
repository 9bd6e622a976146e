//! Checks of the properties that stored parts and chunks have in common.

use super::Kind;
use crate::machine::Payload;
use crate::wire::{Name, OmitKeys, Values, time};

/// Properties that have one type in every schema, by the object that contains them.
pub(super) const OF_CONTENT: [Name; 4] = [Name::ProviderMetadata, Name::Filename, Name::Title, Name::ProviderReference];
pub(super) const OF_CALLS: [Name; 5] =
    [Name::Title, Name::ToolMetadata, Name::ProviderExecuted, Name::CallProviderMetadata, Name::ResultProviderMetadata];
pub(super) const OF_APPROVALS: [Name; 2] = [Name::Signature, Name::RequestReason];

/// Removes properties whose type no schema allows, such as optional ones that are `null`. Also returns whether any of
/// `names` was invalid.
pub(super) fn without_invalid<V: Values>(values: &V, of: Payload, names: &[Name]) -> (Payload, bool) {
    let fits = |&name: &Name| match name {
        Name::ProviderExecuted => values.flag(of, name).is_some(),
        Name::Title | Name::Filename | Name::Signature | Name::RequestReason => values.is_text(values.get(of, name)),
        _ => values.is_object(values.get(of, name)),
    };
    if names.iter().all(|name| !values.get(of, *name).is_some() || fits(name)) {
        return (of, false);
    }
    let cleaned = values.omit(of, OmitKeys::Typed);
    for &name in OmitKeys::Typed.names().iter().filter(|name| fits(name)) {
        values.set(cleaned, name, values.get(of, name));
    }
    (cleaned, true)
}

/// Whether a part is valid, and has the text that its kind requires.
pub(super) fn has_text<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let name = if matches!(kind, Kind::Text | Kind::Reasoning) { Name::Text } else { Name::Type };
    values.is_text(values.get(part, name))
}

/// Whether a file part has a media type and a location. Parts of other kinds always pass.
pub(super) fn has_file<V: Values>(values: &V, part: Payload, kind: Kind) -> bool {
    let url = values.get(part, Name::Url);
    let placed =
        values.is_text(url) || values.is_object(url) || values.is_object(values.get(part, Name::ProviderReference));
    !matches!(kind, Kind::File | Kind::ReasoningFile) || (placed && values.is_text(values.get(part, Name::MediaType)))
}

/// When the backend lets an approval expire: `expiresAt`, in ms since 1970. The AI SDK has no such field; custom
/// backends may send it.
pub(super) fn expiry<V: Values>(values: &V, request: Payload) -> Option<u64> {
    time(values.as_number(values.get(request, Name::ExpiresAt)))
}

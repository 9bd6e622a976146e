//! A chunk of the stream with its context, and the error for one that is incomplete.

use crate::machine::{About, Id, Payload};
use crate::wire::Name;

/// A chunk that lacks a required property: the chunk's type, and the property.
pub(super) struct Malformed(pub(super) Name, pub(super) Name);

/// A chunk and its context.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    /// The event as the host gave it.
    pub(super) value: Payload,
    /// The request to the server that the chunk answers.
    pub(super) about: About,
    /// The id for a message that the backend does not name.
    pub(super) fallback_id: Id,
    /// The host's time in milliseconds.
    pub(super) now: u64,
}

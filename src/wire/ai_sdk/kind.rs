//! The kinds of parts that are not tool calls.

use crate::wire::Name;

/// A kind of content part. The machine stores it as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Text that the model or a user wrote.
    Text,
    /// The model's reasoning.
    Reasoning,
    /// A file that the model or a user attached.
    File,
    /// A file in the model's reasoning.
    ReasoningFile,
    /// Content specific to a provider.
    Custom,
    /// A user message that was added while the reply was streaming.
    Steering,
    /// A source: a URL or a document.
    Source,
    /// The app's own data.
    Data,
    /// A part of an unknown type, stored unchanged.
    Other,
}

impl Kind {
    /// The kind of a part with this type. `data`: the type begins with `data-`.
    #[must_use]
    pub fn of(name: Option<Name>, data: bool) -> Self {
        match name {
            Some(Name::Text) => Kind::Text,
            Some(Name::Reasoning) => Kind::Reasoning,
            Some(Name::File) => Kind::File,
            Some(Name::ReasoningFile) => Kind::ReasoningFile,
            Some(Name::Custom) => Kind::Custom,
            Some(Name::SteeringMessage) => Kind::Steering,
            Some(Name::SourceUrl | Name::SourceDocument) => Kind::Source,
            _ if data => Kind::Data,
            _ => Kind::Other,
        }
    }

    /// The kind with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Self {
        const ALL: [Kind; 9] = [
            Kind::Text,
            Kind::Reasoning,
            Kind::File,
            Kind::ReasoningFile,
            Kind::Custom,
            Kind::Steering,
            Kind::Source,
            Kind::Data,
            Kind::Other,
        ];
        ALL.get(usize::from(number)).copied().unwrap_or(Kind::Other)
    }
}

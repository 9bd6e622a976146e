//! The kinds of parts that are no tool calls.

use crate::wire::Name;

/// A kind of content part. The machine carries it as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Text.
    Text,
    /// The model's thoughts.
    Reasoning,
    /// A file.
    File,
    /// A file among the model's thoughts.
    ReasoningFile,
    /// Content of a provider's own sort.
    Custom,
    /// A user message that was added while the reply was written.
    Steering,
    /// A source, as an address or a document.
    Source,
    /// Data of the app.
    Data,
    /// Anything else: kept as it came.
    Other,
}

impl Kind {
    /// The kind of a part by its type.
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

    /// The kind behind the machine's number.
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

//! The AI SDK's protocol, versions 6 and 7.
//!
//! Reads UI message stream chunks, and stored `UIMessage`s and `ModelMessage`s. Writes `UIMessage`s (for the view
//! and for request bodies) and entries. Sources: `ui-message-stream/ui-message-chunks.ts`,
//! `ui/process-ui-message-stream.ts`, `ui/ui-messages.ts` and `ui/convert-to-model-messages.ts` of the npm package
//! `ai`, 6.0.326 and 7.0.173. `docs/ai-sdk-differences.md` lists where we differ, and why.

mod chunk;
mod content_output;
mod data_parts;
mod dedupe;
mod entry;
mod entry_call;
mod kind;
mod load;
mod load_call;
mod load_index;
mod load_model;
mod load_model_calls;
mod property_checks;
mod reading;
mod sent_parts;
mod stored_outcome;
mod stream;
mod text_chunk;
mod tool_chunk;
mod ui_message;

pub use content_output::content_fields;
pub(super) use content_output::is_content;
pub use entry::entries;
pub use kind::Kind;
pub use load::{load, load_indexed, user_message};
pub use load_index::HistoryIndex;
pub use sent_parts::sent_parts;
pub use stream::{AiSdk, Received};
pub use ui_message::{Shape, UiCall, UiResult, message_head, ui_call, ui_message, ui_part};
pub(super) use ui_message::{error_text, sent_reason};

use crate::machine::{Machine, Payload};
use crate::wire::{Name, Texts, Values};

/// Everything that writing messages needs.
pub struct Writer<'a, V: Values> {
    /// The host's values.
    pub values: &'a V,
    /// The texts for calls that have no result.
    pub texts: Texts,
    /// The machine whose messages are written.
    pub machine: &'a Machine,
}

impl<V: Values> Writer<'_, V> {
    /// A new object with a `type`.
    fn typed(&self, kind: Name) -> Payload {
        let part = self.values.object();
        self.values.set_name(part, Name::Type, kind);
        part
    }

    /// Copies properties to properties with other names, unless they are `undefined` or `null`.
    fn copy_all(&self, from: Payload, to: Payload, names: &[(Name, Name)]) {
        for &(name, to_name) in names {
            self.values.copy(from, name, to, to_name);
        }
    }
}

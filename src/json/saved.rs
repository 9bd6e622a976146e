//! The saved state of a gate: plain JSON, the same form as `toJSON()` of the npm package, so that either can restore a
//! snapshot of the other.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::canonical::{decode, encode};
use super::checksum::checksum;
use super::{ErrorCode, GateError, Store, Value};
use crate::machine::{Machine, Options};
use crate::wire::snapshot::{self, Lists};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// The version that this release writes and reads: `VERSION` in `src/ts/gate/saved/snapshot.ts`.
pub const SNAPSHOT_VERSION: u32 = 14;

/// The saved state of a gate. Store it as it is: a changed snapshot is refused.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedGate {
    version: Json,
    chat_id: String,
    numbers: Vec<Json>,
    texts: Vec<String>,
    values: Vec<Json>,
    checksum: String,
}

impl SavedGate {
    /// The id of the saved chat.
    #[must_use]
    pub fn chat_id(&self) -> &str {
        &self.chat_id
    }

    /// Writes the state of a machine.
    pub(super) fn write(chat_id: &str, store: &Store, machine: &mut Machine) -> Self {
        let list = || store.give(Value::list([]));
        let lists = Lists { numbers: list(), ids: list(), values: list() };
        snapshot::save(store, machine, lists);
        let encoded = |list| store.take(list).items().iter().map(encode).collect::<Vec<_>>();
        let texts = store.take(lists.ids).items().iter().filter_map(|id| id.as_text().map(Into::into)).collect();
        let mut saved = Self {
            version: json!(SNAPSHOT_VERSION),
            chat_id: chat_id.into(),
            numbers: encoded(lists.numbers),
            texts,
            values: encoded(lists.values),
            checksum: String::new(),
        };
        saved.checksum = saved.expected_checksum();
        saved
    }

    /// Reads the state into a machine.
    pub(super) fn read(&self, store: &Store, options: Options) -> Result<Machine, GateError> {
        if self.version.as_u64() != Some(SNAPSHOT_VERSION.into()) {
            let message = format!("The snapshot has version {}. Expected version {SNAPSHOT_VERSION}.", self.version);
            return Err(GateError::new(ErrorCode::BadSnapshot, message));
        }
        if self.checksum != self.expected_checksum() {
            return Err(damaged());
        }
        let numbers = self.numbers.iter().cloned().map(Value::from_json);
        let texts = self.texts.iter().map(|text| Value::text(text.as_str()));
        let values = self.values.iter().map(decode).collect::<Result<Vec<_>, _>>().map_err(|why| {
            GateError::new(ErrorCode::BadSnapshot, format!("The snapshot has a value that cannot be read: {why}."))
        })?;
        let lists = Lists {
            numbers: store.give(Value::list(numbers)),
            ids: store.give(Value::list(texts)),
            values: store.give(Value::list(values)),
        };
        snapshot::restore(store, lists, options, false).ok_or_else(damaged)
    }

    fn expected_checksum(&self) -> String {
        checksum(&json!([self.version, self.chat_id, self.numbers, self.texts, self.values]))
    }
}

fn damaged() -> GateError {
    GateError::new(ErrorCode::BadSnapshot, "The snapshot is damaged. Pass the complete, unchanged value of save().")
}

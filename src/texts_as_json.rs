//! The feature `serde`: enums of the machine that have texts are written and read as these texts. It is not in the
//! machine itself, which knows no format.

use alloc::borrow::Cow;

use crate::machine::{
    Code, DeliveryState, Ending, ItemState, OnDeny, OnUserMessage, OutcomeKind, RepairCode, Role, Status, StreamEnd,
    TurnStatus, WaitsOn,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

macro_rules! as_texts {
    ($($name:ident),+ $(,)?) => { $(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <Cow<'de, str>>::deserialize(deserializer)?;
                let found = Self::ALL.iter().copied().find(|variant| variant.as_str() == text);
                let expected = concat!("a text of ", stringify!($name));
                found.ok_or_else(|| D::Error::invalid_value(serde::de::Unexpected::Str(&text), &expected))
            }
        }
    )+ };
}

as_texts!(
    Code,
    DeliveryState,
    Ending,
    ItemState,
    OnDeny,
    OnUserMessage,
    OutcomeKind,
    RepairCode,
    Role,
    Status,
    StreamEnd,
    TurnStatus,
    WaitsOn,
);

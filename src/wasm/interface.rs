//! What the build of the JavaScript bindings must know of the crate: names, numbers and calls.
//!
//! The macros that define them write each list as JSON. As custom sections the lists go through wasm-bindgen into its
//! `.d.ts`, where `pkg-scripts/lib/interface.mjs` reads them. Nothing of them is left in the wasm file.

use wasm_bindgen::prelude::*;

use super::entry;
use crate::machine::{Ending, OnDeny, OnUserMessage, Status, TurnStatus, WaitsOn};
use crate::wire::{Name, Without};

macro_rules! sections {
    ($($section:ident: $interface:expr;)*) => {$(
        #[wasm_bindgen(typescript_custom_section)]
        const $section: &'static str = $interface;
    )*};
}

// A new list is a line here; an enum must be made by `enumerated!`, with texts.
sections! {
    CALLS: entry::INTERFACE;
    NAMES: Name::INTERFACE;
    SETS: Without::INTERFACE;
    STATUS: Status::INTERFACE;
    TURN_STATUS: TurnStatus::INTERFACE;
    ENDING: Ending::INTERFACE;
    WAITS_ON: WaitsOn::INTERFACE;
    ON_DENY: OnDeny::INTERFACE;
    ON_USER_MESSAGE: OnUserMessage::INTERFACE;
}

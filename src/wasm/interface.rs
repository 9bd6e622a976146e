//! What the build of the JavaScript bindings reads from the crate: names, numbers and calls.
//!
//! Each list is JSON, written by the macro that defines it. As custom sections, the lists pass through wasm-bindgen
//! into its `.d.ts`, where `pkg-scripts/lib/interface.mjs` reads them. The wasm file does not contain them.

use wasm_bindgen::prelude::*;

use super::entry;
use crate::machine::{
    Code, Ending, Input, OnDeny, OnUserMessage, RefusalReason, RepairCode, Status, StreamEnd, TurnStatus, WaitsOn,
};
use crate::wire::{Name, OmitKeys, Text};

macro_rules! sections {
    ($($section:ident: $interface:expr;)*) => {$(
        #[wasm_bindgen(typescript_custom_section)]
        const $section: &'static str = $interface;
    )*};
}

// To add a list, add a line. An enum must be defined with `enumerated!`. One with texts becomes a list of them in
// `enums.js`; one without becomes a module of numbers: `RefusalReason` becomes `refusal-reason.js`.
sections! {
    CALLS: entry::INTERFACE;
    NAMES: Name::INTERFACE;
    SETS: OmitKeys::INTERFACE;
    STATUS: Status::INTERFACE;
    TURN_STATUS: TurnStatus::INTERFACE;
    ENDING: Ending::INTERFACE;
    WAITS_ON: WaitsOn::INTERFACE;
    ON_DENY: OnDeny::INTERFACE;
    ON_USER_MESSAGE: OnUserMessage::INTERFACE;
    STREAM_END: StreamEnd::INTERFACE;
    CODE: Code::INTERFACE;
    REPAIR_CODE: RepairCode::INTERFACE;
    REFUSAL_REASON: RefusalReason::INTERFACE;
    INPUT: Input::INTERFACE;
    TEXT: Text::INTERFACE;
}

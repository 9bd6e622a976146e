//! The values of a JavaScript page, reached through `src/ts/wasm/host-functions.ts`.
//!
//! Only numbers cross the boundary: a value is its index in the host's tables, an id is the host's number for its text.
//! The host's functions cannot reach the gate, so Rust is never re-entered. The bindings select the gate's tables
//! before each call into the core (`pkg-scripts/lib/glue.mjs`).

use wasm_bindgen::prelude::*;

use crate::machine::{Id, Payload};
use crate::wire::{Name, OmitKeys, ValueKind, Values};

/// The host whose tables the bindings have selected.
pub struct Host;

/// The functions of `src/ts/wasm/host-functions.ts`.
mod js {
    use super::*;

    #[wasm_bindgen(js_namespace = host)]
    extern "C" {
        pub fn sort(value: u32) -> u8;
        pub fn same(a: u32, b: u32) -> bool;
        pub fn get(of: u32, name: u8) -> u32;
        pub fn has(of: u32, name: u8) -> bool;
        pub fn name(of: u32, name: u8) -> i32;
        pub fn id(of: u32, name: u8) -> u32;
        #[wasm_bindgen(js_name = isData)]
        pub fn is_data(of: u32) -> bool;
        pub fn tool(part: u32) -> u32;
        pub fn fresh() -> u32;
        pub fn flag(of: u32, name: u8) -> u8;
        pub fn length(of: u32) -> u32;
        pub fn at(of: u32, index: u32) -> u32;
        #[wasm_bindgen(js_name = asId)]
        pub fn as_id(value: u32) -> u32;
        #[wasm_bindgen(js_name = asNumber)]
        pub fn as_number(value: u32) -> f64;
        #[wasm_bindgen(js_name = pushName)]
        pub fn push_name(to: u32, name: u8);
        #[wasm_bindgen(js_name = pushId)]
        pub fn push_id(to: u32, id: u32);
        #[wasm_bindgen(js_name = pushNumber)]
        pub fn push_number(to: u32, number: f64);
        pub fn object() -> u32;
        pub fn array() -> u32;
        pub fn set(of: u32, name: u8, value: u32);
        pub fn copy(from: u32, name: u8, to: u32, to_name: u8);
        #[wasm_bindgen(js_name = setId)]
        pub fn set_id(of: u32, name: u8, id: u32);
        #[wasm_bindgen(js_name = setTool)]
        pub fn set_tool(of: u32, tool: u32);
        #[wasm_bindgen(js_name = setName)]
        pub fn set_name(of: u32, name: u8, value: u8);
        #[wasm_bindgen(js_name = setFlag)]
        pub fn set_flag(of: u32, name: u8, value: u8);
        #[wasm_bindgen(js_name = setNumber)]
        pub fn set_number(of: u32, name: u8, value: f64);
        pub fn push(to: u32, value: u32);
        pub fn extend(of: u32, from: u32);
        pub fn rest(of: u32, without: u8) -> u32;
        pub fn merge(base: u32, over: u32) -> u32;
        pub fn append(of: u32, delta: u32) -> u32;
        pub fn join(a: u32, b: u32) -> u32;
        pub fn digest(value: u32) -> u32;
        pub fn json(value: u32) -> u32;
        #[wasm_bindgen(js_name = urlText)]
        pub fn url_text(value: u32) -> u32;
        pub fn partial(plain_text: u8) -> u32;
        pub fn feed(partial: u32, delta: u32);
        #[wasm_bindgen(js_name = partialValue)]
        pub fn partial_value(partial: u32) -> u32;
        #[wasm_bindgen(js_name = partialText)]
        pub fn partial_text(partial: u32) -> u32;
        pub fn keep(value: u32) -> u32;
        pub fn put(kept: u32, value: u32);
    }
}

impl Values for Host {
    fn kind(&self, value: Payload) -> ValueKind {
        match js::sort(value.0) {
            0 => ValueKind::Nothing,
            1 => ValueKind::Text,
            2 => ValueKind::Object,
            3 => ValueKind::Array,
            _ => ValueKind::Other,
        }
    }
    fn deep_equal(&self, a: Payload, b: Payload) -> bool {
        js::same(a.0, b.0)
    }
    fn get(&self, of: Payload, name: Name) -> Payload {
        if !of.is_some() {
            return of;
        }
        Payload(js::get(of.0, name as u8))
    }
    fn has(&self, of: Payload, name: Name) -> bool {
        of.is_some() && js::has(of.0, name as u8)
    }
    fn name(&self, of: Payload, name: Name) -> Option<Name> {
        Name::of(js::name(of.0, name as u8))
    }
    fn id(&self, of: Payload, name: Name) -> Option<Id> {
        Id::of(js::id(of.0, name as u8))
    }
    fn is_data(&self, of: Payload) -> bool {
        js::is_data(of.0)
    }
    fn tool_name(&self, part: Payload) -> Option<Id> {
        Id::of(js::tool(part.0))
    }
    fn new_id(&self) -> Id {
        Id::of(js::fresh()).unwrap_or_default()
    }
    fn flag(&self, of: Payload, name: Name) -> Option<bool> {
        match js::flag(of.0, name as u8) {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn len(&self, of: Payload) -> u32 {
        js::length(of.0)
    }
    fn at(&self, of: Payload, index: u32) -> Payload {
        Payload(js::at(of.0, index))
    }
    fn as_id(&self, value: Payload) -> Option<Id> {
        Id::of(js::as_id(value.0))
    }
    fn as_number(&self, value: Payload) -> f64 {
        js::as_number(value.0)
    }
    fn push_name(&self, to: Payload, name: Name) {
        js::push_name(to.0, name as u8);
    }
    fn push_id(&self, to: Payload, id: Id) {
        js::push_id(to.0, id.number());
    }
    fn push_number(&self, to: Payload, number: f64) {
        js::push_number(to.0, number);
    }
    fn object(&self) -> Payload {
        Payload(js::object())
    }
    fn array(&self) -> Payload {
        Payload(js::array())
    }
    fn set(&self, of: Payload, name: Name, value: Payload) {
        js::set(of.0, name as u8, value.0);
    }
    fn copy(&self, from: Payload, name: Name, to: Payload, to_name: Name) {
        js::copy(from.0, name as u8, to.0, to_name as u8);
    }
    fn set_id(&self, of: Payload, name: Name, id: Id) {
        js::set_id(of.0, name as u8, id.number());
    }
    fn set_tool(&self, of: Payload, tool: Id) {
        js::set_tool(of.0, tool.number());
    }
    fn set_name(&self, of: Payload, name: Name, value: Name) {
        js::set_name(of.0, name as u8, value as u8);
    }
    fn set_flag(&self, of: Payload, name: Name, value: bool) {
        js::set_flag(of.0, name as u8, value.into());
    }
    fn set_number(&self, of: Payload, name: Name, value: f64) {
        js::set_number(of.0, name as u8, value);
    }
    fn push(&self, to: Payload, value: Payload) {
        js::push(to.0, value.0);
    }
    fn extend(&self, of: Payload, from: Payload) {
        js::extend(of.0, from.0);
    }
    fn omit(&self, of: Payload, without: OmitKeys) -> Payload {
        Payload(js::rest(of.0, without as u8))
    }
    fn merge(&self, base: Payload, over: Payload) -> Payload {
        Payload(js::merge(base.0, over.0))
    }
    fn append(&self, of: Payload, delta: Payload) -> Payload {
        Payload(js::append(of.0, delta.0))
    }
    fn join(&self, a: Payload, b: Payload) -> Payload {
        Payload(js::join(a.0, b.0))
    }
    fn digest(&self, value: Payload) -> Option<Id> {
        Id::of(js::digest(value.0))
    }
    fn as_json(&self, value: Payload) -> Payload {
        Payload(js::json(value.0))
    }
    fn url_text(&self, value: Payload) -> Payload {
        Payload(js::url_text(value.0))
    }
    fn partial_input(&self, plain_text: bool) -> Payload {
        Payload(js::partial(plain_text.into()))
    }
    fn feed(&self, partial: Payload, delta: Payload) {
        js::feed(partial.0, delta.0);
    }
    fn partial_value(&self, partial: Payload) -> Payload {
        Payload(js::partial_value(partial.0))
    }
    fn partial_text(&self, partial: Payload) -> Payload {
        Payload(js::partial_text(partial.0))
    }
    fn retain(&self, value: Payload) -> Payload {
        Payload(js::keep(value.0))
    }
    fn replace(&self, kept: Payload, value: Payload) {
        js::put(kept.0, value.0);
    }
}

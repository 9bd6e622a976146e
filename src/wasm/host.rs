//! The values of a page, reached through `src/ts/host.ts`.
//!
//! Only numbers cross: a value is its place in the host's tables, an id the host's number for its text. None of the host's
//! functions can reach the gate, so nothing that Rust calls comes back into Rust.

use wasm_bindgen::prelude::*;

use crate::machine::{Id, Payload};
use crate::wire::{Name, Sort, Values, Without};

#[wasm_bindgen]
extern "C" {
    /// `Host` in `src/ts/host.ts`.
    pub type Host;

    #[wasm_bindgen(method)]
    fn sort(this: &Host, value: u32) -> u8;
    #[wasm_bindgen(method)]
    fn same(this: &Host, a: u32, b: u32) -> bool;
    #[wasm_bindgen(method)]
    fn get(this: &Host, of: u32, name: u8) -> u32;
    #[wasm_bindgen(method)]
    fn has(this: &Host, of: u32, name: u8) -> bool;
    #[wasm_bindgen(method)]
    fn name(this: &Host, of: u32, name: u8) -> i32;
    #[wasm_bindgen(method)]
    fn id(this: &Host, of: u32, name: u8) -> u32;
    #[wasm_bindgen(method, js_name = isData)]
    fn is_data(this: &Host, of: u32) -> bool;
    #[wasm_bindgen(method)]
    fn tool(this: &Host, part: u32) -> u32;
    #[wasm_bindgen(method)]
    fn fresh(this: &Host) -> u32;
    #[wasm_bindgen(method)]
    fn flag(this: &Host, of: u32, name: u8) -> u8;
    #[wasm_bindgen(method)]
    fn length(this: &Host, of: u32) -> u32;
    #[wasm_bindgen(method)]
    fn at(this: &Host, of: u32, index: u32) -> u32;
    #[wasm_bindgen(method, js_name = asId)]
    fn as_id(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method, js_name = asNumber)]
    fn as_number(this: &Host, value: u32) -> f64;
    #[wasm_bindgen(method, js_name = pushName)]
    fn push_name(this: &Host, to: u32, name: u8);
    #[wasm_bindgen(method, js_name = pushId)]
    fn push_id(this: &Host, to: u32, id: u32);
    #[wasm_bindgen(method, js_name = pushNumber)]
    fn push_number(this: &Host, to: u32, number: f64);
    #[wasm_bindgen(method)]
    fn object(this: &Host) -> u32;
    #[wasm_bindgen(method)]
    fn array(this: &Host) -> u32;
    #[wasm_bindgen(method)]
    fn set(this: &Host, of: u32, name: u8, value: u32);
    #[wasm_bindgen(method, js_name = setId)]
    fn set_id(this: &Host, of: u32, name: u8, id: u32);
    #[wasm_bindgen(method, js_name = setTool)]
    fn set_tool(this: &Host, of: u32, tool: u32);
    #[wasm_bindgen(method, js_name = setName)]
    fn set_name(this: &Host, of: u32, name: u8, value: u8);
    #[wasm_bindgen(method, js_name = setFlag)]
    fn set_flag(this: &Host, of: u32, name: u8, value: bool);
    #[wasm_bindgen(method, js_name = setNumber)]
    fn set_number(this: &Host, of: u32, name: u8, value: f64);
    #[wasm_bindgen(method)]
    fn push(this: &Host, to: u32, value: u32);
    #[wasm_bindgen(method)]
    fn extend(this: &Host, of: u32, from: u32);
    #[wasm_bindgen(method)]
    fn rest(this: &Host, of: u32, without: u8) -> u32;
    #[wasm_bindgen(method)]
    fn merge(this: &Host, base: u32, over: u32) -> u32;
    #[wasm_bindgen(method)]
    fn append(this: &Host, of: u32, delta: u32) -> u32;
    #[wasm_bindgen(method)]
    fn concat(this: &Host, a: u32, b: u32) -> u32;
    #[wasm_bindgen(method)]
    fn join(this: &Host, a: u32, b: u32) -> u32;
    #[wasm_bindgen(method)]
    fn digest(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method)]
    fn json(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method)]
    fn url(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method, js_name = urlText)]
    fn url_text(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method)]
    fn partial(this: &Host, plain_text: bool) -> u32;
    #[wasm_bindgen(method)]
    fn feed(this: &Host, partial: u32, delta: u32);
    #[wasm_bindgen(method, js_name = partialValue)]
    fn partial_value(this: &Host, partial: u32) -> u32;
    #[wasm_bindgen(method, js_name = partialText)]
    fn partial_text(this: &Host, partial: u32) -> u32;
    #[wasm_bindgen(method)]
    fn keep(this: &Host, value: u32) -> u32;
    #[wasm_bindgen(method)]
    fn put(this: &Host, kept: u32, value: u32);
}

impl Values for Host {
    fn sort(&self, value: Payload) -> Sort {
        match self.sort(value.0) {
            0 => Sort::Nothing,
            1 => Sort::Text,
            2 => Sort::Object,
            3 => Sort::Array,
            _ => Sort::Other,
        }
    }
    fn same(&self, a: Payload, b: Payload) -> bool {
        self.same(a.0, b.0)
    }
    fn get(&self, of: Payload, name: Name) -> Payload {
        Payload(self.get(of.0, name as u8))
    }
    fn has(&self, of: Payload, name: Name) -> bool {
        self.has(of.0, name as u8)
    }
    fn name(&self, of: Payload, name: Name) -> Option<Name> {
        Name::ALL.get(self.name(of.0, name as u8) as usize).copied()
    }
    fn id(&self, of: Payload, name: Name) -> Option<Id> {
        id(self.id(of.0, name as u8))
    }
    fn is_data(&self, of: Payload) -> bool {
        self.is_data(of.0)
    }
    fn tool(&self, part: Payload) -> Option<Id> {
        id(self.tool(part.0))
    }
    fn fresh(&self) -> Id {
        Id(self.fresh())
    }
    fn flag(&self, of: Payload, name: Name) -> Option<bool> {
        match self.flag(of.0, name as u8) {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn len(&self, of: Payload) -> u32 {
        self.length(of.0)
    }
    fn at(&self, of: Payload, index: u32) -> Payload {
        Payload(self.at(of.0, index))
    }
    fn as_id(&self, value: Payload) -> Option<Id> {
        id(self.as_id(value.0))
    }
    fn as_number(&self, value: Payload) -> f64 {
        self.as_number(value.0)
    }
    fn push_name(&self, to: Payload, name: Name) {
        self.push_name(to.0, name as u8);
    }
    fn push_id(&self, to: Payload, id: Id) {
        self.push_id(to.0, id.0);
    }
    fn push_number(&self, to: Payload, number: f64) {
        self.push_number(to.0, number);
    }
    fn object(&self) -> Payload {
        Payload(self.object())
    }
    fn array(&self) -> Payload {
        Payload(self.array())
    }
    fn set(&self, of: Payload, name: Name, value: Payload) {
        self.set(of.0, name as u8, value.0);
    }
    fn set_id(&self, of: Payload, name: Name, id: Id) {
        self.set_id(of.0, name as u8, id.0);
    }
    fn set_tool(&self, of: Payload, tool: Id) {
        self.set_tool(of.0, tool.0);
    }
    fn set_name(&self, of: Payload, name: Name, value: Name) {
        self.set_name(of.0, name as u8, value as u8);
    }
    fn set_flag(&self, of: Payload, name: Name, value: bool) {
        self.set_flag(of.0, name as u8, value);
    }
    fn set_number(&self, of: Payload, name: Name, value: f64) {
        self.set_number(of.0, name as u8, value);
    }
    fn push(&self, to: Payload, value: Payload) {
        self.push(to.0, value.0);
    }
    fn extend(&self, of: Payload, from: Payload) {
        self.extend(of.0, from.0);
    }
    fn rest(&self, of: Payload, without: Without) -> Payload {
        Payload(self.rest(of.0, without as u8))
    }
    fn merge(&self, base: Payload, over: Payload) -> Payload {
        Payload(self.merge(base.0, over.0))
    }
    fn append(&self, of: Payload, delta: Payload) -> Payload {
        Payload(self.append(of.0, delta.0))
    }
    fn concat(&self, a: Payload, b: Payload) -> Payload {
        Payload(self.concat(a.0, b.0))
    }
    fn join(&self, a: Payload, b: Payload) -> Payload {
        Payload(self.join(a.0, b.0))
    }
    fn digest(&self, value: Payload) -> Option<Id> {
        id(self.digest(value.0))
    }
    fn json(&self, value: Payload) -> Payload {
        Payload(self.json(value.0))
    }
    fn url(&self, value: Payload) -> Payload {
        Payload(self.url(value.0))
    }
    fn url_text(&self, value: Payload) -> Payload {
        Payload(self.url_text(value.0))
    }
    fn partial(&self, plain_text: bool) -> Payload {
        Payload(self.partial(plain_text))
    }
    fn feed(&self, partial: Payload, delta: Payload) {
        self.feed(partial.0, delta.0);
    }
    fn partial_value(&self, partial: Payload) -> Payload {
        Payload(self.partial_value(partial.0))
    }
    fn partial_text(&self, partial: Payload) -> Payload {
        Payload(self.partial_text(partial.0))
    }
    fn keep(&self, value: Payload) -> Payload {
        Payload(self.keep(value.0))
    }
    fn put(&self, kept: Payload, value: Payload) {
        self.put(kept.0, value.0);
    }
}

/// An id that may be missing: the host says 0 for none, else the id's number and 1.
fn id(number: u32) -> Option<Id> {
    number.checked_sub(1).map(Id)
}

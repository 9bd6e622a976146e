//! The values of a page: JavaScript's own, reached through the small object that `src/ts/host.ts` is.
//!
//! None of its functions can reach the gate, so nothing that Rust calls can come back into Rust.

use js_sys::{Array, JsString};
use wasm_bindgen::prelude::*;

use crate::machine::Payload;
use crate::wire::{Name, Values};

#[wasm_bindgen]
extern "C" {
    /// `src/ts/host.ts`.
    pub type Host;

    #[wasm_bindgen(method)]
    fn names(this: &Host, joined: &str);
    #[wasm_bindgen(method)]
    fn get(this: &Host, of: &JsValue, name: u8) -> JsValue;
    #[wasm_bindgen(method)]
    fn has(this: &Host, of: &JsValue, name: u8) -> bool;
    #[wasm_bindgen(method)]
    fn name(this: &Host, of: &JsValue, name: u8) -> i32;
    #[wasm_bindgen(method)]
    fn text(this: &Host, of: &JsValue, name: u8) -> Option<String>;
    #[wasm_bindgen(method)]
    fn flag(this: &Host, of: &JsValue, name: u8) -> u8;
    #[wasm_bindgen(method)]
    fn same(this: &Host, a: &JsValue, b: &JsValue) -> bool;
    #[wasm_bindgen(method)]
    fn set(this: &Host, of: &JsValue, name: u8, value: &JsValue);
    #[wasm_bindgen(method, js_name = set)]
    fn set_text(this: &Host, of: &JsValue, name: u8, text: &str);
    #[wasm_bindgen(method, js_name = set)]
    fn set_flag(this: &Host, of: &JsValue, name: u8, value: bool);
    #[wasm_bindgen(method, js_name = setName)]
    fn set_name(this: &Host, of: &JsValue, name: u8, value: u8);
    #[wasm_bindgen(method)]
    fn extend(this: &Host, of: &JsValue, from: &JsValue);
    #[wasm_bindgen(method)]
    fn rest(this: &Host, of: &JsValue, without: &[u8]) -> JsValue;
    #[wasm_bindgen(method)]
    fn merge(this: &Host, base: &JsValue, over: &JsValue) -> JsValue;
    #[wasm_bindgen(method)]
    fn append(this: &Host, of: &JsValue, delta: &JsValue) -> JsValue;
    #[wasm_bindgen(method)]
    fn json(this: &Host, value: &JsValue) -> JsValue;
    #[wasm_bindgen(method)]
    fn url(this: &Host, value: &JsValue) -> JsValue;
    #[wasm_bindgen(method, js_name = urlText)]
    fn url_text(this: &Host, value: &JsValue) -> JsValue;
    #[wasm_bindgen(method)]
    fn partial(this: &Host, plain_text: bool) -> JsValue;
    #[wasm_bindgen(method)]
    fn feed(this: &Host, partial: &JsValue, delta: &JsValue);
    #[wasm_bindgen(method, js_name = partialValue)]
    fn partial_value(this: &Host, partial: &JsValue) -> JsValue;
    #[wasm_bindgen(method, js_name = partialText)]
    fn partial_text(this: &Host, partial: &JsValue) -> JsValue;
}

/// The table that the machine's handles point into, and the host's operations on its values.
pub struct JsValues {
    host: Host,
    table: Vec<JsValue>,
    free: Vec<u32>,
    /// At this many values the ones that nothing points to are looked for.
    sweep_at: usize,
}

/// Below this many values looking for garbage is not worth the while.
const FEW: usize = 1024;

impl JsValues {
    /// An empty table.
    pub fn new(host: Host) -> Self {
        let joined: Vec<&str> = Name::ALL.iter().map(|name| name.text()).collect();
        host.names(&joined.join(" "));
        Self { host, table: vec![JsValue::UNDEFINED], free: Vec::new(), sweep_at: FEW }
    }

    /// Whether enough values have gathered to look for garbage.
    pub fn is_full(&self) -> bool {
        self.table.len() - self.free.len() >= self.sweep_at
    }

    /// Frees every value that `live` does not name.
    pub fn sweep(&mut self, live: impl FnOnce(&mut dyn FnMut(Payload))) {
        let mut used = vec![false; self.table.len()];
        used[0] = true;
        live(&mut |payload| {
            if let Some(slot) = used.get_mut(payload.0 as usize) {
                *slot = true;
            }
        });
        self.free.clear();
        for (slot, used) in used.iter().enumerate() {
            if !used {
                self.table[slot] = JsValue::UNDEFINED;
                self.free.push(slot as u32);
            }
        }
        self.sweep_at = FEW.max(2 * (self.table.len() - self.free.len()));
    }
}

impl Values for JsValues {
    type Value = JsValue;

    fn none(&self) -> JsValue {
        JsValue::UNDEFINED
    }
    fn is_some(&self, value: &JsValue) -> bool {
        !value.is_undefined() && !value.is_null()
    }
    fn is_text(&self, value: &JsValue) -> bool {
        value.is_string()
    }
    fn is_object(&self, value: &JsValue) -> bool {
        value.is_object() && !Array::is_array(value)
    }
    fn same(&self, a: &JsValue, b: &JsValue) -> bool {
        self.host.same(a, b)
    }
    fn get(&self, of: &JsValue, name: Name) -> JsValue {
        self.host.get(of, name as u8)
    }
    fn has(&self, of: &JsValue, name: Name) -> bool {
        self.host.has(of, name as u8)
    }
    fn name(&self, of: &JsValue, name: Name) -> Option<Name> {
        usize::try_from(self.host.name(of, name as u8)).ok().and_then(|index| Name::ALL.get(index).copied())
    }
    fn text(&self, of: &JsValue, name: Name) -> Option<String> {
        self.host.text(of, name as u8)
    }
    fn flag(&self, of: &JsValue, name: Name) -> Option<bool> {
        match self.host.flag(of, name as u8) {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn as_text(&self, value: &JsValue) -> Option<String> {
        value.as_string()
    }
    fn as_number(&self, value: &JsValue) -> Option<f64> {
        value.as_f64()
    }
    fn is_array(&self, value: &JsValue) -> bool {
        Array::is_array(value)
    }
    fn number(&self, number: f64) -> JsValue {
        number.into()
    }
    fn len(&self, of: &JsValue) -> u32 {
        of.dyn_ref::<Array>().map_or(0, Array::length)
    }
    fn at(&self, of: &JsValue, index: u32) -> JsValue {
        of.dyn_ref::<Array>().map_or(JsValue::UNDEFINED, |array| array.get(index))
    }
    fn string(&self, text: &str) -> JsValue {
        JsString::from(text).into()
    }
    fn object(&self) -> JsValue {
        js_sys::Object::new().into()
    }
    fn array(&self) -> JsValue {
        Array::new().into()
    }
    fn set(&self, of: &mut JsValue, name: Name, value: &JsValue) {
        self.host.set(of, name as u8, value);
    }
    fn set_text(&self, of: &mut JsValue, name: Name, text: &str) {
        self.host.set_text(of, name as u8, text);
    }
    fn set_name(&self, of: &mut JsValue, name: Name, value: Name) {
        self.host.set_name(of, name as u8, value as u8);
    }
    fn set_flag(&self, of: &mut JsValue, name: Name, value: bool) {
        self.host.set_flag(of, name as u8, value);
    }
    fn push(&self, to: &mut JsValue, value: &JsValue) {
        if let Some(array) = to.dyn_ref::<Array>() {
            array.push(value);
        }
    }
    fn extend(&self, of: &mut JsValue, from: &JsValue) {
        self.host.extend(of, from);
    }
    fn rest(&self, of: &JsValue, without: &[Name]) -> JsValue {
        let without: Vec<u8> = without.iter().map(|name| *name as u8).collect();
        self.host.rest(of, &without)
    }
    fn merge(&self, base: &JsValue, over: &JsValue) -> JsValue {
        self.host.merge(base, over)
    }
    fn append(&self, of: &JsValue, delta: &JsValue) -> JsValue {
        self.host.append(of, delta)
    }
    fn json(&self, value: &JsValue) -> JsValue {
        self.host.json(value)
    }
    fn url(&self, value: &JsValue) -> JsValue {
        self.host.url(value)
    }
    fn url_text(&self, value: &JsValue) -> JsValue {
        self.host.url_text(value)
    }
    fn partial(&self, plain_text: bool) -> JsValue {
        self.host.partial(plain_text)
    }
    fn feed(&self, partial: &JsValue, delta: &JsValue) {
        self.host.feed(partial, delta);
    }
    fn partial_value(&self, partial: &JsValue) -> JsValue {
        self.host.partial_value(partial)
    }
    fn partial_text(&self, partial: &JsValue) -> JsValue {
        self.host.partial_text(partial)
    }
    fn keep(&mut self, value: JsValue) -> Payload {
        if value.is_undefined() {
            return Payload::NONE;
        }
        if let Some(slot) = self.free.pop() {
            self.table[slot as usize] = value;
            return Payload(slot);
        }
        self.table.push(value);
        Payload((self.table.len() - 1) as u32)
    }
    fn load(&self, payload: Payload) -> JsValue {
        self.table.get(payload.0 as usize).cloned().unwrap_or(JsValue::UNDEFINED)
    }
    fn put(&mut self, payload: Payload, value: JsValue) {
        if payload.is_some()
            && let Some(slot) = self.table.get_mut(payload.0 as usize)
        {
            *slot = value;
        }
    }
}

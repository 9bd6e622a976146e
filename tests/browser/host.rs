//! Connects the codec with the `HandleTable` that the package ships.
//!
//! In the published package the core imports these functions (`src/wasm/host.rs`), which are connected at build time.
//! Here each function is looked up by its name. A function that throws fails the test, because reading must never
//! throw.

use js_sys::{Array, Function, Reflect};
use toolgate::machine::{Id, Payload};
use toolgate::wire::{Name, OmitKeys, ValueKind, Values};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/target/host.js")]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_name = values)]
    static FUNCTIONS: JsValue;

    fn enter(of: &JsValue) -> JsValue;
    fn leave(outer: &JsValue);
}

/// A `HandleTable` of the package.
pub struct Host(pub JsValue);

impl Host {
    fn call(&self, method: &str, arguments: &[JsValue]) -> JsValue {
        let function = FUNCTIONS.with(|functions| Reflect::get(functions, &method.into()));
        let function: Function = function.expect(method).unchecked_into();
        let arguments: Array = arguments.iter().collect();
        let outer = enter(&self.0);
        let result = Reflect::apply(&function, &JsValue::UNDEFINED, &arguments);
        leave(&outer);
        result.unwrap_or_else(|error| panic!("the host threw in {method}: {error:?}"))
    }

    fn number(&self, method: &str, arguments: &[u32]) -> f64 {
        let arguments: Vec<JsValue> = arguments.iter().map(|&argument| argument.into()).collect();
        self.call(method, &arguments).as_f64().unwrap_or(f64::NAN)
    }

    fn place(&self, method: &str, arguments: &[u32]) -> Payload {
        Payload(self.number(method, arguments) as u32)
    }

    fn truth(&self, method: &str, arguments: &[u32]) -> bool {
        let arguments: Vec<JsValue> = arguments.iter().map(|&argument| argument.into()).collect();
        self.call(method, &arguments).is_truthy()
    }

    fn optional(&self, method: &str, arguments: &[u32]) -> Option<Id> {
        Id::of(self.number(method, arguments) as u32)
    }

    fn act(&self, method: &str, arguments: &[u32]) {
        self.number(method, arguments);
    }
}

impl Values for Host {
    fn kind(&self, value: Payload) -> ValueKind {
        match self.number("sort", &[value.0]) as u8 {
            0 => ValueKind::Nothing,
            1 => ValueKind::Text,
            2 => ValueKind::Object,
            3 => ValueKind::Array,
            _ => ValueKind::Other,
        }
    }
    fn deep_equal(&self, a: Payload, b: Payload) -> bool {
        self.truth("same", &[a.0, b.0])
    }
    fn get(&self, of: Payload, name: Name) -> Payload {
        self.place("get", &[of.0, name as u32])
    }
    fn has(&self, of: Payload, name: Name) -> bool {
        self.truth("has", &[of.0, name as u32])
    }
    fn name(&self, of: Payload, name: Name) -> Option<Name> {
        Name::of(self.number("name", &[of.0, name as u32]) as i32)
    }
    fn id(&self, of: Payload, name: Name) -> Option<Id> {
        self.optional("id", &[of.0, name as u32])
    }
    fn is_data(&self, of: Payload) -> bool {
        self.truth("isData", &[of.0])
    }
    fn tool_name(&self, part: Payload) -> Option<Id> {
        self.optional("tool", &[part.0])
    }
    fn new_id(&self) -> Id {
        Id::of(self.number("fresh", &[]) as u32).expect("an id")
    }
    fn flag(&self, of: Payload, name: Name) -> Option<bool> {
        match self.number("flag", &[of.0, name as u32]) as u8 {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn as_id(&self, value: Payload) -> Option<Id> {
        self.optional("asId", &[value.0])
    }
    fn as_number(&self, value: Payload) -> f64 {
        self.number("asNumber", &[value.0])
    }
    fn len(&self, of: Payload) -> u32 {
        self.number("length", &[of.0]) as u32
    }
    fn at(&self, of: Payload, index: u32) -> Payload {
        self.place("at", &[of.0, index])
    }

    fn digest(&self, value: Payload) -> Option<Id> {
        self.optional("digest", &[value.0])
    }

    fn object(&self) -> Payload {
        self.place("object", &[])
    }
    fn array(&self) -> Payload {
        self.place("array", &[])
    }
    fn set(&self, of: Payload, name: Name, value: Payload) {
        self.act("set", &[of.0, name as u32, value.0]);
    }
    fn set_id(&self, of: Payload, name: Name, id: Id) {
        self.act("setId", &[of.0, name as u32, id.number()]);
    }
    fn set_tool(&self, of: Payload, tool: Id) {
        self.act("setTool", &[of.0, tool.number()]);
    }
    fn set_name(&self, of: Payload, name: Name, value: Name) {
        self.act("setName", &[of.0, name as u32, value as u32]);
    }
    fn set_flag(&self, of: Payload, name: Name, value: bool) {
        self.act("setFlag", &[of.0, name as u32, value.into()]);
    }
    fn set_number(&self, of: Payload, name: Name, value: f64) {
        self.call("setNumber", &[of.0.into(), (name as u32).into(), value.into()]);
    }
    fn push(&self, to: Payload, value: Payload) {
        self.act("push", &[to.0, value.0]);
    }
    fn push_name(&self, to: Payload, name: Name) {
        self.act("pushName", &[to.0, name as u32]);
    }
    fn push_id(&self, to: Payload, id: Id) {
        self.act("pushId", &[to.0, id.number()]);
    }
    fn push_number(&self, to: Payload, number: f64) {
        self.call("pushNumber", &[to.0.into(), number.into()]);
    }
    fn extend(&self, of: Payload, from: Payload) {
        self.act("extend", &[of.0, from.0]);
    }
    fn omit(&self, of: Payload, without: OmitKeys) -> Payload {
        self.place("rest", &[of.0, without as u32])
    }
    fn merge(&self, base: Payload, over: Payload) -> Payload {
        self.place("merge", &[base.0, over.0])
    }
    fn append(&self, of: Payload, delta: Payload) -> Payload {
        self.place("append", &[of.0, delta.0])
    }
    fn join(&self, a: Payload, b: Payload) -> Payload {
        self.place("join", &[a.0, b.0])
    }

    fn as_json(&self, value: Payload) -> Payload {
        self.place("json", &[value.0])
    }
    fn url_text(&self, value: Payload) -> Payload {
        self.place("urlText", &[value.0])
    }

    fn partial_input(&self, plain_text: bool) -> Payload {
        self.place("partial", &[plain_text.into()])
    }
    fn feed(&self, partial: Payload, delta: Payload) {
        self.act("feed", &[partial.0, delta.0]);
    }
    fn partial_value(&self, partial: Payload) -> Payload {
        self.place("partialValue", &[partial.0])
    }
    fn partial_text(&self, partial: Payload) -> Payload {
        self.place("partialText", &[partial.0])
    }

    fn retain(&self, value: Payload) -> Payload {
        self.place("keep", &[value.0])
    }
    fn replace(&self, kept: Payload, value: Payload) {
        self.act("put", &[kept.0, value.0]);
    }
}

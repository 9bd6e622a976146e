//! A chat on a page: a machine, a codec and the package's host, with the methods that tests need.

use crate::host::Host;
use js_sys::{Array, Function};
use toolgate::machine::{About, Id, Machine, Message, Options, Part, Payload, Respond, StreamEnd, ToolPart};
use toolgate::wire::ai_sdk::{self, AiSdk, Received, Shape, Writer};
use toolgate::wire::snapshot::{self, Lists};
use toolgate::wire::{Name, OmitKeys, Texts, Values};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/target/host.js")]
extern "C" {
    /// `HandleTable` of `src/ts/wasm/handle-table.ts`: the methods that the public class uses.
    #[wasm_bindgen(js_name = HandleTable)]
    #[derive(Clone)]
    type Tables;

    #[wasm_bindgen(constructor, js_class = HandleTable)]
    fn new() -> Tables;
    #[wasm_bindgen(method, js_class = HandleTable, js_name = idOf)]
    fn id_of(this: &Tables, text: &JsValue) -> u32;
    #[wasm_bindgen(method, js_class = HandleTable)]
    fn give(this: &Tables, value: &JsValue) -> u32;
    #[wasm_bindgen(method, js_class = HandleTable)]
    fn take(this: &Tables, place: u32) -> JsValue;
    #[wasm_bindgen(method, js_class = HandleTable)]
    fn end(this: &Tables);
    #[wasm_bindgen(method, js_class = HandleTable)]
    fn sweep(this: &Tables, used: &Array);

    #[wasm_bindgen(js_name = setNames)]
    fn set_names(joined: &str);
}

/// The value of a JavaScript expression.
pub fn js(expression: &str) -> JsValue {
    Function::new_no_args(&format!("return ({expression})")).call0(&JsValue::NULL).expect("the expression has a value")
}

/// Whether a JavaScript predicate is true for a value.
pub fn holds(predicate: &str, value: &JsValue) -> bool {
    let predicate = Function::new_with_args("value", &format!("return ({predicate})"));
    predicate.call1(&JsValue::NULL, value).expect("the predicate has a value").is_truthy()
}

/// A machine, a codec and a host.
pub struct Page {
    pub machine: Machine,
    codec: AiSdk,
    host: Host,
    /// The same object as `host`, with the methods for the public class.
    tables: Tables,
}

impl Page {
    pub fn new() -> Page {
        let lines = |lines: Vec<String>| lines.join("\n");
        let names = lines(Name::ALL.iter().map(|name| name.text().into()).collect());
        let place = |name: &Name| (*name as u8).to_string();
        let set = |set: &&[Name]| set.iter().map(place).collect::<Vec<_>>().join(" ");
        let sets = lines(OmitKeys::ALL.iter().map(set).collect());
        set_names(&format!("{names}\0{sets}"));
        let tables = Tables::new();
        let host = Host(tables.clone().into());
        Page { machine: Machine::new(Options::default()), codec: AiSdk::default(), host, tables }
    }

    /// Frees the values of the last call and the values that the machine does not refer to, like the public class after
    /// each call.
    fn end(&self) {
        self.tables.end();
        let used = Array::new();
        self.machine.payloads(&mut |payload| _ = used.push(&payload.0.into()));
        self.tables.sweep(&used);
    }

    /// Reads one event, given as a JavaScript expression.
    pub fn receive(&mut self, event: &str) -> Received {
        self.receive_value(&js(event))
    }

    /// Reads one event.
    pub fn receive_value(&mut self, event: &JsValue) -> Received {
        let fallback_id = self.id(&"fresh".into());
        let event = Payload(self.tables.give(event));
        let received = self.codec.receive(&mut self.machine, &self.host, event, About::default(), fallback_id, 0);
        self.end();
        received
    }

    /// Requests approval of a call with this input.
    pub fn ask(&mut self, call: &JsValue, approval: &JsValue, input: &JsValue) {
        let event = js("{ type: 'tool-input-available', toolName: 'edit' }");
        set(&event, "toolCallId", call);
        set(&event, "input", input);
        assert_eq!(self.receive_value(&event), Received::Taken);
        let request = js("{ type: 'tool-approval-request' }");
        set(&request, "toolCallId", call);
        set(&request, "approvalId", approval);
        assert_eq!(self.receive_value(&request), Received::Taken);
    }

    /// Ends the stream as finished.
    pub fn finish(&mut self) {
        self.machine.stream_ended(StreamEnd::Finished, About::default());
        self.end();
    }

    /// Decides an approval. Returns whether the machine accepted the decision.
    pub fn respond(&mut self, approval: &JsValue, approved: bool, reason: &JsValue) -> bool {
        let reason = self.host.retain(Payload(self.tables.give(reason)));
        let approval = self.id(approval);
        let answer = self.machine.respond(Respond { approval, approved, reason, as_shown: Some(true), edited: None });
        self.end();
        answer.is_ok()
    }

    /// Loads a stored history.
    pub fn load(&mut self, history: &JsValue) {
        let history = Payload(self.tables.give(history));
        ai_sdk::load(&mut self.machine, &self.host, history, 0);
        self.end();
    }

    /// The newest call with this id, if there is one.
    pub fn call(&self, call: &JsValue) -> Option<&ToolPart> {
        let transcript = self.machine.transcript();
        transcript.newest(self.id(call)).and_then(|key| transcript.call(key))
    }

    fn id(&self, text: &JsValue) -> Id {
        Id::at(self.tables.id_of(text))
    }

    fn messages(&self) -> &[Message] {
        self.machine.transcript().messages()
    }

    fn writer(&self) -> Writer<'_, Host> {
        Writer { values: &self.host, texts: Texts::default(), machine: &self.machine }
    }

    /// The last part of the last message in the view.
    pub fn last_part(&self) -> JsValue {
        let part: &Part = self.messages().last().and_then(|message| message.parts.last()).expect("there is a part");
        let shown = ai_sdk::ui_part(&self.writer(), part, Shape::View);
        self.tables.take(shown.0)
    }

    /// The messages of a request.
    pub fn body(&self) -> Array {
        let all = self.messages().iter().map(|message| ai_sdk::ui_message(&self.writer(), message, Shape::Body));
        all.map(|message| self.tables.take(message.0)).collect()
    }

    /// Saves the state of this page and restores it in a new one. The values are passed on without being copied.
    pub fn restored(&mut self) -> Page {
        let array = || self.host.array();
        let written = Lists { numbers: array(), ids: array(), values: array() };
        snapshot::save(&self.host, &mut self.machine, written);
        let mut page = Page::new();
        let moved = |list: Payload| Payload(page.tables.give(&self.tables.take(list.0)));
        let read = Lists { numbers: moved(written.numbers), ids: moved(written.ids), values: moved(written.values) };
        let machine = snapshot::restore(&page.host, read, Options::default(), false);
        page.machine = machine.expect("a saved state can be restored");
        page.end();
        page
    }
}

/// Sets an own property of any name.
pub fn set(of: &JsValue, name: &str, value: &JsValue) {
    let define = Function::new_with_args(
        "of, name, value",
        "Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true })",
    );
    define.call3(&JsValue::NULL, of, &name.into(), value).expect("the property is set");
}

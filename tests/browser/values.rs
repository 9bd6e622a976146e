//! JavaScript values are returned unchanged, and hostile values cause neither a panic nor a wrong result.

use crate::page::{Page, holds, js, set};
use js_sys::{Object, Reflect};
use toolgate::machine::{OutcomeKind, Phase};
use toolgate::wire::ai_sdk::Received;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

fn text(text: &str) -> JsValue {
    text.into()
}

fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).expect("the property can be read")
}

/// A page that requested approval of `c1` (`a1`) with this input.
fn asked(input: &JsValue) -> Page {
    let mut page = Page::new();
    page.ask(&text("c1"), &text("a1"), input);
    page.finish();
    page
}

#[wasm_bindgen_test]
fn an_input_is_returned_as_the_identical_object() {
    let input = js("{ b: [1, { deep: true }], a: null }");
    let mut page = asked(&input);
    assert!(Object::is(&get(&page.last_part(), "input"), &input));
    assert!(page.respond(&text("a1"), false, &text("no")));
    assert!(Object::is(&get(&page.last_part(), "input"), &input));
    assert!(Object::is(&get(&page.restored().last_part(), "input"), &input));
    assert!(holds("JSON.stringify(value.input) === '{\"b\":[1,{\"deep\":true}],\"a\":null}'", &page.last_part()));
}

#[wasm_bindgen_test]
fn the_input_is_never_modified() {
    let input = js("Object.freeze({ file: 'a' })");
    let mut page = asked(&input);
    page.respond(&text("a1"), true, &JsValue::UNDEFINED);
    page.body();
    assert!(holds("Object.keys(value).length === 1", &input));
}

#[wasm_bindgen_test]
fn values_that_json_cannot_express_are_returned_exactly() {
    let input =
        js("{ big: 12345678901234567890n, when: new Date(0), not: NaN, minus: -0, far: Infinity, gone: undefined }");
    let mut page = asked(&input);
    let output = js("new Map([['k', 10n]])");
    let event = js("{ type: 'tool-output-available', toolCallId: 'c1' }");
    set(&event, "output", &output);
    page.receive_value(&event);
    let part = page.last_part();
    assert!(Object::is(&get(&part, "output"), &output));
    assert!(holds(
        "value.big === 12345678901234567890n && value.when instanceof Date && Number.isNaN(value.not) \
         && Object.is(value.minus, -0) && value.far === Infinity && 'gone' in value",
        &get(&part, "input"),
    ));
}

#[wasm_bindgen_test]
fn undefined_and_null_stay_distinct() {
    for (output, predicate) in [("null", "value.output === null"), ("undefined", "value.output === undefined")] {
        let mut page = asked(&js(output));
        assert!(holds(&predicate.replace("output", "input"), &page.last_part()), "input {output}");
        page.receive(&format!("{{ type: 'tool-output-available', toolCallId: 'c1', output: {output} }}"));
        assert_eq!(page.call(&text("c1")).map(|part| part.phase()), Some(Phase::OutputAvailable));
        assert!(holds(predicate, &page.last_part()), "output {output}");
    }
}

#[wasm_bindgen_test]
fn ids_that_are_property_names_of_the_prototype_are_handled_like_other_ids() {
    for id in ["__proto__", "constructor", "hasOwnProperty", "toString", "", "\n", "\0", "0"] {
        let mut page = Page::new();
        page.ask(&text(id), &text(id), &js("{}"));
        page.ask(&text("other"), &text("a-other"), &js("{}"));
        page.finish();
        assert!(page.respond(&text(id), false, &text("no")), "{id:?}");
        let settled = page.call(&text(id)).and_then(|part| part.outcome()).map(|outcome| outcome.kind);
        assert_eq!(settled, Some(OutcomeKind::Denied), "{id:?}");
        assert_eq!(page.call(&text("other")).map(|part| part.phase()), Some(Phase::ApprovalRequested), "{id:?}");
        let first = get(&get(&page.body().get(0), "parts"), "0");
        assert_eq!(get(&first, "toolCallId"), text(id));
    }
    assert!(holds("value.polluted === undefined && Object.keys(value).length === 0", &js("{}")));
}

#[wasm_bindgen_test]
fn properties_with_names_of_the_prototype_are_kept() {
    let event = js("{ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {} }");
    set(&event, "__proto__", &js("{ polluted: true }"));
    set(&event, "constructor", &text("mine"));
    let mut page = Page::new();
    assert_eq!(page.receive_value(&event), Received::Taken);
    let part = page.last_part();
    assert!(holds(
        "Object.hasOwn(value, '__proto__') && Object.getPrototypeOf(value) === Object.prototype \
         && value.constructor === 'mine'",
        &part,
    ));
    page.receive(
        "{ type: 'start', messageMetadata: JSON.parse('{ \"__proto__\": { \"polluted\": true }, \"a\": 1 }') }",
    );
    page.receive(
        "{ type: 'finish', messageMetadata: JSON.parse('{ \"__proto__\": { \"polluted\": true }, \"b\": 2 }') }",
    );
    assert!(holds("value.polluted === undefined", &js("{}")));
}

#[wasm_bindgen_test]
fn only_own_properties_are_read() {
    let mut page = Page::new();
    assert_eq!(page.receive("Object.create({ type: 'tool-input-available', toolCallId: 'c1' })"), Received::Malformed);
    assert_eq!(page.receive("Object.assign(Object.create(null), { type: 'start', messageId: 'r1' })"), Received::Taken);
}

#[wasm_bindgen_test]
fn ids_of_a_megabyte_that_differ_in_the_last_character_are_distinct() {
    let mut page = Page::new();
    let long = |last: &str| js(&format!("'x'.repeat(1 << 20) + '{last}'"));
    page.ask(&long("a"), &long("a"), &js("{}"));
    page.ask(&long("b"), &long("b"), &js("{}"));
    page.finish();
    assert!(page.respond(&long("b"), true, &JsValue::UNDEFINED));
    assert_eq!(page.call(&long("a")).map(|part| part.phase()), Some(Phase::ApprovalRequested));
    assert_eq!(page.call(&long("b")).map(|part| part.phase()), Some(Phase::Approved));
}

#[wasm_bindgen_test]
fn ids_with_lone_surrogates_are_distinct_and_returned_unchanged() {
    let mut page = Page::new();
    let (first, second) = (js("'c\\ud800'"), js("'c\\ud801'"));
    page.ask(&first, &first, &js("{}"));
    page.ask(&second, &second, &js("{}"));
    page.finish();
    assert!(page.respond(&second, true, &JsValue::UNDEFINED));
    assert_eq!(page.call(&first).map(|part| part.phase()), Some(Phase::ApprovalRequested));
    assert!(holds("value.toolCallId === 'c\\ud801'", &page.last_part()));
}

#[wasm_bindgen_test]
fn an_event_that_throws_when_it_is_read_is_malformed_and_the_stream_continues() {
    let mut page = Page::new();
    assert_eq!(page.receive("{ get type() { throw new Error('no'); } }"), Received::Malformed);
    page.receive(
        "{ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', get input() { throw new Error('no'); } }",
    );
    page.receive(
        "{ type: 'tool-output-available', toolCallId: 'c1', output: 1, get extra() { throw new Error('no'); } }",
    );
    assert_eq!(page.call(&text("c1")).map(|part| part.phase()), Some(Phase::OutputAvailable));
    assert!(holds("value.input === undefined && value.output === 1 && !('extra' in value)", &page.last_part()));
}

#[wasm_bindgen_test]
fn a_hostile_proxy_is_malformed_and_the_stream_continues() {
    let traps = "get: no, has: no, ownKeys: no, getOwnPropertyDescriptor: no, getPrototypeOf: no";
    let hostile = format!(
        "(() => {{ const no = () => {{ throw new Error('no'); }}; return new Proxy({{}}, {{ {traps} }}); }})()"
    );
    let revoked = "(() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; })()";
    for value in [hostile.as_str(), revoked] {
        let mut page = Page::new();
        assert_eq!(page.receive(value), Received::Malformed);
        page.receive(&format!(
            "{{ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {value} }}"
        ));
        page.receive(&format!(
            "{{ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {value} }}"
        ));
        page.receive("{ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' }");
        page.finish();
        assert!(page.respond(&text("a1"), true, &JsValue::UNDEFINED));
        page.load(&js(&format!("[{value}, {{ id: 'm1', role: 'user', parts: {value} }}]")));
        page.load(&js(value));
    }
}

#[wasm_bindgen_test]
fn values_of_any_type_in_place_of_events_are_malformed_and_harmless() {
    let sorts =
        ["undefined", "null", "0", "''", "'start'", "true", "1n", "Symbol('x')", "() => {}", "[]", "new Date(0)", "{}"];
    let mut page = Page::new();
    for sort in sorts {
        assert_eq!(page.receive(sort), Received::Malformed, "{sort}");
    }
    page.load(&js("[undefined, 1n, Symbol('x'), () => {}, { id: 1, role: 'user' }, { role: 'user', parts: [1n] }]"));
    assert_eq!(page.receive("{ type: 'start', messageId: 'r1' }"), Received::Taken);
}

#[wasm_bindgen_test]
fn an_input_that_streams_in_can_be_read_at_any_time() {
    let mut page = Page::new();
    page.receive("{ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' }");
    for delta in ["{\\\"file\\\":\\\"no", "tes.txt\\\",\\\"lines\\\":[1,", "2]}"] {
        page.receive(&format!("{{ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: \"{delta}\" }}"));
        assert!(holds("value.state === 'input-streaming' && value.input.file.startsWith('no')", &page.last_part()));
    }
    assert!(holds("value.input.file === 'notes.txt' && value.input.lines.length === 2", &page.last_part()));
}

#[wasm_bindgen_test]
fn a_reason_and_the_fields_of_an_approval_are_sent_unchanged() {
    let mut page = Page::new();
    page.receive("{ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {} }");
    page.receive(
        "{ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', signature: 's\\ud800', later: [1n] }",
    );
    page.finish();
    page.respond(&text("a1"), false, &js("'half \\ud83d'"));
    let approval = get(&page.last_part(), "approval");
    assert!(holds(
        "value.reason === 'half \\ud83d' && value.signature === 's\\ud800' && value.later[0] === 1n",
        &approval
    ));
}

//! The layers of the crate: a layer imports only lower layers.
//!
//! The test reads the sources, because the compiler allows a crate's modules to import each other.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(floor: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("the folder exists").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source file is UTF-8");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(floor), &mut found);
    assert!(found.len() > 1, "found no source files of the layer {floor}");
    found
}

/// The code without its comments, which may mention anything.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether the code contains this whole word, as in `crate::wire` or `use js_sys`.
fn names(code: &str, word: &str) -> bool {
    let part_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let behind = code[at + word.len()..].chars().next();
        !before.is_some_and(part_of_word) && !behind.is_some_and(part_of_word)
    })
}

fn assert_none(floor: &str, forbidden: &[&str]) {
    for (path, text) in sources(floor) {
        let code = code(&text);
        for word in forbidden {
            assert!(!names(&code, word), "{}: {floor} must not name {word}", path.display());
        }
    }
}

#[test]
fn the_machine_uses_no_wire_no_javascript_no_clock_and_no_protocol() {
    let above = ["wire", "wasm", "wasm_bindgen", "js_sys", "JsValue", "serde", "serde_json"];
    assert_none("machine", &above);
    assert_none("machine", &["ai_sdk", "AiSdk", "Instant", "SystemTime", "thread", "rand", "HashMap", "HashSet"]);
}

#[test]
fn the_gate_over_json_does_not_use_the_boundary_to_javascript_or_a_clock() {
    assert_none(
        "json",
        &["wasm", "wasm_bindgen", "js_sys", "JsValue", "Instant", "SystemTime", "std", "thread", "rand"],
    );
}

#[test]
fn a_codec_does_not_use_the_boundary_to_javascript() {
    assert_none("wire", &["wasm", "wasm_bindgen", "js_sys", "JsValue", "serde", "serde_json"]);
}

#[test]
fn the_boundary_to_javascript_makes_no_decision() {
    // The tables decide what may happen to a call, and the machine decides what may be sent.
    assert_none("wasm", &["transition", "ItemInput", "ExchangeInput", "is_settled", "completes_step"]);
}

#[test]
fn no_layer_prints_or_panics() {
    let calls = [".unwrap()", ".expect(\"", "panic!", "unreachable!", "todo!", "unimplemented!", "print", "dbg!"];
    for (path, text) in ["machine", "wire", "wasm"].into_iter().flat_map(sources) {
        for call in calls {
            assert!(!code(&text).contains(call), "{} must not call {call}", path.display());
        }
    }
}

#[test]
fn the_tables_have_no_catch_all() {
    let tables = sources("machine").into_iter().filter(|(path, _)| path.ends_with("transition.rs"));
    let tables: Vec<_> = tables.map(|(path, text)| (path, code(&text))).collect();
    assert_eq!(tables.len(), 3, "calls, items and the exchange have one table each");
    for (path, table) in tables {
        assert!(
            !table.contains("_ =>"),
            "{}: must have no catch-all arm, so that a new state or input does not compile until every transition is defined",
            path.display()
        );
    }
}

/// The folders of the machine that have a state, with their files of rules for the whole machine. All other files of
/// these folders are a state.
const STATES: [(&str, &[&str]); 6] = [
    ("call", &[]),
    ("transcript", &[]),
    ("turn", &[]),
    ("outbox", &["answers", "deliver", "passing", "retry"]),
    ("exchange", &RULES_OF_THE_EXCHANGE),
    ("policy", &["on_deny", "recall"]),
];

const RULES_OF_THE_EXCHANGE: [&str; 10] = [
    "abandoned",
    "admit",
    "content",
    "end",
    "open",
    "reply_message",
    "stream_end",
    "earlier_reply",
    "reconcile",
    "which_call",
];

#[test]
fn a_state_does_not_name_the_machine_and_a_call_names_no_other_state() {
    for (folder, rules) in STATES {
        let mut left = rules.to_vec();
        for (path, text) in sources(&format!("machine/{folder}")) {
            if let Some(rule) = left.iter().position(|rule| path.ends_with(format!("{rule}.rs"))) {
                assert!(names(&code(&text), "Machine"), "{} is a state: it is no exception", path.display());
                left.remove(rule);
                continue;
            }
            for above in ["Machine", "history", "Repair"] {
                assert!(!names(&code(&text), above), "{}: a state must not name {above}", path.display());
            }
        }
        assert!(left.is_empty(), "{folder} has no file {left:?}");
    }
    for (path, text) in sources("machine/call") {
        for above in ["Transcript", "Item", "Outbox", "Turn", "Exchange", "Options"] {
            assert!(!names(&code(&text), above), "{}: a call must not name {above}", path.display());
        }
    }
}

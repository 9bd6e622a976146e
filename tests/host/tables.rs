//! Prints the machine's three tables: what each input does to a call, to an outgoing item, and to the exchange.
//!
//! The files in `tables/` are generated: `BLESS=1 cargo test` rewrites them; without it, a difference is a failure.

use crate::committed::same_as_committed;
use std::fmt::Write as _;
use std::fs;
use toolgate::machine::{
    ExchangeInput, ExchangeState, ExchangeTransition, Input, ItemInput, ItemState, ItemTransition, Phase, Transition,
    exchange_transition, item_transition, transition,
};

/// Every cell of the calls' table.
pub fn cells() -> impl Iterator<Item = (Phase, Input, Transition)> {
    let pairs = Phase::ALL.iter().flat_map(|&phase| Input::ALL.iter().map(move |&input| (phase, input)));
    pairs.map(|(phase, input)| (phase, input, transition(phase, input)))
}

/// The name of a variant as words: `InputStreaming` becomes `input streaming`.
pub fn words(name: impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for (place, letter) in format!("{name:?}").char_indices() {
        if letter.is_uppercase() && place > 0 && !text.ends_with(['(', ' ']) {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// A table with a row for each input and a column for each state, split into blocks of a few columns.
fn table<S: Copy + std::fmt::Debug, I: Copy + std::fmt::Debug>(
    states: &[S],
    inputs: &[I],
    columns: usize,
    cell: impl Fn(S, I) -> String,
) -> String {
    let mut text = String::new();
    for states in states.chunks(columns) {
        let heads: Vec<String> = states.iter().map(words).collect();
        writeln!(text, "\n| input | {} |\n|---|{}", heads.join(" | "), "---|".repeat(states.len())).unwrap();
        for &input in inputs {
            let row: Vec<String> = states.iter().map(|&state| cell(state, input)).collect();
            writeln!(text, "| {} | {} |", words(input), row.join(" | ")).unwrap();
        }
    }
    text
}

/// A legend from the source: each variant of an enum with its comment.
fn legend(file: &str, name: &str) -> String {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    let (_, body) = source.split_once(&format!("pub enum {name} {{\n")).expect("the enum is declared in this file");
    let (mut text, mut says) = ("\n| | means |\n|---|---|\n".to_owned(), Vec::new());
    for line in body.lines().map(str::trim).take_while(|line| *line != "}") {
        match line.strip_prefix("/// ") {
            Some(comment) => says.push(comment),
            None => {
                let variant = line.split(['(', ',', ' ']).next().unwrap_or_default();
                let says = std::mem::take(&mut says).join(" ").replace(['[', ']'], "");
                writeln!(text, "| {} | {says} |", words(format_args!("{variant}"))).unwrap();
            }
        }
    }
    text
}

const CALLS: &str = "\
# What can happen to a tool call

Written by `BLESS=1 cargo test` from `src/machine/call/transition.rs`; a test fails when the two differ.

One row for each input, one column for each phase. The backend's inputs come first, then those of the user and the
host, then those of the turn.

| in a cell | means |
|---|---|
| **phase** | the call goes into this phase |
| **phase** (effect) | the same; the effect says what happens to its outcome and to the decision about it |
| **phase** ! code | the same, and an `anomaly` event says that it should not have come to this |
| updated | the phase stays, and what came is taken in |
| · | nothing changes, and nothing is wrong with that |
| ! code | nothing changes, and an `anomaly` event says so |
| compared | the answer is compared with the one on record: `duplicate`, or refused as `already-decided` |
| ✗ code | nothing changes, and the caller gets this error |

The phases of a call, and the state that each has on the wire:

| phase | state | settled |
|---|---|---|
";

fn calls() -> String {
    let mut text = CALLS.to_owned();
    for &phase in Phase::ALL {
        let settled = if phase.is_settled() { "yes" } else { "" };
        writeln!(text, "| {} | `{}` | {settled} |", words(phase), phase.state()).unwrap();
    }
    let effect = |effect: toolgate::machine::Effect| match effect {
        toolgate::machine::Effect::Nothing => String::new(),
        effect => format!(" ({})", words(effect).replace('(', " ").replace(')', "")),
    };
    let cell = |phase, input| match transition(phase, input) {
        Transition::To(to, does) => format!("**{}**{}", words(to), effect(does)),
        Transition::ToWithAnomaly(to, does, code) => format!("**{}**{} ! {}", words(to), effect(does), code.as_str()),
        Transition::Update => "updated".to_owned(),
        Transition::Ignore => "·".to_owned(),
        Transition::Anomaly(code) => format!("! {}", code.as_str()),
        Transition::CompareWithDecision => "compared".to_owned(),
        Transition::Refuse(code) => format!("✗ {}", code.as_str()),
    };
    text += &table(Phase::ALL, Input::ALL, 6, cell);
    text += "\nThe inputs, which `src/machine/call/input.rs` declares:\n";
    text += &legend("src/machine/call/input.rs", "Input");
    text += "\nThe effects, which `src/machine/call/effect.rs` declares:\n";
    text + &legend("src/machine/call/effect.rs", "Effect")
}

const ITEMS: &str = "\
# What can happen to an outgoing item

Written by `BLESS=1 cargo test` from `src/machine/outbox/transition.rs`; a test fails when the two differ.

One row for each input, one column for each state. **state**: the item goes into it. removed: the item is forgotten.
A dot: nothing changes.
";

fn items() -> String {
    let cell = |state, input| match item_transition(state, input) {
        ItemTransition::To(to) => format!("**{}**", words(to)),
        ItemTransition::Remove => "removed".to_owned(),
        ItemTransition::Ignore => "·".to_owned(),
    };
    ITEMS.to_owned() + &table(ItemState::ALL, ItemInput::ALL, 7, cell)
}

const EXCHANGE: &str = "\
# What can happen to the exchange with the backend

Written by `BLESS=1 cargo test` from `src/machine/turn/transition.rs`; a test fails when the two differ.

One row for each input, one column for each state. The cell says what is done; a dot: nothing changes. The legends below
the table are the comments in that file.
";

fn exchange() -> String {
    let cell = |state, input| match exchange_transition(state, input) {
        ExchangeTransition::Ignore => "·".to_owned(),
        does => words(does),
    };
    let mut text = EXCHANGE.to_owned() + &table(ExchangeState::ALL, ExchangeInput::ALL, 5, cell);
    for (what, name) in
        [("states", "ExchangeState"), ("inputs", "ExchangeInput"), ("transitions", "ExchangeTransition")]
    {
        writeln!(text, "\nThe {what}:").unwrap();
        text += &legend("src/machine/turn/transition.rs", name);
    }
    text
}

#[test]
fn the_committed_tables_are_the_code() {
    same_as_committed("tests/host/tables/call.md", &calls());
    same_as_committed("tests/host/tables/item.md", &items());
    same_as_committed("tests/host/tables/exchange.md", &exchange());
}

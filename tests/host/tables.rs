//! Prints the machine's three tables: the effect of each input on a call, on an outgoing item, and on the exchange.
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
# The effect of each input on a tool call

`BLESS=1 cargo test` writes this file from `src/machine/call/transition.rs`. A test fails if they differ.

One row for each input, one column for each phase. The backend's inputs come first, then those of the user and the
host, then those of the turn.

| in a cell | means |
|---|---|
| **phase** | the call changes to this phase |
| **phase** (effect) | the call changes to this phase; the effect changes its outcome or its decision |
| **phase** ! code | the call changes to this phase, and an `anomaly` event with this code is emitted |
| updated | the phase stays, and the call gets the new data |
| · | nothing changes, and no event is emitted |
| ! code | nothing changes, and an `anomaly` event with this code is emitted |
| compared | the decision is compared with the stored one: an equal one is a `duplicate`, the opposite one is refused with `already-decided` |
| ✗ code | nothing changes, and the caller gets this error |

The phases of a call, and the state of its tool part in each:

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
# The effect of each input on an outgoing item

`BLESS=1 cargo test` writes this file from `src/machine/outbox/transition.rs`. A test fails if they differ.

One row for each input, one column for each state. A cell with a **state** means that the item changes to it, `removed`
that the item is deleted from the outbox, and a dot that nothing changes.
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
# The effect of each input on the exchange with the backend

`BLESS=1 cargo test` writes this file from `src/machine/exchange/transition.rs`. A test fails if they differ.

One row for each input, one column for each state. A cell names the transition; a dot means that nothing changes. The
legends below the table are the comments in that file.
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
        text += &legend("src/machine/exchange/transition.rs", name);
    }
    text
}

#[test]
fn the_committed_tables_match_the_code() {
    same_as_committed("tests/host/tables/call.md", &calls());
    same_as_committed("tests/host/tables/item.md", &items());
    same_as_committed("tests/host/tables/exchange.md", &exchange());
}

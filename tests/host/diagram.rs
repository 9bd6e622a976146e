//! The states of a tool part as a diagram for docs/how-it-works.md, generated from the table.
//!
//! The diagram has the seven states of the AI SDK's tool parts. The label of an edge names the inputs that move a call
//! from one state to the other. `BLESS=1 cargo test` rewrites `tables/call.mmd` and the marked section of that page.

use crate::committed::same_as_committed;
use crate::tables::cells;
use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};
use toolgate::machine::{Input, Phase, Transition};

const BEGIN: &str = "<!-- states:start -->\n";
const END: &str = "<!-- states:end -->";

/// The label of an input; `None` if the diagram does not show it.
fn word(input: Input) -> Option<&'static str> {
    match input {
        Input::InputAvailable => Some("input complete"),
        Input::DecisionVoid => Some("input changed"),
        Input::Request | Input::AutomaticRequest => Some("approval requested"),
        Input::Approve | Input::Deny => Some("user decides"),
        Input::Skip => Some("skipped"),
        Input::Expire => Some("expired"),
        Input::BackendApproved | Input::BackendDenied => Some("backend decides"),
        Input::Output | Input::Preliminary => Some("output"),
        Input::PageOutput | Input::PageError => Some("page's result"),
        Input::Error | Input::InputError => Some("error"),
        Input::OutputDenied | Input::ConfirmDenial => Some("denial is final"),
        Input::Cancel => Some("cancelled"),
        Input::Interrupt => Some("interrupted"),
        Input::InputStart | Input::InputDelta | Input::InputUpdate => None,
        Input::RequestAgain | Input::RequestWithdrawn | Input::Sent => None,
    }
}

fn diagram() -> String {
    let order = |state: &str| Phase::ALL.iter().position(|phase| phase.state() == state).unwrap_or_default();
    let mut edges: BTreeMap<(usize, &str, usize, &str), BTreeSet<&str>> = BTreeMap::new();
    for (phase, input, does) in cells() {
        // Transitions with an anomaly are exceptions, so the diagram omits them.
        let (Transition::To(to, _), Some(word)) = (does, word(input)) else { continue };
        let (from, to) = (phase.state(), to.state());
        if from != to {
            edges.entry((order(from), from, order(to), to)).or_default().insert(word);
        }
    }
    // Mermaid does not allow a dash in a state's name.
    let name = |state: &str| state.replace('-', "_");
    let mut lines = vec!["stateDiagram-v2".to_owned()];
    let states: BTreeSet<(usize, &str)> =
        Phase::ALL.iter().map(|phase| (order(phase.state()), phase.state())).collect();
    lines.extend(states.iter().map(|(_, state)| format!("  state \"{state}\" as {}", name(state))));
    lines.push("  [*] --> input_streaming".to_owned());
    for ((_, from, _, to), words) in edges {
        let words: Vec<&str> = words.into_iter().collect();
        lines.push(format!("  {} --> {}: {}", name(from), name(to), words.join(", ")));
    }
    let last = ["output-available", "output-error", "output-denied"];
    lines.extend(last.map(|state| format!("  {} --> [*]", name(state))));
    lines.join("\n") + "\n"
}

#[test]
fn the_committed_diagram_matches_the_code() {
    same_as_committed("tests/host/tables/call.mmd", &diagram());
}

#[test]
fn the_committed_page_shows_the_diagram() {
    let path = format!("{}/docs/how-it-works.md", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(&path).expect("docs/how-it-works.md exists");
    let (before, rest) = page.split_once(BEGIN).expect("docs/how-it-works.md has states:start");
    let (_, after) = rest.split_once(END).expect("docs/how-it-works.md has states:end after states:start");
    let wanted = format!("{before}{BEGIN}```mermaid\n{}```\n{END}{after}", diagram());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("cannot write docs/how-it-works.md");
        return;
    }
    assert!(
        page == wanted,
        "the diagram in docs/how-it-works.md differs from the code. Rewrite it with `BLESS=1 cargo test`"
    );
}

//! The life of a tool part as a diagram, for docs/how-it-works.md: written from the table, not by hand.
//!
//! It has the seven states of the wire. An edge says who moves a call from one to the other, and by what;
//! `BLESS=1 cargo test` rewrites `tables/call.mmd` and, where it has the marks, that page.

use crate::committed::same_as_committed;
use crate::tables::cells;
use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};
use toolgate::machine::{Input, Phase, Transition};

const BEGIN: &str = "<!-- states:start -->\n";
const END: &str = "<!-- states:end -->";

/// What an input is called on an edge; none for what is no news on a picture.
fn word(input: Input) -> Option<&'static str> {
    match input {
        Input::InputAvailable => Some("input complete"),
        Input::Request | Input::AutomaticRequest => Some("approval requested"),
        Input::Approve | Input::Deny => Some("user answers"),
        Input::Skip => Some("skipped"),
        Input::Expire => Some("expired"),
        Input::BackendApproved | Input::BackendDenied => Some("backend answers"),
        Input::Output | Input::Preliminary => Some("output"),
        Input::PageOutput | Input::PageError => Some("page's result"),
        Input::Error | Input::InputError => Some("error"),
        Input::OutputDenied | Input::ConfirmDenial => Some("denial on record"),
        Input::Cancel => Some("cancelled"),
        Input::Interrupt => Some("interrupted"),
        Input::InputStart | Input::InputDelta | Input::RequestAgain | Input::Sent => None,
    }
}

fn diagram() -> String {
    let order = |state: &str| Phase::ALL.iter().position(|phase| phase.state() == state).unwrap_or_default();
    let mut edges: BTreeMap<(usize, &str, usize, &str), BTreeSet<&str>> = BTreeMap::new();
    for (phase, input, does) in cells() {
        // A call that goes amiss is an anomaly: true, told, and not the way that things go.
        let (Transition::To(to, _), Some(word)) = (does, word(input)) else { continue };
        let (from, to) = (phase.state(), to.state());
        if from != to {
            edges.entry((order(from), from, order(to), to)).or_default().insert(word);
        }
    }
    // A name with a dash is no name to the language of the diagram.
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
fn the_committed_diagram_is_the_code() {
    same_as_committed("tests/host/tables/call.mmd", &diagram());
}

#[test]
fn the_documentation_shows_the_diagram() {
    let path = format!("{}/docs/how-it-works.md", env!("CARGO_MANIFEST_DIR"));
    let Ok(page) = fs::read_to_string(&path) else { return };
    let Some((before, rest)) = page.split_once(BEGIN) else { return };
    let (_, after) = rest.split_once(END).expect("docs/how-it-works.md: states:start has its states:end");
    let wanted = format!("{before}{BEGIN}```mermaid\n{}```\n{END}{after}", diagram());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("docs/how-it-works.md can be written");
        return;
    }
    assert!(page == wanted, "the diagram in docs/how-it-works.md is not what the code says: `BLESS=1 cargo test` rewrites it");
}

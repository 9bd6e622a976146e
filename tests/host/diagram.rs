//! The life of a tool part as a diagram, for the README: written from `verdict`, not by hand.
//!
//! It has the seven states of the wire. An edge says who moves a call from one to the other, and by what;
//! `BLESS=1 cargo test` rewrites `states.mmd` and, where it has the marks, the README.

use crate::committed::same_as_committed;
use crate::transitions::cells;
use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};
use toolgate::machine::{Cause, Phase, Verdict};

const BEGIN: &str = "<!-- states:start -->\n";
const END: &str = "<!-- states:end -->";

/// What a cause is called on an edge; none for what is no news on a picture.
fn word(cause: Cause) -> Option<&'static str> {
    match cause {
        Cause::InputAvailable => Some("input complete"),
        Cause::Request | Cause::AutomaticRequest => Some("approval requested"),
        Cause::Approve | Cause::Deny => Some("user answers"),
        Cause::Skip => Some("skipped"),
        Cause::Expire => Some("expired"),
        Cause::BackendApproved | Cause::BackendDenied => Some("backend answers"),
        Cause::Output | Cause::Preliminary => Some("output"),
        Cause::ClientOutput | Cause::ClientError => Some("browser's result"),
        Cause::Error | Cause::InputError => Some("error"),
        Cause::OutputDenied | Cause::ConfirmDenial => Some("denial on record"),
        Cause::Cancel => Some("cancelled"),
        Cause::Interrupt => Some("interrupted"),
        Cause::InputStart | Cause::InputDelta | Cause::RequestAgain | Cause::Sent => None,
    }
}

fn diagram() -> String {
    let order = |state: &str| Phase::ALL.into_iter().position(|phase| phase.state() == state).unwrap_or_default();
    let mut edges: BTreeMap<(usize, &str, usize, &str), BTreeSet<&str>> = BTreeMap::new();
    for (phase, cause, verdict) in cells() {
        // A call that goes amiss is an anomaly: true, told, and not the way that things go.
        let (Verdict::Go(to), Some(word)) = (verdict, word(cause)) else { continue };
        let (from, to) = (phase.state(), to.state());
        if from != to {
            edges.entry((order(from), from, order(to), to)).or_default().insert(word);
        }
    }
    // A name with a dash is no name to the language of the diagram.
    let name = |state: &str| state.replace('-', "_");
    let mut lines = vec!["stateDiagram-v2".to_owned()];
    let states: BTreeSet<(usize, &str)> =
        Phase::ALL.into_iter().map(|phase| (order(phase.state()), phase.state())).collect();
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
    same_as_committed("tests/host/states.mmd", &diagram());
}

#[test]
fn the_readme_shows_the_diagram() {
    let path = format!("{}/README.md", env!("CARGO_MANIFEST_DIR"));
    let Ok(readme) = fs::read_to_string(&path) else { return };
    let Some((before, rest)) = readme.split_once(BEGIN) else { return };
    let (_, after) = rest.split_once(END).expect("README.md: states:start has its states:end");
    let wanted = format!("{before}{BEGIN}```mermaid\n{}```\n{END}{after}", diagram());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("README.md can be written");
        return;
    }
    assert!(readme == wanted, "the diagram in README.md is not what the code says: `BLESS=1 cargo test` rewrites it");
}

//! The exhaustive exploration: runs the real machine through every state that limited inputs can reach.
//!
//! A simulated world (`world`, `inputs`, `apply`) gives the machine every interleaving of the actions of a backend, a
//! user and a host, breadth first (`search`). States that differ only by names or by the order of a step's calls count
//! as one (`symmetry`). Every state and every input is checked against the invariants (`rules`, `steps`,
//! `view`, `waits`, `reload`, `way_out`, `wire`). README.md explains what a profile covers, and has the figures of the
//! last run.
//!
//! The exploration does not cover the reading of events by a codec. These parts of invariants are left to the other
//! native tests: unknown types and fields (11), texts and inputs that arrive in pieces (12), and the comparison of
//! inputs by their value (6).

#![cfg(not(target_family = "wasm"))]

// The virtual chat of the other native tests, which provides the codecs and the checks of written messages.
#[allow(dead_code)]
#[path = "../host/chat.rs"]
mod chat;
#[allow(dead_code)]
#[path = "../host/history.rs"]
mod history;
#[path = "../host/invariants.rs"]
mod invariants;
#[allow(dead_code)]
#[path = "../host/mirror.rs"]
mod mirror;
#[allow(dead_code)]
#[path = "../host/seen.rs"]
mod seen;
#[allow(dead_code)]
#[path = "../host/storing.rs"]
mod storing;
#[allow(dead_code)]
#[path = "../host/stream.rs"]
mod stream;
#[allow(dead_code)]
#[path = "../host/watch.rs"]
mod watch;

mod apply;
mod inputs;
mod loads;
mod profile;
mod profiles;
mod reload;
mod rules;
mod scene;
mod search;
mod steps;
mod symmetry;
mod tape;
mod view;
mod waits;
mod way_out;
mod wire;
mod words;
mod world;

use profile::Profile;
use profiles::{LONG, SHARE};

/// Explores a profile with each policy, prints the figures, and fails with the counterexample.
fn explore(name: &str, workers: usize) {
    let profile = SHARE.into_iter().chain(LONG).find(|profile| profile.name == name);
    let profile: Profile = profile.unwrap_or_else(|| panic!("no profile has the name {name}"));
    for profile in profile.under_each_policy() {
        match search::explore(profile, workers) {
            Ok(figures) => {
                println!("{profile}: {figures}");
                assert!(figures.complete, "the profile {name} has more states than its limit");
            }
            Err(counterexample) => panic!("{profile}\n{counterexample}"),
        }
    }
}

/// Explores these profiles, which every `cargo test` runs.
fn share(names: &[&str]) {
    names.iter().for_each(|name| explore(name, 1));
}

#[test]
fn one_call() {
    share(&["one", "one-reload", "one-load", "one-failure", "one-edit", "one-labelled", "one-rewritten"]);
}

#[test]
fn inputs_that_arrive_and_change() {
    share(&["streamed", "streamed-answering", "updated", "updated-answering", "updated-reconnect"]);
}

#[test]
fn tools_that_the_page_lists() {
    share(&["listed", "listed-first"]);
}

#[test]
fn reconnected_streams() {
    share(&["one-reconnect", "one-reconnect-labelled"]);
}

#[test]
fn parallel_calls() {
    share(&["two", "server-browser", "server-provider"]);
}

#[test]
fn repeated_ids() {
    share(&["repeated", "repeated-approvals", "call-ids", "twins"]);
}

#[test]
fn answering_protocols() {
    share(&["answering", "answering-first", "outputs-approve"]);
}

#[test]
fn answers_that_are_sent_first() {
    share(&["first", "first-failure", "first-unsafe"]);
}

/// `EXPLORE` names the profiles to explore; without it, none is explored. `EXPLORE_WORKERS` sets the number of threads.
#[test]
fn the_requested_profiles() {
    let workers = std::env::var("EXPLORE_WORKERS").ok().and_then(|workers| workers.parse().ok());
    let asked = std::env::var("EXPLORE").unwrap_or_default();
    asked.split_whitespace().for_each(|name| explore(name, workers.unwrap_or(1)));
}

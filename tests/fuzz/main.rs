//! The fuzz targets: damaged events, histories and snapshots, and random commands, for a given number of inputs.
//!
//! A small generator damages valid input; no fuzzing engine is used. `cargo test` runs a fixed number of inputs from a
//! fixed seed. `./pkg-scripts/fuzz [target] [count] [seed]` runs any number, in `FUZZ_THREADS` threads (by default one
//! for each core), and prints a failing input as JSON, without the steps that the failure does not need.
//! `./pkg-scripts/fuzz replay FILE` runs such an input.
//!
//! The targets run the real machine and codec, with the checks of the native tests. README.md in this folder describes
//! them and lists the complete runs.

#![cfg(not(target_family = "wasm"))]
// The virtual chat is that of `tests/host`, and not all of its methods are used here.
#![allow(dead_code)]

#[path = "../host/chat.rs"]
mod chat;
#[path = "../host/history.rs"]
mod history;
#[path = "../host/invariants.rs"]
mod invariants;
#[path = "../host/mirror.rs"]
mod mirror;
#[path = "../host/seen.rs"]
mod seen;
#[path = "../host/stored_histories.rs"]
mod stored_histories;
#[path = "../host/storing.rs"]
mod storing;
#[path = "../host/stream.rs"]
mod stream;
#[path = "../host/watch.rs"]
mod watch;
#[path = "../host/way_out.rs"]
mod way_out;

mod case;
mod chunks;
mod counts;
mod damage;
mod histories;
mod perform;
mod rng;
mod run;
mod shrink;
mod snapshots;
mod steps;

use case::Target;
use run::run;
use std::env;
use std::fs;
use std::thread;
use std::time::Instant;

/// The seed of the inputs that `cargo test` runs, in one thread. It was chosen for a short running time: searching for
/// failures is left to the long runs.
const SEED: u64 = 20_261_121;

/// Inputs that once made a check fail, each under the rule that it violated.
#[test]
fn inputs_that_failed_once_pass() {
    case::quietly();
    let found: serde_json::Value = serde_json::from_str(include_str!("found.json")).expect("found.json is JSON");
    for entry in found.as_array().expect("a list") {
        case::replay(entry[1].as_array().expect("a list"))
            .unwrap_or_else(|wrong| fail(&format!("{}: {wrong}", entry[0])));
    }
}

#[test]
fn no_input_breaks_the_machine() {
    run(Target::Machine, 20_000, SEED, 1);
}

#[test]
fn no_stream_breaks_the_reader() {
    run(Target::Reader, 40_000, SEED, 1);
}

#[test]
fn no_history_breaks_load() {
    run(Target::Load, 6_000, SEED, 1);
}

#[test]
fn no_snapshot_breaks_restore() {
    run(Target::Restore, 6_000, SEED, 1);
}

/// Runs the target that `./pkg-scripts/fuzz` sets in the environment. Runs nothing in a plain `cargo test`.
#[test]
fn the_requested_target() {
    case::quietly();
    if let Ok(file) = env::var("FUZZ_REPLAY") {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
        let steps: Vec<serde_json::Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("not valid JSON: {file}: {error}"));
        case::replay(&steps).unwrap_or_else(|wrong| fail(&wrong));
        println!("the input in {file} breaks no rule");
        return;
    }
    let Ok(name) = env::var("FUZZ_TARGET") else { return };
    let target = Target::ALL.into_iter().find(|target| target.name() == name);
    let target = target.unwrap_or_else(|| panic!("unknown target {name}"));
    let number = |name: &str| -> u64 { env::var(name).ok().and_then(|text| text.parse().ok()).expect("a number") };
    let (count, seed) = (number("FUZZ_INPUTS"), number("FUZZ_SEED"));
    let threads = match env::var("FUZZ_THREADS") {
        Ok(_) => number("FUZZ_THREADS").max(1),
        Err(_) => thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
    };
    let began = Instant::now();
    let counts = run(target, count, seed, threads);
    if let Ok(file) = env::var("FUZZ_COUNTS") {
        counts::write(&file, target, counts, (seed, threads), began.elapsed());
    }
}

/// Prints a failure. The panics of the cases are not printed.
fn fail(wrong: &str) -> ! {
    println!("{wrong}");
    panic!("an input broke a rule");
}

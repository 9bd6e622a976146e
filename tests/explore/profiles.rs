//! Which explorations there are: a share that every `cargo test` runs, and the long ones.
//!
//! Each covers every interleaving within its budgets. What multiplies the states is what goes wrong, much
//! more than how many calls there are: so the budgets are spent in turns, and the long profiles together.

use crate::profile::{Budget, Extras, Names, Place, Policy, Profile, Protocol};

const S: Place = Place::Server;
const B: Place = Place::Browser;
const P: Place = Place::Provider;

/// What a path may spend: failures, reloads, strays, messages and edits.
const fn budget(failures: u8, reloads: u8, strays: u8, messages: u8, edits: u8) -> Budget {
    Budget { failures, reloads, strays, messages, edits, reconnects: 0 }
}

const fn profile(name: &'static str, steps: &'static [&'static [Place]], budget: Budget) -> Profile {
    let extras = Extras { streamed_inputs: false, errors: false, deadlines: false, rewrites: false };
    let (policy, protocol, names) = (Policy::DEFAULT, Protocol::Resubmitting, Names::Distinct);
    Profile { name, steps, policy, budget, extras, protocol, names, labels: false, states: 100_000_000 }
}

/// The same with every kind of event that a call can have.
const fn with_extras(profile: Profile) -> Profile {
    Profile { extras: Extras { streamed_inputs: true, errors: true, deadlines: true, ..profile.extras }, ..profile }
}

/// The same with another protocol.
const fn with(protocol: Protocol, profile: Profile) -> Profile {
    Profile { protocol, ..profile }
}

/// A share for every `cargo test`.
pub const SHARE: [Profile; 15] = [
    profile("one-failure-stray", &[&[S]], budget(1, 0, 1, 1, 0)),
    profile("one-failure-reload", &[&[S]], budget(1, 1, 0, 1, 0)),
    profile("one-reload-edit", &[&[S]], budget(0, 1, 0, 1, 1)),
    with_extras(profile("server-browser", &[&[S, B]], budget(0, 0, 0, 2, 0))),
    with_extras(profile("server-provider", &[&[S, P]], budget(0, 0, 0, 2, 0))),
    profile("two-reload", &[&[S, S]], budget(0, 1, 0, 1, 0)),
    profile("three", &[&[S, S, S]], budget(0, 0, 0, 2, 0)),
    profile("two-two", &[&[S, S], &[S, S]], budget(0, 0, 0, 1, 0)),
    with(Protocol::Answering, profile("answering-one", &[&[S]], budget(1, 0, 0, 2, 0))),
    with(Protocol::Answering, profile("answering-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    with(Protocol::Answering, profile("answering-stray", &[&[S]], budget(0, 0, 1, 1, 0))),
    with(Protocol::Answering, profile("answering-two", &[&[S, B]], budget(0, 0, 0, 1, 0))),
    with(Protocol::AnswersFirst, profile("first-one", &[&[S]], budget(1, 0, 0, 2, 0))),
    with(Protocol::AnswersFirst, profile("first-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    with(Protocol::AnswersFirst, profile("first-two", &[&[S, S]], budget(0, 0, 0, 2, 0))),
];

/// The long ones: `./pkg-scripts/explore`, or one of them by its name.
pub const LONG: [Profile; 19] = [
    profile("one-all", &[&[S]], budget(1, 1, 1, 1, 0)),
    profile("one-strays", &[&[S]], budget(0, 0, 2, 2, 0)),
    profile("one-failures", &[&[S]], budget(2, 1, 0, 2, 0)),
    profile("one-reloads", &[&[S]], budget(1, 2, 0, 1, 0)),
    profile("one-edits", &[&[S]], budget(1, 1, 0, 3, 1)),
    with_extras(profile("kinds", &[&[S, B, P]], budget(1, 0, 0, 1, 0))),
    with_extras(profile("kinds-reload", &[&[S, B]], budget(0, 1, 0, 2, 0))),
    profile("three-failure-reload", &[&[S, S, S]], budget(1, 1, 0, 2, 0)),
    profile("three-stray", &[&[S, S, S]], budget(0, 0, 1, 2, 0)),
    profile("two-one-failure-reload", &[&[S, S], &[S]], budget(1, 1, 0, 1, 0)),
    profile("three-three", &[&[S, S, S], &[S, S, S]], budget(0, 0, 0, 1, 0)),
    profile("two-two-failure", &[&[S, S], &[S, S]], budget(1, 0, 0, 1, 0)),
    with(Protocol::Answering, profile("answering-messages", &[&[S, B]], budget(0, 0, 0, 2, 0))),
    with(Protocol::Answering, profile("answering-reload-stray", &[&[S]], budget(0, 1, 1, 1, 0))),
    with(Protocol::AnswersFirst, profile("first-reload-stray", &[&[S]], budget(0, 1, 1, 1, 0))),
    with(Protocol::Answering, profile("answering-all", &[&[S]], budget(1, 1, 1, 2, 0))),
    with(Protocol::Answering, profile("answering-step", &[&[S, S], &[S]], budget(1, 0, 0, 2, 0))),
    with(Protocol::AnswersFirst, profile("first-all", &[&[S]], budget(1, 1, 1, 2, 0))),
    with(Protocol::AnswersFirst, profile("first-step", &[&[S, S], &[S]], budget(1, 0, 0, 2, 0))),
];

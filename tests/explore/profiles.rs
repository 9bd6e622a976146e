//! The list of profiles: the short ones, which every `cargo test` explores, and the long ones.
//!
//! Each profile covers every interleaving within its budgets. The number of states grows mostly with the number of
//! faults, and much less with the number of calls. Therefore each short profile has one kind of fault, and the long
//! ones have several.

use crate::profile::{Budget, Extras, Names, Place, Policy, Profile, Protocol};

const S: Place = Place::Server;
const B: Place = Place::Browser;
const P: Place = Place::Provider;

/// The budget of a path: failures, reloads, stray events, messages and edits.
const fn budget(failures: u8, reloads: u8, strays: u8, messages: u8, edits: u8) -> Budget {
    Budget { failures, reloads, strays, messages, edits, reconnects: 0, damages: 0, loads: 0 }
}

const fn profile(name: &'static str, steps: &'static [&'static [Place]], budget: Budget) -> Profile {
    let extras = Extras {
        streamed_inputs: false,
        updates: false,
        only_listed: false,
        errors: false,
        deadlines: false,
        acts: false,
        rewrites: false,
    };
    let (policy, protocol, names) = (Policy::DEFAULT, Protocol::Resubmitting, Names::Distinct);
    Profile { name, steps, policy, budget, extras, protocol, names, labels: false, states: 100_000_000 }
}

/// The profile with streamed inputs, failing calls and expiring approvals.
const fn with_extras(profile: Profile) -> Profile {
    Profile { extras: Extras { streamed_inputs: true, errors: true, deadlines: true, ..profile.extras }, ..profile }
}

/// The profile with streamed inputs, whose approval may be requested early.
const fn streamed(profile: Profile) -> Profile {
    Profile { extras: Extras { streamed_inputs: true, ..profile.extras }, ..profile }
}

/// The profile with updates of inputs.
const fn updated(profile: Profile) -> Profile {
    Profile { extras: Extras { updates: true, ..profile.extras }, ..profile }
}

/// The profile in which the page runs only the tools that it lists.
const fn listed(profile: Profile) -> Profile {
    Profile { extras: Extras { only_listed: true, ..profile.extras }, ..profile }
}

/// The profile with another protocol.
const fn with(protocol: Protocol, profile: Profile) -> Profile {
    Profile { protocol, ..profile }
}

/// The profile with other ids.
const fn named(names: Names, profile: Profile) -> Profile {
    Profile { names, ..profile }
}

/// The profile with events that name the request that they answer.
const fn labelled(profile: Profile) -> Profile {
    Profile { labels: true, ..profile }
}

/// The profile with reconnects.
const fn reconnects(reconnects: u8, profile: Profile) -> Profile {
    Profile { budget: Budget { reconnects, ..profile.budget }, ..profile }
}

/// The profile with a reconnect, and with one damaged event in one of the two copies of a reply.
const fn damaged(profile: Profile) -> Profile {
    Profile { budget: Budget { reconnects: 1, damages: 1, ..profile.budget }, ..profile }
}

/// The profile with a history that the app loads.
const fn loaded(profile: Profile) -> Profile {
    Profile { budget: Budget { loads: 1, ..profile.budget }, ..profile }
}

/// The profile with edited inputs and remembered decisions.
const fn acting(profile: Profile) -> Profile {
    Profile { extras: Extras { acts: true, ..profile.extras }, ..profile }
}

/// The profile with a host that rewrites results.
const fn rewritten(profile: Profile) -> Profile {
    Profile { extras: Extras { rewrites: true, ..profile.extras }, ..profile }
}

/// The short profiles, for every `cargo test`.
pub const SHARE: [Profile; 29] = [
    loaded(profile("one-load", &[&[S]], budget(0, 0, 0, 1, 0))),
    profile("one", &[&[S]], budget(0, 0, 0, 1, 0)),
    profile("one-reload", &[&[S]], budget(0, 1, 0, 1, 0)),
    profile("one-failure", &[&[S]], budget(1, 0, 0, 1, 0)),
    profile("one-edit", &[&[S]], budget(0, 0, 0, 1, 1)),
    labelled(profile("one-labelled", &[&[S]], budget(1, 0, 0, 1, 0))),
    reconnects(1, profile("one-reconnect", &[&[S]], budget(0, 0, 0, 1, 0))),
    labelled(reconnects(1, profile("one-reconnect-labelled", &[&[S]], budget(0, 0, 0, 1, 0)))),
    profile("two", &[&[S, S]], budget(0, 0, 0, 1, 0)),
    profile("server-browser", &[&[S, B]], budget(0, 0, 0, 1, 0)),
    profile("server-provider", &[&[S, P]], budget(0, 0, 0, 1, 0)),
    rewritten(profile("one-rewritten", &[&[S]], budget(0, 0, 0, 1, 0))),
    streamed(profile("streamed", &[&[S]], budget(0, 0, 0, 1, 0))),
    streamed(with(Protocol::Answering, profile("streamed-answering", &[&[S]], budget(0, 0, 0, 1, 0)))),
    updated(profile("updated", &[&[S]], budget(0, 0, 0, 1, 0))),
    updated(with(Protocol::Answering, profile("updated-answering", &[&[S]], budget(0, 0, 0, 1, 0)))),
    updated(reconnects(1, profile("updated-reconnect", &[&[S]], budget(0, 0, 0, 1, 0)))),
    listed(profile("listed", &[&[S, B]], budget(0, 0, 0, 1, 0))),
    listed(with(Protocol::AnswersFirst, profile("listed-first", &[&[S, S]], budget(0, 0, 0, 1, 0)))),
    named(Names::Repeated, profile("repeated", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    named(Names::RepeatedApprovals, profile("repeated-approvals", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    named(Names::CallIds, profile("call-ids", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    named(Names::Twins, profile("twins", &[&[S, S]], budget(0, 0, 0, 1, 0))),
    with(Protocol::Answering, profile("answering", &[&[S]], budget(0, 0, 0, 2, 0))),
    with(Protocol::AnsweringFirst, profile("answering-first", &[&[S]], budget(0, 0, 0, 1, 0))),
    with(Protocol::OutputsApprove, profile("outputs-approve", &[&[B]], budget(0, 0, 0, 1, 0))),
    with(Protocol::AnswersFirst, profile("first", &[&[S]], budget(0, 0, 0, 2, 0))),
    with(Protocol::AnswersFirst, profile("first-failure", &[&[S]], budget(1, 0, 0, 1, 0))),
    with(Protocol::FirstUnsafe, profile("first-unsafe", &[&[S]], budget(1, 0, 0, 1, 0))),
];

/// The long profiles, for `./pkg-scripts/explore`.
pub const LONG: [Profile; 58] = [
    with(Protocol::Answering, loaded(profile("loaded-answering", &[&[S]], budget(0, 0, 0, 1, 0)))),
    loaded(profile("loaded-two", &[&[S, S]], budget(0, 0, 0, 1, 0))),
    loaded(profile("loaded-steps", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    loaded(profile("loaded-failure", &[&[S]], budget(1, 0, 0, 1, 0))),
    loaded(profile("loaded-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    loaded(reconnects(1, profile("loaded-reconnect", &[&[S]], budget(0, 0, 0, 1, 0)))),
    with(Protocol::AnswersFirst, profile("first-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    with(Protocol::Answering, profile("answering-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    with(Protocol::Answering, profile("answering-reload-messages", &[&[S]], budget(0, 1, 0, 2, 0))),
    with(Protocol::AnsweringFirst, profile("answering-first-failure", &[&[S]], budget(1, 0, 0, 1, 0))),
    with(Protocol::OutputsApprove, profile("outputs-approve-failure", &[&[B]], budget(1, 0, 0, 1, 0))),
    acting(profile("acting-two", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    acting(profile("acting-failure", &[&[S]], budget(1, 0, 0, 2, 0))),
    acting(with(Protocol::Answering, profile("acting-answering", &[&[S, S]], budget(0, 0, 0, 1, 0)))),
    profile("one-stray", &[&[S]], budget(0, 0, 1, 1, 0)),
    streamed(profile("streamed-stray", &[&[S]], budget(0, 0, 1, 1, 0))),
    updated(profile("updated-stray", &[&[S]], budget(0, 0, 1, 1, 0))),
    streamed(updated(reconnects(1, profile("streamed-reconnect", &[&[S]], budget(0, 0, 0, 1, 0))))),
    updated(with(Protocol::Answering, profile("updated-answering-reload", &[&[S]], budget(0, 1, 0, 1, 0)))),
    updated(profile("updated-two", &[&[S, S]], budget(0, 0, 0, 1, 0))),
    listed(profile("listed-failure", &[&[S, B]], budget(1, 0, 0, 1, 0))),
    profile("one-reload-edit", &[&[S]], budget(0, 1, 0, 1, 1)),
    labelled(profile("labelled-reload", &[&[S]], budget(1, 1, 0, 1, 0))),
    profile("one-failure-reload", &[&[S]], budget(1, 1, 0, 1, 0)),
    with(Protocol::Answering, named(Names::CallIds, profile("answering-ids", &[&[S], &[S]], budget(0, 0, 0, 2, 0)))),
    with(Protocol::AnswersFirst, profile("first-two", &[&[S, S]], budget(0, 0, 0, 2, 0))),
    with(Protocol::FirstUnsafe, profile("first-unsafe-failure", &[&[S]], budget(1, 0, 0, 2, 0))),
    with(Protocol::Answering, profile("answering-stray", &[&[S]], budget(0, 0, 1, 1, 0))),
    labelled(reconnects(1, profile("reconnect-labelled", &[&[S]], budget(1, 0, 0, 1, 0)))),
    reconnects(1, profile("reconnect-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    reconnects(1, profile("reconnect-failure", &[&[S]], budget(1, 0, 0, 1, 0))),
    damaged(profile("damaged", &[&[S]], budget(0, 0, 0, 1, 0))),
    damaged(profile("damaged-two", &[&[S, S]], budget(0, 0, 0, 1, 0))),
    damaged(profile("damaged-steps", &[&[S], &[S]], budget(0, 0, 0, 1, 0))),
    with(Protocol::Answering, damaged(profile("damaged-answering", &[&[S]], budget(0, 0, 0, 1, 0)))),
    damaged(profile("damaged-reload", &[&[S]], budget(0, 1, 0, 1, 0))),
    reconnects(1, profile("reconnect-stray", &[&[S]], budget(0, 0, 1, 1, 0))),
    with(Protocol::Answering, profile("answering-two", &[&[S, B]], budget(0, 0, 0, 1, 0))),
    named(Names::Repeated, profile("repeated-messages", &[&[S], &[S]], budget(0, 0, 0, 2, 0))),
    rewritten(profile("rewritten-two", &[&[S, S]], budget(0, 0, 0, 2, 0))),
    named(Names::CallIds, profile("call-ids-reload", &[&[S], &[S]], budget(0, 1, 0, 1, 0))),
    profile("two-reload", &[&[S, S]], budget(0, 1, 0, 1, 0)),
    profile("one-messages", &[&[S]], budget(1, 0, 0, 2, 0)),
    with(Protocol::Answering, profile("answering-failure", &[&[S]], budget(1, 0, 0, 2, 0))),
    labelled(reconnects(1, profile("reconnect-two", &[&[S, S]], budget(0, 0, 0, 1, 0)))),
    profile("three", &[&[S, S, S]], budget(0, 0, 0, 1, 0)),
    with_extras(profile("kinds-of-events", &[&[B]], budget(1, 0, 0, 1, 0))),
    named(Names::RepeatedApprovals, profile("repeated-approvals-failure", &[&[S], &[S]], budget(1, 0, 0, 1, 0))),
    profile("two-two", &[&[S, S], &[S, S]], budget(0, 0, 0, 1, 0)),
    profile("kinds", &[&[S, B, P]], budget(0, 0, 0, 1, 0)),
    profile("two-failure", &[&[S, S]], budget(1, 0, 0, 1, 0)),
    labelled(profile("labelled-two", &[&[S, S]], budget(1, 0, 0, 1, 0))),
    named(Names::Twins, profile("twins-failure", &[&[S, S]], budget(1, 0, 0, 1, 0))),
    named(Names::CallIds, profile("call-ids-stray", &[&[S], &[S]], budget(0, 0, 1, 1, 0))),
    named(Names::Twins, profile("twins-stray", &[&[S, S]], budget(0, 0, 1, 1, 0))),
    labelled(reconnects(2, profile("two-reconnects", &[&[S]], budget(0, 0, 0, 1, 0)))),
    reconnects(1, profile("combined", &[&[S]], budget(1, 1, 0, 1, 0))),
    acting(with(Protocol::Answering, profile("acting-stray", &[&[S]], budget(0, 0, 1, 1, 0)))),
];

//! A case: a chat, and the steps that are performed on it.

use crate::chat::Chat;
use crate::histories::history;
use crate::perform::perform;
use crate::rng::Rng;
use crate::snapshots::{after, damaged};
use crate::steps::{reading, step};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use toolgate::machine::{OnDeny, OnUserMessage};

/// The largest number of steps in a case of the machine.
const STEPS: usize = 48;

/// The part of the crate that is fuzzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The machine, with all inputs, valid or damaged.
    Machine,
    /// The reader of the AI SDK's stream: long streams of damaged events.
    Reader,
    /// `load`: damaged histories.
    Load,
    /// `restore`: damaged snapshots with a valid checksum.
    Restore,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 4] = [Target::Machine, Target::Reader, Target::Load, Target::Restore];

    /// The target's name for `./pkg-scripts/fuzz`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Machine => "machine",
            Target::Reader => "reader",
            Target::Load => "load",
            Target::Restore => "restore",
        }
    }

    /// What is counted as an input in a run of this target.
    pub fn inputs(self) -> &'static str {
        match self {
            Target::Machine => "steps",
            Target::Reader => "events",
            Target::Load => "histories",
            Target::Restore => "snapshots",
        }
    }
}

/// Stores the position of each panic instead of printing its message: a run reports its failure once, at its end.
pub fn quietly() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        LAST.with(|last| *last.borrow_mut() = place);
    }));
}

thread_local! {
    /// The position of the last panic.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The first step of a case: its options, and whether every state is checked completely.
fn options(rng: &mut Rng, closely: bool) -> Json {
    let timeout = rng.once_in(3).then_some(100);
    // Sums of the bits of `ProtocolTrait`.
    let protocol = *rng.pick(&[0, 128, 128, 256, 384, 2, 4, 6, 5, 133, 7, 13, 19, 34, 51, 130]);
    let (on_user_message, on_deny) = (rng.pick(OnUserMessage::ALL).as_str(), rng.pick(OnDeny::ALL).as_str());
    json!(["options", on_user_message, on_deny, timeout, rng.once_in(6), protocol, closely])
}

/// The same case, in which every state is checked completely.
pub fn watched_closely(steps: &[Json]) -> Vec<Json> {
    let mut steps = steps.to_vec();
    if let Some(Json::Array(options)) = steps.first_mut() {
        options.truncate(6);
    }
    steps
}

/// A chat with the options of a case's first step.
fn chat_of(step: &Json) -> Chat {
    let on_user_message = OnUserMessage::ALL.iter().find(|policy| step[1] == policy.as_str()).copied();
    let mut chat = Chat::with(on_user_message.unwrap_or_default(), &["locate"]);
    chat.set_options(|options| {
        options.on_deny = OnDeny::ALL.iter().find(|policy| step[2] == policy.as_str()).copied().unwrap_or_default();
        options.approval_timeout = step[3].as_u64();
        options.rewrites = step[4].as_bool().unwrap_or_default();
        options.set_traits(step[5].as_u64().and_then(|traits| u32::try_from(traits).ok()).unwrap_or_default());
    });
    chat.closely = step[6].as_bool().unwrap_or(true);
    chat
}

/// Runs `run`, and returns the message and position of its panic, if it panics.
fn caught(run: impl FnOnce()) -> Result<(), String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|wrong| {
        let text = wrong.downcast_ref::<String>().cloned();
        let text = text.or_else(|| wrong.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("{}: {}", LAST.with(|last| last.borrow().clone()), text.unwrap_or_default())
    })
}

/// The number of checked inputs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// The number of steps, events, histories or snapshots: see [`Target::inputs`].
    pub inputs: u64,
    /// The number of inputs after which the whole state was checked.
    pub whole: u64,
    /// The number of cases.
    pub cases: u64,
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: Counts) {
        self.inputs += other.inputs;
        self.whole += other.whole;
        self.cases += other.cases;
    }
}

/// A random case: its steps so far, the counts of its checks, and the failure of the last step.
pub struct Case {
    /// The steps. The first one has the chat's options.
    pub steps: Vec<Json>,
    /// The counts of the checks.
    pub counts: Counts,
    /// The failure, if there was one.
    pub wrong: Option<String>,
}

/// The largest number of steps before damaged histories and snapshots.
const SCENE: usize = 12;
/// How many damaged histories or snapshots are tried after these steps.
const DAMAGED: usize = 60;
/// The largest number of events in a stream.
const EVENTS: usize = 120;
/// In one of this many cases of the machine, the whole state is checked after every step; in the others, only at the
/// end.
const CLOSELY: u64 = 8;

/// A running case.
struct Running {
    steps: Vec<Json>,
    counts: Counts,
}

impl Running {
    fn happen(&mut self, chat: &mut Chat, next: Json) {
        self.steps.push(next);
        if let Some(next) = self.steps.last() {
            perform(chat, next);
        }
    }

    fn count(&mut self, whole: bool) {
        self.counts.inputs += 1;
        self.counts.whole += u64::from(whole);
    }
}

/// A random case of a target. `number`: its number within a run.
pub fn random(target: Target, seed: u64, number: u64) -> Case {
    let mut rng = Rng::new(seed);
    let closely = target == Target::Machine && number.is_multiple_of(CLOSELY);
    let options = options(&mut rng, closely);
    let mut running = Running { steps: vec![options], counts: Counts { cases: 1, ..Counts::default() } };
    let wrong = caught(|| run(target, &mut rng, &mut running)).err();
    Case { steps: running.steps, counts: running.counts, wrong }
}

fn run(target: Target, rng: &mut Rng, running: &mut Running) {
    let mut chat = chat_of(&running.steps[0]);
    match target {
        Target::Machine => {
            for _ in 0..=rng.below(STEPS) {
                let next = step(rng, &chat);
                running.count(chat.closely);
                running.happen(&mut chat, next);
            }
            if !chat.closely {
                running.counts.whole += 1;
                running.happen(&mut chat, json!(["judged"]));
            }
        }
        Target::Reader => {
            for _ in 0..=rng.below(EVENTS) {
                let next = reading(rng, &chat);
                if next[0] == "read" {
                    running.count(false);
                }
                running.happen(&mut chat, next);
            }
            running.counts.whole += 1;
            running.happen(&mut chat, json!(["looked-at"]));
        }
        Target::Load | Target::Restore => {
            for _ in 0..rng.below(SCENE) {
                let next = step(rng, &chat);
                running.happen(&mut chat, next);
            }
            let saved = chat.saved_lists();
            for _ in 0..DAMAGED {
                let whole = target == Target::Restore || rng.once_in(30);
                let next = match target {
                    Target::Load => json!(["repair", history(rng, &chat), whole]),
                    _ => json!(["revive", damaged(rng, &saved), after(rng, &chat)]),
                };
                running.count(whole);
                running.happen(&mut chat, next);
                // The step ran in a chat of its own, so later steps can be replayed without it.
                running.steps.pop();
            }
        }
    }
}

/// Runs a case from its JSON.
///
/// # Errors
/// The failure, if the case breaks a rule.
pub fn replay(steps: &[Json]) -> Result<(), String> {
    let Some((options, steps)) = steps.split_first() else { return Ok(()) };
    caught(|| {
        let mut chat = chat_of(options);
        steps.iter().for_each(|step| perform(&mut chat, step));
    })
}

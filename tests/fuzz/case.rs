//! One case: a chat, and what happens in it.

use crate::chat::Chat;
use crate::rng::Rng;
use crate::steps::{perform, step};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use toolgate::machine::{OnDeny, OnUserMessage};

/// The longest case.
const STEPS: usize = 48;

const POLICIES: [(&str, OnUserMessage); 4] = [
    ("deny-pending", OnUserMessage::DenyPending),
    ("cancel-pending", OnUserMessage::CancelPending),
    ("queue", OnUserMessage::Queue),
    ("block", OnUserMessage::Block),
];

/// Failures are told once, at the end.
pub fn quietly() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        LAST.with(|last| *last.borrow_mut() = place);
    }));
}

thread_local! {
    /// Where the last panic was.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

const ON_DENY: [(&str, OnDeny); 4] = [
    ("continue", OnDeny::Continue),
    ("skip-rest", OnDeny::SkipRest),
    ("end-turn", OnDeny::EndTurn),
    ("by-reason", OnDeny::ByReason),
];

/// The first step of a case: its options.
fn options(rng: &mut Rng) -> Json {
    let timeout = rng.once_in(3).then_some(100);
    // What the protocol does, in the bits that `src/wasm/mod.rs` is told.
    let protocol = *rng.pick(&[0, 0, 0, 2, 4, 6, 5, 5, 7, 13]);
    json!(["options", rng.pick(&POLICIES).0, rng.pick(&ON_DENY).0, timeout, rng.once_in(6), protocol])
}

/// A chat with the options of a case's first step.
fn chat_of(step: &Json) -> Chat {
    let named = POLICIES.iter().find(|(word, _)| step[1] == *word);
    let mut chat = Chat::with(named.map_or(OnUserMessage::DenyPending, |(_, policy)| *policy), &["locate"]);
    chat.set_options(|options| {
        options.on_deny = ON_DENY.iter().find(|(word, _)| step[2] == *word).map_or(OnDeny::Continue, |(_, is)| *is);
        options.approval_timeout = step[3].as_u64();
        options.rewrites = step[4].as_bool().unwrap_or_default();
        let protocol = step[5].as_u64().unwrap_or_default();
        options.answering = protocol & 1 > 0;
        options.answers_first = protocol & 2 > 0;
        options.cancel_answers = protocol & 4 > 0;
        options.outputs_approve = protocol & 8 > 0;
    });
    chat
}

/// Runs; what went wrong, if something did, with its place.
fn caught(run: impl FnOnce()) -> Result<(), String> {
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|wrong| {
        let text = wrong.downcast_ref::<String>().cloned();
        let text = text.or_else(|| wrong.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("{}: {}", LAST.with(|last| last.borrow().clone()), text.unwrap_or_default())
    })
}

/// A random case: its steps so far, and what the last one broke.
pub fn random(seed: u64) -> (Vec<Json>, Option<String>) {
    let mut rng = Rng::new(seed);
    let options = options(&mut rng);
    let steps = Rc::new(RefCell::new(vec![options.clone()]));
    let written = Rc::clone(&steps);
    let result = caught(move || {
        let mut chat = chat_of(&options);
        for _ in 0..=rng.below(STEPS) {
            let next = step(&mut rng, &chat);
            written.borrow_mut().push(next.clone());
            perform(&mut chat, &next);
        }
    });
    let steps = steps.borrow().clone();
    (steps, result.err())
}

/// Runs a case that was written down.
///
/// # Errors
/// What it breaks.
pub fn replay(steps: &Json) -> Result<(), String> {
    let steps = steps.as_array().cloned().unwrap_or_default();
    let Some((options, steps)) = steps.split_first() else { return Ok(()) };
    caught(|| {
        let mut chat = chat_of(options);
        steps.iter().for_each(|step| perform(&mut chat, step));
    })
}

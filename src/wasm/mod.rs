//! The boundary to JavaScript: it converts and hands on, and takes no decision.
//!
//! [`Core`] is what `src/ts/gate-core.ts` runs for the public `ToolGate`. Whoever is refused gets a number that says so, and
//! the refusal itself by `take_refusal`. What is thrown means that the core has failed and must not be used again.

// The macros of wasm-bindgen write items without documentation.
#![allow(missing_docs, clippy::must_use_candidate)]

mod acts;
mod delivery;
mod entry;
mod events;
mod host;
mod memory;
mod view;

use host::Host;
use wasm_bindgen::prelude::*;

use crate::prelude::*;

use crate::machine::{About, Id, Machine, OnDeny, OnUserMessage, Options, Payload, Refusal};
use crate::wire::ai_sdk::AiSdk;
use crate::wire::snapshot::{self, Lists};
use crate::wire::{Texts, Values, time};

/// What a method returns when it was refused: `take_refusal` says why.
const REFUSED: i32 = -1;

/// One chat's machine, codec and values. A value is given and returned as its place in the host's tables.
#[wasm_bindgen]
pub struct Core {
    machine: Machine,
    codec: AiSdk,
    host: Host,
    texts: Texts,
    unnamed: Id,
    refusal: Option<Refusal>,
}

#[wasm_bindgen]
impl Core {
    /// A core. `browser_tools`: an array of names; `runs_all`: it is all of them. `protocol`: 1 if it is
    /// an answering one, and 2 if answers go first, and 4 if it is told what is cancelled,
    /// and 8 if an output says that its call was approved. `texts`: the first of eight kept values, one behind
    /// the other: cancelled, interrupted, may have run, incomplete, moved on, superseded, skipped, expired.
    /// `unnamed`: the id that stands for one which the backend did not give, until the host does.
    /// `approval_timeout`: in milliseconds, 0 for none. `rewrites`: the host rewrites results.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)] // an object would cost more than its numbers
    pub fn new(
        on_user_message: u32,
        on_deny: u32,
        approval_timeout: f64,
        rewrites: bool,
        browser_tools: u32,
        runs_all: bool,
        protocol: u32,
        texts: u32,
        unnamed: u32,
    ) -> Core {
        let host = Host;
        let text = |place| Payload(texts + place);
        let own = Texts { cancelled: text(0), interrupted: text(1), may_have_run: text(2), incomplete: text(3) };
        let options = Options {
            on_user_message: match on_user_message {
                1 => OnUserMessage::CancelPending,
                2 => OnUserMessage::Queue,
                3 => OnUserMessage::Block,
                _ => OnUserMessage::DenyPending,
            },
            on_deny: match on_deny {
                1 => OnDeny::SkipRest,
                2 => OnDeny::EndTurn,
                3 => OnDeny::ByReason,
                _ => OnDeny::Continue,
            },
            approval_timeout: time(approval_timeout),
            rewrites,
            browser_tools: read_ids(&host, browser_tools),
            runs_all,
            answering: protocol & 1 > 0,
            answers_first: protocol & 2 > 0,
            replies_to_denials: protocol & 16 > 0,
            cancel_answers: protocol & 4 > 0,
            outputs_approve: protocol & 8 > 0,
            moved_on: text(4),
            superseded: text(5),
            skipped: text(6),
            expired: text(7),
        };
        let machine = Machine::new(options);
        Core { machine, codec: AiSdk::default(), host, texts: own, unnamed: Id::at(unnamed), refusal: None }
    }
}

impl Core {
    /// Tells the time, in milliseconds.
    pub fn set_now(&mut self, now: f64) {
        self.machine.set_now(now as u64);
    }

    /// Why the last call was refused.
    pub fn take_refusal(&mut self) -> u32 {
        let refusal = self.refusal.take();
        refusal.map_or(0, |refusal| events::refusal(&self.host, &refusal).0)
    }

    /// Writes the state into two arrays.
    pub fn save(&self, numbers: u32, values: u32) {
        snapshot::save(&self.host, &self.machine, lists(numbers, values));
    }

    /// Takes a state that `save` of this version or an earlier one wrote; the host knows `ids` ids. `live`: 0 to go on with it, else to show what
    /// another page goes on with, 2 if something of its reply can be seen. `false` if the state is damaged: then
    /// nothing changed.
    pub fn restore(&mut self, numbers: u32, values: u32, version: u32, ids: u32, live: u32) -> bool {
        let options = self.machine.options().clone();
        let live = live.checked_sub(1).map(|shown| shown > 0);
        let lists = lists(numbers, values);
        let Some(machine) = snapshot::take_over(&self.host, lists, version, ids, options, live) else {
            return false;
        };
        self.machine = machine;
        self.codec = AiSdk::default();
        true
    }

    /// The places of all values that are still in use: an array.
    pub fn live(&self) -> u32 {
        let list = Values::array(&self.host);
        let mut add = |payload: Payload| Values::push_number(&self.host, list, payload.0.into());
        self.texts.all().into_iter().for_each(&mut add);
        self.machine.payloads(&mut add);
        list.0
    }

    fn check(&mut self, result: Result<bool, Refusal>) -> i32 {
        match result {
            Ok(yes) => yes.into(),
            Err(refusal) => {
                self.refusal = Some(refusal);
                REFUSED
            }
        }
    }
}

/// The ids in an array of texts.
fn read_ids<V: Values>(values: &V, list: u32) -> Vec<Id> {
    (0..values.len(Payload(list))).filter_map(|place| values.as_id(values.at(Payload(list), place))).collect()
}

fn lists(numbers: u32, values: u32) -> Lists {
    Lists { numbers: Payload(numbers), values: Payload(values) }
}

fn about(request: u32, attempt: u32) -> About {
    About { request: (request > 0).then_some(request), attempt: (attempt > 0).then_some(attempt) }
}

//! The boundary to JavaScript: it converts values and delegates, and makes no decisions.
//!
//! [`Core`] is what `src/ts/gate/gate-core.ts` runs for the public `ToolGate`. A refused method returns `REFUSED`, and
//! `take_refusal` then returns the refusal. An exception means that the core has failed and must not be used again.

// wasm-bindgen's macros generate undocumented items.
#![allow(missing_docs, clippy::must_use_candidate)]

mod commands;
mod delivery;
mod entry;
mod events;
mod host;
mod interface;
mod record;
mod remembered;
mod view;

use host::Host;
use record::Record;
use wasm_bindgen::prelude::*;

use crate::prelude::*;
use core::ops::Range;

use crate::machine::{About, Id, Machine, OnDeny, OnUserMessage, Options, PageTools, Payload, Reconnect, Refusal};
use crate::wire::ai_sdk::AiSdk;
use crate::wire::snapshot::{self, Lists};
use crate::wire::{Text, Texts, Values, time};

/// Returned by a method that was refused. `take_refusal` has the reason.
const REFUSED: i32 = -1;

/// The machine, codec and values of one chat. Values are passed and returned as indices into the host's tables.
#[wasm_bindgen]
pub struct Core {
    machine: Machine,
    codec: AiSdk,
    host: Host,
    texts: Texts,
    unnamed: Id,
    refusal: Option<Refusal>,
    record: Record,
    status: Box<[u32; 2]>,
    /// The index of the history that `load` reads next: numbers that JavaScript writes after `make_room`.
    index: Vec<u32>,
    /// The values that are indexed messages of the last loaded history. The view shows such a value itself as long as
    /// its message does not change.
    indexed: Range<u32>,
}

#[wasm_bindgen]
impl Core {
    /// Makes a core. `on_user_message`, `on_deny`: numbers of variants. `page_tools`: an array of tool names;
    /// `runs_all`: every tool runs in the page. `protocol`: the sum of the bits of `ProtocolTrait`. `texts`: the index
    /// of the first of ten consecutive retained values, in the order of `Text`. `unnamed`: the temporary id of a
    /// message that the backend did not name. `approval_timeout`: in milliseconds, 0 for none. `rewrites`: whether the
    /// host rewrites results.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)] // passing an object would make the wasm file larger
    pub fn new(
        on_user_message: u32,
        on_deny: u32,
        approval_timeout: f64,
        rewrites: bool,
        page_tools: u32,
        runs_all: bool,
        protocol: u32,
        texts: u32,
        unnamed: u32,
    ) -> Core {
        let host = Host;
        let text = |which: Text| Payload(texts + which as u32);
        let own = Texts {
            cancelled: text(Text::Cancelled),
            interrupted: text(Text::Interrupted),
            may_have_run: text(Text::MayHaveRun),
            incomplete: text(Text::Incomplete),
            denied: text(Text::Denied),
        };
        let mut options = Options {
            on_user_message: OnUserMessage::ALL.get(on_user_message as usize).copied().unwrap_or_default(),
            on_deny: OnDeny::ALL.get(on_deny as usize).copied().unwrap_or_default(),
            approval_timeout: time(approval_timeout),
            rewrites,
            page_tools: PageTools { names: read_ids(&host, page_tools), all: runs_all, ..PageTools::default() },
            moved_on: text(Text::MovedOn),
            superseded: text(Text::Superseded),
            unsent: text(Text::Unsent),
            skipped: text(Text::Skipped),
            expired: text(Text::Expired),
            ..Options::default()
        };
        options.set_traits(protocol);
        Core {
            machine: Machine::new(options),
            codec: AiSdk::default(),
            host,
            texts: own,
            unnamed: Id::at(unnamed),
            refusal: None,
            record: Record::default(),
            status: Box::default(),
            index: Vec::new(),
            indexed: 0..0,
        }
    }
}

impl Core {
    /// Where JavaScript finds the status: an index into the memory as an array of 32-bit numbers, as for
    /// `Record::place`. Every call updates the status. It has the revision, which increases with every change, and
    /// bits: 1 if there are events, 2 if a submission is ready to be sent.
    pub fn status_place(&self) -> u32 {
        self.status.as_ptr() as u32 / 4
    }

    fn update_status(&mut self) {
        let ready = self.machine.outbox().ready_submission().is_some();
        *self.status = [self.machine.revision(), u32::from(self.machine.has_events()) | u32::from(ready) << 1];
    }

    /// Returns the refusal of the last refused call, and forgets it; 0 if there is none.
    pub fn take_refusal(&mut self) -> u32 {
        let refusal = self.refusal.take();
        refusal.map_or(0, |refusal| events::refusal(&self.host, &refusal).0)
    }

    /// Writes the state into three arrays.
    pub fn save(&mut self, numbers: u32, ids: u32, values: u32) {
        snapshot::save(&self.host, &mut self.machine, lists(numbers, ids, values));
    }

    /// Writes what changed after `since`, a result of `change_clock`, into three arrays.
    pub fn save_changes(&mut self, since: u32, numbers: u32, ids: u32, values: u32) {
        snapshot::save_changes(&self.host, &mut self.machine, lists(numbers, ids, values), since);
    }

    /// A counter that increases with each change to a message, for `save_changes`.
    pub fn change_clock(&self) -> u32 {
        self.machine.change_clock()
    }

    /// Applies changes that `save_changes` wrote to the state that `follow` read. Returns whether they are valid;
    /// otherwise this core must not be used any more.
    pub fn follow_changes(&mut self, numbers: u32, ids: u32, values: u32) -> bool {
        snapshot::follow_changes(&self.host, &mut self.machine, lists(numbers, ids, values))
    }

    /// Whether the state with all changes is one that a chat can have.
    pub fn is_sound(&self) -> bool {
        self.machine.is_sound()
    }

    /// Continues from the state that `follow` read: what was in flight is unconfirmed.
    pub fn lead(&mut self) {
        self.machine.lead();
    }

    /// Reads a state that `save` wrote, to show it. Returns `false` and changes nothing if the state is invalid. To
    /// continue from it, call `lead` next.
    pub fn follow(&mut self, numbers: u32, ids: u32, values: u32) -> bool {
        let options = self.machine.options().clone();
        let Some(machine) = snapshot::restore(&self.host, lists(numbers, ids, values), options, true) else {
            return false;
        };
        self.machine = machine;
        self.codec = AiSdk::default();
        self.indexed = 0..0;
        true
    }

    /// The indices of all values in use, as a list.
    pub fn live(&mut self) -> u32 {
        let Self { machine, texts, record, .. } = self;
        let list = record.begin().begin_list();
        let mut add = |payload: Payload| record.add(payload.0);
        texts.all().into_iter().for_each(&mut add);
        machine.payloads(&mut add);
        record.end_list(list);
        record.place()
    }

    /// The places of all ids in use, as a list.
    pub fn live_ids(&mut self) -> u32 {
        let Self { machine, codec, unnamed, record, .. } = self;
        let list = record.begin().begin_list();
        let mut add = |id: Id| record.add(id.place());
        add(*unnamed);
        codec.ids(&mut add);
        machine.ids(&mut add);
        record.end_list(list);
        record.place()
    }

    fn check(&mut self, result: Result<bool, Refusal>) -> i32 {
        result.map_or_else(|refusal| self.refuse(refusal), i32::from)
    }

    /// As `check`, for a command without a result.
    fn done(&mut self, result: Result<(), Refusal>) -> i32 {
        result.map_or_else(|refusal| self.refuse(refusal), |()| 1)
    }

    fn refuse(&mut self, refusal: Refusal) -> i32 {
        self.refusal = Some(refusal);
        REFUSED
    }
}

/// The ids in an array of texts.
fn read_ids<V: Values>(values: &V, list: u32) -> Vec<Id> {
    (0..values.len(Payload(list))).filter_map(|place| values.as_id(values.at(Payload(list), place))).listed()
}

fn lists(numbers: u32, ids: u32, values: u32) -> Lists {
    Lists { numbers: Payload(numbers), ids: Payload(ids), values: Payload(values) }
}

/// Builds the description of the request that an event answers; 0 means that the host does not say. `reconnect`: 1 if
/// the stream restarts at the beginning of the reply, 2 if it continues where it was cut.
fn about(request: u32, attempt: u32, reconnect: u32) -> About {
    let reconnect = match reconnect {
        1 => Some(Reconnect::Start),
        2 => Some(Reconnect::Offset),
        _ => None,
    };
    About { request: (request > 0).then_some(request), attempt: (attempt > 0).then_some(attempt), reconnect }
}

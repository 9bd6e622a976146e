//! The invariants that need a codec, because they concern assembled, sent and stored messages and loading them.
//!
//! The real codecs write and read each conversation once. A history or a snapshot depends only on a part of the state,
//! so most states need no new check. The checks are those of the other native tests (tests/host/invariants.rs): 3, 8,
//! 13 and 14. And 10: the snapshot's codec restores what it saved.

use crate::chat::Chat;
use crate::rules::{Broken, Holds, holds};
use crate::scene::Scene;
use crate::symmetry::number;
use crate::world::World;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use toolgate::json::Store;
use toolgate::machine::{Exchange, Machine, Message, Part};
use toolgate::wire::snapshot::{self, Lists};

/// Checks conversations, and remembers which were checked.
pub struct Judge {
    chat: Chat,
    /// The values and ids before any check. A check keeps more, which no other one needs.
    start: Store,
    histories: HashSet<u64>,
    saved: HashSet<u64>,
}

impl Judge {
    /// A checker for this scene.
    pub fn new(scene: &Scene) -> Judge {
        let (_, chat) = Scene::new(scene.profile);
        Judge { start: chat.store.clone(), chat, histories: HashSet::new(), saved: HashSet::new() }
    }

    /// How many conversations were written and read.
    pub fn judged(&self) -> usize {
        self.histories.len()
    }

    /// Checks one state.
    pub fn check(&mut self, world: &World) -> Holds {
        let machine = &world.machine;
        let active = machine.outbox().active().is_some();
        let sendable =
            machine.outgoing().find(|item| !item.is_aside()).map(|item| (item.body.is_some(), item.kind as u8));
        let texts = machine.transcript().messages().iter().map(|message| history_of(machine, message));
        let texts = texts.collect::<Vec<_>>();
        let idle = *machine.exchange() == Exchange::Idle;
        if self.histories.insert(number((&texts, active, sendable, idle))) {
            self.chat.machine = machine.clone();
            let chat = &self.chat;
            let judged = catch_unwind(AssertUnwindSafe(|| crate::invariants::check(chat)));
            self.chat.store = self.start.clone();
            judged.map_err(|panic| broken(&*panic))?;
        }
        self.snapshot(machine)
    }

    /// 10: the snapshot's codec reads what it wrote. A part of a snapshot that was read correctly once is not checked
    /// again.
    fn snapshot(&mut self, machine: &Machine) -> Holds {
        let messages = machine.transcript().messages().iter().map(|message| number((1u8, saved_message(message))));
        let queue = machine.queue().messages().iter();
        let queue = queue.map(|queued| number((2u8, saved_message(&queued.message), queued.replaces, queued.is_sent)));
        let items = machine.outbox().items().iter().map(|item| number((3u8, format!("{item:?}"))));
        let approvals = machine.transcript().approvals().map(|approval| number((4u8, approval)));
        let rest = [number((5u8, machine.turn())), number((6u8, machine.exchange()))];
        let new = messages.chain(queue).chain(items).chain(approvals).chain(rest);
        // `insert` must be called for all hashes, so the loop does not stop at the first new one.
        let new = new.filter(|&part| self.saved.insert(part)).count();
        if new == 0 {
            return Ok(());
        }
        let read = snapshot::restore(&self.chat.store, self.lists(machine), machine.options().clone(), true);
        let read = read.map_or(Json::Null, |read| self.json(&read));
        let written = self.json(machine);
        self.chat.store = self.start.clone();
        holds(10, read == written, || {
            format!("a snapshot differs from the saved state: expected\n{written}\nand read\n{read}")
        })
    }

    fn lists(&self, machine: &Machine) -> Lists {
        let list = || self.chat.store.json_value(json!([]));
        let lists = Lists { numbers: list(), ids: list(), values: list() };
        snapshot::save(&self.chat.store, &mut machine.clone(), lists);
        lists
    }

    fn json(&self, machine: &Machine) -> Json {
        let lists = self.lists(machine);
        json!([lists.numbers, lists.ids, lists.values].map(|list| self.chat.store.to_json(list)))
    }
}

/// A hash of what an assembled history depends on, which excludes the delivery of decisions.
fn history_of(machine: &Machine, message: &Message) -> u64 {
    let parts = message.parts.iter().map(|part| match part {
        Part::Tool(tool) => {
            let mut mix = crate::symmetry::Mix::default();
            tool.hash_without_names(&|_| 0, &mut mix);
            let is_open = tool.approval.as_ref().map(|asked| machine.transcript().approval(asked.id));
            let is_abandoned = machine.is_abandoned(tool.key());
            number((1u8, std::hash::Hasher::finish(&mix), tool.call, is_open, is_abandoned))
        }
        Part::Content { kind, value } => number((2u8, kind, value)),
        Part::StepStart => 3,
    });
    number((message.role.as_str(), parts.collect::<Vec<_>>()))
}

fn saved_message(message: &Message) -> u64 {
    let parts = message.parts.iter().map(|part| match part {
        Part::Tool(tool) => number((1u8, tool)),
        Part::Content { kind, value } => number((2u8, kind, value)),
        Part::StepStart => 3,
    });
    number((message.id, message.role.as_str(), message.fields, message.passed, parts.collect::<Vec<_>>()))
}

/// Converts the panic of a check in tests/host, whose message contains the number of the invariant, to an error.
fn broken(panic: &(dyn std::any::Any + Send)) -> Broken {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default();
    let (number, what) =
        text.strip_prefix("invariant ").and_then(|rest| rest.split_once(": ")).unwrap_or(("11", &text));
    Broken { invariant: number.parse().unwrap_or(11), what: what.to_owned() }
}

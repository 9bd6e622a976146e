//! The machine's whole state as plain data, for snapshots.

use super::delivery::Item;
use super::machine::Machine;
use super::reply::{PastReply, Reply};
use super::user::Queued;
use super::{DeliveryState, Ending, Holder, Id, Memory, Message, Options, Rule, Transcript, Turn};
use crate::prelude::*;

/// A reply that ended, or was coming in when the snapshot was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedReply {
    /// The item it answers.
    pub item: Option<u32>,
    /// The message it wrote.
    pub message: Option<usize>,
    /// How many parts the message had before.
    pub base: usize,
    /// How it ended; none if it had not.
    pub ending: Option<Ending>,
}

/// Everything that a machine knows, but its options.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// The transcript.
    pub messages: Vec<Message>,
    /// Every approval that was asked for, in the order of their ids.
    pub approvals: Vec<(Id, Holder)>,
    /// The outgoing items.
    pub items: Vec<Item>,
    /// The number of the next item.
    pub next_item: u32,
    /// Messages that wait, and whether each replaces one.
    pub queue: Vec<(Message, bool)>,
    /// The turn.
    pub turn: Turn,
    /// Decisions are held.
    pub hold: bool,
    /// Denials are left for the next message.
    pub left: bool,
    /// What a denial has made of the last step.
    pub rule: Option<Rule>,
    /// The remembered decisions.
    pub memories: Vec<Memory>,
    /// The number of the latest one.
    pub last_memory: u32,
    /// How many approvals of the turn are decided.
    pub decided: u32,
    /// The last reply.
    pub reply: Option<SavedReply>,
}

impl Machine {
    /// The outgoing items, finished ones too.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The number of the next item.
    #[must_use]
    pub fn next_item(&self) -> u32 {
        self.next_item
    }

    /// The messages that wait, and whether each replaces one.
    pub fn queue(&self) -> impl ExactSizeIterator<Item = (&Message, bool)> {
        self.queue.iter().map(|queued| (&queued.message, queued.replaces))
    }

    /// Whether decisions are held.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        self.hold
    }

    /// Whether denials are left for the next message.
    #[must_use]
    pub fn is_leaving_denials(&self) -> bool {
        self.left
    }

    /// The reply that is coming in, or the last one that ended, as long as it may be told again.
    #[must_use]
    pub fn last_reply(&self) -> Option<SavedReply> {
        match (&self.reply, &self.past) {
            (Some(open), _) => {
                Some(SavedReply { item: open.item, message: open.message, base: open.base, ending: None })
            }
            // Nobody tells a reply again that ended well, once something else was asked.
            (None, Some(past)) if past.ending.completes_step() && past.next_item != self.next_item => None,
            (None, Some(past)) => {
                Some(SavedReply { item: past.item, message: past.message, base: past.base, ending: Some(past.ending) })
            }
            (None, None) => None,
        }
    }

    /// A machine that goes on from there. What was on its way is unconfirmed: it may have arrived, so
    /// it never leaves again by itself. A reply that was coming in counts as disconnected.
    #[must_use]
    pub fn restore(saved: Saved, options: Options) -> Machine {
        Machine::take_over(saved, options, None)
    }

    /// As [`Self::restore`]. With `live`, a machine that shows what another one has, which goes on with it: what is
    /// on its way there is on its way here, and a reply is open. `live` says whether something of the reply can be
    /// seen. Such a machine must not be fed: it does not know how far the reply has come.
    #[must_use]
    pub fn take_over(saved: Saved, options: Options, live: Option<bool>) -> Machine {
        let mut machine = Machine::new(options);
        let mut transcript = Transcript::default();
        for message in saved.messages {
            transcript.push_message(message);
        }
        for (id, holder) in saved.approvals {
            transcript.set_approval(id, holder);
        }
        machine.transcript = transcript;
        machine.items = saved.items;
        machine.next_item = saved.next_item.max(1);
        machine.queue = saved.queue.into_iter().map(|(message, replaces)| Queued { message, replaces }).collect();
        machine.queue_revision = u32::from(!machine.queue.is_empty());
        machine.turn = saved.turn;
        machine.hold = saved.hold;
        machine.left = saved.left;
        machine.rule = saved.rule;
        machine.memories = saved.memories;
        machine.last_memory = saved.last_memory;
        machine.decided = saved.decided;
        machine.recount();
        let open = saved.reply.filter(|reply| reply.ending.is_none());
        if let Some(shown) = live {
            machine.reply = open.map(|open| Reply {
                item: open.item,
                attempt: open.item.and_then(|id| machine.item(id)).map_or(1, |item| item.attempt),
                message: open.message,
                base: open.base,
                content: shown,
                shown,
                ..Reply::default()
            });
            machine.take_events();
            return machine;
        }
        machine.past = saved.reply.map(|reply| PastReply {
            item: reply.item,
            message: reply.message,
            base: reply.base,
            ending: reply.ending.unwrap_or(Ending::Disconnected),
            next_item: machine.next_item,
        });
        let lost = machine.items_that(&Item::is_under_way);
        // An answer that is lost says nothing of the turn.
        let cut = open.is_some() || machine.active().is_some_and(Item::is_under_way);
        for id in lost {
            if let Some(item) = machine.item_mut(id) {
                item.ended = true;
            }
            machine.move_item(id, DeliveryState::Unconfirmed);
        }
        if cut {
            machine.turn.ending = Some(Ending::Disconnected);
            machine.hold_decisions();
        }
        machine.take_events();
        machine.ask_again();
        machine
    }
}

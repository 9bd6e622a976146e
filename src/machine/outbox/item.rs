//! One outgoing item.

use super::ItemState;
use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, counter, flag, key, list, option, variant};
use crate::machine::{CallKey, Id, Payload};
use crate::prelude::*;

enumerated! {
    /// Why the backend is asked.
    pub enum Kind {
        /// The decisions of a step, or what is cancelled of it.
        Step,
        /// The user's message, perhaps with denials.
        Message,
        /// The last answer is wanted again.
        Regenerate,
        /// One decision, or one output of the page: it is not answered by a reply of its own.
        Answer,
    }
}

/// What an item carries about one call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Carried {
    /// The call.
    pub call: CallKey,
    /// Its id, which finds it again in a loaded history.
    pub id: Id,
    /// The approval whose decision it carries, if it carries one.
    pub approval: Option<Id>,
    /// That decision approves.
    pub approved: bool,
    /// The request is cancelled instead.
    pub cancelled: bool,
    /// It carries the output that the page gave.
    pub output: bool,
}

/// A submission: the conversation, with the decisions of its last step or the user's next message. Or an answer: one
/// decision, or one output of the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its number. The host shows it as `Outgoing.id`.
    pub id: u32,
    /// How often it was tried, counting this time; from 1.
    pub attempt: u32,
    /// Why it is sent.
    pub kind: Kind,
    /// The message it continues or replaces, where the wire names it.
    pub message_id: Option<Id>,
    /// The message after which it was made.
    pub after: Option<Id>,
    /// The answer that it asks for anew.
    pub replaced: Option<Id>,
    /// The user's message that began its turn.
    pub turn: Option<Id>,
    /// What it carries, in call order.
    pub carried: Vec<Carried>,
    /// The user's messages that are sent with it.
    pub messages: Vec<Id>,
    /// What the host froze as its body when it was first claimed.
    pub body: Payload,
    /// Its idempotency key, frozen with the body.
    pub key: Payload,
    /// Why it failed, in the host's words.
    pub error: Payload,
    /// An answer whose backend goes on in a reply of its own.
    pub goes_on: bool,
    /// Sending it twice could answer a newer request.
    pub repeat_unsafe: bool,
    /// A user's message has counted as its retry once.
    pub repeated: bool,
    pub(super) state: ItemState,
    /// The first of `carried` that may still owe its result.
    pub(super) owes_from: usize,
}

impl Item {
    /// An item with nothing in it.
    pub(super) fn new(id: u32, kind: Kind) -> Self {
        Self {
            id,
            attempt: 1,
            kind,
            message_id: None,
            after: None,
            replaced: None,
            turn: None,
            carried: Vec::new(),
            messages: Vec::new(),
            body: Payload::NONE,
            key: Payload::NONE,
            error: Payload::NONE,
            goes_on: false,
            repeat_unsafe: false,
            repeated: false,
            state: ItemState::Ready,
            owes_from: 0,
        }
    }

    /// How far it got.
    #[must_use]
    pub fn state(&self) -> ItemState {
        self.state
    }

    /// Whether it is an answer.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.kind == Kind::Answer
    }

    /// Whether it is a submission that may be sent now, or whose reply is awaited or arriving.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.is_answer() && (self.state == ItemState::Ready || self.state.is_under_way())
    }

    /// What it carries about this call.
    #[must_use]
    pub fn carries(&self, call: CallKey) -> Option<&Carried> {
        let place = self.carried.binary_search_by_key(&call, |carried| carried.call).ok()?;
        self.carried.get(place)
    }

    /// The approvals whose decisions it carries, in call order.
    pub fn approvals(&self) -> impl Iterator<Item = Id> + '_ {
        self.carried.iter().filter_map(|carried| carried.approval)
    }

    /// Whether it approves something.
    #[must_use]
    pub fn approves(&self) -> bool {
        self.carried.iter().any(|carried| carried.approved)
    }

    /// Whether it carries outputs of the page.
    #[must_use]
    pub fn has_outputs(&self) -> bool {
        self.carried.iter().any(|carried| carried.output)
    }

    /// Whether it tells the backend that something is cancelled.
    #[must_use]
    pub fn cancels(&self) -> bool {
        self.carried.iter().any(|carried| carried.cancelled)
    }

    /// Whether the model must not be asked about the same twice: the user wants a new message.
    #[must_use]
    pub fn asks_anew(&self) -> bool {
        !self.messages.is_empty() || self.kind == Kind::Regenerate
    }

    /// Every value that it holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.body, self.key, self.error].into_iter().for_each(each);
    }

    /// Every id that it holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        [self.message_id, self.after, self.replaced, self.turn].into_iter().flatten().for_each(&mut *each);
        self.messages.iter().copied().for_each(&mut *each);
        for carried in &self.carried {
            each(carried.id);
            carried.approval.into_iter().for_each(&mut *each);
        }
    }

    /// Its fields, for saving and restoring.
    #[rustfmt::skip]
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            id, attempt, kind, message_id, after, replaced, turn, carried, messages, body, key: frozen, error, goes_on,
            repeat_unsafe, repeated, state, owes_from,
        } = self;
        *owes_from = 0;
        ledger.number(id);
        counter(ledger, attempt);
        variant(ledger, kind, Kind::ALL);
        variant(ledger, state, ItemState::ALL);
        for named in [message_id, after, replaced, turn] {
            option(ledger, named, Id::default, |ledger, id| ledger.id(id));
        }
        list(ledger, carried, || Carried {
            call: CallKey(0), id: Id::default(), approval: None, approved: false, cancelled: false, output: false,
        }, |ledger, carried| {
            let Carried { call, id, approval, approved, cancelled, output } = carried;
            key(ledger, call);
            ledger.id(id);
            option(ledger, approval, Id::default, |ledger, id| ledger.id(id));
            for value in [approved, cancelled, output] {
                flag(ledger, value);
            }
        });
        list(ledger, messages, Id::default, |ledger, id| ledger.id(id));
        for value in [body, frozen, error] {
            ledger.payload(value);
        }
        for value in [goes_on, repeat_unsafe, repeated] {
            flag(ledger, value);
        }
    }
}

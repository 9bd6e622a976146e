//! One outgoing item.

use super::ItemState;
use crate::machine::enumerated::enumerated;
use crate::machine::ledger::{Ledger, counter, flag, key, list, option, variant};
use crate::machine::reads::note_read;
use crate::machine::{CallKey, Id, Payload};
use crate::prelude::*;

enumerated! {
    /// Why an item is sent.
    pub enum Kind {
        /// To send the decisions of a step, or cancellations.
        Step,
        /// To send user messages, perhaps with denials.
        Message,
        /// To get the last reply again.
        Regenerate,
        /// To send one decision or one output of the page. It has no reply of its own.
        Answer,
        /// To send a user message while approvals stay pending. It has no reply of its own.
        PassedMessage,
    }
}

/// The contents of an item for one call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Carried {
    /// The call's key.
    pub call: CallKey,
    /// The call's id, to find the call in a loaded history.
    pub id: Id,
    /// The approval, if its decision is in the item.
    pub approval: Option<Id>,
    /// Whether the decision approves.
    pub approved: bool,
    /// Whether the approval is cancelled instead.
    pub cancelled: bool,
    /// Whether the output of the page is in the item.
    pub output: bool,
}

/// An outgoing item. A submission sends the conversation, with the decisions of its last step or with new user
/// messages. An answer sends one decision, or one output of the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its number, which the host shows as `Outgoing.id`.
    pub id: u32,
    /// The number of the current attempt, from 1.
    pub attempt: u32,
    /// Why it is sent.
    pub kind: Kind,
    /// The message that it continues or replaces, if the protocol names one.
    pub message_id: Option<Id>,
    /// The last message when the item was created.
    pub after: Option<Id>,
    /// The reply that a regeneration replaces.
    pub replaced: Option<Id>,
    /// The user message that began the turn.
    pub turn: Option<Id>,
    /// Its contents, in call order.
    pub carried: Vec<Carried>,
    /// The tool's name, if the answer is about a request that is not, or no longer, the one that its call shows.
    pub tool: Option<Id>,
    /// What the backend sent with that request.
    pub envelope: Payload,
    /// Whether it waits until another request about its call is answered: see `open_requests.rs`.
    pub waits: bool,
    /// The user messages in it.
    pub messages: Vec<Id>,
    /// The body that the host froze when it claimed the item first.
    pub body: Payload,
    /// The idempotency key, frozen with the body.
    pub key: Payload,
    /// The host's error, if sending failed.
    pub error: Payload,
    /// Whether the backend continues in a new reply after this answer.
    pub expects_reply: bool,
    /// Whether a second copy could decide a newer approval request.
    pub repeat_unsafe: bool,
    /// Whether a user message has counted as its retry. It does so once.
    pub repeated: bool,
    pub(super) state: ItemState,
    /// The index of the first call in `carried` that may still have no result.
    pub(super) owes_from: usize,
}

impl Item {
    /// An item without contents.
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
            tool: None,
            envelope: Payload::NONE,
            waits: false,
            messages: Vec::new(),
            body: Payload::NONE,
            key: Payload::NONE,
            error: Payload::NONE,
            expects_reply: false,
            repeat_unsafe: false,
            repeated: false,
            state: ItemState::Ready,
            owes_from: 0,
        }
    }

    /// The delivery state. Only the table of the outbox changes it.
    #[must_use]
    pub fn state(&self) -> ItemState {
        note_read();
        self.state
    }

    /// Whether it is sent beside the exchange, and has no reply of its own: an answer, or a message that passes an open
    /// reply. All other items are submissions.
    #[must_use]
    pub fn is_aside(&self) -> bool {
        match self.kind {
            Kind::Answer | Kind::PassedMessage => true,
            Kind::Step | Kind::Message | Kind::Regenerate => false,
        }
    }

    /// Whether it is a submission that is ready, in flight, or whose reply is open.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.is_aside() && (self.state == ItemState::Ready || self.state.is_under_way())
    }

    /// The calls in it, in order, collected because the callers change the list of items.
    pub(in crate::machine) fn calls(&self) -> Vec<CallKey> {
        self.carried.iter().map(|carried| carried.call).listed()
    }

    /// The contents for this call.
    #[must_use]
    pub fn carries(&self, call: CallKey) -> Option<&Carried> {
        let place = self.carried.binary_search_by_key(&call, |carried| carried.call).ok()?;
        self.carried.get(place)
    }

    /// The approvals with decisions in the item, in call order.
    pub fn approvals(&self) -> impl Iterator<Item = Id> + '_ {
        self.carried.iter().filter_map(|carried| carried.approval)
    }

    /// Whether it has an approval.
    #[must_use]
    pub fn approves(&self) -> bool {
        self.carried.iter().any(|carried| carried.approved)
    }

    /// Whether it has outputs of the page.
    #[must_use]
    pub fn has_outputs(&self) -> bool {
        self.carried.iter().any(|carried| carried.output)
    }

    /// Whether it has cancellations.
    #[must_use]
    pub fn cancels(&self) -> bool {
        self.carried.iter().any(|carried| carried.cancelled)
    }

    /// Whether the user asks for a new reply, with a message or a regeneration.
    #[must_use]
    pub fn asks_for_reply(&self) -> bool {
        !self.messages.is_empty() || self.kind == Kind::Regenerate
    }

    /// Whether it carries nothing, and only continues a reply.
    #[must_use]
    pub fn only_continues(&self) -> bool {
        self.kind == Kind::Step && self.carried.is_empty()
    }

    /// Visits every value that the item holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.body, self.key, self.error, self.envelope].into_iter().for_each(each);
    }

    /// Visits every id that the item holds.
    pub(in crate::machine) fn ids(&self, each: &mut dyn FnMut(Id)) {
        each_of(&[self.message_id, self.after, self.replaced, self.turn, self.tool], each);
        self.messages.iter().copied().for_each(&mut *each);
        for carried in &self.carried {
            each(carried.id);
            carried.approval.into_iter().for_each(&mut *each);
        }
    }

    /// Visits the fields, to save or restore them.
    #[rustfmt::skip]
    pub(super) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            id, attempt, kind, message_id, after, replaced, turn, carried, tool, envelope, waits, messages, body, key: frozen,
            error, expects_reply, repeat_unsafe, repeated, state, owes_from,
        } = self;
        *owes_from = 0;
        ledger.number(id);
        counter(ledger, attempt);
        variant(ledger, kind, Kind::ALL);
        variant(ledger, state, ItemState::ALL);
        for named in [message_id, after, replaced, turn, tool] {
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
        for value in [body, frozen, error, envelope] {
            ledger.payload(value);
        }
        for value in [waits, expects_reply, repeat_unsafe, repeated] {
            flag(ledger, value);
        }
    }
}

//! Whether an event may write, and whether it opens a reply.

use super::{
    About, Carried, Ending, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, Id, Item, ItemState, Kind,
    Machine, exchange_transition,
};

/// What an event brings, as far as its codec can tell before it is admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brings {
    /// The start of a reply's message, with the id that the backend gives it.
    Start(Option<Id>),
    /// Content: a step, text, reasoning, a tool's input.
    Content,
    /// The result of the call with this id.
    Result(Id),
    /// A request about the call with this id, under this approval.
    Request(Id, Id),
    /// A file, a source or an app's data: content that alone begins no reply which nobody asked for.
    Attachment,
    /// Something about a known call or message that is no content by itself: a request, a delta.
    Report,
    /// Nothing of the kind: metadata, transient data.
    Housekeeping,
    /// How the reply ends.
    Ending(Ending),
}

/// Whether an event may write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// It belongs to the reply that is arriving.
    Current,
    /// No reply is open: it may settle known calls, or ask about them.
    Outside,
    /// It belongs to a request that something newer replaced: it may settle the calls which that request carried.
    Late(Option<u32>),
    /// Its reply names a message that others follow: it may settle the calls of that message.
    Superseded(usize),
    /// It changes nothing.
    Ignored,
}

impl Machine {
    /// Lets an event in, or not. An event that belongs to a reply acknowledges the item which that reply answers.
    pub fn admit(&mut self, about: About, brings: Brings) -> Admission {
        let answer = about.request.filter(|&id| self.item(id).is_some_and(Item::is_answer));
        if let Some(id) = answer {
            // It was sent, though nobody claimed it.
            self.send(id);
            self.answer_arrived(id);
        }
        let admission = self.admit_as(self.exchange_input(about, brings), about, brings);
        if let (Admission::Current, Brings::Ending(ending)) = (admission, brings) {
            self.note_ending(ending);
        }
        admission
    }

    fn admit_as(&mut self, input: ExchangeInput, about: About, brings: Brings) -> Admission {
        match exchange_transition(self.exchange.state(), input) {
            ExchangeTransition::Open if self.is_rest(about, brings) => self.drop_rest(brings),
            ExchangeTransition::Open if self.may_be_earlier(about) => self.open_earlier(about),
            ExchangeTransition::Open => match self.answered_item(about, input) {
                // A stream that was reconnected to, and nobody knows what it answers.
                None => self.open_unrequested(about, brings),
                item => self.open_reply(item, about),
            },
            ExchangeTransition::OpenUnrequested => self.open_unrequested(about, brings),
            ExchangeTransition::EndAndOpen => {
                self.end_reply(Ending::Disconnected);
                let item = self.answered_item(about, input);
                self.open_reply(item, about)
            }
            ExchangeTransition::Continue => {
                if let Some(reply) = self.exchange.reply_mut() {
                    // Whoever says so has its stream.
                    reply.unasked &= about.request.is_none() && about.reconnect.is_none();
                }
                if let Some(how) = about.reconnect {
                    self.restart_replay(how);
                }
                match self.exchange.reply().and_then(|reply| reply.superseded) {
                    Some(message) => Admission::Superseded(message),
                    None => Admission::Current,
                }
            }
            ExchangeTransition::Outside => Admission::Outside,
            ExchangeTransition::Late => Admission::Late(about.request),
            // A reply that no request asked for ends when its event is read: see `end_if_unrequested`.
            ExchangeTransition::NoteEnding | ExchangeTransition::End => Admission::Current,
            ExchangeTransition::Return => {
                self.set_exchange(Exchange::Idle);
                let admission = self.admit(about, brings);
                self.advance();
                admission
            }
            ExchangeTransition::Ignore => Admission::Ignored,
            // Events do none of these.
            ExchangeTransition::Send
            | ExchangeTransition::EndAndSend
            | ExchangeTransition::Lose
            | ExchangeTransition::Fail
            | ExchangeTransition::MarkStopped
            | ExchangeTransition::MarkCancelled
            | ExchangeTransition::Wait
            | ExchangeTransition::EndAndWait
            | ExchangeTransition::LoseAndWait => Admission::Ignored,
        }
    }

    /// What an event is to the exchange's table.
    fn exchange_input(&self, about: About, brings: Brings) -> ExchangeInput {
        if let Some(id) = about.request {
            return if self.is_answered(id, about.attempt) || self.may_open(id, about) {
                // The host has the stream that went on by itself.
                let is_known = self.exchange.reply().is_some_and(|reply| reply.unasked && reply.item == Some(id));
                if about.reconnect.is_some() || is_known { ExchangeInput::Reconnected } else { ExchangeInput::Labelled }
            } else {
                ExchangeInput::Foreign
            };
        }
        if about.reconnect.is_some() {
            return ExchangeInput::Reconnected;
        }
        match brings {
            Brings::Start(_) | Brings::Content => ExchangeInput::Content,
            Brings::Result(call) if self.settles_in_flight(call) => ExchangeInput::Settlement,
            Brings::Request(call, approval) if self.asks_in_flight(call, approval) => ExchangeInput::Settlement,
            Brings::Attachment => ExchangeInput::Attachment,
            Brings::Result(_) | Brings::Request(..) | Brings::Report => ExchangeInput::Report,
            Brings::Housekeeping => ExchangeInput::Housekeeping,
            Brings::Ending(_) => ExchangeInput::Terminal,
        }
    }

    /// Whether the exchange is about this item, and this attempt at it.
    pub(super) fn is_answered(&self, id: u32, attempt: Option<u32>) -> bool {
        let item = self.item(id);
        // Events caused by an answer continue the reply that contains its call.
        if item.is_some_and(Item::is_answer) && self.exchange.reply().is_some() {
            return true;
        }
        let now = match &self.exchange {
            Exchange::InFlight { .. } => item.map(|item| item.attempt),
            Exchange::Replying(reply) => Some(reply.attempt),
            Exchange::Idle | Exchange::Reconnecting { .. } => None,
        };
        self.exchange.item() == Some(id) && now.is_some_and(|now| attempt.is_none_or(|attempt| attempt == now))
    }

    /// Whether the reply to this item may begin (again).
    fn may_open(&self, id: u32, about: About) -> bool {
        let is_free = match &self.exchange {
            Exchange::Idle | Exchange::Reconnecting { .. } => true,
            Exchange::Replying(_) => self.exchange.state() == ExchangeState::Unrequested,
            Exchange::InFlight { .. } => false,
        };
        let item = self.item(id);
        // A reply that ended well may be read again, too, by a host that says so.
        let returning = self.turn.last_reply().filter(|last| last.may_return()).and_then(|last| last.item);
        let was_cut = self.cut_item() == Some(id) || (about.reconnect.is_some() && returning == Some(id));
        let newer = self.outbox.active().filter(|active| active.id != id);
        // Only decisions of the very step that is replayed can be taken back for it.
        let yields = newer.is_none_or(|newer| was_cut && newer.kind == Kind::Step);
        let fits = item.is_none_or(|item| about.attempt.is_none_or(|attempt| attempt == item.attempt));
        let open = item.is_some_and(|item| match item.state() {
            ItemState::Ready | ItemState::Failed | ItemState::Unconfirmed => true,
            // Its reply has come to its end; only a replay of it is one more.
            ItemState::Stalled => about.reconnect.is_some(),
            ItemState::InFlight | ItemState::Replying | ItemState::Done => item.is_answer(),
        });
        is_free && yields && fits && (open || was_cut)
    }

    /// The item whose reply broke off last.
    pub(super) fn cut_item(&self) -> Option<u32> {
        self.turn.last_reply().filter(|last| !last.ending.completes_step()).and_then(|last| last.item)
    }

    /// Whether the submission in flight carries a call with this id.
    fn settles_in_flight(&self, call: Id) -> bool {
        let in_flight = matches!(self.exchange, Exchange::InFlight { .. });
        let item = self.exchange.item().filter(|_| in_flight).and_then(|id| self.item(id));
        item.is_some_and(|item| item.carried.iter().any(|carried| carried.id == call))
    }

    /// Whether the submission in flight carries a call with this id, and it is asked about anew: the backend has what was sent.
    fn asks_in_flight(&self, call: Id, approval: Id) -> bool {
        let item = self.exchange.item().and_then(|id| self.item(id));
        let newest = self.transcript.newest(call);
        let asked = |carried: &Carried| Some(carried.call) == newest && carried.approval == Some(approval);
        let asked = item.is_some_and(|item| item.carried.iter().any(asked));
        self.settles_in_flight(call) && !asked
    }

    /// The item that an event answers which opens a reply.
    fn answered_item(&self, about: About, input: ExchangeInput) -> Option<u32> {
        let returning = || self.turn.last_reply().filter(|last| last.may_return()).and_then(|last| last.item);
        // After a restore, the request whose stream the page gets hold of again is the one that may not have arrived.
        let lost = || {
            let unconfirmed = |item: &&Item| item.state() == ItemState::Unconfirmed && !item.is_answer();
            self.outbox.undelivered().rev().find(unconfirmed).map(|item| item.id)
        };
        match input {
            ExchangeInput::Reconnected => about.request.or_else(returning).or_else(lost),
            _ => about.request.or(self.exchange.item()),
        }
    }

    /// An event says how its reply ends. The first one counts.
    fn note_ending(&mut self, ending: Ending) {
        match &mut self.exchange {
            Exchange::InFlight { ending: noted, .. } => {
                noted.get_or_insert(ending);
            }
            Exchange::Replying(reply) => {
                reply.ending.get_or_insert(ending);
            }
            Exchange::Idle | Exchange::Reconnecting { .. } => {}
        }
    }

    /// A reply that no request asked for has said how it ends: nothing else would end it.
    pub fn end_if_unrequested(&mut self) {
        let is_unrequested = self.exchange.state() == ExchangeState::Unrequested;
        let noted = self.exchange.reply().filter(|_| is_unrequested).and_then(|reply| reply.ending);
        if let Some(ending) = noted {
            self.end_reply(ending);
            self.advance();
        }
    }
}

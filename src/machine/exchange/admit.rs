//! Decides whether an event may change the transcript, and whether it opens a reply.

use crate::machine::{
    About, Carried, Ending, Exchange, ExchangeInput, ExchangeState, ExchangeTransition, Id, Item, ItemState, Kind,
    Machine, StreamEnd, exchange_transition,
};

/// What an event contains, as far as its codec knows before it is admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brings {
    /// The start of the reply's message, with the id that the backend gave it.
    Start(Option<Id>),
    /// Content: a step, text, reasoning, or a tool's input.
    Content,
    /// A result of the call with this id.
    Result(Id),
    /// An approval request for the call with this id, with this approval id.
    Request(Id, Id),
    /// A file, a source or app data. It is content, but cannot open an unrequested reply.
    Attachment,
    /// An event about a known call or message that has no content, such as a delta.
    Report,
    /// None of these: metadata or transient data.
    Housekeeping,
    /// How the reply ends.
    Ending(Ending),
}

/// What an event may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// It belongs to the open reply.
    Current,
    /// No reply is open. It may settle known calls, or contain approval requests for them.
    Outside,
    /// It belongs to a request that was replaced by a newer one. It may settle the calls in that request.
    Late(Option<u32>),
    /// Its reply names a message that is no longer the last one. It may settle the calls of that message.
    Superseded(usize),
    /// It may change nothing.
    Ignored,
}

impl Machine {
    /// Decides what an event may change. An event of a reply acknowledges the item that the reply answers.
    pub fn admit(&mut self, about: About, brings: Brings) -> Admission {
        let answer = about.request.filter(|&id| self.item(id).is_some_and(Item::is_aside));
        if let Some(id) = answer {
            // The event shows that the item was sent, although no caller claimed it.
            self.send(id);
            self.aside_arrived(id);
        }
        let admission = self.admit_as(self.exchange_input(about, brings), about, brings);
        match (admission, brings) {
            (Admission::Current, Brings::Ending(ending)) => self.note_ending(ending),
            // The backend's turn has ended without a reply that is open here.
            (Admission::Ignored, Brings::Ending(_)) if self.exchange == Exchange::Idle => {
                self.stream_ended(StreamEnd::Finished, About::default());
            }
            _ => {}
        }
        admission
    }

    fn admit_as(&mut self, input: ExchangeInput, about: About, brings: Brings) -> Admission {
        match exchange_transition(self.exchange.state(), input) {
            ExchangeTransition::Open if self.is_rest(about, brings) => self.drop_rest(brings),
            ExchangeTransition::Open if self.may_be_earlier(about) => self.open_earlier(about),
            ExchangeTransition::Open => match self.answered_item(about, input) {
                // The host reconnected to a stream whose request is unknown.
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
                    // A caller that names the request, or reconnects, has the stream.
                    reply.reopened &= about.request.is_none() && about.reconnect.is_none();
                }
                if let Some(how) = about.reconnect {
                    self.restart_replay(how);
                }
                match self.exchange.reply().and_then(|reply| reply.superseded) {
                    Some(message) => Admission::Superseded(message),
                    None => Admission::Current,
                }
            }
            ExchangeTransition::Outside => {
                if matches!(brings, Brings::Result(_)) && self.outbox.active().is_none() {
                    self.open_rest();
                }
                Admission::Outside
            }
            ExchangeTransition::Late => Admission::Late(about.request),
            // An unrequested reply ends after this event is read: see `end_if_unrequested`.
            ExchangeTransition::NoteEnding | ExchangeTransition::End => Admission::Current,
            ExchangeTransition::Return => {
                self.set_exchange(Exchange::Idle);
                let admission = self.admit(about, brings);
                self.advance();
                admission
            }
            ExchangeTransition::Ignore => Admission::Ignored,
            // No event has these transitions.
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

    /// Classifies an event for the exchange's table.
    #[inline(never)] // A page loads fewer bytes.
    fn exchange_input(&self, about: About, brings: Brings) -> ExchangeInput {
        if let Some(id) = about.request {
            return if self.is_answered(id, about.attempt) || self.may_open(id, about) {
                // The host has the stream of a reply that continued without a reconnect.
                let is_known = self.exchange.reply().is_some_and(|reply| reply.reopened && reply.item == Some(id));
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

    /// Whether the exchange is about this item and this attempt.
    pub(in crate::machine) fn is_answered(&self, id: u32, attempt: Option<u32>) -> bool {
        let item = self.item(id);
        // Events caused by an answer continue the reply that contains its call.
        if item.is_some_and(Item::is_aside) && self.exchange.reply().is_some() {
            return true;
        }
        let now = match &self.exchange {
            Exchange::InFlight { .. } => item.map(|item| item.attempt),
            Exchange::Replying(reply) => Some(reply.attempt),
            Exchange::Idle | Exchange::Reconnecting { .. } => None,
        };
        self.exchange.item() == Some(id) && now.is_some_and(|now| attempt.is_none_or(|attempt| attempt == now))
    }

    /// Whether the reply to this item may begin, or begin again.
    fn may_open(&self, id: u32, about: About) -> bool {
        let is_free = match &self.exchange {
            Exchange::Idle | Exchange::Reconnecting { .. } => true,
            Exchange::Replying(_) => self.exchange.state() == ExchangeState::Unrequested,
            Exchange::InFlight { .. } => false,
        };
        let item = self.item(id);
        // The host may also replay a reply that ended well, if it says so.
        let returning = self.turn.last_reply().filter(|last| last.may_return()).and_then(|last| last.item);
        let was_cut = self.cut_item() == Some(id) || (about.reconnect.is_some() && returning == Some(id));
        let newer = self.outbox.active().filter(|active| active.id != id);
        // A replay may only withdraw decisions of the step that it replays.
        let may_be_withdrawn = newer.is_none_or(|newer| was_cut && newer.kind == Kind::Step);
        let fits = item.is_none_or(|item| about.attempt.is_none_or(|attempt| attempt == item.attempt));
        let open = item.is_some_and(|item| match item.state() {
            ItemState::Ready | ItemState::Failed | ItemState::Unconfirmed => true,
            // Its reply has ended, so only a replay of it is accepted.
            ItemState::Stalled => about.reconnect.is_some(),
            ItemState::InFlight | ItemState::Replying | ItemState::Done => item.is_aside(),
        });
        is_free && may_be_withdrawn && fits && (open || was_cut)
    }

    /// The item whose reply broke off last.
    pub(in crate::machine) fn cut_item(&self) -> Option<u32> {
        self.turn.last_reply().filter(|last| last.is_cut()).and_then(|last| last.item)
    }

    /// Whether a call with this id is in the submission in flight.
    fn settles_in_flight(&self, call: Id) -> bool {
        let in_flight = matches!(self.exchange, Exchange::InFlight { .. });
        let item = self.exchange.item().filter(|_| in_flight).and_then(|id| self.item(id));
        item.is_some_and(|item| item.carried.iter().any(|carried| carried.id == call))
    }

    /// Whether a call with this id is in the submission in flight, and the approval request is a new one. If so, the
    /// backend has received the submission.
    fn asks_in_flight(&self, call: Id, approval: Id) -> bool {
        let item = self.exchange.item().and_then(|id| self.item(id));
        let newest = self.transcript.newest(call);
        let asked = |carried: &Carried| Some(carried.call) == newest && carried.approval == Some(approval);
        let asked = item.is_some_and(|item| item.carried.iter().any(asked));
        self.settles_in_flight(call) && !asked
    }

    /// The newest submission that may not have arrived.
    pub(in crate::machine) fn unconfirmed_submission(&self) -> Option<u32> {
        self.outbox.submission_in(ItemState::Unconfirmed).map(|item| item.id)
    }

    /// The item that is answered by an event that opens a reply.
    fn answered_item(&self, about: About, input: ExchangeInput) -> Option<u32> {
        let returning = || self.turn.last_reply().filter(|last| last.may_return()).and_then(|last| last.item);
        // After a restore, the page reconnects to the request that may not have arrived.
        let lost = || self.unconfirmed_submission();
        if input == ExchangeInput::Reconnected {
            return about.request.or_else(returning).or_else(lost);
        }
        about.request.or(self.exchange.item())
    }

    /// Stores the ending that an event announces. The first one counts.
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

    /// Ends an unrequested reply after an event announced its ending. No stream end follows it.
    pub fn end_if_unrequested(&mut self) {
        let is_unrequested = self.exchange.state() == ExchangeState::Unrequested;
        let noted = self.exchange.reply().filter(|_| is_unrequested).and_then(|reply| reply.ending);
        if let Some(ending) = noted {
            self.end_reply(ending);
            self.advance();
        }
    }
}

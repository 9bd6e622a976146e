//! A state of the exploration: the machine, a simulated backend, and a record of what was sent.
//!
//! The machine is the real one. The simulated backend stores what it has sent, and the record stores what the page has
//! sent. They only determine which inputs are possible, and what must not happen twice.

use crate::inputs::Event;
use crate::profile::{Budget, CALLS};
use crate::scene::{Scene, reply};
use std::collections::BTreeMap;
use toolgate::machine::{CallKey, Exchange, Id, Item, ItemState, Kind, Machine, Phase, Reconnect, Role, ToolPart};

/// Which events of a call the backend has sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Stage {
    /// None.
    #[default]
    Untold,
    /// The start of its input.
    Begun,
    /// Its complete input.
    Named,
    /// The request for its approval.
    Asked,
    /// A request with the second approval id.
    AskedAgain,
}

/// A kind of event in a reply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Told {
    /// The start of a step.
    Step,
    /// A text.
    Text,
    /// App data.
    Data,
    /// A reset of the step.
    Reset,
    /// The start of a call's input.
    Start(usize),
    /// A call.
    Call(usize),
    /// A call with another input.
    Rename(usize),
    /// An update of a call's input.
    Update(usize),
    /// A call of another tool.
    Retool(usize),
    /// The request for a call's approval.
    Ask(usize),
    /// The approval request with the second approval id.
    AskAgain(usize),
    /// An invalid input of a call.
    Unusable(usize),
    /// The output of a call.
    Output(usize),
    /// The failure of a call.
    Error(usize),
    /// The denial of a call.
    Denied(usize),
}

impl Told {
    /// The call of the event.
    pub fn call(self) -> Option<usize> {
        match self {
            Told::Step | Told::Text | Told::Data | Told::Reset => None,
            Told::Start(c) | Told::Rename(c) | Told::Update(c) | Told::Retool(c) => Some(c),
            Told::Call(c) | Told::Ask(c) | Told::AskAgain(c) => Some(c),
            Told::Unusable(c) | Told::Output(c) | Told::Error(c) | Told::Denied(c) => Some(c),
        }
    }
}

/// The simulated backend, with what it has sent.
#[derive(Clone, Default, Debug)]
pub struct Backend {
    /// Which events of each call it has sent.
    pub stages: [Stage; CALLS],
    /// The machine's key of each call that the backend has sent.
    pub keys: [Option<CallKey>; CALLS],
    /// How many steps it has begun, in all replies.
    pub steps: usize,
    /// Whether the stream of a reply is open.
    pub open: bool,
    /// Whether the host opened that stream, so that it can end it.
    pub hosted: bool,
    /// If the host reconnected to the stream: whether at its beginning or where it was cut.
    pub reconnected: Option<Reconnect>,
    /// Whether the reply has begun a message.
    pub begun: bool,
    /// Whether it has begun a step.
    pub in_step: bool,
    /// Whether its stream was cut and no request was sent since, so that the reply can be replayed.
    pub cut: bool,
    /// Whether it ended well, and no request was sent since. A page that resumes may then receive the reply again.
    pub ended: bool,
    /// What the reply has sent, in order.
    pub told: Vec<Told>,
    /// During a replay: the number of replayed events.
    pub again: Option<usize>,
    /// Whether another event came amid the replay, or the replay has opened a call that the reply does not have.
    pub disturbed: bool,
    /// The ending that the reply itself announced: well (`true`) or badly.
    pub fixed: Option<bool>,
    /// Whether the reply is a replay, or continues after one.
    pub resumed: bool,
    /// The message that the reply writes.
    pub message: Option<Id>,
    /// How many messages the backend has begun.
    pub messages: usize,
}

impl Backend {
    /// The id of a new message.
    pub(crate) fn new_message(&mut self) -> toolgate::machine::Id {
        self.messages += 1;
        reply(self.messages - 1)
    }

    /// Opens the stream of the last reply again, or of a new one.
    pub(crate) fn reopen(&mut self, again: bool) {
        (self.open, self.resumed, self.fixed, self.reconnected) = (true, again, None, None);
        // Without its message, the stream cannot be the same reply.
        if !again || self.message.is_none() {
            (self.told, self.message, self.disturbed) = (Vec::new(), None, false);
        }
        self.again = (!self.told.is_empty()).then_some(0);
        self.in_step = self.told.contains(&Told::Step);
    }

    /// Ends the stream. If the reply announced its ending, that ending applies.
    pub(crate) fn end_as_said(&mut self, cut: bool, well: bool) {
        let (cut, well) = self.fixed.map_or((cut, well), |well| (false, well));
        self.end(cut, well);
    }

    /// Ends the stream. `cut`: the backend continues the reply, but the host does not read it. `ended`: the reply ended
    /// well.
    pub(crate) fn end(&mut self, cut: bool, ended: bool) {
        (self.open, self.begun, self.in_step, self.again) = (false, false, false, None);
        (self.hosted, self.reconnected) = (false, None);
        (self.cut, self.ended) = (cut, ended);
        // `told` is kept: the machine may still continue this reply, and it has received everything in `told`.
        if !cut && !ended {
            self.message = None;
        }
    }

    /// What the reply has sent and has not reset.
    pub fn standing(&self) -> Vec<Told> {
        let mut standing: Vec<Told> = Vec::new();
        for &told in &self.told {
            if told == Told::Reset {
                let kept = standing.iter().rposition(|told| *told == Told::Step).map_or(0, |step| step + 1);
                standing.truncate(kept);
            } else {
                standing.push(told);
            }
        }
        standing
    }

    /// Records an event of the reply. `changed`: the event changed the phase of its call. `renewed`: it created a new
    /// call.
    pub(crate) fn remember(&mut self, event: Event, changed: bool, renewed: bool) {
        let told = match event {
            Event::BeginOld | Event::Note => return,
            Event::Data => Told::Data,
            Event::Begin | Event::BeginNew | Event::BeginUnnamed => {
                self.begun = true;
                (self.cut, self.ended) = (false, false);
                return;
            }
            Event::Step => {
                self.steps = (self.steps + 1).min(CALLS);
                self.in_step = true;
                Told::Step
            }
            Event::Text => Told::Text,
            Event::Finish | Event::Failure => {
                self.fixed = self.fixed.or(Some(event == Event::Finish));
                return;
            }
            Event::Reset => Told::Reset,
            Event::Start(c) => {
                self.stages[c] = self.stages[c].max(Stage::Begun);
                Told::Start(c)
            }
            Event::Name(c) | Event::Rename(c) | Event::Retool(c) | Event::Unusable(c) => {
                self.stages[c] = self.stages[c].max(Stage::Named);
                match event {
                    Event::Rename(_) => Told::Rename(c),
                    Event::Retool(_) => Told::Retool(c),
                    Event::Unusable(_) => Told::Unusable(c),
                    _ => Told::Call(c),
                }
            }
            // It completes an input that arrives.
            Event::Update(c) => {
                self.stages[c] = self.stages[c].max(Stage::Named);
                Told::Update(c)
            }
            Event::Ask(c) => {
                self.stages[c] = self.stages[c].max(Stage::Asked);
                Told::Ask(c)
            }
            Event::AskAgain(c) => {
                self.stages[c] = Stage::AskedAgain;
                Told::AskAgain(c)
            }
            Event::Output(c) if changed => Told::Output(c),
            Event::Error(c) if changed => Told::Error(c),
            Event::Denied(c) if changed => Told::Denied(c),
            _ => return,
        };
        if told.call().is_none() || renewed || !self.standing().contains(&told) {
            self.told.push(told);
        }
    }
}

/// In [`Left::calls`]: an answer that could not be sent was given up, and may be refused instead.
pub const GIVEN_UP: u8 = 16;

/// In [`Left::calls`]: it was refused.
pub const REFUSED: u8 = 32;

/// The record of what was sent.
#[derive(Clone, Default, Debug)]
pub struct Left {
    /// For each call, which of these were sent automatically, as bits: the decision on its approval (1), on its second
    /// approval (2) or on another one (4), and its output (8). Or [`GIVEN_UP`] and
    /// [`REFUSED`].
    pub calls: BTreeMap<CallKey, u8>,
    /// The user messages that were sent, one bit each.
    pub messages: u32,
}

/// A state of the exploration.
#[derive(Clone, Debug)]
pub struct World {
    /// The machine under test.
    pub machine: Machine,
    /// The simulated backend.
    pub backend: Backend,
    /// The record of what was sent.
    pub left: Left,
    /// The budget that the path to this state has used.
    pub spent: Budget,
}

impl World {
    /// The start of every path.
    pub fn new(scene: &Scene) -> World {
        World {
            machine: scene.machine.clone(),
            backend: Backend::default(),
            left: Left::default(),
            spent: Budget::default(),
        }
    }

    /// The call's part.
    pub fn part(&self, number: usize) -> Option<&ToolPart> {
        self.machine.transcript().call(self.backend.keys[number]?)
    }

    /// The number of the call that has this key.
    pub fn number(&self, key: CallKey) -> Option<usize> {
        self.backend.keys.iter().position(|&known| known == Some(key))
    }

    /// The call's phase.
    pub fn phase(&self, number: usize) -> Option<Phase> {
        self.part(number).map(ToolPart::phase)
    }

    /// Whether an event with this call's id is about this call, and not about a newer one.
    pub fn is_newest(&self, number: usize, scene: &Scene) -> bool {
        let newest = self.machine.transcript().newest(scene.call(number));
        newest.is_none() || newest == self.backend.keys[number]
    }

    /// All tool calls, in the transcript's order.
    pub fn parts(&self) -> impl Iterator<Item = &ToolPart> {
        parts(&self.machine)
    }

    /// The calls of the conversation's last step.
    pub fn last_step(&self) -> impl Iterator<Item = &ToolPart> {
        let last = self.machine.transcript().last().filter(|message| message.role == Role::Assistant);
        last.into_iter().flat_map(|message| message.parts[message.last_step()..].iter().filter_map(|part| part.tool()))
    }

    /// Whether the backend has sent this in the open reply.
    pub fn has_told(&self, told: Told) -> bool {
        self.backend.standing().contains(&told)
    }

    /// Whether the host is reconnecting.
    pub fn is_reconnecting(&self) -> bool {
        matches!(self.machine.exchange(), Exchange::Reconnecting { .. })
    }

    /// Whether a replayed event opens a call that the open reply does not have: its input had only begun when the
    /// reply ended, or the event was about an open call from before the reply, which is closed now.
    pub fn opens_another(&self, told: Told, scene: &Scene) -> bool {
        let opens =
            matches!(told, Told::Start(_) | Told::Call(_) | Told::Rename(_) | Told::Retool(_) | Told::Unusable(_));
        let reply = self.machine.exchange().reply();
        let message = reply.and_then(|reply| self.machine.transcript().messages().get(reply.message?));
        let parts = message.zip(reply).and_then(|(message, reply)| message.parts.get(reply.base..));
        let has = |c| parts.into_iter().flatten().filter_map(|part| part.tool()).any(|part| part.call == scene.call(c));
        opens && !told.call().is_some_and(has)
    }

    /// The answers in flight.
    pub fn answers(&self) -> impl Iterator<Item = u32> + '_ {
        let flies = |item: &&Item| item.is_aside() && item.state() == ItemState::InFlight;
        self.machine.outbox().items().iter().filter(flies).map(|item| item.id)
    }

    /// The first item with a message that was sent beside the reply, and that the model may not have read.
    pub fn unread_item(&self) -> Option<&Item> {
        let waits = |&id: &Id| self.machine.queue().has(id);
        let passed = |item: &&Item| item.kind == Kind::PassedMessage && item.messages.iter().any(waits);
        let sent =
            |item: &&Item| matches!(item.state(), ItemState::InFlight | ItemState::Done | ItemState::Unconfirmed);
        self.machine.outbox().items().iter().filter(passed).find(sent)
    }
}

/// All tool calls, in the transcript's order.
pub fn parts(machine: &Machine) -> impl Iterator<Item = &ToolPart> {
    machine.transcript().messages().iter().flat_map(|message| message.calls())
}

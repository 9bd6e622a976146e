//! A state of the exploration: the machine, and what the world around it remembers.
//!
//! The machine is the real one. Around it stand a backend that knows what it has told, and a record of
//! what has left the browser: both only to say which inputs are in order, and what must not happen twice.

use crate::inputs::Event;
use crate::profile::{Budget, CALLS};
use crate::scene::{Scene, reply};
use std::collections::BTreeMap;
use toolgate::machine::{CallKey, Exchange, Id, Machine, Phase, Reconnect, Role, ToolPart};

/// How far the backend has come with a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Stage {
    /// It has not spoken of it.
    #[default]
    Untold,
    /// Its input has begun.
    Begun,
    /// Its input is complete.
    Named,
    /// The user was asked.
    Asked,
    /// The user was asked again, under the second approval id.
    AskedAgain,
}

/// Something that a reply has told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Told {
    /// A step began.
    Step,
    /// Text.
    Text,
    /// Data.
    Data,
    /// That a call's input begins.
    Start(usize),
    /// A call.
    Call(usize),
    /// A call with another input.
    Rename(usize),
    /// A call of another tool.
    Retool(usize),
    /// The question about it.
    Ask(usize),
    /// The question under the second approval id.
    AskAgain(usize),
    /// That its input is unusable.
    Unusable(usize),
    /// Its output.
    Output(usize),
    /// Its failure.
    Error(usize),
    /// That it was denied.
    Denied(usize),
}

impl Told {
    /// The call that it concerns.
    pub fn call(self) -> Option<usize> {
        match self {
            Told::Step | Told::Text | Told::Data => None,
            Told::Start(c) | Told::Rename(c) | Told::Retool(c) => Some(c),
            Told::Call(c) | Told::Ask(c) | Told::AskAgain(c) => Some(c),
            Told::Unusable(c) | Told::Output(c) | Told::Error(c) | Told::Denied(c) => Some(c),
        }
    }
}

/// The backend, and what it has told.
#[derive(Clone, Default, Debug)]
pub struct Backend {
    /// How far it has come with each call.
    pub stages: [Stage; CALLS],
    /// The machine's key of each call that it has named.
    pub keys: [Option<CallKey>; CALLS],
    /// How many steps it has begun, in all replies.
    pub steps: usize,
    /// The stream of a reply is open.
    pub open: bool,
    /// The host has opened that stream, so it can end it.
    pub hosted: bool,
    /// The host got hold of the stream again, from its beginning or where it was cut.
    pub reconnected: Option<Reconnect>,
    /// That reply has begun a message.
    pub begun: bool,
    /// It has begun a step.
    pub in_step: bool,
    /// Its stream was cut, and nothing was asked since: it can be told again.
    pub cut: bool,
    /// It ended well, and nothing was asked since: a page that resumes may be told it again.
    pub ended: bool,
    /// What the reply has told, in order.
    pub told: Vec<Told>,
    /// While it is told again: how much of it has been.
    pub again: Option<usize>,
    /// What the reply itself has said about its ending: that it is well, or not.
    pub fixed: Option<bool>,
    /// The reply is told again, or goes on after it was.
    pub resumed: bool,
    /// The message that it writes.
    pub message: Option<Id>,
    /// How many messages it has begun.
    pub messages: usize,
}

impl Backend {
    /// The id of a message that there was not before.
    pub(crate) fn new_message(&mut self) -> toolgate::machine::Id {
        self.messages += 1;
        reply(self.messages - 1)
    }

    /// A stream opens: of the last reply once more, or of another one.
    pub(crate) fn reopen(&mut self, again: bool) {
        (self.open, self.resumed, self.fixed, self.reconnected) = (true, again, None, None);
        if !again {
            (self.told, self.message) = (Vec::new(), None);
        }
        self.again = (!self.told.is_empty()).then_some(0);
        self.in_step = self.told.contains(&Told::Step);
    }

    /// The stream is over, and what the reply itself said about its ending counts.
    pub(crate) fn end_as_said(&mut self, cut: bool, well: bool) {
        let (cut, well) = self.fixed.map_or((cut, well), |well| (false, well));
        self.end(cut, well);
    }

    /// The stream is over. `cut`: the reply goes on without anybody who listens. `ended`: it ended well.
    pub(crate) fn end(&mut self, cut: bool, ended: bool) {
        (self.open, self.begun, self.in_step, self.again) = (false, false, false, None);
        (self.hosted, self.reconnected) = (false, None);
        (self.cut, self.ended) = (cut, ended);
        // A machine that goes on with it all the same has what was told.
        if !cut && !ended {
            self.message = None;
        }
    }

    /// Remembers what it told. `renewed`: the event made a call that is new.
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
            Event::Reset => {
                let kept = self.told.iter().rposition(|told| *told == Told::Step).map_or(0, |step| step + 1);
                return self.told.truncate(kept);
            }
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
        if told.call().is_none() || renewed || !self.told.contains(&told) {
            self.told.push(told);
        }
    }
}

/// What was sent.
#[derive(Clone, Default, Debug)]
pub struct Left {
    /// By call: the decision about its approval (1), about its second one (2) or its output (8) was sent without anybody's
    /// asking.
    pub calls: BTreeMap<CallKey, u8>,
    /// The user's messages, one bit each.
    pub messages: u32,
}

/// A state.
#[derive(Clone, Debug)]
pub struct World {
    /// The machine.
    pub machine: Machine,
    /// The backend.
    pub backend: Backend,
    /// What was sent.
    pub left: Left,
    /// What the path to here has spent.
    pub spent: Budget,
}

impl World {
    /// The beginning of every path.
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

    /// Whether the backend's events about this call mean it, and not a newer call with the same id.
    pub fn is_newest(&self, number: usize, scene: &Scene) -> bool {
        let newest = self.machine.transcript().newest(scene.call(number));
        newest.is_none() || newest == self.backend.keys[number]
    }

    /// Every part of a call, in the transcript's order.
    pub fn parts(&self) -> impl Iterator<Item = &ToolPart> {
        parts(&self.machine)
    }

    /// The calls of the conversation's last step.
    pub fn last_step(&self) -> impl Iterator<Item = &ToolPart> {
        let last = self.machine.transcript().last().filter(|message| message.role == Role::Assistant);
        last.into_iter().flat_map(|message| message.parts[message.last_step()..].iter().filter_map(|part| part.tool()))
    }

    /// Whether the backend has told this in the reply that is open.
    pub fn has_told(&self, told: Told) -> bool {
        self.backend.told.contains(&told)
    }

    /// Whether the host tries to get hold of a stream again.
    pub fn is_reconnecting(&self) -> bool {
        matches!(self.machine.exchange(), Exchange::Reconnecting { .. })
    }

    /// The answers in flight.
    pub fn answers(&self) -> impl Iterator<Item = u32> + '_ {
        use toolgate::machine::{Item, ItemState};
        let flies = |item: &&Item| item.is_answer() && item.state() == ItemState::InFlight;
        self.machine.outbox().items().iter().filter(flies).map(|item| item.id)
    }
}

/// Every part of a call, in the transcript's order.
pub fn parts(machine: &Machine) -> impl Iterator<Item = &ToolPart> {
    machine.transcript().messages().iter().flat_map(|message| message.calls())
}

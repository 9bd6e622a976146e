//! All inputs in one table, and how much of the budget each costs in a state.
//!
//! Normal inputs of the backend, the user and the host are free; every fault uses up a part of a budget. An input
//! without an effect in a state is not tried there. A new input needs a variant, a line in `table`, its cost in
//! `price`, its effect in apply.rs, and its text in words.rs.

use crate::profile::{Budget, Names, Place, Profile};
use crate::scene::Scene;
use crate::world::{Stage, Told, World};
use toolgate::machine::{
    DecidedBy, Decision, DeliveryState, Exchange, Id, Item, Phase, Reconnect, Role, StreamEnd, ToolPart,
};

/// One input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// The backend sends an event.
    Tell(Event, Whose),
    /// The backend sends the next event of a replay.
    Again(Copy),
    /// The stream ends.
    End(StreamEnd, Whose),
    /// The host claims the first listed item.
    Claim,
    /// The host could not send the request, or lost the connection.
    Fail,
    /// The first or the second claimed answer has arrived (`true`), or could not be sent.
    Answer(usize, bool),
    /// The page is closed, and restored from its snapshot.
    Reload,
    /// The app loads a history.
    Load(Known),
    /// The user decides the approval of a call.
    Respond(usize, bool),
    /// The user approves a call with another input.
    Edit(usize),
    /// The user lets the decision on a call be remembered for its tool.
    Remember(usize),
    /// The user decides all pending approvals.
    RespondAll(bool),
    /// The user sends a message.
    Message,
    /// The user replaces the first message.
    Replace,
    /// The user regenerates the last reply.
    Regenerate,
    /// The user cancels.
    Cancel,
    /// The user stops.
    Stop,
    /// The approvals expire.
    Expire,
    /// The user resumes.
    Resume,
    /// The user retries the first or the second undelivered item.
    Retry(usize),
    /// The page ran a call. `true`: the call failed.
    Browser(usize, bool),
    /// The host rewrites the result of a call.
    Rewrite(usize),
    /// The host starts to reconnect.
    Reconnecting,
    /// The host has reconnected to the last reply's stream.
    Reconnect(Reconnect),
    /// The time limit for reconnecting has passed.
    TimeIsUp,
    /// The backend reports that its model has not read a message that was sent beside the reply.
    Unread,
}

/// What a loaded history knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// All that the page shows.
    Shown,
    /// The same, without the decisions on calls that have not settled.
    Asked,
}

/// How the next event of a replay arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copy {
    /// As it was sent the first time.
    Whole,
    /// It is lost.
    Lost,
    /// It arrives twice.
    Doubled,
    /// The event after it arrives first.
    Swapped,
}

/// The request that an event belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The awaited request.
    Awaited,
    /// The previous request.
    Older,
    /// The ready request, which was sent although it was not claimed.
    Ready,
    /// The previous attempt.
    EarlierAttempt,
    /// The awaited request, but the event is lost.
    Lost,
}

/// An event of the backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Starts the expected message.
    Begin,
    /// Starts a new message, even if another one is expected.
    BeginNew,
    /// Starts a message without an id.
    BeginUnnamed,
    /// Starts a message that is not the last one.
    BeginOld,
    /// Sends metadata or transient data.
    Note,
    /// Sends a data part.
    Data,
    /// Starts a step.
    Step,
    /// Resets the step.
    Reset,
    /// Finishes the step.
    StepDone,
    /// Sends text.
    Text,
    /// Announces that the reply ends well.
    Finish,
    /// Announces that the reply failed.
    Failure,
    /// Starts a call's input.
    Start(usize),
    /// Sends a call with its complete input.
    Name(usize),
    /// Sends the same call with another input.
    Rename(usize),
    /// Updates a call's input.
    Update(usize),
    /// Sends the same call with another tool.
    Retool(usize),
    /// Reports a call's input as invalid.
    Unusable(usize),
    /// Requests approval of a call.
    Ask(usize),
    /// Requests approval of a call with a second approval id.
    AskAgain(usize),
    /// Requests approval of a call with the approval id of another call.
    AskForeign(usize),
    /// Requests an approval that the backend decides itself.
    Automatic(usize),
    /// Decides an approval.
    Decides(usize, bool),
    /// Withdraws an approval request.
    Withdraw(usize),
    /// Sends a preliminary output.
    Preliminary(usize),
    /// Sends the output.
    Output(usize),
    /// Reports a failure.
    Error(usize),
    /// Reports a denial.
    Denied(usize),
}

/// All inputs that the profile's calls allow.
pub fn table(profile: &Profile) -> Vec<Input> {
    use Event as E;
    let mut all = vec![Input::Claim, Input::Message, Input::RespondAll(true), Input::RespondAll(false)];
    all.extend([Copy::Whole, Copy::Lost, Copy::Doubled, Copy::Swapped].map(Input::Again));
    let plain = [E::Begin, E::Step, E::StepDone, E::Text];
    let odd = [E::BeginNew, E::BeginUnnamed, E::BeginOld, E::Note, E::Data, E::Reset, E::Finish, E::Failure];
    all.extend(plain.into_iter().chain(odd).map(|event| Input::Tell(event, Whose::Awaited)));
    let lost = [E::Step, E::Text].into_iter().chain((0..profile.calls()).flat_map(|c| [E::Name(c), E::Ask(c)]));
    all.extend(lost.map(|event| Input::Tell(event, Whose::Lost)));
    for c in 0..profile.calls() {
        all.extend([Input::Respond(c, true), Input::Respond(c, false)]);
        if profile.places().nth(c) == Some(Place::Browser) {
            all.extend([Input::Browser(c, false), Input::Browser(c, true)]);
        }
        if profile.extras.rewrites {
            all.push(Input::Rewrite(c));
        }
        if profile.extras.acts {
            all.extend([Input::Edit(c), Input::Remember(c)]);
        }
        let input = [E::Start(c), E::Name(c), E::Rename(c), E::Update(c), E::Retool(c), E::Unusable(c)];
        let asked = [E::Ask(c), E::AskAgain(c), E::AskForeign(c), E::Automatic(c)];
        let elsewhere = [E::Decides(c, true), E::Decides(c, false), E::Withdraw(c)];
        let settled = [E::Preliminary(c), E::Output(c), E::Error(c), E::Denied(c)];
        let events = input.into_iter().chain(asked).chain(elsewhere).chain(settled);
        all.extend(events.map(|event| Input::Tell(event, Whose::Awaited)));
        let late = [E::Name(c), E::Ask(c), E::Output(c), E::Denied(c)];
        all.extend(late.map(|event| Input::Tell(event, Whose::Older)));
        all.extend([E::Name(c), E::Output(c)].map(|event| Input::Tell(event, Whose::Ready)));
    }
    use StreamEnd::{Aborted, Disconnected, Error, Finished, StepLimit};
    all.extend([Finished, Error, Aborted, Disconnected, StepLimit].map(|how| Input::End(how, Whose::Awaited)));
    all.extend([Finished, Disconnected].map(|how| Input::End(how, Whose::Older)));
    all.extend([Finished, Disconnected].map(|how| Input::End(how, Whose::EarlierAttempt)));
    all.extend([
        Input::Tell(E::Begin, Whose::Older),
        Input::Tell(E::Begin, Whose::Ready),
        Input::Fail,
        Input::Answer(0, true),
        Input::Answer(1, true),
        Input::Answer(0, false),
        Input::Reload,
        Input::Load(Known::Shown),
        Input::Load(Known::Asked),
        Input::Cancel,
        Input::Stop,
        Input::Expire,
    ]);
    all.extend([Input::Resume, Input::Retry(0), Input::Retry(1), Input::Replace, Input::Regenerate]);
    all.extend([Input::Reconnecting, Input::TimeIsUp, Input::Unread]);
    all.extend([Reconnect::Start, Reconnect::Offset].map(Input::Reconnect));
    all
}

impl Input {
    /// The call that the input is about.
    pub fn call(self) -> Option<usize> {
        match self {
            Input::Tell(event, _) => event.call(),
            Input::Respond(c, _) | Input::Browser(c, _) | Input::Rewrite(c) => Some(c),
            Input::Edit(c) | Input::Remember(c) => Some(c),
            _ => None,
        }
    }

    /// Whether the input comes from the backend.
    pub fn is_backends(self) -> bool {
        matches!(self, Input::Tell(..) | Input::Again(_) | Input::End(..))
    }

    /// The cost of the input in this state; `None` if it is not tried.
    pub fn price(self, world: &World, scene: &Scene) -> Option<Budget> {
        let free = Budget::default();
        let failure = Budget { failures: 1, ..free };
        let stray = Budget { strays: 1, ..free };
        let damage = Budget { damages: 1, ..free };
        let edit = Budget { edits: 1, ..free };
        let machine = &world.machine;
        let empty = machine.transcript().messages().is_empty();
        let allowed = |allowed: bool, price: Budget| allowed.then_some(price);
        match self {
            Input::Tell(event, Whose::Awaited) if event.is_due(world, scene) => Some(free),
            Input::Tell(event, Whose::Lost) => allowed(event.is_due(world, scene), damage),
            Input::Tell(event, whose) => {
                // Of the calls that the backend has not sent yet, only the first is tried.
                let told = |c: usize| world.backend.stages[c] != Stage::Untold;
                let new = !matches!(event, Event::Rename(_) | Event::Update(_) | Event::Retool(_));
                let sense = event.call().is_none_or(|c| told(c) || new && (c == 0 || told(c - 1)));
                let there = whose == Whose::Awaited || world.about(whose).is_some();
                // During a replay the backend sends no other events.
                let adds = matches!(event, Event::Step | Event::Text | Event::Data | Event::Reset);
                let adds = adds || matches!(event, Event::Rename(_) | Event::Update(_) | Event::Retool(_));
                let adds = adds || event.call().is_some_and(|c| !told(c));
                let told_again = world.backend.again.is_some() && adds;
                let named = event != Event::BeginOld || world.old_message().is_some();
                // While a call is open, another one with the same id is sent with its complete input, without an
                // earlier start.
                let twin = match event {
                    Event::Start(c) if scene.profile.names == Names::Twins && !told(c) => {
                        world.parts().any(|part| part.call == scene.call(c) && !part.phase().is_settled())
                    }
                    _ => false,
                };
                let named = named && !twin;
                let fails = event == Event::Failure && !world.backend.hosted && world.backend.open;
                let price = if fails { failure } else { stray };
                allowed(!empty && sense && there && named && !told_again && world.backend.messages < 9, price)
            }
            Input::Again(copy) => {
                let again = world.backend.again.filter(|_| world.backend.begun);
                let next = again.and_then(|at| world.backend.told.get(at..=at + 1));
                let can = again.is_some() && (copy != Copy::Swapped || next.is_some_and(|next| next[0] != next[1]));
                allowed(can, if copy == Copy::Whole { free } else { damage })
            }
            // A host only ends a stream that it opened.
            Input::End(how, Whose::Awaited) if world.backend.open => {
                let well = how == StreamEnd::Finished && world.owes_nothing();
                let asked = how == StreamEnd::Aborted && world.is_stopping();
                allowed(world.backend.hosted, if well || asked { free } else { failure })
            }
            Input::End(how, Whose::Awaited) => allowed(how == StreamEnd::Disconnected && world.is_reconnecting(), free),
            Input::End(_, whose) => allowed(world.about(whose).is_some(), stray),
            Input::Claim => allowed(machine.outgoing().next().is_some(), free),
            Input::Fail => allowed(machine.outbox().active().is_some(), failure),
            Input::Answer(n, arrived) => {
                allowed(world.answers().nth(n).is_some(), if arrived { free } else { failure })
            }
            Input::Reload => allowed(!empty, Budget { reloads: 1, ..free }),
            Input::Load(known) => {
                let decided = || world.parts().any(|part| part.decision().is_some() && !part.phase().is_settled());
                allowed(!empty && (known == Known::Shown || decided()), Budget { loads: 1, ..free })
            }
            Input::Respond(c, _) | Input::Edit(c) => allowed(world.phase(c) == Some(Phase::ApprovalRequested), free),
            Input::Remember(c) => {
                let by_user = |decision: &Decision| decision.by == DecidedBy::User && decision.remember.is_none();
                let decides = world.part(c).and_then(ToolPart::decision).is_some_and(by_user);
                allowed(decides && machine.remembered().all().next().is_none(), free)
            }
            Input::RespondAll(_) => allowed(machine.pending().count() > 1, free),
            Input::Message => Some(Budget { messages: 1, ..free }),
            Input::Replace => allowed(!empty, Budget { messages: 1, ..edit }),
            Input::Regenerate => allowed(!empty, edit),
            Input::Cancel | Input::Stop | Input::Resume => allowed(!empty, free),
            Input::Expire => allowed(machine.next_deadline().is_some(), free),
            Input::Retry(n) => allowed(machine.outbox().undelivered().nth(n).is_some(), free),
            Input::Browser(c, _) => allowed(world.part(c).is_some_and(|part| !part.phase().is_settled()), free),
            Input::Rewrite(c) => allowed(world.part(c).is_some_and(ToolPart::awaits_rewrite), free),
            Input::Reconnecting => {
                let can = world.backend.open || world.backend.cut;
                allowed(can && !world.is_reconnecting(), Budget { reconnects: 1, ..free })
            }
            Input::Reconnect(_) => {
                let can = !world.backend.open && (world.backend.cut || world.backend.ended);
                let price = if world.is_reconnecting() { free } else { Budget { reconnects: 1, ..free } };
                // A host that labels events does not reconnect to the stream of an attempt that a retry has replaced.
                let retried = scene.profile.labels && machine.outbox().active().is_some_and(|item| item.attempt > 1);
                allowed(can && !retried && !matches!(machine.exchange(), Exchange::InFlight { .. }), price)
            }
            Input::TimeIsUp => allowed(world.is_reconnecting(), free),
            Input::Unread => allowed(world.unread_item().is_some(), failure),
        }
    }
}

impl Event {
    /// The call that the event is about.
    pub fn call(self) -> Option<usize> {
        use Event as E;
        match self {
            E::Begin | E::BeginNew | E::BeginUnnamed | E::BeginOld | E::Step | E::Reset => None,
            E::Note | E::Data => None,
            E::StepDone | E::Text | E::Finish | E::Failure => None,
            E::Start(c) | E::Name(c) | E::Rename(c) | E::Update(c) | E::Retool(c) | E::Unusable(c) => Some(c),
            E::Ask(c) | E::AskAgain(c) | E::AskForeign(c) | E::Automatic(c) | E::Decides(c, _) => Some(c),
            E::Withdraw(c) | E::Preliminary(c) | E::Output(c) | E::Error(c) | E::Denied(c) => Some(c),
        }
    }

    /// Whether a correct backend may send the event now.
    fn is_due(self, world: &World, scene: &Scene) -> bool {
        let backend = &world.backend;
        let telling = backend.open && backend.begun && backend.again.is_none();
        let stage = |c: usize| backend.stages[c];
        let profile = &scene.profile;
        let through = || world.last_step().all(|part| part.phase().is_settled() || part.provider_executed);
        let open = |id: Id| world.parts().any(|part| part.call == id && !part.phase().is_settled());
        let next = |c: usize| {
            let step = backend.steps.checked_sub(1).filter(|&step| backend.in_step && step < profile.steps.len());
            let calls = step.map_or(0..0, |step| profile.calls_of(step));
            calls.contains(&c) && (calls.start..c).all(|before| stage(before) != Stage::Untold)
        };
        let complete = |c: usize| world.has_told(Told::Call(c)) || world.has_told(Told::Update(c));
        // A call runs at once, or after its approval. A call that was lost with a cut reply does not run.
        let runs = |c: usize| match world.phase(c).filter(|_| world.is_newest(c, scene)) {
            Some(Phase::Submitted) => true,
            Some(Phase::InputAvailable) => scene.place(c) != Place::Browser && complete(c),
            _ => false,
        };
        let in_order = match self {
            // A cut reply can be replayed until a newer message of the user is listed or sent.
            Event::Begin => {
                let newer = world.machine.outbox().active().is_some_and(|item| !item.messages.is_empty());
                let resumes = backend.cut && !backend.open && !newer && !world.is_reconnecting();
                return (backend.open && !backend.begun) || resumes;
            }
            Event::Step => backend.steps < profile.steps.len() && !world.has_told(Told::Text) && through(),
            Event::Text => !world.has_told(Told::Text) && through(),
            Event::StepDone => {
                let complete = world.last_step().all(|part| !part.phase().is_streaming());
                backend.in_step && !world.machine.turn().has_work() && world.has_content() && complete
            }
            Event::Start(c) => profile.extras.streamed_inputs && stage(c) == Stage::Untold && next(c),
            Event::Name(c) => match stage(c) {
                // A correct backend does not reuse the id of an open call for another call with the same input.
                Stage::Untold => next(c) && (profile.names == Names::Twins || !open(scene.call(c))),
                Stage::Begun => world.has_told(Told::Start(c)),
                Stage::Named | Stage::Asked | Stage::AskedAgain => world.phase(c) == Some(Phase::RequestWaits),
            },
            Event::Ask(c) => {
                let waits = match stage(c) {
                    Stage::Begun => world.phase(c) == Some(Phase::InputStreaming) && world.has_told(Told::Start(c)),
                    Stage::Named => world.phase(c) == Some(Phase::InputAvailable) && complete(c),
                    Stage::Untold | Stage::Asked | Stage::AskedAgain => false,
                };
                waits && world.is_newest(c, scene)
            }
            // An update before the complete input takes its place.
            Event::Update(c) => {
                let is_open =
                    world.part(c).is_some_and(|part| !part.phase().is_settled() || part.phase() == Phase::Denied);
                profile.extras.updates && is_open && world.is_newest(c, scene) && !world.has_told(Told::Update(c))
            }
            Event::Output(c) => runs(c),
            Event::Error(c) => profile.extras.errors && runs(c),
            Event::Denied(c) => world.part(c).is_some_and(|part| {
                let has_it = world.machine.delivery(part) == Some(DeliveryState::Acknowledged);
                part.phase() == Phase::Denied && has_it && world.is_newest(c, scene)
            }),
            // The host cannot end an unrequested reply, so the reply announces its own end.
            Event::Finish => !backend.hosted && world.owes_nothing(),
            Event::BeginNew | Event::BeginUnnamed | Event::BeginOld | Event::Reset | Event::Failure => false,
            Event::Note | Event::Data => false,
            Event::Rename(_) | Event::Retool(_) | Event::Unusable(_) | Event::AskAgain(_) => false,
            Event::AskForeign(_) | Event::Automatic(_) | Event::Decides(..) | Event::Withdraw(_) => false,
            Event::Preliminary(_) => false,
        };
        telling && in_order
    }
}

impl World {
    /// The item and the attempt that an event belongs to, if it is not the awaited one.
    pub fn about(&self, whose: Whose) -> Option<(u32, Option<u32>)> {
        let open = self.machine.exchange().item();
        let awaited = |item: &&Item| item.is_active() || open == Some(item.id);
        let mut items = self.machine.outbox().items().iter().rev();
        match whose {
            Whose::Awaited | Whose::Lost => items.find(awaited).map(|item| (item.id, None)),
            Whose::Older => items.find(|item| !awaited(item)).map(|item| (item.id, None)),
            Whose::Ready => self.machine.outbox().ready().next().map(|item| (item.id, None)),
            Whose::EarlierAttempt => {
                let item = items.find(awaited).filter(|item| item.attempt > 1)?;
                Some((item.id, Some(item.attempt - 1)))
            }
        }
    }

    /// A message of the backend that is not the last one.
    pub fn old_message(&self) -> Option<Id> {
        let messages = self.machine.transcript().messages();
        let earlier = messages.split_last().map_or(&[][..], |(_, earlier)| earlier);
        earlier.iter().rfind(|message| message.role == Role::Assistant).map(|message| message.id)
    }

    /// Whether the user stopped the open reply, and the host has not ended its stream yet. Without a reply this is
    /// false: ending the stream then loses the request, which is a fault with its own cost.
    fn is_stopping(&self) -> bool {
        self.machine.exchange().reply().is_some_and(|reply| reply.stopping)
    }

    /// Whether the reply has any content.
    fn has_content(&self) -> bool {
        self.backend.standing().iter().any(|told| !matches!(told, Told::Step))
    }

    /// Whether the backend has sent everything that belongs to a reply that ends now.
    fn owes_nothing(&self) -> bool {
        let owed = |part: &ToolPart| match part.phase() {
            Phase::Submitted | Phase::InputStreaming | Phase::RequestWaits | Phase::Preliminary => {
                !part.provider_executed
            }
            // The page runs its tools; the backend does not.
            Phase::InputAvailable => !part.provider_executed && !self.machine.options().is_page_tool(part),
            _ => false,
        };
        let complete = self.has_content() && self.backend.begun && self.backend.again.is_none();
        complete && !self.parts().any(owed)
    }
}

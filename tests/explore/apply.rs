//! Applies an input to the machine, as a codec or a host does, and records its effect in the simulated backend.

use crate::inputs::{Copy, Event, Input, Whose};
use crate::profile::{Place, Protocol};
use crate::scene::{Scene, message};
use crate::tape::reloaded;
use crate::world::{Backend, Stage, Told, World};
use toolgate::machine::{
    About, Admission, Brings, CallReport, Change, Code, Ending, Event as Happened, Exchange, Id, Input as Cause,
    InputUpdate, Kind, LastReply, Message, Opening, Part, PartPos, Payload, Phase, Reconnect, Refusal, Request,
    Respond, Role, StreamEnd,
};

/// The kinds of content parts, as numbered by the AI SDK's codec.
const TEXT: u8 = 0;
const DATA: u8 = 7;

/// A time in ms after the machine has stopped waiting for a reconnect.
const TOO_LATE: u64 = 20_000;

/// The effect of an input.
#[derive(Debug, Default)]
pub struct Applied {
    /// The machine's events.
    pub events: Vec<Happened>,
    /// The changes that the machine reported.
    pub changes: Vec<Change>,
    /// The code of the refusal, if the machine refused the input.
    pub refused: Option<Code>,
}

impl World {
    /// Applies an input.
    pub fn apply(&mut self, input: Input, scene: &Scene) -> Applied {
        let refused = self.act(input, scene).err().map(|refusal| refusal.code);
        self.follow();
        Applied { changes: self.machine.take_changes(), events: self.machine.take_events(), refused }
    }

    fn act(&mut self, input: Input, scene: &Scene) -> Result<(), Refusal> {
        let begins = input == Input::Tell(Event::Begin, Whose::Awaited) && !self.backend.begun;
        self.backend.disturbed |= matches!(input, Input::Tell(..)) && !begins && self.backend.again.is_some();
        match input {
            Input::Tell(event, Whose::Awaited) => self.tell(event, self.awaited(scene), scene),
            Input::Tell(event, Whose::Lost) => self.backend.remember(event, true, false),
            Input::Tell(event, whose) => {
                let about = self.about(whose).map_or(About::default(), about);
                let known_keys = self.backend.keys;
                let (open, before) = (self.backend.open, event.call().map(|c| self.phase(c)));
                let resumes = event == Event::Begin && self.resumes(about);
                let answered = self.machine.exchange().item();
                let (known, last) = (self.backend.clone(), self.machine.turn().last_reply().cloned());
                self.send(event, about, scene);
                // A host that labels an event with a request reads the stream of that request.
                self.backend.hosted |= about.request.is_some() && self.machine.exchange().item() == about.request;
                // The event opened another reply than the awaited one.
                let is_other = !open || self.machine.exchange().item() != answered;
                if is_other && self.machine.exchange().reply().is_some() {
                    self.backend.reopen(resumes);
                    self.backend.hosted = true;
                    self.go_on(known, last);
                    let changed = event.call().is_some_and(|c| before != Some(self.phase(c)));
                    let renewed = known_keys != self.backend.keys;
                    self.backend.remember(event, changed, renewed);
                }
            }
            Input::Again(copy) => {
                let at = self.backend.again.unwrap_or_default();
                let (events, next): (&[usize], _) = match copy {
                    Copy::Whole => (&[at], at + 1),
                    Copy::Lost => (&[], at + 1),
                    Copy::Doubled => (&[at, at], at + 1),
                    Copy::Swapped => (&[at + 1, at], at + 2),
                };
                let mut told = events.iter().filter_map(|&at| self.backend.told.get(at));
                self.backend.disturbed |= told.any(|&told| self.opens_another(told, scene));
                events.iter().for_each(|&at| self.tell_again(at, scene));
                self.backend.again = Some(next).filter(|&next| next < self.backend.told.len());
            }
            Input::End(how, Whose::Awaited) => {
                let about = if self.is_reconnecting() { About::default() } else { self.awaited(scene) };
                self.machine.stream_ended(how, About { reconnect: None, ..about });
                let well = matches!(how, StreamEnd::Finished | StreamEnd::StepLimit);
                if self.backend.open {
                    self.backend.end_as_said(how == StreamEnd::Disconnected, well);
                }
            }
            Input::End(how, whose) => {
                let about = self.about(whose).map_or(About::default(), about);
                self.machine.stream_ended(how, about);
            }
            Input::Claim => self.claim(scene),
            Input::Answer(n, arrived) => {
                let Some(id) = self.answers().nth(n) else { return Ok(()) };
                if arrived { self.machine.mark_sent(id)? } else { self.machine.mark_failed(id, scene.error)? }
            }
            Input::Fail => {
                let Some(item) = self.machine.outbox().active() else { return Ok(()) };
                let (id, arrived) = (item.id, item.state() == toolgate::machine::ItemState::Replying);
                self.machine.freeze(id, scene.body, scene.body, &mut |_| {});
                self.machine.mark_failed(id, scene.error)?;
                self.backend.end_as_said(arrived, false);
            }
            Input::Reload => {
                let restored = reloaded(&self.machine);
                self.machine = restored.expect("a machine's own snapshot can be restored");
                let cut = self.backend.open || self.backend.cut;
                let ended = self.backend.ended;
                // A snapshot does not contain the announced ending of a reply.
                self.backend.end(cut, ended);
            }
            Input::Load(known) => self.load(known),
            Input::Respond(c, approved) => {
                let Some(asked) = self.part(c).and_then(|part| part.approval.as_ref()) else { return Ok(()) };
                let (approval, reason) = (asked.id, if approved { Payload::NONE } else { scene.reason });
                self.machine.respond(Respond { approval, approved, reason, as_shown: Some(true), edited: None })?;
            }
            Input::Edit(c) => {
                let Some(asked) = self.part(c).and_then(|part| part.approval.as_ref()) else { return Ok(()) };
                let (approval, reason, edited) = (asked.id, Payload::NONE, Some(scene.other_input));
                self.machine.respond(Respond { approval, approved: true, reason, as_shown: Some(true), edited })?;
            }
            Input::Remember(c) => {
                let asked = self.asked(c, scene);
                self.machine.remember(asked, false, false, None, 0, &mut |_| None);
            }
            Input::RespondAll(approved) => {
                let asked = self.machine.pending().filter_map(|part| part.approval.as_ref());
                let ids: Vec<_> = asked.map(|approval| approval.id).collect();
                let reason = if approved { Payload::NONE } else { scene.reason };
                self.machine.respond_all(&ids, approved, reason);
            }
            Input::Message => {
                let message = self.users_message(scene);
                self.machine.send_user_message(message, None)?;
            }
            Input::Replace => {
                let first = self.machine.transcript().messages().first().map(|message| message.id);
                let message = self.users_message(scene);
                self.machine.send_user_message(message, first)?;
                (self.backend.cut, self.backend.ended) = (false, false);
            }
            Input::Regenerate => {
                self.machine.regenerate(None)?;
                (self.backend.cut, self.backend.ended) = (false, false);
            }
            Input::Cancel => self.machine.cancel(scene.reason),
            Input::Stop => self.machine.stop(),
            // The time is not part of a state; it is 0 everywhere else.
            Input::Expire => self.machine.tick(2),
            Input::TimeIsUp => self.machine.tick(TOO_LATE),
            Input::Unread => {
                if let Some(item) = self.unread_item().map(|item| item.id) {
                    self.machine.message_unread(item);
                }
            }
            Input::Resume => self.machine.resume(),
            Input::Retry(n) => {
                let Some(id) = self.machine.outbox().undelivered().nth(n).map(|item| item.id) else { return Ok(()) };
                self.machine.retry(id)?;
                // The host reads the reply to the retry, and no other stream.
                if self.backend.reconnected.is_some() && *self.machine.exchange() == Exchange::Idle {
                    self.backend.end(false, false);
                }
            }
            Input::Browser(c, failed) => {
                let result = if failed { scene.error } else { scene.output };
                self.machine.add_output(scene.call(c), result, failed)?;
            }
            Input::Rewrite(c) => {
                if let Some(key) = self.backend.keys[c] {
                    self.machine.rewrite(key, scene.error);
                }
            }
            Input::Reconnecting => {
                self.machine.reconnecting(About { reconnect: None, ..self.awaited(scene) }, 0);
                self.backend.end(true, false);
            }
            Input::Reconnect(how) => {
                self.backend.reopen(true);
                self.backend.hosted = true;
                self.backend.reconnected = Some(how);
                if how == Reconnect::Offset {
                    self.backend.again = None;
                    self.backend.begun = self.backend.message.is_some();
                }
            }
        }
        Ok(())
    }

    /// How the host labels events of the stream that it reads.
    fn awaited(&self, scene: &Scene) -> About {
        let reconnect = self.backend.reconnected;
        if !scene.profile.labels {
            return About { reconnect, ..About::default() };
        }
        if !self.backend.hosted && !matches!(self.machine.exchange(), Exchange::InFlight { .. }) {
            return About { reconnect, ..About::default() };
        }
        let outbox = self.machine.outbox();
        let answers = || outbox.items().iter().rev().find(|item| item.is_aside() && item.state().is_under_way());
        let lost = || self.machine.turn().last_reply().filter(|_| reconnect.is_some()).and_then(|reply| reply.item);
        let request = self.machine.exchange().item().or_else(lost).or_else(|| answers().map(|item| item.id));
        About { request, attempt: None, reconnect }
    }

    /// The user's next message. The budget of the path limits their number.
    fn users_message(&self, scene: &Scene) -> Message {
        let mut written = Message::new(message(usize::from(self.spent.messages)), Role::User);
        written.parts.push(Part::Content { kind: TEXT, value: scene.text });
        written
    }

    /// Claims the first listed item and stores its body, as a host does before it sends a request.
    fn claim(&mut self, scene: &Scene) {
        let Some((id, answers)) = self.machine.outgoing().next().map(|item| (item.id, item.is_aside())) else {
            return;
        };
        self.machine.claim(id);
        self.machine.freeze(id, scene.body, scene.body, &mut |_| {});
        if answers {
            // If the last reply ended well, the next one is not a replay of it. Nor is that of a stream to which the
            // host has reconnected without saying so before it sent the answer: `reconnecting` is for that.
            if self.backend.ended {
                (self.backend.ended, self.backend.told, self.backend.message) = (false, Vec::new(), None);
                (self.backend.again, self.backend.begun) = (None, false);
            }
            return;
        }
        let Backend { stages, keys, steps, messages, .. } = std::mem::take(&mut self.backend);
        self.backend = Backend { stages, keys, steps, messages, open: true, hosted: true, ..Backend::default() };
    }

    /// The backend sends an event in the awaited reply, and records that it has sent it.
    fn tell(&mut self, event: Event, about: About, scene: &Scene) {
        let before = event.call().map(|c| self.phase(c));
        // If the event answers a ready item, another client has sent that item, and has built its body.
        let outbox = self.machine.outbox();
        let named =
            about.request.and_then(|id| outbox.item(id)).filter(|item| outbox.ready().any(|one| one.id == item.id));
        let named = named.map(|item| item.id);
        named.into_iter().for_each(|id| self.machine.freeze(id, scene.body, scene.body, &mut |_| {}));
        let known = self.backend.clone();
        let known_keys = known.keys;
        // If the last reply was cut or has ended, a new stream replays it, unless it can be the reply to a newer item.
        let newer = self.machine.outbox().active().is_some_and(|item| known.ended || !item.messages.is_empty());
        let tells_again = (known.cut || known.ended) && !newer;
        if !self.backend.open {
            self.backend.reopen(event == Event::Begin && tells_again);
            self.backend.hosted = about.request.is_some();
        }
        let last = self.machine.turn().last_reply().cloned();
        self.send(event, about, scene);
        if !known.open && self.machine.exchange().reply().is_none() {
            // The event opened no stream.
            let Backend { keys, messages, .. } = self.backend;
            self.backend = Backend { keys, messages, ..known };
            return;
        }
        // A host that labels an event with a request reads the stream of that request.
        self.backend.hosted |= about.request.is_some() && self.machine.exchange().item() == about.request;
        if !known.open {
            self.go_on(known, last);
        }
        let changed = event.call().is_some_and(|c| before != Some(self.phase(c)));
        let renewed = known_keys != self.backend.keys;
        self.backend.remember(event, changed, renewed);
    }

    /// If the machine continues the last reply in this stream, the content of that reply counts as sent.
    fn go_on(&mut self, known: Backend, last: Option<LastReply>) {
        let (Some(reply), Some(last)) = (self.machine.exchange().reply(), last) else { return };
        let same = reply.message.is_some() && (reply.message, reply.base) == (last.message, last.base);
        if same && !self.backend.resumed {
            (self.backend.told, self.backend.message) = (known.told, known.message);
            let repeats = reply.replay.end > 0 && !self.backend.told.is_empty();
            self.backend.again = repeats.then_some(0);
        }
    }

    /// Whether a late event is the first one of the replay of a cut reply.
    fn resumes(&self, about: About) -> bool {
        let last = self.machine.turn().last_reply().and_then(|reply| reply.item);
        self.backend.cut && about.request.is_some() && about.request == last
    }

    /// Updates the simulated backend for streams that the machine opened or ended without a request.
    fn follow(&mut self) {
        match self.machine.exchange() {
            Exchange::Replying(reply) => {
                (self.backend.open, self.backend.cut, self.backend.ended) = (true, false, false);
                let written = reply.message.and_then(|at| self.machine.transcript().messages().get(at));
                self.backend.message = self.backend.message.or(written.map(|message| message.id));
            }
            Exchange::Idle if self.backend.open && !self.backend.hosted => {
                let ended = self.backend.fixed == Some(true);
                self.backend.end(!ended, ended);
            }
            Exchange::Idle | Exchange::InFlight { .. } | Exchange::Reconnecting { .. } => {}
        }
        // The machine removes a message without content, so the reply is sent again from its start.
        let dropped = |id: Id| self.machine.transcript().position(id).is_none();
        if !self.backend.open && self.backend.message.is_some_and(dropped) {
            let steps = self.backend.told.iter().filter(|&&told| told == Told::Step).count();
            self.backend.steps -= steps.min(self.backend.steps);
            self.backend.told.clear();
        }
    }

    /// Sends an event of a cut stream again.
    fn tell_again(&mut self, at: usize, scene: &Scene) {
        let Some(told) = self.backend.told.get(at).copied() else { return };
        let event = match told {
            Told::Step => Event::Step,
            Told::Text => Event::Text,
            Told::Data => Event::Data,
            Told::Reset => Event::Reset,
            Told::Start(c) => Event::Start(c),
            Told::Rename(c) => Event::Rename(c),
            Told::Update(c) => Event::Update(c),
            Told::Retool(c) => Event::Retool(c),
            Told::Call(c) => Event::Name(c),
            Told::Ask(c) => Event::Ask(c),
            Told::AskAgain(c) => Event::AskAgain(c),
            Told::Unusable(c) => Event::Unusable(c),
            Told::Output(c) => Event::Output(c),
            Told::Error(c) => Event::Error(c),
            Told::Denied(c) => Event::Denied(c),
        };
        let about = self.awaited(scene);
        self.send(event, about, scene);
        self.backend.hosted |= about.request.is_some() && self.machine.exchange().item() == about.request;
    }

    /// Passes an event to the machine, as the codec of the AI SDK does.
    fn send(&mut self, event: Event, about: About, scene: &Scene) {
        let named = self.named(event);
        let brings = self.brings(event, named, scene);
        let admission = self.machine.admit(about, brings);
        let current = admission == Admission::Current;
        let unnamed = scene.unnamed;
        match event {
            Event::Begin | Event::BeginNew | Event::BeginUnnamed | Event::BeginOld if current => {
                if named != self.backend.message {
                    // What was sent before belongs to another message.
                    (self.backend.told, self.backend.again) = (Vec::new(), None);
                }
                self.backend.message = named.or(self.backend.message);
                self.machine.begin(named, unnamed);
            }
            Event::Step if current => self.machine.step_start(unnamed),
            Event::Reset if current => self.machine.step_reset(),
            Event::StepDone if current => self.machine.step_finish(),
            Event::Text if current => {
                self.machine.text(TEXT, scene.text, unnamed);
            }
            Event::Data if current => {
                self.machine.content(DATA, scene.data, unnamed);
            }
            Event::Data if admission == Admission::Outside => {
                self.machine.content_outside(DATA, scene.data);
            }
            Event::Finish | Event::Failure if current => self.machine.end_if_unrequested(),
            Event::Start(c) => self.input(admission, c, Cause::InputStart, scene.partial, scene.tool(c), scene),
            Event::Name(c) => self.input(admission, c, Cause::InputAvailable, scene.input(c), scene.tool(c), scene),
            Event::Retool(c) => {
                let other = scene.tools.into_iter().find(|&tool| tool != scene.tool(c)).unwrap_or(scene.unnamed);
                self.input(admission, c, Cause::InputAvailable, scene.input(c), other, scene);
            }
            Event::Rename(c) => {
                self.input(admission, c, Cause::InputAvailable, scene.other_input, scene.tool(c), scene);
            }
            Event::Update(c) => self.update(admission, c, scene.other_input, scene),
            Event::Unusable(c) => self.input(admission, c, Cause::InputError, scene.input(c), scene.tool(c), scene),
            Event::Ask(c) | Event::Automatic(c) => {
                self.request(admission, c, scene.approval(c), matches!(event, Event::Automatic(_)), scene);
            }
            Event::AskAgain(c) => self.request(admission, c, scene.second_approval(c), false, scene),
            Event::AskForeign(c) => self.request(admission, c, scene.approval(other(c)), false, scene),
            Event::Decides(c, approved) => {
                let asked = self.asked(c, scene);
                self.machine.backend_decided(admission, asked, approved, Payload::NONE, &mut |_| {});
            }
            Event::Withdraw(c) => {
                let asked = self.asked(c, scene);
                self.machine.request_withdrawn(admission, asked);
            }
            Event::Preliminary(c) => self.result(admission, c, Cause::Preliminary, scene.output, scene),
            Event::Output(c) => self.result(admission, c, Cause::Output, scene.output, scene),
            Event::Error(c) => self.result(admission, c, Cause::Error, scene.error, scene),
            Event::Denied(c) => {
                let report = CallReport { call: scene.call(c), input: Cause::OutputDenied, same: &mut |_| false };
                self.machine.report_on(admission, report, &mut |_| {});
            }
            Event::Begin | Event::BeginNew | Event::BeginUnnamed | Event::BeginOld | Event::Step | Event::Reset => {}
            Event::StepDone | Event::Text | Event::Finish | Event::Failure | Event::Note | Event::Data => {}
        }
        // Like the host, gives a message without an id a new id at once.
        let messages = self.machine.transcript().messages();
        let begun = self.machine.current_message().and_then(|at| messages.get(at));
        if begun.is_some_and(|message| message.id == unnamed) {
            let id = self.backend.new_message();
            self.backend.message = Some(id);
            self.machine.name_message(id);
        }
    }

    /// The kind of content in the event, which the codec passes to the machine before the event is applied.
    fn brings(&self, event: Event, named: Option<Id>, scene: &Scene) -> Brings {
        use Event as E;
        match event {
            E::Begin | E::BeginNew | E::BeginUnnamed | E::BeginOld => Brings::Start(named),
            E::Step | E::Text => Brings::Content,
            E::Start(_) | E::Name(_) | E::Rename(_) | E::Retool(_) | E::Unusable(_) => Brings::Content,
            E::Reset | E::StepDone | E::Note => Brings::Housekeeping,
            E::Finish => Brings::Ending(Ending::Finished),
            E::Failure => Brings::Ending(Ending::Failed),
            E::Data => Brings::Attachment,
            E::Update(_) | E::Decides(..) | E::Withdraw(_) => Brings::Report,
            E::Ask(c) | E::Automatic(c) => Brings::Request(scene.call(c), scene.approval(c)),
            E::AskAgain(c) => Brings::Request(scene.call(c), scene.second_approval(c)),
            E::AskForeign(c) => Brings::Request(scene.call(c), scene.approval(other(c))),
            E::Preliminary(c) | E::Output(c) | E::Error(c) | E::Denied(c) => Brings::Result(scene.call(c)),
        }
    }

    /// The message that an event names.
    fn named(&mut self, event: Event) -> Option<Id> {
        let last = self.machine.transcript().last().filter(|last| last.role == Role::Assistant).map(|last| last.id);
        let continues = self.machine.outbox().active().is_some_and(|item| item.kind == Kind::Step);
        let due = self.backend.message.or(last.filter(|_| continues));
        match event {
            Event::Begin => Some(due.unwrap_or_else(|| self.backend.new_message())),
            Event::BeginNew => Some(self.backend.new_message()),
            Event::BeginOld => self.old_message(),
            _ => None,
        }
    }

    fn input(&mut self, admission: Admission, c: usize, cause: Cause, input: Payload, name: Id, scene: &Scene) {
        let provider = scene.place(c) == Place::Provider;
        let failed = (cause == Cause::InputError).then_some(scene.error);
        let mut same = |known: Payload| known == input;
        let opening = Opening { call: scene.call(c), name, input: cause, fallback_id: scene.unnamed, same: &mut same };
        let mut waited = false;
        let at = self.machine.open_call(admission, opening, &mut |part| {
            waited = part.phase() == Phase::RequestWaits;
            part.input = input;
            part.provider_executed |= provider;
            part.fields = if provider { scene.provided } else { part.fields };
            if let Some(error) = failed {
                part.output = error;
                part.input_complete = true;
            }
        });
        if let Some(at) = at.filter(|_| waited) {
            self.machine.recall(at, 0, &mut |_| None);
        }
        self.learn(c, at);
    }

    fn update(&mut self, admission: Admission, c: usize, input: Payload, scene: &Scene) {
        let mut same = |known: Payload| known == input;
        let update = InputUpdate { call: scene.call(c), name: None, has_input: true, same: &mut same };
        let at = self.machine.update_call(admission, update, &mut |part| part.input = input);
        if let Some(at) = at {
            self.machine.recall(at, 0, &mut |_| None);
        }
    }

    /// Reads the call's key from its position.
    fn learn(&mut self, c: usize, at: Option<PartPos>) {
        let key = at.and_then(|at| self.machine.transcript().tool(at)).map(|part| part.key());
        if key.is_some_and(|key| self.number(key).is_none()) {
            // The id belongs to another call now, of which the backend has sent nothing.
            self.backend.stages[c] = self.backend.keys[c].map_or(self.backend.stages[c], |_| Stage::Untold);
            self.backend.keys[c] = key;
        }
    }

    fn request(&mut self, admission: Admission, c: usize, approval: Id, automatic: bool, scene: &Scene) {
        let repeat_unsafe = scene.profile.protocol == Protocol::FirstUnsafe;
        let request =
            Request { approval, envelope: Payload::NONE, automatic, repeat_unsafe, is_local: false, expires_at: None };
        // Values are not copied, so the number of an input stands for its digest.
        let digest = &mut |input: Payload| Some(Id::at(input.0));
        let at = self.machine.request(admission, scene.call(c), &request, 0, digest);
        if let Some(at) = at {
            self.machine.recall(at, 0, digest);
        }
        self.learn(c, at);
    }

    /// The approval that a call has now.
    fn asked(&self, c: usize, scene: &Scene) -> Id {
        self.part(c).and_then(|part| part.approval.as_ref()).map_or(scene.unknown, |asked| asked.id)
    }

    /// Sends a result. A second result has another value, so that a check notices if it replaces the first.
    fn result(&mut self, admission: Admission, c: usize, cause: Cause, result: Payload, scene: &Scene) {
        let settled = self.part(c).is_some_and(|part| part.phase().is_settled());
        let again = self.backend.again.is_some();
        let result = if settled && !again { scene.other_output } else { result };
        let report = CallReport { call: scene.call(c), input: cause, same: &mut |known| known == result };
        self.machine.report_on(admission, report, &mut |part| part.output = result);
    }
}

/// The call whose approval id `AskForeign` uses.
fn other(c: usize) -> usize {
    if c == 0 { 1 } else { 0 }
}

fn about((request, attempt): (u32, Option<u32>)) -> About {
    About { request: Some(request), attempt, reconnect: None }
}

//! What each input does: to the machine as a codec or a host would do it, and to the world around it.

use crate::inputs::{Event, Input, Whose};
use crate::profile::Place;
use crate::scene::{Scene, approval, call, message, second_approval};
use crate::world::{Backend, Stage, Told, World};
use toolgate::machine::{
    About, Admission, Cause, Code, Ending, Event as Happened, Holder, Machine, Message, Part, Payload, Refusal,
    Request, Role, Saved, StreamEnd, Trigger,
};

/// The kind of a content part that is text, in the numbering of the AI SDK's codec.
const TEXT: u8 = 0;

/// What came of an input.
#[derive(Debug, Default)]
pub struct Applied {
    /// What the machine told.
    pub events: Vec<Happened>,
    /// Why it refused.
    pub refused: Option<Code>,
}

impl World {
    /// Does it.
    pub fn apply(&mut self, input: Input, scene: &Scene) -> Applied {
        let refused = self.act(input, scene).err().map(|refusal| refusal.code);
        self.machine.take_changes();
        Applied { events: self.machine.take_events(), refused }
    }

    fn act(&mut self, input: Input, scene: &Scene) -> Result<(), Refusal> {
        match input {
            Input::Tell(event, Whose::Awaited) => self.tell(event, scene),
            Input::Tell(event, whose) => {
                let about = self.about(whose).map_or(About::default(), about);
                let (open, before) = (self.backend.open, event.call().map(|c| self.phase(c)));
                let resumes = event == Event::Begin && self.resumes(about);
                self.send(event, about, scene);
                self.follow();
                // It was the reply of a request that nobody waited for any more: now somebody does.
                if self.backend.open && !open {
                    self.backend.reopen(resumes);
                    let changed = event.call().is_some_and(|c| before != Some(self.phase(c)));
                    self.backend.remember(event, changed);
                }
            }
            Input::Again => self.tell_again(scene),
            Input::End(how, Whose::Awaited) => {
                self.machine.stream_ended(how, About::default());
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
                let Some(item) = self.machine.active() else { return Ok(()) };
                let (id, arrived) = (item.id, item.state == toolgate::machine::DeliveryState::Acknowledged);
                self.machine.freeze(id, scene.body);
                self.machine.mark_failed(id, scene.error)?;
                self.backend.end_as_said(arrived, false);
            }
            Input::Reload => {
                self.machine = reloaded(&self.machine);
                let cut = self.backend.open || self.backend.cut;
                let ended = self.backend.ended;
                // A snapshot does not know what the reply said about its ending.
                self.backend.end(cut, ended);
            }
            Input::Respond(c, approved) => {
                let Some(asked) = self.part(c).and_then(|part| part.approval.as_ref()) else { return Ok(()) };
                let (id, reason) = (asked.id, if approved { Payload::NONE } else { scene.reason });
                self.machine.respond(id, approved, reason, true, None)?;
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
            // The time is no part of a state: it stands still but for this.
            Input::Expire => {
                self.machine.tick(2);
                self.machine.set_now(0);
            }
            Input::Resume => self.machine.resume(),
            Input::Retry(n) => {
                let Some(id) = self.machine.undelivered().nth(n).map(|item| item.id) else { return Ok(()) };
                self.machine.retry(id)?;
            }
            Input::Browser(c, failed) => {
                let result = if failed { scene.error } else { scene.output };
                self.machine.add_output(call(c), result, failed)?;
            }
        }
        Ok(())
    }

    /// The next of the user's messages: one for each that the path has paid.
    fn users_message(&self, scene: &Scene) -> Message {
        let mut written = Message::new(message(usize::from(self.spent.messages)), Role::User);
        written.parts.push(Part::Content { kind: TEXT, value: scene.text });
        written
    }

    /// Takes what is listed off the list, and keeps its body, as a host does before bytes leave.
    fn claim(&mut self, scene: &Scene) {
        let Some((id, answers)) = self.machine.outgoing().next().map(|item| (item.id, item.is_answer())) else {
            return;
        };
        self.machine.claim(id);
        self.machine.freeze(id, scene.body);
        if answers {
            // What comes behind it is not the last reply once more, if that ended well.
            if self.backend.ended && !self.backend.open {
                (self.backend.ended, self.backend.told, self.backend.message) = (false, Vec::new(), None);
            }
            return;
        }
        let Backend { stages, steps, messages, .. } = std::mem::take(&mut self.backend);
        self.backend = Backend { stages, steps, messages, open: true, ..Backend::default() };
    }

    /// The backend tells something in the reply that is awaited, and remembers it.
    fn tell(&mut self, event: Event, scene: &Scene) {
        let before = event.call().map(|c| self.phase(c));
        // A reply to what nobody claimed: whoever sent it has made its body all the same.
        let listed = self.machine.outgoing().find(|item| !item.is_answer()).map(|item| item.id);
        listed.into_iter().for_each(|id| self.machine.freeze(id, scene.body));
        // A stream that comes while a request is about to leave is taken for its reply, unless one was cut.
        let newer = self.machine.active().is_some_and(|item| self.backend.ended || !item.messages.is_empty());
        let tells_again = (self.backend.cut || self.backend.ended) && !newer;
        if event == Event::Begin && tells_again && !self.backend.open {
            self.backend.reopen(true);
        } else if !self.backend.open {
            self.backend.reopen(false);
        }
        self.send(event, About::default(), scene);
        let changed = event.call().is_some_and(|c| before != Some(self.phase(c)));
        self.backend.remember(event, changed);
        self.follow();
    }

    /// Whether a late event is the first of a cut reply that is told again.
    fn resumes(&self, about: About) -> bool {
        let last = self.machine.last_reply().and_then(|reply| reply.item);
        self.backend.cut && about.request.is_some() && about.request == last
    }

    /// A reply that nobody asked for is a reply all the same: its stream is open.
    fn follow(&mut self) {
        if self.machine.last_reply().is_some_and(|reply| reply.ending.is_none()) {
            (self.backend.open, self.backend.cut, self.backend.ended) = (true, false, false);
        }
        let written = self.machine.current_message().and_then(|at| self.machine.transcript().messages().get(at));
        self.backend.message = self.backend.message.or(written.map(|message| message.id));
    }

    /// The next event of what was told before the stream was cut.
    fn tell_again(&mut self, scene: &Scene) {
        let Some(told) = self.backend.again.and_then(|at| self.backend.told.get(at)).copied() else { return };
        let event = match told {
            Told::Step => Event::Step,
            Told::Text => Event::Text,
            Told::Call(c) if self.backend.stages[c] == Stage::Begun => Event::Start(c),
            Told::Call(c) => Event::Name(c),
            Told::Ask(c) => Event::Ask(c),
            Told::AskAgain(c) => Event::AskAgain(c),
            Told::Unusable(c) => Event::Unusable(c),
            Told::Output(c) => Event::Output(c),
            Told::Error(c) => Event::Error(c),
            Told::Denied(c) => Event::Denied(c),
        };
        self.send(event, About::default(), scene);
        let next = self.backend.again.map_or(0, |at| at + 1);
        self.backend.again = Some(next).filter(|&next| next < self.backend.told.len());
    }

    /// As the codec of the AI SDK gives an event to the machine.
    fn send(&mut self, event: Event, about: About, scene: &Scene) {
        let admission = self.machine.admit(about);
        let current = admission == Admission::Current;
        let unnamed = scene.unnamed;
        match event {
            Event::Begin | Event::BeginNew | Event::BeginUnnamed if current => self.begin(event, unnamed),
            Event::Step if current => self.machine.step_start(unnamed),
            Event::Reset if current => self.machine.step_reset(),
            Event::StepDone if current => self.machine.step_finish(),
            Event::Text if current => {
                self.machine.content(TEXT, scene.text, unnamed);
            }
            Event::Finish if current => self.machine.fix_ending(Ending::Finished),
            Event::Failure if current => self.machine.fix_ending(Ending::Failed),
            Event::Start(c) => self.input(admission, c, Cause::InputStart, scene.partial, scene),
            Event::Name(c) | Event::Retool(c) => self.input_of(event, admission, c, scene),
            Event::Rename(c) => self.input(admission, c, Cause::InputAvailable, scene.other_input, scene),
            Event::Unusable(c) => self.input(admission, c, Cause::InputError, scene.other_input, scene),
            Event::Ask(c) => self.request(admission, c, approval(c), false),
            Event::AskAgain(c) => self.request(admission, c, second_approval(c), false),
            Event::AskForeign(c) => self.request(admission, c, approval(if c == 0 { 1 } else { 0 }), false),
            Event::Automatic(c) => self.request(admission, c, approval(c), true),
            Event::Decides(c, approved) => {
                let asked = self.part(c).and_then(|part| part.approval.as_ref()).map(|asked| asked.id);
                let asked = asked.unwrap_or(scene.unknown);
                self.machine.backend_decided(admission, asked, approved, Payload::NONE, &mut |_| {});
            }
            Event::Preliminary(c) => self.result(admission, c, Cause::Preliminary, scene.output, scene),
            Event::Output(c) => self.result(admission, c, Cause::Output, scene.output, scene),
            Event::Error(c) => self.result(admission, c, Cause::Error, scene.error, scene),
            Event::Denied(c) => {
                self.machine.report_on(admission, call(c), Cause::OutputDenied, &mut |_| {});
            }
            Event::Begin | Event::BeginNew | Event::BeginUnnamed | Event::Step | Event::Reset => {}
            Event::StepDone | Event::Text | Event::Finish | Event::Failure => {}
        }
        // As the host does it: a message that the backend did not name gets its id at once.
        let messages = self.machine.transcript().messages();
        let begun = self.machine.current_message().and_then(|at| messages.get(at));
        if begun.is_some_and(|message| message.id == unnamed) {
            let id = self.backend.new_message();
            self.backend.message = Some(id);
            self.machine.begin(Some(id), unnamed);
        }
    }

    fn begin(&mut self, event: Event, unnamed: toolgate::machine::Id) {
        let last = self.machine.transcript().last().filter(|last| last.role == Role::Assistant).map(|last| last.id);
        let asked = self.machine.active();
        let goes_on = asked.is_some_and(|item| item.messages.is_empty() && item.trigger == Trigger::Submit);
        let due = self.backend.message.or(last.filter(|_| goes_on));
        if event == Event::BeginUnnamed {
            return self.machine.begin(None, unnamed);
        }
        let id = due.filter(|_| event == Event::Begin).unwrap_or_else(|| self.backend.new_message());
        self.backend.message = Some(id);
        self.machine.begin(Some(id), unnamed);
    }

    fn input(&mut self, admission: Admission, c: usize, cause: Cause, input: Payload, scene: &Scene) {
        let (name, provider) = (scene.tool(c), scene.place(c) == Place::Provider);
        let failed = (cause == Cause::InputError).then_some(scene.error);
        self.machine.input(admission, call(c), name, cause, scene.unnamed, &mut |part| {
            part.input = input;
            part.provider_executed |= provider;
            part.fields = if provider { scene.provided } else { part.fields };
            if let Some(error) = failed {
                part.output = error;
                part.input_complete = true;
            }
        });
    }

    fn input_of(&mut self, event: Event, admission: Admission, c: usize, scene: &Scene) {
        if matches!(event, Event::Name(_)) {
            return self.input(admission, c, Cause::InputAvailable, scene.input, scene);
        }
        let other = scene.tools.into_iter().find(|&tool| tool != scene.tool(c)).unwrap_or(scene.unnamed);
        self.machine.input(admission, call(c), other, Cause::InputAvailable, scene.unnamed, &mut |part| {
            part.input = scene.input;
        });
    }

    fn request(&mut self, admission: Admission, c: usize, approval: toolgate::machine::Id, automatic: bool) {
        let request = Request { approval, envelope: Payload::NONE, automatic, expires_at: None };
        if let Some(at) = self.machine.request(admission, call(c), request) {
            self.machine.recall(at, &mut |_| None);
        }
    }

    /// A result. A second one is another one, so that it is seen if it takes the first one's place.
    fn result(&mut self, admission: Admission, c: usize, cause: Cause, result: Payload, scene: &Scene) {
        let settled = self.part(c).is_some_and(|part| part.phase.is_settled());
        let again = self.backend.again.is_some();
        let result = if settled && !again { scene.other_output } else { result };
        self.machine.report_on(admission, call(c), cause, &mut |part| part.output = result);
    }
}

fn about((request, attempt): (u32, Option<u32>)) -> About {
    About { request: Some(request), attempt }
}

/// The machine's state as plain data.
pub fn saved(machine: &Machine) -> Saved {
    Saved {
        messages: machine.transcript().messages().to_vec(),
        approvals: machine.transcript().approvals().collect::<Vec<(_, Holder)>>(),
        items: machine.items().to_vec(),
        next_item: machine.next_item(),
        queue: machine.queue().map(|(message, replaces)| (message.clone(), replaces)).collect(),
        turn: machine.turn(),
        hold: machine.is_holding(),
        left: machine.is_leaving_denials(),
        rule: machine.rule(),
        memories: machine.all_memories().0.to_vec(),
        last_memory: machine.all_memories().1,
        decided: machine.counts().1,
        reply: machine.last_reply(),
    }
}

/// A machine that goes on from a snapshot of this one.
pub fn reloaded(machine: &Machine) -> Machine {
    Machine::restore(saved(machine), machine.options().clone())
}

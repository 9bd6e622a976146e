//! Snapshots: the machine's state as numbers, texts and values, and back.
//!
//! Numbers and texts stand one after the other, in the order in which they are read; nobody but this
//! file reads them. Values of the host stand in a list of their own, as they are: whoever stores it
//! encodes them. Reading believes nothing: what this file did not write is refused, whole.

use crate::machine::{
    Approval, Author, Decision, DeliveryState, Ending, Holder, Id, Item, Machine, Message, Options, Outcome,
    OutcomeKind, Part, Payload, Phase, Role, Saved, SavedReply, ToolPart, Trigger, Turn,
};

const ROLES: [Role; 3] = [Role::System, Role::User, Role::Assistant];
const AUTHORS: [Author; 3] = [Author::User, Author::Policy, Author::Backend];
const TRIGGERS: [Trigger; 2] = [Trigger::Submit, Trigger::Regenerate];
const OUTCOMES: [OutcomeKind; 5] =
    [OutcomeKind::Executed, OutcomeKind::Failed, OutcomeKind::Denied, OutcomeKind::Cancelled, OutcomeKind::Interrupted];
const DELIVERIES: [DeliveryState; 6] = [
    DeliveryState::Held,
    DeliveryState::Ready,
    DeliveryState::InFlight,
    DeliveryState::Acknowledged,
    DeliveryState::Failed,
    DeliveryState::Unconfirmed,
];
const ENDINGS: [Ending; 6] =
    [Ending::Finished, Ending::Failed, Ending::Empty, Ending::StepLimit, Ending::Interrupted, Ending::Disconnected];

/// A machine's state, ready to be stored.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Snapshot {
    /// Counts, places and flags.
    pub numbers: Vec<f64>,
    /// The ids' texts, then the items' errors.
    pub texts: Vec<String>,
    /// The values that the machine holds. A number 0 stands for none, 1 for the first of these.
    pub values: Vec<Payload>,
}

/// The machine's state.
#[must_use]
pub fn save(machine: &Machine) -> Snapshot {
    let saved = machine.save();
    let mut out = Snapshot { texts: saved.ids.texts().map(str::to_owned).collect(), ..Snapshot::default() };
    out.number(out.texts.len());
    out.number(saved.messages.len());
    saved.messages.iter().for_each(|message| out.message(message));
    out.number(saved.approvals.len());
    for (id, holder) in saved.approvals {
        let (Holder::Call(call) | Holder::Superseded(call)) = holder;
        out.id(id);
        out.id(call);
        out.flag(matches!(holder, Holder::Superseded(_)));
    }
    out.number(saved.items.len());
    saved.items.iter().for_each(|item| out.item(item));
    out.number(saved.next_item as usize);
    out.number(saved.queue.len());
    for (message, replaces) in &saved.queue {
        out.message(message);
        out.flag(*replaces);
    }
    out.place(&ENDINGS, saved.turn.ending.as_ref());
    out.flag(saved.turn.work);
    out.flag(saved.hold);
    out.number(saved.decided as usize);
    out.flag(saved.reply.is_some());
    if let Some(reply) = saved.reply {
        out.number(reply.item.unwrap_or(0) as usize);
        out.number(reply.message.map_or(0, |message| message + 1));
        out.number(reply.base);
        out.place(&ENDINGS, reply.ending.as_ref());
    }
    out
}

/// A machine from a snapshot; none if the snapshot is damaged. The options' ids are those of the
/// snapshot, so they are given by their texts: `options` gets the way to make one.
pub fn restore(snapshot: Snapshot, options: impl FnOnce(&mut dyn FnMut(&str) -> Id) -> Options) -> Option<Machine> {
    let mut from = Reader { snapshot: &snapshot, number: 0, sound: true };
    let mut saved = Saved::default();
    let ids = from.count();
    let known = snapshot.texts.get(..ids)?;
    known.iter().for_each(|text| {
        saved.ids.make(text);
    });
    // Two ids with one text would be one.
    (saved.ids.texts().count() == ids).then_some(())?;
    saved.messages = from.list(Reader::message);
    saved.approvals = from.list(|from| {
        let (id, call) = (from.id(), from.id());
        (id, if from.flag() { Holder::Superseded(call) } else { Holder::Call(call) })
    });
    saved.items = from.list(Reader::item);
    saved.next_item = from.count() as u32;
    saved.queue = from.list(|from| (from.message(), from.flag()));
    saved.turn = Turn { ending: from.place(&ENDINGS), work: from.flag() };
    (saved.hold, saved.decided) = (from.flag(), from.count() as u32);
    saved.reply = from.flag().then(|| SavedReply {
        item: Some(from.count() as u32).filter(|&item| item > 0),
        message: from.count().checked_sub(1),
        base: from.count(),
        ending: from.place(&ENDINGS),
    });
    let in_reach = |reply: SavedReply| reply.message.is_none_or(|message| message < saved.messages.len());
    if !from.sound || from.number != snapshot.numbers.len() || !saved.reply.is_none_or(in_reach) {
        return None;
    }
    let options = options(&mut |text| saved.ids.make(text));
    Some(Machine::restore(saved, options))
}

impl Snapshot {
    fn number(&mut self, number: usize) {
        self.numbers.push(number as f64);
    }

    fn flag(&mut self, flag: bool) {
        self.number(usize::from(flag));
    }

    fn id(&mut self, id: Id) {
        self.number(id.0 as usize);
    }

    fn ids(&mut self, ids: &[Id]) {
        self.number(ids.len());
        ids.iter().for_each(|&id| self.id(id));
    }

    fn payload(&mut self, payload: Payload) {
        if payload.is_some() {
            self.values.push(payload);
            self.number(self.values.len());
        } else {
            self.number(0);
        }
    }

    /// 0 for none, else the place behind it.
    fn place<T: PartialEq>(&mut self, all: &[T], item: Option<&T>) {
        self.number(all.iter().position(|one| Some(one) == item).map_or(0, |place| place + 1));
    }

    fn message(&mut self, message: &Message) {
        self.id(message.id);
        self.place(&ROLES, Some(&message.role));
        self.payload(message.fields);
        self.number(message.parts.len());
        for part in &message.parts {
            match part {
                Part::StepStart => self.number(0),
                Part::Content { kind, value } => {
                    self.number(1);
                    self.number((*kind).into());
                    self.payload(*value);
                }
                Part::Tool(part) => {
                    self.number(2);
                    self.tool(part);
                }
            }
        }
    }

    fn tool(&mut self, part: &ToolPart) {
        self.id(part.call);
        self.id(part.name);
        self.place(&Phase::ALL, Some(&part.phase));
        [part.dynamic, part.provider_executed, part.input_complete, part.unsent_output]
            .into_iter()
            .for_each(|flag| self.flag(flag));
        [part.input, part.output, part.fields].into_iter().for_each(|payload| self.payload(payload));
        self.flag(part.approval.is_some());
        if let Some(approval) = &part.approval {
            self.id(approval.id);
            self.payload(approval.envelope);
            self.flag(approval.automatic);
            self.numbers.push(approval.requested_at as f64);
            self.flag(approval.decision.is_some());
            if let Some(decision) = &approval.decision {
                self.flag(decision.approved);
                self.payload(decision.reason);
                self.place(&AUTHORS, Some(&decision.by));
            }
        }
        self.flag(part.outcome.is_some());
        if let Some(outcome) = &part.outcome {
            self.place(&OUTCOMES, Some(&outcome.kind));
            self.payload(outcome.reason);
            self.flag(outcome.may_have_run);
        }
        self.place(&DELIVERIES, part.delivery.as_ref());
    }

    fn item(&mut self, item: &Item) {
        self.number(item.id as usize);
        self.place(&DELIVERIES, Some(&item.state));
        self.number(item.attempt as usize);
        self.place(&TRIGGERS, Some(&item.trigger));
        self.number(item.message_id.map_or(0, |id| id.0 as usize + 1));
        self.ids(&item.approvals);
        self.ids(&item.calls);
        self.ids(&item.messages);
        self.payload(item.body);
        self.number(item.error.as_ref().map_or(0, |_| self.texts.len() + 1));
        self.texts.extend(item.error.clone());
        self.flag(item.stalled);
        self.flag(item.ended);
    }
}

/// Reads one number after the other. What is not there, or not what it should be, reads as nothing
/// and makes the whole unsound.
struct Reader<'a> {
    snapshot: &'a Snapshot,
    number: usize,
    sound: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> f64 {
        let number = self.snapshot.numbers.get(self.number).copied();
        self.number += 1;
        self.expect(number)
    }

    fn expect<T: Default>(&mut self, value: Option<T>) -> T {
        self.sound &= value.is_some();
        value.unwrap_or_default()
    }

    fn count(&mut self) -> usize {
        let number = self.next();
        let count = number as usize;
        self.sound &= count as f64 == number && count <= u32::MAX as usize;
        count
    }

    fn flag(&mut self) -> bool {
        self.count() == 1
    }

    fn id(&mut self) -> Id {
        let place = self.count();
        self.sound &= place < self.snapshot.texts.len();
        Id(place as u32)
    }

    fn payload(&mut self) -> Payload {
        match self.count() {
            0 => Payload::NONE,
            place => {
                let value = self.snapshot.values.get(place - 1).copied();
                self.expect(value)
            }
        }
    }

    fn place<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let place = self.count().checked_sub(1)?;
        self.sound &= place < all.len();
        all.get(place).copied()
    }

    /// A place that is never none.
    fn known<T: Copy>(&mut self, all: &[T]) -> T {
        let item = self.place(all);
        self.sound &= item.is_some();
        item.unwrap_or(all[0])
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut list = Vec::new();
        for _ in 0..self.count() {
            // A damaged count must not become a long wait.
            if !self.sound {
                break;
            }
            list.push(read(self));
        }
        list
    }

    fn message(&mut self) -> Message {
        let mut message = Message::new(self.id(), self.known(&ROLES));
        message.fields = self.payload();
        message.parts = self.list(|from| match from.count() {
            0 => Part::StepStart,
            1 => Part::Content { kind: from.count() as u8, value: from.payload() },
            _ => Part::Tool(Box::new(from.tool())),
        });
        message
    }

    fn tool(&mut self) -> ToolPart {
        let mut part = ToolPart::new(self.id(), self.id(), self.known(&Phase::ALL));
        (part.dynamic, part.provider_executed) = (self.flag(), self.flag());
        (part.input_complete, part.unsent_output) = (self.flag(), self.flag());
        (part.input, part.output, part.fields) = (self.payload(), self.payload(), self.payload());
        part.approval = self.flag().then(|| Approval {
            id: self.id(),
            envelope: self.payload(),
            automatic: self.flag(),
            requested_at: self.next() as u64,
            decision: self.flag().then(|| Decision {
                approved: self.flag(),
                reason: self.payload(),
                by: self.known(&AUTHORS),
            }),
        });
        part.outcome = self.flag().then(|| Outcome {
            kind: self.known(&OUTCOMES),
            reason: self.payload(),
            may_have_run: self.flag(),
        });
        part.delivery = self.place(&DELIVERIES);
        part
    }

    fn item(&mut self) -> Item {
        Item {
            id: self.count() as u32,
            state: self.known(&DELIVERIES),
            attempt: self.count() as u32,
            trigger: self.known(&TRIGGERS),
            message_id: self.count().checked_sub(1).map(|id| Id(id as u32)),
            approvals: self.list(Self::id),
            calls: self.list(Self::id),
            messages: self.list(Self::id),
            body: self.payload(),
            error: match self.count() {
                0 => None,
                place => {
                    let error = self.snapshot.texts.get(place - 1).cloned();
                    Some(self.expect(error))
                }
            },
            stalled: self.flag(),
            ended: self.flag(),
        }
    }
}

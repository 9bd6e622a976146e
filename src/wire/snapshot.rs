//! Snapshots: the machine's state as a tree of the host's values, and back.
//!
//! A tree of arrays, read by place: nobody but this file reads it. Values of the host stand in it as
//! they are; whoever stores it encodes them. Reading believes nothing: a tree that this file did not
//! write is refused, whole.

use super::Values;
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

/// The machine's state as a tree.
pub fn save<V: Values>(values: &V, machine: &Machine) -> V::Value {
    let saved = machine.save();
    let mut tree = Writer::new(values);
    tree.list(&saved.messages, |tree, message| tree.message(message));
    tree.list(&saved.approvals, |tree, (id, holder)| {
        let (Holder::Call(call) | Holder::Superseded(call)) = holder;
        tree.text(id).text(call).flag(matches!(holder, Holder::Superseded(_)));
    });
    tree.list(&saved.items, |tree, item| tree.item(item));
    tree.number(saved.next_item.into());
    tree.list(&saved.queue, |tree, (message, replaces)| {
        tree.message(message);
        tree.flag(*replaces);
    });
    tree.option(saved.turn.ending.as_ref(), |tree, ending| {
        tree.place(&ENDINGS, ending);
    });
    tree.flag(saved.turn.work).flag(saved.hold).number(saved.decided.into());
    tree.option(saved.reply.as_ref(), |tree, reply| {
        tree.option(reply.item.as_ref(), |tree, item| {
            tree.number((*item).into());
        });
        tree.option(reply.message.as_ref(), |tree, message| {
            tree.number(*message as f64);
        });
        tree.number(reply.base as f64);
        tree.option(reply.ending.as_ref(), |tree, ending| {
            tree.place(&ENDINGS, ending);
        });
    });
    tree.out
}

/// A machine from a tree; none if the tree is damaged.
pub fn restore<V: Values>(values: &mut V, tree: &V::Value, options: Options) -> Option<Machine> {
    let mut tree = Reader { values, from: tree.clone(), next: 0 };
    let messages = tree.list(|tree| tree.message())?;
    let approvals = tree.list(|tree| {
        let (id, call): (Id, Id) = (tree.text()?, tree.text()?);
        Some((id, if tree.flag()? { Holder::Superseded(call) } else { Holder::Call(call) }))
    })?;
    let items = tree.list(|tree| tree.item())?;
    let next_item = tree.count()?;
    let queue = tree.list(|tree| Some((tree.message()?, tree.flag()?)))?;
    let ending = tree.option(|tree| tree.place(&ENDINGS))?;
    let turn = Turn { ending, work: tree.flag()? };
    let (hold, decided) = (tree.flag()?, tree.count()?);
    let reply = tree.option(|tree| {
        Some(SavedReply {
            item: tree.option(|tree| tree.count())?,
            message: tree.option(|tree| tree.count())?.map(|message| message as usize),
            base: tree.count()? as usize,
            ending: tree.option(|tree| tree.place(&ENDINGS))?,
        })
    })?;
    let whole = reply.is_none_or(|reply| reply.message.is_none_or(|message| message < messages.len()));
    let saved = Saved { messages, approvals, items, next_item, queue, turn, hold, decided, reply };
    whole.then(|| Machine::restore(saved, options))
}

/// Writes one list, element by element.
struct Writer<'a, V: Values> {
    values: &'a V,
    out: V::Value,
}

impl<'a, V: Values> Writer<'a, V> {
    fn new(values: &'a V) -> Self {
        Self { values, out: values.array() }
    }

    fn value(&mut self, value: &V::Value) -> &mut Self {
        self.values.push(&mut self.out, value);
        self
    }

    fn payload(&mut self, payload: Payload) -> &mut Self {
        let value = self.values.partial_value(&self.values.load(payload));
        self.value(&value)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.value(&self.values.string(text))
    }

    fn number(&mut self, number: f64) -> &mut Self {
        self.value(&self.values.number(number))
    }

    fn flag(&mut self, flag: bool) -> &mut Self {
        self.number(if flag { 1.0 } else { 0.0 })
    }

    fn place<T: PartialEq>(&mut self, all: &[T], item: &T) -> &mut Self {
        let place = all.iter().position(|one| one == item).unwrap_or_default();
        self.number(place as f64)
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self)) {
        let mut inner = Self::new(self.values);
        write(&mut inner);
        self.value(&inner.out);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.nested(|list| {
            for item in items {
                list.nested(|tree| write(tree, item));
            }
        });
    }

    /// An empty list for none.
    fn option<T>(&mut self, item: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.nested(|tree| {
            if let Some(item) = item {
                write(tree, item);
            }
        });
    }

    fn ids(&mut self, ids: &[Id]) {
        self.list(ids, |tree, id| {
            tree.text(id);
        });
    }

    fn message(&mut self, message: &Message) {
        self.text(&message.id).place(&ROLES, &message.role).payload(message.fields);
        self.list(&message.parts, |tree, part| match part {
            Part::StepStart => {}
            Part::Content { kind, value } => {
                tree.number((*kind).into()).payload(*value);
            }
            Part::Tool(part) => tree.tool(part),
        });
    }

    fn tool(&mut self, part: &ToolPart) {
        self.text(&part.call).text(&part.name).place(&Phase::ALL, &part.phase);
        self.flag(part.dynamic).flag(part.provider_executed).flag(part.input_complete).flag(part.unsent_output);
        self.payload(part.input).payload(part.output).payload(part.fields);
        self.option(part.approval.as_ref(), |tree, approval| {
            tree.text(&approval.id).payload(approval.envelope).flag(approval.automatic);
            tree.number(approval.requested_at as f64);
            tree.option(approval.decision.as_ref(), |tree, decision| {
                tree.flag(decision.approved).payload(decision.reason).place(&AUTHORS, &decision.by);
            });
        });
        self.option(part.outcome.as_ref(), |tree, outcome| {
            tree.place(&OUTCOMES, &outcome.kind).payload(outcome.reason).flag(outcome.may_have_run);
        });
        self.option(part.delivery.as_ref(), |tree, delivery| {
            tree.place(&DELIVERIES, delivery);
        });
    }

    fn item(&mut self, item: &Item) {
        self.number(item.id.into()).place(&DELIVERIES, &item.state).number(item.attempt.into());
        self.place(&TRIGGERS, &item.trigger);
        self.option(item.message_id.as_ref(), |tree, id| {
            tree.text(id);
        });
        self.ids(&item.approvals);
        self.ids(&item.calls);
        self.ids(&item.messages);
        self.payload(item.body);
        self.option(item.error.as_ref(), |tree, error| {
            tree.text(error);
        });
        self.flag(item.stalled).flag(item.ended);
    }
}

/// Reads one list, element by element; none as soon as something is not what it should be.
struct Reader<'a, V: Values> {
    values: &'a mut V,
    from: V::Value,
    next: u32,
}

impl<V: Values> Reader<'_, V> {
    fn take(&mut self) -> Option<V::Value> {
        let value = (self.next < self.values.len(&self.from)).then(|| self.values.at(&self.from, self.next));
        self.next += 1;
        value
    }

    fn payload(&mut self) -> Option<Payload> {
        let value = self.take()?;
        Some(self.values.keep(value))
    }

    fn text<T: for<'t> From<&'t str>>(&mut self) -> Option<T> {
        let value = self.take()?;
        self.values.as_text(&value).map(|text| text.as_str().into())
    }

    fn number(&mut self) -> Option<f64> {
        let value = self.take()?;
        self.values.as_number(&value)
    }

    fn count(&mut self) -> Option<u32> {
        let number = self.number()?;
        (number >= 0.0 && number <= f64::from(u32::MAX)).then_some(number as u32)
    }

    fn flag(&mut self) -> Option<bool> {
        self.count().map(|flag| flag == 1)
    }

    fn place<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.count()? as usize).copied()
    }

    /// Reads inside the next element, a list.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let inner = self.take()?;
        self.values.is_array(&inner).then_some(())?;
        let (outer, next) = (std::mem::replace(&mut self.from, inner), std::mem::replace(&mut self.next, 0));
        let result = read(self);
        (self.from, self.next) = (outer, next);
        result
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.nested(|list| {
            let length = list.values.len(&list.from);
            (0..length).map(|_| list.nested(&mut read)).collect()
        })
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        self.nested(|tree| if tree.values.len(&tree.from) == 0 { Some(None) } else { read(tree).map(Some) })
    }

    fn ids(&mut self) -> Option<Vec<Id>> {
        self.list(|tree| tree.text())
    }

    fn message(&mut self) -> Option<Message> {
        let (id, role, fields) = (self.text()?, self.place(&ROLES)?, self.payload()?);
        let parts = self.list(|tree| match tree.values.len(&tree.from) {
            0 => Some(Part::StepStart),
            2 => Some(Part::Content { kind: tree.count()? as u8, value: tree.payload()? }),
            _ => tree.tool().map(|part| Part::Tool(Box::new(part))),
        })?;
        Some(Message { id, role, fields, parts })
    }

    fn tool(&mut self) -> Option<ToolPart> {
        let mut part = ToolPart::new(self.text()?, self.text()?, self.place(&Phase::ALL)?);
        (part.dynamic, part.provider_executed) = (self.flag()?, self.flag()?);
        (part.input_complete, part.unsent_output) = (self.flag()?, self.flag()?);
        (part.input, part.output, part.fields) = (self.payload()?, self.payload()?, self.payload()?);
        part.approval = self.option(|tree| {
            Some(Approval {
                id: tree.text()?,
                envelope: tree.payload()?,
                automatic: tree.flag()?,
                requested_at: tree.number()? as u64,
                decision: tree.option(|tree| {
                    Some(Decision { approved: tree.flag()?, reason: tree.payload()?, by: tree.place(&AUTHORS)? })
                })?,
            })
        })?;
        part.outcome = self.option(|tree| {
            Some(Outcome { kind: tree.place(&OUTCOMES)?, reason: tree.payload()?, may_have_run: tree.flag()? })
        })?;
        part.delivery = self.option(|tree| tree.place(&DELIVERIES))?;
        Some(part)
    }

    fn item(&mut self) -> Option<Item> {
        Some(Item {
            id: self.count()?,
            state: self.place(&DELIVERIES)?,
            attempt: self.count()?,
            trigger: self.place(&TRIGGERS)?,
            message_id: self.option(|tree| tree.text())?,
            approvals: self.ids()?,
            calls: self.ids()?,
            messages: self.ids()?,
            body: self.payload()?,
            error: self.option(|tree| tree.text())?,
            stalled: self.flag()?,
            ended: self.flag()?,
        })
    }
}

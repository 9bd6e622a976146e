//! Loads: the app gives the machine a history while the chat goes on. The history is what the page shows, or what
//! another device had stored before the user decided here.

use crate::inputs::Known;
use crate::rules::{Holds, holds};
use crate::words::letter;
use crate::world::{Backend, World};
use std::collections::BTreeMap;
use toolgate::machine::{
    Approval, CallKey, DecidedBy, Decision, Exchange, Id, Item, ItemState, Machine, Message, Part, Phase, ToolPart,
};

impl World {
    /// Loads such a history. The calls get new keys.
    pub fn load(&mut self, known: Known) {
        let history = history(&self.machine, known);
        let (before, next) = (keys(&self.machine), self.machine.outbox().next());
        self.machine.load(history, Vec::new(), 0);
        let after = keys(&self.machine);
        let new =
            |key: CallKey| before.iter().find(|(_, was)| **was == key).and_then(|(call, _)| after.get(call)).copied();
        self.backend.keys = self.backend.keys.map(|key| key.and_then(new));
        let calls = std::mem::take(&mut self.left.calls);
        self.left.calls = calls.into_iter().filter_map(|(key, sent)| Some((new(key)?, sent))).collect();
        // A decision that the history has may have been sent elsewhere: then the next reply is the one to it.
        let added = |item: &Item| item.id >= next;
        let is_idle = *self.machine.exchange() == Exchange::Idle;
        if is_idle && self.machine.outbox().submission_in(ItemState::Unconfirmed).is_some_and(added) {
            let Backend { stages, keys, steps, messages, .. } = std::mem::take(&mut self.backend);
            self.backend = Backend { stages, keys, steps, messages, ..Backend::default() };
        }
    }
}

/// The key of each call, by its message and its number there.
fn keys(machine: &Machine) -> BTreeMap<(Id, usize), CallKey> {
    let calls = |message: &Message| message.calls().map(ToolPart::key).enumerate().collect::<Vec<_>>();
    let messages = machine.transcript().messages().iter();
    messages.flat_map(|message| calls(message).into_iter().map(|(nth, key)| ((message.id, nth), key))).collect()
}

/// The history, as the codec reads it from what the page shows.
fn history(machine: &Machine, known: Known) -> Vec<Message> {
    let read = |message: &Message| {
        let mut read = Message::new(message.id, message.role);
        (read.fields, read.passed) = (message.fields, message.passed);
        let parts = message.parts.iter().map(|part| match part {
            Part::Tool(tool) => Part::Tool(Box::new(stored(tool, known))),
            other => other.clone(),
        });
        read.parts = parts.collect();
        read
    };
    machine.transcript().messages().iter().take(machine.shown_messages()).map(read).collect()
}

fn stored(part: &ToolPart, known: Known) -> ToolPart {
    let by = part.decision().map(|decision| decision.by);
    let phase = match part.phase() {
        Phase::RequestWaits => Phase::InputStreaming,
        Phase::Submitted if by != Some(DecidedBy::Backend) && part.approval.is_some() => Phase::Approved,
        phase => phase,
    };
    let is_open = matches!(phase, Phase::Approved | Phase::Denied) && by != Some(DecidedBy::Backend);
    let forgets = known == Known::Asked && is_open;
    let phase = if forgets { Phase::ApprovalRequested } else { phase };
    let mut read = ToolPart::new(part.call, part.name, phase);
    (read.dynamic, read.provider_executed, read.in_page) = (part.dynamic, part.provider_executed, part.in_page);
    (read.input, read.input_complete, read.fields) = (part.input, part.input_complete, part.fields);
    read.output = part.output;
    let has_approval = !matches!(phase, Phase::InputStreaming | Phase::InputAvailable);
    read.approval = part.approval.filter(|_| has_approval).map(|asked| Approval {
        decision: asked
            .decision
            .filter(|_| !forgets)
            .map(|decision| Decision::new(decision.approved, decision.reason, decision.by)),
        repeat_unsafe: false,
        requested_at: 0,
        ..asked
    });
    let outcome = part.outcome().copied().filter(|_| phase.is_settled() || phase == Phase::Denied);
    read.read_as(phase, outcome);
    read
}

/// 4, 5, 7, 9, 12: a load keeps all calls and adds none, settles nothing, takes no decision back, and sends nothing.
pub fn check(before: &World, after: &World) -> Holds {
    let (old, new) = (keys(&before.machine), keys(&after.machine));
    for (place, key) in &old {
        let Some(was) = before.machine.transcript().call(*key) else { continue };
        let c = || letter(was.call);
        let is = new.get(place).and_then(|key| after.machine.transcript().call(*key));
        let Some(is) = is else { return holds(9, false, || format!("a load removes {}", c())) };
        let decided = was.decision().is_none_or(|decision| {
            is.decision().is_some_and(|now| now.approved == decision.approved) || is.phase().is_settled()
        });
        holds(5, decided, || format!("a load takes the decision on {} back", c()))?;
        holds(5, was.is_pending() || !is.is_pending(), || format!("a load requests the approval of {} again", c()))?;
        let denied = was.phase().is_denied() && is.phase().is_denied();
        let same = !was.phase().is_settled() || was.output == is.output && (denied || was.phase() == is.phase());
        holds(4, same, || format!("a load changes {}, which was settled", c()))?;
    }
    holds(12, old.len() == new.len(), || "a load adds a call".to_owned())?;
    let in_flight =
        |machine: &Machine| machine.outbox().items().iter().filter(|item| item.state() == ItemState::InFlight).count();
    holds(7, in_flight(&after.machine) <= in_flight(&before.machine), || "a load sends a request".to_owned())
}

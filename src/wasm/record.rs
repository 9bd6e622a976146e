//! Records: what JavaScript reads after a call, as numbers in the memory of the wasm.
//!
//! Passing a value field by field costs a call into the host for each field. A record costs one call into the core, and
//! `src/ts/wasm/records.ts` builds each kind of object from it in one function. Each function here says which numbers
//! it writes; a function there reads them, such as `nextCall` for `call`.

use crate::machine::{Id, Outcome, Payload};
use crate::prelude::*;
use crate::wire::ai_sdk::{UiCall, UiResult};
use crate::wire::{Name, enum_names};

// The bits of the first number of a tool part, after its tag.
const DYNAMIC: u32 = 1;
const AUTOMATIC: u32 = 2;
const DECIDED: u32 = 4;
const APPROVED: u32 = 8;
const OUTPUT: u32 = 16;
const PRELIMINARY: u32 = 32;
const ERROR: u32 = 64;
const UNKNOWN_ERROR: u32 = 128;

// The tags of parts.
const STEP_START: u32 = 0;
const CONTENT: u32 = 1;
const TOOL: u32 = 2;

/// Numbers for JavaScript. They stay until the next record is written.
#[derive(Default)]
pub struct Record(Vec<u32>);

impl Record {
    /// Begins a new record.
    pub fn begin(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    /// Where JavaScript finds the record: the index of its first number in the memory, as an array of numbers.
    pub fn place(&self) -> u32 {
        self.0.as_ptr() as u32 / 4
    }

    /// Adds a number.
    #[inline(never)] // it is called everywhere
    pub fn add(&mut self, number: u32) {
        self.0.push(number);
    }

    /// Adds numbers.
    #[inline(never)] // as above
    pub fn all(&mut self, numbers: &[u32]) {
        self.0.extend_from_slice(numbers);
    }

    /// Adds an id, or 0 for none.
    pub fn id(&mut self, id: Option<Id>) {
        self.add(number(id));
    }

    /// Adds a value.
    pub fn value(&mut self, value: Payload) {
        self.add(value.0);
    }

    /// Adds a fixed string, or 0 for none. No field has the string whose number is 0.
    pub fn name(&mut self, name: Option<Name>) {
        self.add(name.map_or(0, |name| name as u32));
    }

    /// Adds a list whose length comes first.
    pub fn list(&mut self, numbers: &mut dyn Iterator<Item = u32>) {
        let at = self.begin_list();
        for number in numbers {
            self.add(number);
        }
        self.end_list(at);
    }

    /// Begins a list whose length comes first. Returns its place for `end_list`.
    pub fn begin_list(&mut self) -> usize {
        self.add(0);
        self.0.len()
    }

    /// Ends a list.
    pub fn end_list(&mut self, at: usize) {
        let count = (self.0.len() - at) as u32;
        if let Some(length) = self.0.get_mut(at - 1) {
            *length = count;
        }
    }

    /// Adds an outcome: kind, reason, whether it may have run. Three zeros for none.
    pub fn outcome(&mut self, outcome: Option<&Outcome>) {
        match outcome {
            None => self.all(&[0, 0, 0]),
            Some(outcome) => {
                self.name(Some(enum_names::outcome(outcome.kind)));
                self.all(&[outcome.reason.0, outcome.may_have_run.into()]);
            }
        }
    }

    /// Adds a step boundary.
    pub fn step_start(&mut self) {
        self.add(STEP_START);
    }

    /// Adds a content part.
    pub fn content(&mut self, value: Payload) {
        self.all(&[CONTENT, value.0]);
    }

    /// Adds a tool part: bits, tool, call, state, fields, input, raw input, result, metadata, approval, envelope,
    /// reason, outcome, who decided, delivery.
    pub fn call(&mut self, call: &UiCall) {
        let (result, has) = match call.result {
            UiResult::None => (Payload::NONE, 0),
            UiResult::Output(output) => (output, OUTPUT),
            UiResult::Preliminary(output) => (output, OUTPUT | PRELIMINARY),
            UiResult::Error(text) => (text, ERROR),
            UiResult::UnknownError => (Payload::NONE, UNKNOWN_ERROR),
        };
        let approval = call.approval.as_ref();
        let decision = approval.and_then(|approval| approval.decision);
        let bit = |set: bool, bit: u32| if set { bit } else { 0 };
        let bits = has
            | bit(call.dynamic, DYNAMIC)
            | bit(approval.is_some_and(|approval| approval.automatic), AUTOMATIC)
            | bit(decision.is_some(), DECIDED)
            | bit(decision.is_some_and(|(approved, _)| approved), APPROVED);
        self.all(&[TOOL, bits, call.name.number(), call.call.number(), call.state as u32]);
        self.all(&[call.fields.0, call.input.0, call.raw_input.0, result.0, call.metadata.0]);
        self.id(approval.map(|approval| approval.id));
        self.value(approval.map_or(Payload::NONE, |approval| approval.envelope));
        self.value(decision.map_or(Payload::NONE, |(_, reason)| reason));
        self.outcome(call.outcome.as_ref());
        self.name(call.decided_by.map(enum_names::decided_by));
        self.name(call.delivery.map(enum_names::delivery));
    }
}

/// An optional id as a number.
pub fn number(id: Option<Id>) -> u32 {
    id.map_or(0, Id::number)
}

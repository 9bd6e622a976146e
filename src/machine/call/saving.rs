//! Visits the contents of a call: to retain its values, to compare states, and to save it.

use super::approval::approval_ledger;
use super::{Approval, Delivery, Outcome, Phase, ToolPart};
use crate::machine::ledger::{Ledger, count, flag, key, option, variant};
use crate::machine::{CallKey, Id, Payload};

impl ToolPart {
    /// Visits every value that the call holds.
    pub(in crate::machine) fn payloads(&self, each: &mut dyn FnMut(Payload)) {
        [self.input, self.output, self.fields, self.written].into_iter().for_each(&mut *each);
        if let Some(approval) = &self.approval {
            each(approval.envelope);
            if let Some(decision) = &approval.decision {
                each(decision.reason);
                decision.original.into_iter().for_each(&mut *each);
            }
        }
        if let Some(outcome) = &self.outcome {
            each(outcome.reason);
        }
    }

    /// Hashes everything except the ids of the call and its approval, and how far a second reading has come, which no
    /// view shows, so that a checker can compare states. `item` maps an item's number to one that does not depend on
    /// how many items were before it.
    #[rustfmt::skip]
    pub fn hash_without_names(&self, item: &dyn Fn(u32) -> u32, state: &mut impl core::hash::Hasher) {
        use core::hash::Hash;
        // No `..`: a new field does not compile until this function either hashes or ignores it.
        let Self {
            key: _, previous: _, repeats, call: _, name, dynamic, provider_executed, in_page, input, input_complete, input_changes, output,
            fields, approval, unsent_output, output_in, given_up, decided_from_memory, written, awaits_rewrite, reread: _, phase,
            outcome, delivery,
        } = self;
        (repeats, name, dynamic, provider_executed, in_page, input, input_complete, input_changes, output, fields).hash(state);
        (unsent_output, output_in.map(item), given_up, decided_from_memory, written, awaits_rewrite, phase, outcome).hash(state);
        approval.as_ref().map(|approval| Approval { id: Id::default(), ..*approval }).hash(state);
        match *delivery {
            Delivery::None => Delivery::None,
            Delivery::Held => Delivery::Held,
            Delivery::In(id) => Delivery::In(item(id)),
        }
        .hash(state);
    }

    /// Visits the fields, to save or restore them.
    #[rustfmt::skip]
    pub(in crate::machine) fn ledger(&mut self, ledger: &mut dyn Ledger) {
        let Self {
            key: own, previous, repeats, call, name, dynamic, provider_executed, in_page, input, input_complete, input_changes, output,
            fields, approval, unsent_output, output_in, given_up, decided_from_memory, written, awaits_rewrite, reread: _, phase,
            outcome, delivery,
        } = self;
        key(ledger, own);
        option(ledger, previous, CallKey::default, key);
        ledger.number(repeats);
        ledger.number(input_changes);
        ledger.id(call);
        ledger.id(name);
        for value in [
            dynamic, provider_executed, in_page, input_complete, unsent_output, given_up, decided_from_memory, awaits_rewrite,
        ] {
            flag(ledger, value);
        }
        ledger.input(input, fields);
        ledger.payload(output);
        ledger.payload(written);
        variant(ledger, phase, Phase::ALL);
        if ledger.is_reading() && phase.is_streaming() && !*input_complete {
            ledger.continue_input(input, fields);
        }
        option(ledger, outcome, || Outcome::new(super::OutcomeKind::Executed), |ledger, outcome| {
            let Outcome { kind, reason, may_have_run } = outcome;
            variant(ledger, kind, super::OutcomeKind::ALL);
            ledger.payload(reason);
            flag(ledger, may_have_run);
        });
        option(ledger, approval, || Approval::new(Id::default()), approval_ledger);
        option(ledger, output_in, || 0, |ledger, item| ledger.number(item));
        let (mut kind, mut item) = match *delivery {
            Delivery::None => (0, 0),
            Delivery::Held => (1, 0),
            Delivery::In(item) => (2, item),
        };
        count(ledger, &mut kind);
        ledger.number(&mut item);
        *delivery = match kind {
            0 => Delivery::None,
            1 => Delivery::Held,
            _ => Delivery::In(item),
        };
    }
}

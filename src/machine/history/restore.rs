//! Saving and restoring the machine's whole state.

use crate::machine::Machine;
use crate::machine::Options;
use crate::machine::ledger::Ledger;

impl Machine {
    /// Writes the state down, or reads it: everything but the options and the events.
    pub fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // No `..`: a new field does not compile until it is decided whether it is saved.
        let Machine {
            transcript,
            outbox,
            queue,
            exchange,
            turn,
            remembered,
            options: _,
            asked: _,
            events: _,
            exchange_revision: _,
        } = self;
        transcript.ledger(ledger);
        outbox.ledger(ledger);
        queue.ledger(ledger);
        exchange.ledger(ledger);
        turn.ledger(ledger);
        remembered.ledger(ledger);
    }

    /// A machine that goes on from a saved state; none if what was read is not one. What was under way is unconfirmed: it may
    /// have arrived, so it is never sent again automatically. A reply that was arriving counts as disconnected.
    #[must_use]
    pub fn restore(ledger: &mut dyn Ledger, options: Options) -> Option<Machine> {
        let mut machine = Machine::follow(ledger, options)?;
        machine.reload();
        machine.take_events();
        machine.ask_again();
        Some(machine)
    }

    /// As [`Self::restore`], for a machine that shows what another one has, which goes on with it: what is under way there is
    /// under way here, and a reply is open. Such a machine must not be fed.
    #[must_use]
    pub fn follow(ledger: &mut dyn Ledger, options: Options) -> Option<Machine> {
        let mut machine = Machine::new(options);
        machine.ledger(ledger);
        (ledger.is_sound() && machine.is_consistent()).then_some(machine)
    }
}

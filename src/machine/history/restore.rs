//! Saves and restores the whole state of the machine.

use crate::machine::Machine;
use crate::machine::Options;
use crate::machine::ledger::Ledger;

impl Machine {
    /// Writes or reads the state: everything except the options and the events.
    pub fn ledger(&mut self, ledger: &mut dyn Ledger) {
        // No `..`: a new field does not compile until this function either saves or ignores it.
        let Machine {
            transcript,
            outbox,
            queue,
            exchange,
            turn,
            remembered,
            options: _,
            pending_index: _,
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

    /// A machine that continues from a saved state; `None` if the state is invalid. Items that were in flight become
    /// unconfirmed: they may have arrived, so they are not sent again automatically. A reply that was streaming counts
    /// as disconnected.
    #[must_use]
    pub fn restore(ledger: &mut dyn Ledger, options: Options) -> Option<Machine> {
        let mut machine = Machine::follow(ledger, options)?;
        machine.reload();
        machine.take_events();
        machine.request_rewrites_again();
        Some(machine)
    }

    /// As [`Self::restore`], but for a follower, which shows the state of another machine that continues. Items stay in
    /// flight, and the reply stays open. A follower must not receive events or commands.
    #[must_use]
    pub fn follow(ledger: &mut dyn Ledger, options: Options) -> Option<Machine> {
        let mut machine = Machine::new(options);
        machine.ledger(ledger);
        (ledger.is_valid() && machine.is_consistent()).then_some(machine)
    }
}

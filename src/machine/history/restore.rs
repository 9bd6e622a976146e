//! Saves and restores the whole state of the machine.

use crate::machine::ledger::Ledger;
use crate::machine::{Machine, Options};

impl Machine {
    /// Writes or reads the state: everything except the options and the events.
    pub fn ledger(&mut self, ledger: &mut dyn Ledger) {
        self.ledger_since(ledger, None);
    }

    /// Writes or reads what changed after `since`, a value of [`Self::change_clock`]: the changed messages, and
    /// everything beside the messages. A reader must have the state that the machine had at `since`.
    pub fn changes_ledger(&mut self, ledger: &mut dyn Ledger, since: u32) {
        self.ledger_since(ledger, Some(since));
    }

    fn ledger_since(&mut self, ledger: &mut dyn Ledger, since: Option<u32>) {
        // No `..`: a new field does not compile until this function either saves or ignores it.
        let Machine {
            transcript,
            outbox,
            queue,
            exchange,
            turn,
            remembered,
            options: _,
            events: _,
            exchange_revision: _,
        } = self;
        match since {
            None => transcript.ledger(ledger),
            Some(since) => transcript.changes_ledger(ledger, since),
        }
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
        machine.lead();
        Some(machine)
    }

    /// Continues from the state that this machine has followed: see [`Self::restore`].
    pub fn lead(&mut self) {
        self.outbox.undelivered_numbers().into_iter().for_each(|id| self.transcript.check_item(id));
        self.reload();
        self.take_events();
        self.request_rewrites_again();
    }

    /// As [`Self::restore`], but for a follower, which shows the state of another machine that continues. Items stay in
    /// flight, and the reply stays open. A follower must not receive events or commands.
    #[must_use]
    pub fn follow(ledger: &mut dyn Ledger, options: Options) -> Option<Machine> {
        let mut machine = Machine::new(options);
        machine.ledger(ledger);
        (ledger.is_valid() && machine.is_sound()).then_some(machine)
    }

    /// Reads the changes that another machine has written since the state that this one follows. Returns whether they
    /// can be read; otherwise this machine must not be used any more. The caller checks [`Self::is_sound`] in the end.
    pub fn follow_changes(&mut self, ledger: &mut dyn Ledger) -> bool {
        let shown = self.shown_messages();
        self.changes_ledger(ledger, 0);
        self.touch_exchange();
        // A message that was hidden until now need not have changed itself.
        (shown..self.shown_messages()).for_each(|message| self.transcript.note_new(message));
        ledger.is_valid()
    }

    /// Whether a restored state is one that a machine can have. A page trusts what has the right checksum: only a
    /// script of its own origin can write another state, and that script can also press the buttons. Programs in Rust
    /// check every fact.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        !cfg!(any(debug_assertions, feature = "json")) || self.is_consistent()
    }

    /// A counter that increases with each change to a message, for [`Self::changes_ledger`].
    #[must_use]
    pub fn change_clock(&self) -> u32 {
        self.transcript.clock()
    }
}

/** Mutations of what releases an approval after the user stopped, or after a reply broke off: see mutations.mjs. */
const machine = (name) => `src/machine/${name}.rs`;

export const releaseMutations = [
  {
    invariant: 19,
    says: 'a denial or an output releases a held approval',
    file: machine('respond'),
    find: '!is_open && (approved || !self.holds_approval())',
    put: '!is_open',
  },
  {
    invariant: 19,
    says: 'a message that was queued before the user stopped releases held approvals',
    file: machine('release'),
    find: 'self.outbox.has_sent_asides() || self.holds_approval()',
    put: 'self.outbox.has_sent_asides()',
  },
  {
    invariant: 19,
    says: 'a queued message releases the held approvals of an answering backend',
    file: machine('answers'),
    find: 'self.has_waiting_message() && !self.holds_approval()',
    put: 'self.has_waiting_message()',
  },
  {
    invariant: 14,
    says: 'a message after stop waits for the approvals that stop holds',
    file: machine('user'),
    find: 'self.close_held();',
    put: '',
  },
  {
    invariant: 14,
    says: 'a message waits for an approved page tool in a turn that a denial has ended',
    file: machine('release'),
    find: 'held.until_resumed() && !held.has(Hold::TurnEnded) &&',
    put: 'held.until_resumed() &&',
  },
  {
    invariant: 19,
    says: 'a message while a stopped stream still runs leaves its approvals to be sent',
    file: machine('release'),
    find: 'if !(self.turn.holds().until_resumed() || self.exchange.is_stopping()) {',
    put: 'if !self.turn.holds().until_resumed() {',
  },
  {
    invariant: 9,
    says: 'an edit keeps the messages that were queued after the edited one',
    file: machine('user'),
    find: 'self.truncate_at(id, false)?; self.queue.take();',
    put: 'self.truncate_at(id, false)?;',
  },
  {
    invariant: 1,
    says: 'a decision after a load has the key of a call that was removed before',
    file: machine('history/load'),
    find: 'if is_current { self.turn.removed(tool.call) } else { 0 }',
    put: '0',
  },
  {
    invariant: 19,
    says: 'a loaded approval beside an open page tool counts as sent',
    file: machine('history/load'),
    find: 'waiting.on(WaitsOn::User) || waiting.on(WaitsOn::Tool);',
    put: 'waiting.on(WaitsOn::User);',
  },
];

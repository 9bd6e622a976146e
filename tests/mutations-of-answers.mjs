/**
 * Ways to break what answering protocols need, and backends that wait for their answers: see mutations.mjs.
 */
const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

export const answerMutations = [
  {
    invariant: 1,
    says: 'an answer that the backend has forestalled leaves all the same',
    file: machine('answers'),
    find: 'self.arrived(None, Some(call)); self.withdraw_carrier(at);',
    put: 'self.arrived(None, Some(call));',
  },
  {
    invariant: 1,
    says: 'stop holds no answers',
    file: machine('answers'),
    find: 'if self.hold { return; }',
    put: '',
  },
  {
    invariant: 14,
    says: 'an answer waits for the end of the stream',
    file: machine('delivery'),
    find: 'if item.is_answer() { self.is_next(item) } else { self.reply.is_none() }',
    put: 'self.reply.is_none() && self.is_next(item)',
  },
  {
    invariant: 1,
    says: 'an output of the browser overtakes the approval',
    file: machine('answers'),
    find: '!item.approvals.is_empty() || approved.is_none_or(|state| state == DeliveryState::Acknowledged)',
    put: '{ let _ = approved; true }',
  },
  {
    invariant: 1,
    says: 'a message overtakes an answer that is on its way',
    file: machine('answers'),
    find: 'DeliveryState::Ready | DeliveryState::InFlight => true,',
    put: 'DeliveryState::Ready => true,',
  },
  {
    invariant: 14,
    says: 'behind a denial, a backend that replies to it is not waited for',
    file: machine('delivery'),
    find: 'options.replies_to_denials || self.granted.contains(&true)',
    put: 'self.granted.contains(&true)',
  },
  {
    invariant: 14,
    says: 'what is cancelled is not told to a backend that waits for its answers',
    file: machine('answers'),
    find: 'if self.options.answers_ahead() && let Some(part)',
    put: 'if self.options.cancel_answers && let Some(part)',
  },
  {
    invariant: 1,
    says: 'what is cancelled leaves by itself where the backend cannot be told',
    file: machine('user'),
    find: 'let told = self.options.cancel_answers && !lost && unsent.iter()',
    put: 'let told = !lost && unsent.iter()',
  },
  {
    invariant: 8,
    says: 'a cancelled call is told as what it was before',
    file: wire('told'),
    find: 'let kind = if part.is_closed() { OutcomeKind::Cancelled } else { outcome.kind };',
    put: 'let kind = outcome.kind;',
  },
  {
    invariant: 6,
    says: 'the codec is not told that the user changed the input',
    file: wire('told'),
    find: 'if original.is_some() { values.set(to, Name::EditedInput, part.input); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'news of a call that is over begins a reply',
    file: machine('answers'),
    find: 'self.options.answering && self.reply.is_none() && self.active().is_none() && settled',
    put: '{ let _ = settled; false }',
  },
];

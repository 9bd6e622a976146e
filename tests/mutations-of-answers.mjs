/**
 * Ways to break what answering protocols need, and backends that wait for their answers: their order, keys, the user's
 * message, cancels that are told, edited inputs, reloads, requests that come late. See mutations.mjs.
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
  {
    invariant: 14,
    says: 'a reply is awaited to an answer',
    file: machine('delivery'),
    find: '_ if self.is_answer() => false,',
    put: '',
  },
  {
    invariant: 14,
    says: 'the policy for a message waits for the reply that waits for it',
    file: machine('answers'),
    find: 'self.settle_pending();',
    put: '',
  },
  {
    invariant: 9,
    says: 'denials travel with the message though the backend wants them first',
    file: machine('user'),
    find: 'if unsent.iter().any(|at| ahead || approved(at)) {',
    put: 'let _ = ahead; if unsent.iter().any(approved) {',
  },
  {
    invariant: 1,
    says: 'an answer in flight is still in flight after a restore',
    file: machine('delivery'),
    find: 'self.state == DeliveryState::InFlight || (self.is_active() && self.state != DeliveryState::Ready)',
    put: 'self.is_active() && self.state != DeliveryState::Ready',
  },
  {
    invariant: 1,
    says: 'a denial and a cancel have the same key',
    file: wire('key'),
    find: 'if item.cancels {',
    put: 'if false {',
  },
  {
    invariant: 6,
    says: 'approvals of different inputs have the same key',
    file: wire('key'),
    find: 'values.push(list, part.input);',
    put: 'let _ = part;',
  },
  {
    invariant: 6,
    says: 'an approval that is taken back leaves its input behind',
    file: machine('decide'),
    find: 'before.and_then(|decision| decision.original).unwrap_or(part.input)',
    put: 'before.map_or(part.input, |_| part.input)',
  },
  {
    invariant: 14,
    says: 'nobody tells the backend what is cancelled',
    file: machine('answers'),
    find: 'if asked { part.delivery = Some(DeliveryState::Held); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'a request that comes later in a cancelled reply is not answered',
    file: machine('calls'),
    find: 'self.call_off(at, Payload::NONE);',
    put: 'self.close(at, Cause::Cancel, Payload::NONE);',
  },
];

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
    find: 'self.answers_arrived(key); self.withdraw_carrier(at);',
    put: 'self.answers_arrived(key);',
  },
  {
    invariant: 1,
    says: 'stop holds no answers',
    file: machine('answers'),
    find: 'if !self.transcript.has_unsent() || self.turn.holds().until_resumed() || reconnects {',
    put: 'if !self.transcript.has_unsent() || reconnects {',
  },
  {
    invariant: 14,
    says: 'an answer waits for the end of the stream',
    file: machine('deliver'),
    find: 'let may_go = if item.is_answer() { self.is_next(item) } else { free };',
    put: 'let may_go = free && (!item.is_answer() || self.is_next(item));',
  },
  {
    invariant: 1,
    says: 'an output of the browser overtakes the approval',
    file: machine('answers'),
    find: 'approval.is_none_or(|state| state == super::DeliveryState::Acknowledged)',
    put: '{ let _ = approval; true }',
  },
  {
    invariant: 1,
    says: 'a message overtakes an answer that is on its way',
    file: machine('release'),
    find: 'if self.outbox.has_ready_answers() || self.outbox.has_sent_answers() { return; }',
    put: 'if self.outbox.has_ready_answers() { return; }',
  },
  {
    invariant: 14,
    says: 'behind a denial, a backend that replies to it is not waited for',
    file: machine('answers'),
    find: '(self.options.replies_to_denials || item.approves() || item.has_outputs())',
    put: '(item.approves() || item.has_outputs())',
  },
  {
    invariant: 14,
    says: 'what is cancelled is not told to a backend that waits for its answers',
    file: machine('answers'),
    find: 'if self.options.answers_ahead() { let output',
    put: 'if self.options.cancel_answers { let output',
  },
  {
    invariant: 1,
    says: 'what is cancelled leaves by itself where the backend cannot be told',
    file: machine('user'),
    find: 'let told = self.options.cancel_answers && !lost && closed;',
    put: 'let told = !lost && closed;',
  },
  {
    invariant: 8,
    says: 'a cancelled call is told as what it was before',
    file: wire('item_decisions'),
    find: 'let kind = if part.is_closed() { OutcomeKind::Cancelled } else { outcome.kind };',
    put: 'let kind = outcome.kind;',
  },
  {
    invariant: 6,
    says: 'the codec is not told that the user changed the input',
    file: wire('item_decisions'),
    find: 'if original.is_some() { values.set(to, Name::EditedInput, part.input); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'news of a call that is over begins a reply',
    file: machine('turn/transition'),
    find: 'ExchangeState::Idle => match input { Claim => Send, Content => OpenUnrequested, Settlement | Attachment | Report => Outside,',
    put: 'ExchangeState::Idle => match input { Claim => Send, Content | Report => OpenUnrequested, Settlement | Attachment => Outside,',
  },
  {
    invariant: 14,
    says: 'a reply is awaited to an answer',
    file: machine('outbox/item'),
    find: '!self.is_answer() && (self.state == ItemState::Ready || self.state.is_under_way())',
    put: 'self.state == ItemState::Ready && !self.is_answer() || self.state.is_under_way()',
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
    file: machine('release'),
    find: 'if unsent.iter().any(|at| ahead || approved(at)) {',
    put: 'let _ = ahead; if unsent.iter().any(approved) {',
  },
  {
    invariant: 1,
    says: 'an answer in flight is still in flight after a restore',
    file: machine('stream_end'),
    find: 'self.move_item(id, if arrived { ItemInput::ReplyIsDue } else { ItemInput::Reload });',
    put: 'if arrived { self.move_item(id, ItemInput::ReplyIsDue); }',
  },
  {
    invariant: 1,
    says: 'a denial and a cancel have the same key',
    file: wire('idempotency_key'),
    find: 'add(if carried.cancelled { Name::Cancelled } else { verdict }, approval);',
    put: 'add(verdict, approval);',
  },
  {
    invariant: 6,
    says: 'approvals of different inputs have the same key',
    file: wire('idempotency_key'),
    find: 'push_digest(shown); if carried.approved',
    put: 'if carried.approved',
  },
  {
    invariant: 6,
    says: 'an approval that is taken back leaves its input behind',
    file: machine('respond'),
    find: 'before.and_then(|decision| decision.original).unwrap_or(part.input)',
    put: 'before.map_or(part.input, |_| part.input)',
  },
  {
    invariant: 14,
    says: 'nobody tells the backend what is cancelled',
    file: machine('answers'),
    find: 'if asked { part.deliver(Delivery::Held); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'a request that comes later in a cancelled reply is not answered',
    file: machine('backend_requests'),
    find: 'self.call_off(at, Payload::NONE);',
    put: '',
  },
];

/**
 * Ways to break what answering protocols need, and backends that wait for their answers: their order, keys, the user's
 * message, cancelled calls, edited inputs, reloads, requests that come late. See mutations.mjs.
 */
const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

export const answerMutations = [
  {
    invariant: 1,
    says: 'an answer that the backend has forestalled is sent all the same',
    file: machine('answers'),
    find: 'self.answers_arrived(key); self.withdraw_carrier(at);',
    put: 'self.answers_arrived(key);',
  },
  {
    invariant: 1,
    says: 'stop holds no answers',
    file: machine('answers'),
    find: '|| self.turn.holds().until_resumed() || reconnects',
    put: '|| reconnects',
  },
  {
    invariant: 14,
    says: 'an answer waits for the end of the stream',
    file: machine('deliver'),
    find: 'if item.is_answer() { self.is_next(item) } else { free }',
    put: 'if item.is_answer() { self.exchange.reply().is_none() && self.is_next(item) } else { free }',
  },
  {
    invariant: 1,
    says: 'an output of the page overtakes the approval',
    file: machine('answers'),
    find: 'approval.is_none_or(|state| state == super::DeliveryState::Acknowledged)',
    put: 'approval.is_none_or(|_| true)',
  },
  {
    invariant: 1,
    says: 'a message overtakes an answer that is under way',
    file: machine('release'),
    find: 'if self.outbox.has_ready_answers() || self.outbox.has_sent_answers() {',
    put: 'if self.outbox.has_ready_answers() {',
  },
  {
    invariant: 14,
    says: 'after a denial, a backend that replies to it is not waited for',
    file: machine('answers'),
    find: 'self.options.replies_to_denials || item.approves()',
    put: 'item.approves()',
  },
  {
    invariant: 14,
    says: 'a cancellation is not sent to a backend that waits for answers',
    file: machine('answers'),
    find: 'if self.options.answers_ahead() {',
    put: 'if self.options.cancel_answers {',
  },
  {
    invariant: 1,
    says: 'a cancellation is sent to a backend that cannot express it',
    file: machine('user'),
    find: 'let reports_cancellation = self.options.cancel_answers && !lost && closed;',
    put: 'let reports_cancellation = !lost && closed;',
  },
  {
    invariant: 8,
    says: 'a cancelled call is sent as what it was before',
    file: wire('item_decisions'),
    find: 'let kind = if part.is_closed() { OutcomeKind::Cancelled } else { outcome.kind };',
    put: 'let kind = outcome.kind;',
  },
  {
    invariant: 6,
    says: 'the codec does not learn that the user changed the input',
    file: wire('item_decisions'),
    find: 'if original.is_some() { values.set(to, Name::EditedInput, part.input); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'a report on a call begins a reply',
    file: machine('turn/transition'),
    find: 'Settlement | Attachment | Report => Outside,',
    put: 'Settlement | Attachment => Outside, Report => OpenUnrequested,',
  },
  {
    invariant: 14,
    says: 'a reply to an answer is awaited',
    file: machine('outbox/item'),
    find: '!self.is_answer() && (self.state == ItemState::Ready',
    put: '(self.state == ItemState::Ready',
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
    says: 'denials are sent with the message though the backend wants them first',
    file: machine('release'),
    find: 'if unsent.iter().any(|at| sends_before_message || approved(at)) {',
    put: 'let _ = sends_before_message; if unsent.iter().any(approved) {',
  },
  {
    invariant: 1,
    says: 'an answer in flight is still in flight after a restore',
    file: machine('stream_end'),
    find: 'item.is_answer() && item.state().is_under_way());',
    put: 'item.is_answer() && item.state() == ItemState::Replying);',
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
    says: 'approvals of different edits have the same key',
    file: wire('idempotency_key'),
    find: 'push_digest(part.input);',
    put: 'let _ = part;',
  },
  {
    invariant: 6,
    says: 'an approval that is taken back leaves its edited input',
    file: machine('respond'),
    find: 'before.and_then(|decision| decision.original).unwrap_or(part.input)',
    put: 'before.map_or(part.input, |_| part.input)',
  },
  {
    invariant: 14,
    says: 'the backend does not learn what is cancelled',
    file: machine('answers'),
    find: 'if asked { part.set_delivery(Delivery::Held); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'a request that comes later in a cancelled reply is not answered',
    file: machine('backend_requests'),
    find: 'self.cancel_call(at, Payload::NONE);',
    put: 'self.close(at, Input::Cancel, Payload::NONE);',
  },
];

/**
 * Mutations of the rules for protocols that send each decision as a separate answer, and for backends that wait for
 * these answers: order, idempotency keys, user messages, cancelled calls, edited inputs, reloads, late approval
 * requests. See mutations.mjs.
 */
const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

export const answerMutations = [
  {
    invariant: 1,
    says: 'an answer to an approval is sent although the backend has decided the approval',
    file: machine('answers'),
    find: 'self.answers_arrived(key); self.withdraw_carrier(at);',
    put: 'self.answers_arrived(key);',
  },
  {
    invariant: 1,
    says: 'answers to approvals are sent although the user stopped',
    file: machine('answers'),
    find: '|| self.turn.holds().until_resumed() || reconnects',
    put: '|| reconnects',
  },
  {
    invariant: 14,
    says: 'an answer to an approval is sent only after the stream has ended',
    file: machine('deliver'),
    find: 'if item.is_aside() { self.is_next(item) } else { free }',
    put: 'if item.is_aside() { self.exchange.reply().is_none() && self.is_next(item) } else { free }',
  },
  {
    invariant: 1,
    says: 'the output of a page tool is sent before the approval of its call is acknowledged',
    file: machine('answers'),
    find: 'approval.is_none_or(|state| state == super::DeliveryState::Acknowledged)',
    put: 'approval.is_none_or(|_| true)',
  },
  {
    invariant: 1,
    says: 'a user message is sent while an answer to an approval is in flight',
    file: machine('release'),
    find: 'self.outbox.has_ready_asides() || self.outbox.has_sent_asides() || self.holds_approval()',
    put: 'self.outbox.has_ready_asides() || self.holds_approval()',
  },
  {
    invariant: 14,
    says: 'requests do not wait for the reply of a backend that replies to denials',
    file: machine('answers'),
    find: 'self.options.replies_to_denials || item.approves()',
    put: 'item.approves()',
  },
  {
    invariant: 14,
    says: 'a backend that waits for its answers does not receive cancellations',
    file: machine('apply'),
    find: 'let closes = self.options.answering && matches!(input, Input::Cancel | Input::Interrupt);',
    put: 'let closes = self.options.cancel_answers && matches!(input, Input::Cancel | Input::Interrupt);',
  },
  {
    invariant: 1,
    says: 'a cancellation is sent to a backend whose protocol has no cancellation',
    file: machine('user'),
    find: 'let reports_cancellation = self.options.cancel_answers && !lost && closed;',
    put: 'let reports_cancellation = !lost && closed;',
  },
  {
    invariant: 8,
    says: 'a cancelled call is sent with the decision that it had before',
    file: wire('item_decisions'),
    find: '_ if failed && !part.is_closed()',
    put: '_ if failed',
  },
  {
    invariant: 6,
    says: 'the codec does not receive the input as the user edited it',
    file: wire('item_decisions'),
    find: 'if original.is_some() { values.set(to, Name::EditedInput, part.input); }',
    put: '',
  },
  {
    invariant: 14,
    says: 'an event about a known call begins a reply without a request',
    file: machine('turn/transition'),
    find: 'Settlement | Attachment | Report => Outside,',
    put: 'Settlement | Attachment => Outside, Report => OpenUnrequested,',
  },
  {
    invariant: 14,
    says: 'requests wait for a reply to each answer, although answers have none',
    file: machine('outbox/item'),
    find: '!self.is_aside() && (self.state == ItemState::Ready',
    put: '(self.state == ItemState::Ready',
  },
  {
    invariant: 14,
    says: 'a queued message, and the policy for the calls before it, wait for each other',
    file: machine('answers'),
    find: 'self.settle_pending();',
    put: '',
  },
  {
    invariant: 9,
    says: 'denials are sent in the request of a user message to a backend that needs them before it',
    file: machine('release'),
    find: 'if unsent.iter().any(|at| sends_before_message || approved(at)) {',
    put: 'let _ = sends_before_message; if unsent.iter().any(approved) {',
  },
  {
    invariant: 1,
    says: 'an answer in flight is still in flight after a restore, though its result is unknown',
    file: machine('stream_end'),
    find: 'item.is_aside() && item.state().is_under_way());',
    put: 'item.is_aside() && item.state() == ItemState::Replying);',
  },
  {
    invariant: 1,
    says: 'a denial and a cancellation of the same call have the same idempotency key',
    file: wire('idempotency_key'),
    find: 'add(if carried.cancelled { Name::Cancelled } else { verdict }, approval);',
    put: 'add(verdict, approval);',
  },
  {
    invariant: 6,
    says: 'approvals of two different edited inputs have the same idempotency key',
    file: wire('idempotency_key'),
    find: 'push_digest(part.input);',
    put: 'let _ = part;',
  },
  {
    invariant: 6,
    says: 'a call whose edited approval is withdrawn keeps the edited input',
    file: machine('respond'),
    find: 'before.and_then(|decision| decision.original).unwrap_or(part.input)',
    put: 'before.map_or(part.input, |_| part.input)',
  },
  {
    invariant: 14,
    says: 'the backend does not receive a cancellation for calls whose approvals it requested',
    file: machine('answers'),
    find: 'if asked && self.options.answers_ahead() {',
    put: 'if asked && self.options.answering {',
  },
  {
    invariant: 14,
    says: 'an approval request that arrives after the user cancelled the reply is not answered',
    file: machine('backend_requests'),
    find: 'self.close_call(at, Input::Cancel, Payload::NONE);',
    put: 'self.close(at, Input::Cancel, Payload::NONE);',
  },
];

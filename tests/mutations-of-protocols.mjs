/**
 * More ways to break what answering protocols, answers that go first, cancels that are told and edited inputs need: keys,
 * the user's message, reloads, requests that come late. See mutations.mjs.
 */
const machine = (name) => `src/machine/${name}.rs`;
const wire = (name) => `src/wire/${name}.rs`;

export const protocolMutations = [
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
    says: 'a message overtakes the answers',
    file: machine('user'),
    find: 'if self.failed_with_approvals().is_some() || self.answers_wait() {',
    put: 'if self.failed_with_approvals().is_some() {',
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

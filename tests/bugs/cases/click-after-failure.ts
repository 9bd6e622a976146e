/** The request with the approval fails; the user clicks Approve again, then Deny, then Retry. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'click-after-failure',
  title: 'The network fails; Approve is clicked again, then Deny, then Retry',
  cause: 'Nothing marks two attempts as the same decision: no request has an idempotency key.',
  rule: 'Later clicks send nothing. Retry sends the same request with the same idempotency key.',
  async run(side) {
    const { backend, answer, send, retry, settled, approvalOf } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
      intercept: (n) => (n === 2 ? new TypeError('fetch failed') : undefined),
    });
    send('Edit it');
    await settled();
    const id = approvalOf('c1');
    await answer(id, true);
    await settled();
    await answer(id, true);
    await settled();
    await answer(id, false, 'changed my mind');
    await settled();
    const clicked = backend.requests.length - 2;
    retry();
    await settled();
    const attempts = backend.requests.slice(1);
    return {
      clicked,
      retried: attempts.length - 1 - clicked,
      ran: backend.ran,
      keys: new Set(attempts.map(({ headers }) => headers['idempotency-key'])).size,
      keyed: attempts.every(({ headers }) => headers['idempotency-key'] !== undefined),
      equal: new Set(attempts.map(({ messages }) => JSON.stringify(messages))).size === 1,
    };
  },
  isRight: ({ clicked, retried, ran, keyed, keys }) =>
    clicked === 0 && retried === 1 && ran.length === 1 && keyed && keys === 1,
  say: ({ clicked, retried, ran, keyed, keys }) =>
    `${count(clicked, 'request')} by clicking; Retry sends ${retried}; ran ${count(ran.length, 'time')}` +
    (keyed && keys === 1 ? '; both attempts have one idempotency key' : '; no idempotency key'),
  expected: {
    ai6: { clicked: 1, retried: 1, ran: ['edit#c1'], keys: 1, keyed: false, equal: false },
    ai7: { clicked: 0, retried: 1, ran: ['edit#c1'], keys: 1, keyed: false, equal: true },
    toolgate: { clicked: 0, retried: 1, ran: ['edit#c1'], keys: 1, keyed: true, equal: true },
  },
});

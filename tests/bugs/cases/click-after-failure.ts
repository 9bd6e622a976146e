/** The request with the approval fails; the user clicks Approve again, then the app retries. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'click-after-failure',
  title: 'The network fails; Approve is clicked again',
  async run(side) {
    const { backend, answer, send, settled, approvalOf } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
      intercept: n => (n === 2 ? new TypeError('fetch failed') : undefined),
    });
    send('Edit it');
    await settled();
    const id = approvalOf('c1');
    await answer(id, true);
    await settled();
    await answer(id, true);
    await settled();
    const clicked = backend.requests.length - 2;
    await answer(id, false, 'changed my mind');
    await settled();
    return { clicked, more: backend.requests.length - 2 - clicked, ran: backend.ran };
  },
  say: ({ clicked, more }) => `${count(clicked + more, 'request')} by clicking again`,
  expected: {
    ai6: { clicked: 1, more: 0, ran: ['edit#c1'] },
    ai7: { clicked: 0, more: 0, ran: [] },
    toolgate: { clicked: 0, more: 0, ran: [] },
  },
});

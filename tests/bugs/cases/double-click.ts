/** Two clicks on Approve before the first has been processed. The app's predicate is asynchronous. */
import { bug, count } from '../bug';
import { macrotask, stage } from '../harness';

export default bug({
  id: 'double-click',
  title: 'Double click on Approve, then a click on Deny (asynchronous predicate)',
  cause: 'Each click starts a check of its own, and more than one of them can send.',
  rule: 'Several clicks are one decision: one request, and the tool runs once.',
  async run(side) {
    const { backend, answer, send, settled, approvalOf } = await stage(side, {
      model: [{ calls: [{ id: 'c1', tool: 'edit' }] }],
      sendAutomaticallyWhen: (stock) => async (state) => {
        await macrotask();
        return stock(state);
      },
    });
    send('Edit it');
    await settled();
    const id = approvalOf('c1');
    await Promise.all([answer(id, true), answer(id, true), answer(id, false, 'too late')]);
    await settled();
    await answer(id, true);
    await settled();
    return { answers: backend.requests.length - 1, ran: backend.ran };
  },
  isRight: ({ answers, ran }) => answers === 1 && ran.length === 1,
  say: ({ answers, ran }) => `${count(answers, 'request')}; ran ${count(ran.length, 'time')}`,
  expected: {
    ai6: { answers: 1, ran: ['edit#c1'] },
    ai7: { answers: 1, ran: ['edit#c1'] },
    toolgate: { answers: 1, ran: ['edit#c1'] },
  },
});

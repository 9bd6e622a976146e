/** A predicate that sends after every decision, as many apps have: the step is sent before it is complete. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'partial-decisions',
  title: 'Approve one of two calls, with a predicate that sends after any answer',
  cause: 'The predicate sends as soon as one call is decided, and the server cannot continue a step with an open call.',
  rule: 'A step is sent once, with all its decisions.',
  async run(side) {
    const { backend, answer, send, settled, approvalOf } = await stage(side, {
      model: [
        {
          calls: [
            { id: 'c1', tool: 'edit' },
            { id: 'c2', tool: 'send' },
          ],
        },
      ],
      sendAutomaticallyWhen:
        () =>
        ({ messages }) => {
          const parts = (messages as unknown as { parts: { state?: string }[] }[]).at(-1)?.parts ?? [];
          return parts.some((part) => part.state === 'approval-responded');
        },
      cap: 6,
    });
    send('Edit and send it');
    await settled();
    const second = approvalOf('c2');
    await answer(approvalOf('c1'), true);
    await settled();
    const early = backend.requests.length - 1;
    await answer(second, true);
    await settled();
    return { early, ran: backend.ran, errors: backend.errors };
  },
  isRight: ({ early, errors }) => early === 0 && errors.length === 0,
  say: ({ early, ran, errors }) =>
    `${count(early, 'request')} too early; ran ${ran.length > 0 ? ran.map((run) => `\`${run}\``).join(', ') : 'nothing'}${errors.length > 0 ? `; ${count(errors.length, 'error')} (\`${errors[0]}\`)` : ''}`,
  expected: {
    ai6: { early: 1, ran: ['edit#c1', 'send#c2'], errors: ['AI_MissingToolResultsError'] },
    ai7: { early: 1, ran: ['edit#c1', 'send#c2'], errors: ['AI_MissingToolResultsError'] },
    toolgate: { early: 0, ran: ['edit#c1', 'send#c2'], errors: [] },
  },
});

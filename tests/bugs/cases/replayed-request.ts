/** The backend repeats its approval request after the user has denied (a replayed stream, a retrying server). */
import { bug } from '../bug';
import { played } from '../play';

export default bug({
  id: 'replayed-request',
  title: 'The approval request arrives again after a denial',
  cause: 'The repeated `tool-approval-request` resets the call to `approval-requested`.',
  rule: 'A decision is final: a repeated request does not ask again, and the denied tool never runs.',
  async run(side) {
    let shown: unknown;
    const { backend } = await played(side, 'denial-before-repeated-request', {
      after: (act, { part }) => {
        // The server has repeated its request. The user, or an "approve all" button, can approve what is shown.
        if ('release' in act) shown = part('c1')?.['state'];
      },
    });
    return { shown, ran: backend.ran };
  },
  isRight: ({ shown, ran }) => shown === 'approval-responded' && !ran.includes('remove#c1'),
  say: ({ shown, ran }) =>
    `shown as \`${String(shown)}\`; ${ran.includes('remove#c1') ? 'the denied tool can be approved and **runs**' : 'the denied tool never runs'}`,
  expected: {
    ai6: { shown: 'approval-requested', ran: ['remove#c1', 'send#c2'] },
    ai7: { shown: 'approval-requested', ran: ['remove#c1', 'send#c2'] },
    toolgate: { shown: 'approval-responded', ran: ['send#c2'] },
  },
});

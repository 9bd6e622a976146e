/** The backend repeats its approval request after the user has denied (a replayed stream, a retrying server). */
import { bug } from '../bug';
import { stage } from '../harness';
import { asks, ends } from '../script';

export default bug({
  id: 'replayed-request',
  title: 'The approval request arrives again after a denial',
  cause: 'The repeated `tool-approval-request` resets the call to `approval-requested`.',
  rule: 'A decision is final: a repeated request does not ask again, and the denied tool never runs.',
  async run(side) {
    const calls = [
      { id: 'c1', tool: 'edit' },
      { id: 'c2', tool: 'send' },
    ];
    const { backend, part, answer, send, settled } = await stage(side, {
      model: [],
      intercept: (n) =>
        n === 1
          ? [
              ...asks('reply-1', calls),
              () => answer('ask-c1', false, 'not now'),
              { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
              ...ends,
            ]
          : undefined,
    });
    send('Edit and send it');
    await settled();
    const asked = part('c1')?.['state'];
    await answer('ask-c2', true);
    await settled();
    // The screen shows an active Approve button again. The user, or an "approve all" button, approves.
    await answer('ask-c1', true);
    await settled();
    return { shown: asked, ran: backend.ran };
  },
  isRight: ({ shown, ran }) => shown === 'approval-responded' && !ran.includes('edit#c1'),
  say: ({ shown, ran }) =>
    `shown as \`${String(shown)}\`; ${ran.includes('edit#c1') ? 'the denied tool can be approved and **runs**' : 'the denied tool never runs'}`,
  expected: {
    ai6: { shown: 'approval-requested', ran: ['edit#c1', 'send#c2'] },
    ai7: { shown: 'approval-requested', ran: ['edit#c1', 'send#c2'] },
    toolgate: { shown: 'approval-responded', ran: ['send#c2'] },
  },
});

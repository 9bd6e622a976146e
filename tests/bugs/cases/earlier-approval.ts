/** An approval in an earlier message is still on the screen after later messages; the user clicks it. */
import { bug, count } from '../bug';
import { stage } from '../harness';

export default bug({
  id: 'earlier-approval',
  title: 'Approve a call of an earlier message',
  cause: 'Only calls of the last message are sent. The click changes what the chat shows, and nothing else.',
  rule: 'An approval that cannot be sent any more is closed, and a click on it fails with an error.',
  async run(side) {
    const { backend, thrown, part, answer, settled } = await stage(side, {
      model: [],
      messages: [
        { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Edit it' }] },
        {
          id: 'a1',
          role: 'assistant',
          parts: [
            { type: 'step-start' },
            { type: 'tool-edit', toolCallId: 'c1', state: 'approval-requested', input: {}, approval: { id: 'ask-c1' } },
          ],
        },
        { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Something else' }] },
        { id: 'a2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Sure', state: 'done' }] },
      ],
    });
    await answer('ask-c1', true);
    await settled();
    return { requests: backend.requests.length, thrown, state: part('c1')?.['state'], ran: backend.ran };
  },
  isRight: ({ requests, thrown }) => requests === 0 && thrown.length > 0,
  say: ({ requests, thrown, state }) =>
    thrown.length > 0
      ? `closed; the click fails with \`${thrown.join()}\``
      : `ignored without an error (${count(requests, 'request')}), shown as \`${String(state)}\``,
  expected: {
    ai6: { requests: 0, thrown: [], state: 'approval-responded', ran: [] },
    ai7: { requests: 0, thrown: [], state: 'approval-responded', ran: [] },
    toolgate: { requests: 0, thrown: ['superseded'], state: 'output-error', ran: [] },
  },
});

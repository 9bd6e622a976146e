/**
 * The chat of the pages: calls of an earlier turn that ended in each way, and a step that waits for three decisions.
 */
import { init, ToolGate } from 'toolgate';
import { genkit } from 'toolgate/protocols/genkit';

const call = (toolCallId, state, rest = {}) => ({
  type: 'tool-delete_file',
  toolCallId,
  state,
  input: { path: `${toolCallId}.md` },
  ...rest,
});
const ended = (toolCallId, outcome) =>
  call(toolCallId, 'output-error', {
    errorText: 'Error: FOR THE MODEL',
    callProviderMetadata: { toolgate: { outcome } },
  });
const answered = (toolCallId, approved, reason) => ({ approval: { id: `ask-${toolCallId}`, approved, reason } });

const messages = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Tidy up' }] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      call('done', 'output-available', { output: { deleted: 'done.md' }, ...answered('done', true) }),
      call('failed', 'output-error', { errorText: 'EACCES: permission denied' }),
      call('denied', 'output-denied', answered('denied', false, 'not before June')),
      ended('cancelled', 'cancelled'),
      ended('interrupted', 'interrupted'),
    ],
  },
  { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And the rest' }] },
  {
    id: 'a2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      call('first', 'approval-requested', {
        title: 'Delete a file',
        approval: { id: 'ask-first', requestReason: 'Deleting cannot be undone.' },
      }),
      call('second', 'approval-requested', { approval: { id: 'ask-second' } }),
      call('third', 'approval-requested', {
        input: { path: `${'a-long-name-'.repeat(12)}\u202efdp.exe`, force: true },
        approval: { id: 'ask-third' },
      }),
    ],
  },
];

/** Creates the gate; the test reads it from the page. */
export async function openGate() {
  document.documentElement.classList.toggle('dark', matchMedia('(prefers-color-scheme: dark)').matches);
  await init();
  const gate = new ToolGate({ protocol: genkit, chatId: 'chat' });
  gate.load(messages);
  window.gate = gate;
  return gate;
}

/** The calls of the earlier turn. */
export const earlier = (view) => view.messages[1]?.parts.filter((part) => 'toolCallId' in part) ?? [];

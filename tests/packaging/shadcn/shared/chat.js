/**
 * The chat of the pages: calls of an earlier turn that ended in each way, and a step that waits for decisions: of three
 * calls, or of those that `?calls=` names. `?dir=rtl` shows the page from right to left, `?texts=ar` the components in
 * Arabic. `?ms=` is the time to answer, and `?plain` the protocol of the AI SDK.
 */
import { init, ToolGate } from 'toolgate';
import { ar } from 'toolgate/element/texts/ar';
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
];

const asked = (toolCallId, rest = {}) =>
  call(toolCallId, 'approval-requested', { approval: { id: `ask-${toolCallId}` }, ...rest });

const [first, second, third] = [
  asked('first', {
    title: 'Delete a file',
    approval: { id: 'ask-first', requestReason: 'Deleting cannot be undone.' },
  }),
  asked('second'),
  asked('third', { input: { path: `${'a-long-name-'.repeat(12)}\u202efdp.exe`, force: true } }),
];

/** Ten thousand lists in each other: 20 KB of JSON. */
let deep = [];
for (let depth = 0; depth < 10_000; depth++) deep = [deep];

/** The calls of the step that waits. */
const STEPS = {
  three: [first, second, third],
  hostile: [
    asked('long', {
      type: `tool-${'delete_everything_'.repeat(20)}`,
      title: `Delete${'everything'.repeat(30)}`,
      input: { [`key${'-of-a-name'.repeat(20)}`.replaceAll('-', '')]: 'x'.repeat(2_000), nested: [[[[{ a: [] }]]]] },
      approval: { id: 'ask-long', requestReason: 'W'.repeat(400) },
    }),
    asked('mixed', {
      type: 'tool-\u202edelete_file',
      title: '\u05de\u05d7\u05e7 (now)',
      input: { '\u05de\u05e7\u05d5\u05e8': '\u05d9\u05e2\u05d3', plain: '\u05d0 <b>1</b> \u05d1', n: -1 },
      approval: { id: 'ask-mixed', requestReason: 'Ends with a dot. (\u05de\u05d7\u05e7).' },
    }),
    third,
  ],
  many: Array.from({ length: 100 }, (_, at) => asked(`n${at}`)),
  deep: [asked('deep', { input: { path: 'deep.md', deep } }), second],
  asked: [
    first,
    second,
    {
      ...asked('choice', {
        input: { app: 'shop' },
        approval: {
          id: 'ask-choice',
          descriptor: {
            prompt: 'Where to?\u202e',
            options: [
              { id: 'staging', label: 'Staging', description: 'for us' },
              { id: 'production', label: 'Production <b>' },
            ],
          },
        },
      }),
      type: 'tool-deploy',
    },
  ],
  // A backend used the id of a call again in one step.
  repeated: [
    { ...call('same', 'output-denied', answered('same', false)) },
    asked('same', { approval: { id: 'again' } }),
  ],
};

/** Creates the gate; the test reads it from the page. */
export async function openGate() {
  const options = new URLSearchParams(location.search);
  document.documentElement.classList.toggle('dark', matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dir = options.get('dir') ?? 'ltr';
  await init();
  const protocol = options.has('plain') ? {} : { protocol: genkit };
  const gate = new ToolGate({ ...protocol, chatId: 'chat', approvalTimeoutMs: Number(options.get('ms') ?? 3_600_000) });
  const parts = [{ type: 'step-start' }, ...STEPS[options.get('calls') ?? 'three']];
  gate.load([...messages, { id: 'a2', role: 'assistant', parts }]);
  window.gate = gate;
  return gate;
}

/** What the page gives the list. The third call is dangerous. `?remember` offers to remember decisions. */
export const list = {
  texts: new URLSearchParams(location.search).get('texts') === 'ar' ? ar : undefined,
  tools: {
    delete_file: {
      summary: ({ path = 'all' }) => `Delete ${path.slice(0, 40)}`,
      isDangerous: ({ force }) => force === true,
    },
    deploy: {},
  },
  remember: /** @type {'always' | undefined} */ (
    new URLSearchParams(location.search).has('remember') ? 'always' : undefined
  ),
};

/** The calls of the earlier turn. */
export const earlier = (view) => view.messages[1]?.parts.filter((part) => 'toolCallId' in part) ?? [];

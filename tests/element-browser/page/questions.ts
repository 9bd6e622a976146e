/** A page with `<tool-question>`: `?scenario=…` selects the question. */
import { init, ToolGate } from 'toolgate';
import { defineToolQuestion, type ToolQuestionElement } from 'toolgate/element';

const EVIL = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';

const string = { type: 'string' };

/** The input of the call, by scenario. */
const QUESTIONS: Readonly<Record<string, unknown>> = {
  whole: {
    message: 'Where should the release go?\nThe pipeline waits for this.',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { ...string, title: 'Your name', description: 'As in the changelog.', minLength: 2, maxLength: 40 },
        mail: { ...string, title: 'E-mail', format: 'email' },
        site: { ...string, title: 'Release page', format: 'uri', default: 'https://example.org' },
        day: { ...string, title: 'Day', format: 'date', default: '2026-12-01' },
        at: { ...string, title: 'Time', format: 'date-time', default: '2026-12-01T10:30:00.000Z' },
        copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 9, default: 2 },
        notify: { type: 'boolean', title: 'Notify the team', description: 'Sends one message.', default: true },
        stage: { ...string, title: 'Stage', enum: ['dev', 'prod'], enumNames: ['Development', 'Production'] },
        region: {
          ...string,
          title: 'Region',
          oneOf: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ const: id, title: `Region ${id}` })),
        },
        checks: { type: 'array', title: 'Checks', minItems: 1, items: { ...string, enum: ['lint', 'unit', 'e2e'] } },
        notes: { ...string, title: 'Notes', maxLength: 400 },
      },
      required: ['name', 'stage', 'checks'],
    },
  },
  agents: {
    questions: [
      {
        id: 'db',
        header: 'Database',
        question: 'Which database should the bookings use?',
        options: [
          { label: 'Postgres (Recommended)', description: 'A server of its own, with backups and replicas.' },
          { label: 'SQLite', description: 'One file beside the app.' },
        ],
      },
      {
        id: 'checks',
        header: 'Checks',
        question: 'Which checks should run before a release?',
        multiSelect: true,
        options: ['Lint', 'Unit tests', 'Browser tests'].map((label) => ({ label, description: '' })),
      },
      { id: 'name', header: 'Name', question: 'How should the service be called?', options: null },
    ],
  },
  short: {
    message: 'Which colour?',
    requestedSchema: { type: 'object', properties: { colour: string }, required: ['colour'] },
  },
  hostile: {
    message: `${EVIL} \u202e ${'word'.repeat(500)}`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `${EVIL}${'x'.repeat(300)}${n}`,
          n % 2
            ? { ...string, description: `${EVIL}${'y'.repeat(2_000)}`, pattern: '^(a+)+$' }
            : {
                type: 'array',
                items: { ...string, enum: Array.from({ length: 25 }, (_, m) => `${'z'.repeat(400)}${m}`) },
              },
        ]),
      ),
    },
  },
  unsupported: {
    message: 'Anything?',
    requestedSchema: { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] },
  },
};

async function start() {
  await init('/toolgate.wasm');
  const input = QUESTIONS[new URLSearchParams(location.search).get('scenario') ?? 'whole'];
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['ask_user'] });
  gate.sendUserMessage({ text: 'release it' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'ask_user', title: 'Release assistant', input },
    { type: 'finish', finishReason: 'tool-calls' },
  ]) {
    gate.receive(event);
  }
  gate.streamEnded({ status: 'finished' });
  defineToolQuestion();
  const element = document.createElement('tool-question') as HTMLElement as ToolQuestionElement;
  element.setAttribute('theme', 'auto');
  Object.assign(element, { gate, toolCallId: 'c1' });
  document.querySelector('main')?.append(element);
  const answers: unknown[] = [];
  document.addEventListener('answer', (event) => answers.push((event as CustomEvent).detail));
  return { gate, element, answers };
}

declare global {
  interface Window {
    questionPage: Awaited<ReturnType<typeof start>>;
    hit?: unknown;
  }
}
window.questionPage = await start();
document.title = 'ready';

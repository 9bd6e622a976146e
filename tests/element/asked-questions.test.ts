// @vitest-environment happy-dom
/** `<tool-question>` with the questions of Codex and of Claude Code. */
import { beforeAll, expect, test } from 'vitest';
import { ToolGate, type Protocol } from 'toolgate';
import { defineToolQuestion, loadToolQuestion, type ToolQuestionElement } from 'toolgate/element';
import { claudeAgentSdk } from 'toolgate/protocols/claude-agent-sdk';
import { codex as codexProtocol } from 'toolgate/protocols/codex';
import { part, parts, settle, type } from './support';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

beforeAll(async () => {
  defineToolQuestion();
  await loadToolQuestion();
});

const options = [
  { label: 'SQLite', description: 'A file.' },
  { label: 'Postgres', description: '' },
];

/** A gate during the reply to its first message. */
function begun(protocol: Protocol, ...events: Data[]): ToolGate {
  const gate = new ToolGate({ protocol, chatId: 'c', browserTools: ['request_user_input'] });
  gate.sendUserMessage({ text: 'Go.' });
  gate.markSent(gate.outgoing()[0]!.id);
  for (const event of events) gate.receive(event);
  return gate;
}

const codex = (questions: unknown): ToolGate =>
  begun(codexProtocol, {
    method: 'item/tool/requestUserInput',
    id: 0,
    params: { threadId: 'c', itemId: 'a', questions },
  });

function claude(questions: unknown, more: Data = {}): ToolGate {
  const input = { questions, ...more };
  const use = { type: 'tool_use', id: 'a', name: 'AskUserQuestion', input };
  const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input, tool_use_id: 'a' };
  return begun(
    claudeAgentSdk,
    { type: 'assistant', message: { id: 'm', role: 'assistant', content: [use] }, parent_tool_use_id: null },
    { type: 'control_request', request_id: 'r', request },
  );
}

async function show(gate: ToolGate): Promise<ToolQuestionElement> {
  const element = document.createElement('tool-question') as ToolQuestionElement;
  Object.assign(element, { gate, toolCallId: 'a' });
  document.body.append(element);
  await settle();
  return element;
}

const choose = (element: ToolQuestionElement, at: number): void => {
  (parts(element, 'option')[at] as HTMLInputElement).checked = true;
};
const send = (element: ToolQuestionElement): unknown =>
  part(element, 'form').dispatchEvent(new Event('submit', { cancelable: true }));
const labels = (element: ToolQuestionElement): string[] =>
  parts(element, 'label').map(({ textContent }) => textContent ?? '');
const bodies = (gate: ToolGate): Data[] => gate.outgoing().map(({ body }) => body);
const one = { id: 'db', header: 'Database', question: 'Which one?', isOther: true, isSecret: false, options };

test('Codex: the options are a choice with a field for another answer, and the answer is sent by the id', async () => {
  const gate = codex([one]);
  const element = await show(gate);
  expect([element.status, part(element, 'message').textContent]).toEqual(['waiting', 'Which one?']);
  expect(labels(element)).toEqual([
    'Database (optional)',
    'SQLite – A file.',
    'Postgres',
    'No answer',
    'Another answer (optional)',
  ]);
  const answers: unknown[] = [];
  element.addEventListener('answer', (event) => answers.push((event as CustomEvent).detail));
  choose(element, 1);
  send(element);
  await settle();
  expect(bodies(gate)).toEqual([{ id: 0, result: { answers: { db: { answers: ['Postgres'] } } } }]);
  expect(answers).toMatchObject([{ answer: { action: 'accept', content: { db: 'Postgres' } } }]);
  expect([element.status, part(element, 'answer').textContent]).toEqual(['done', expect.stringContaining('Postgres')]);
});

test('Codex: another answer replaces the option; a question without options is a text', async () => {
  const gate = codex([one, { ...one, id: 'why', header: 'Reason', question: 'Why?', options: null }]);
  const element = await show(gate);
  expect(part(element, 'message').textContent).toBe('Database, Reason');
  const [other, why] = parts(element, 'field') as HTMLInputElement[];
  choose(element, 0);
  send(element);
  expect(bodies(gate)).toEqual([]);
  type(other!, 'DuckDB');
  type(why!, 'Small.');
  send(element);
  expect(bodies(gate)).toEqual([
    { id: 0, result: { answers: { db: { answers: ['DuckDB'] }, why: { answers: ['Small.'] } } } },
  ]);
});

test('Claude: the answers are the field `answers` of the input that is approved', async () => {
  const questions = [
    { question: 'Which one?', header: 'Database', options, multiSelect: false },
    { question: 'Which checks?', header: 'Checks', options, multiSelect: true },
    { question: 'Which region?', header: 'Region', options, multiSelect: false },
  ];
  const gate = claude(questions);
  const element = await show(gate);
  expect(element.status).toBe('waiting');
  choose(element, 1);
  choose(element, 3);
  choose(element, 4);
  type(parts(element, 'field')[1] as HTMLInputElement, 'Own');
  send(element);
  await settle();
  const { response } = bodies(gate)[0].response;
  expect(response).toMatchObject({ behavior: 'allow', toolUseID: 'a' });
  expect(response.updatedInput).toEqual({
    questions,
    answers: { 'Which one?': 'Postgres', 'Which checks?': 'SQLite, Postgres, Own' },
  });
  expect(part(element, 'answer').textContent).toContain('SQLite, Postgres, Own');
  expect(parts(element, 'form')).toEqual([]);
});

test('Claude: questions that are declined or dismissed are denied; a decision made elsewhere closes the form', async () => {
  for (const name of ['decline', 'dismiss']) {
    const gate = claude([{ question: 'Which one?', header: 'Database', options }]);
    const element = await show(gate);
    part(element, name).click();
    expect(bodies(gate)[0].response.response.behavior).toBe('deny');
    await settle();
    expect(parts(element, 'form')).toEqual([]);
  }
  const gate = claude([{ question: 'Which one?', header: 'Database', options }]);
  const element = await show(gate);
  const form = part(element, 'form');
  const response = { subtype: 'success', request_id: 'r', response: { behavior: 'allow' } };
  const errors: unknown[] = [];
  element.addEventListener('answer-error', (event) => errors.push((event as CustomEvent).detail));
  gate.receive({ type: 'control_response', response });
  // The form was submitted before the element was updated.
  part(element, 'decline').click();
  expect(errors).toMatchObject([{ error: { code: 'already-decided' } }]);
  await settle();
  expect([form.isConnected, bodies(gate)]).toEqual([false, []]);
});

test('a call whose input has more than questions is not approved by the form, which would not show the rest', async () => {
  const questions = [{ question: 'Which one?', header: 'Database', options }];
  const element = await show(claude(questions, { command: 'rm -rf /' }));
  expect(parts(element, 'form')).toEqual([]);
  const known = await show(claude(questions, { metadata: { source: 'plan' }, annotations: {} }));
  expect(parts(known, 'form')).toHaveLength(1);
});

test('an input with damaged questions has no form', async () => {
  const odd = [null, [], 'x', [null], [{}], [{ question: 1 }], Array(21).fill(one), [{ ...one, options: [null] }]];
  for (const questions of odd) {
    const element = await show(claude(questions));
    expect(parts(element, 'form').filter((form) => parts(element, 'send').length > 0 && form)).toEqual([]);
  }
});

test('there is no form for a secret: it would be stored with the chat', async () => {
  for (const isSecret of [false, true]) {
    const element = await show(claude([{ ...one, isSecret, options: null }]));
    expect(element.shadowRoot?.querySelectorAll('input, textarea')).toHaveLength(isSecret ? 0 : 1);
    expect(parts(element, 'send')).toHaveLength(isSecret ? 0 : 1);
  }
});

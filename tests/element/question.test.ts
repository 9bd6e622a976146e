// @vitest-environment happy-dom
/**
 * `<tool-question>` with real gates: which forms it makes of a schema, what it sends, and what it refuses. The schemas
 * are checked by MCP's own package. What needs a browser's validation is in tests/element-browser.
 */
import { fromJsonSchema, specTypeSchemas } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ToolGate } from 'toolgate';
import { defineToolQuestion, loadToolQuestion, type Question, type ToolQuestionElement } from 'toolgate/element';
import { callOf, part, parts, sendNext, settle, streaming, textOf, type } from './support';

beforeAll(async () => {
  defineToolQuestion();
  defineToolQuestion();
  await loadToolQuestion();
});

// happy-dom cannot tell the focus of a tree from which the focused element was removed.
afterEach(() => {
  for (const { shadowRoot } of document.querySelectorAll('tool-question'))
    (shadowRoot?.activeElement as HTMLElement)?.blur();
});

/** A gate whose reply has ended with a call that asks the user. */
function asks(input: unknown, id = 'c1', tool = 'ask_user'): ToolGate {
  const gate = streaming(
    [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: id, toolName: tool, input },
    ],
    { browserTools: [tool] },
  );
  gate.receive({ type: 'finish', finishReason: 'tool-calls' });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** Adds a question to the page. */
async function show(gate: ToolGate | null, set: Partial<ToolQuestionElement> = { toolCallId: 'c1' }) {
  const element = document.createElement('tool-question') as HTMLElement as ToolQuestionElement;
  Object.assign(element, { gate, ...set });
  document.body.append(element);
  await settle();
  return element;
}

const schemaOf = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

const ask = (properties: object, required?: readonly string[]) =>
  show(asks({ message: 'Which one?', requestedSchema: schemaOf(properties, required) }));

const fields = (element: ToolQuestionElement): HTMLInputElement[] => parts(element, 'field') as HTMLInputElement[];
const options = (element: ToolQuestionElement): HTMLInputElement[] => parts(element, 'option') as HTMLInputElement[];
const problems = (element: ToolQuestionElement): string[] =>
  parts(element, 'error')
    .map(({ textContent }) => textContent ?? '')
    .filter(Boolean);
const labels = (element: ToolQuestionElement): string[] =>
  parts(element, 'label').map(({ textContent }) => textContent);

const range = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`);

/** Submits the form as Enter and the button do. */
function send(element: ToolQuestionElement): void {
  part<HTMLFormElement>(element, 'form').dispatchEvent(new Event('submit', { cancelable: true }));
}

/** The output of the call; undefined while there is none. */
const output = (element: ToolQuestionElement): unknown => {
  const call = callOf(element.gate!, 'c1') as { output?: unknown };
  return call.output;
};

/** The question with a field of each kind. */
const WHOLE: Question = {
  message: 'Where should the release go?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As in the changelog', minLength: 2, maxLength: 40 },
      mail: { type: 'string', format: 'email' },
      site: { type: 'string', format: 'uri', default: 'https://example.org' },
      day: { type: 'string', format: 'date', default: '2026-12-01' },
      at: { type: 'string', format: 'date-time', default: '2026-12-01T10:30:00.000Z' },
      copies: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
      ratio: { type: 'number', default: 0.5 },
      notify: { type: 'boolean', title: 'Notify the team', default: true },
      stage: { type: 'string', enum: ['dev', 'prod'], enumNames: ['Development', 'Production'], default: 'dev' },
      region: {
        type: 'string',
        oneOf: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ const: id, title: `Region ${id}` })),
        default: 'b',
      },
      checks: { type: 'array', items: { type: 'string', enum: ['lint', 'unit', 'e2e'] }, default: ['unit'] },
      owners: {
        type: 'array',
        minItems: 1,
        items: {
          anyOf: [
            { const: 'ana', title: 'Ana' },
            { const: 'ben', title: 'Ben' },
          ],
        },
      },
    },
    required: ['name', 'stage'],
  },
};

test('the line breaks of a default are shown and sent', async () => {
  const element = await ask({ note: { type: 'string', default: 'one\ntwo' } });
  expect(fields(element)[0]!.value).toBe('one\ntwo');
  send(element);
  expect(output(element)).toEqual({ action: 'accept', content: { note: 'one\ntwo' } });
});

test('a field that asks for a secret in its words has a warning, and can be answered; others have none', async () => {
  const text = { type: 'string' };
  const element = await ask({
    a: { ...text, title: 'Your password' },
    PIN: text,
    card: { ...text, title: 'Credit card number', description: 'Without spaces' },
    apiKey: text,
    opinion: { ...text, description: 'What you think' },
    resetPassword: { type: 'boolean' },
    'pin of the card': { type: 'integer' },
  });
  const warned = fields(element).map((field) => {
    const [id] = field.getAttribute('aria-describedby')!.split(' ');
    return element.shadowRoot!.querySelector(`#${id}`)!.textContent;
  });
  const warning = 'Enter no passwords: the answer is stored. ';
  expect(warned).toEqual([warning, warning, `${warning}Without spaces`, warning, 'What you think', '', warning]);
  send(element);
  expect(output(element)).toEqual({ action: 'accept', content: { resetPassword: false } });
});

test('a question of MCP: each kind of field has its label and default, and the answer is typed', async () => {
  const { ElicitRequestFormParams, ElicitResult } = specTypeSchemas;
  expect(ElicitRequestFormParams['~standard'].validate(WHOLE)).not.toHaveProperty('issues');
  const element = await show(asks(WHOLE));
  expect(element.status).toBe('waiting');
  expect(part(element, 'message').textContent).toBe('Where should the release go?');
  expect(labels(element)).toEqual([
    'Your name',
    'mail (optional)',
    'site (optional)',
    'day (optional)',
    'at (optional)',
    'copies (optional)',
    'ratio (optional)',
    'Notify the team',
    ...['stage', 'Development', 'Production'],
    'region (optional)',
    ...['checks (optional)', 'lint', 'unit', 'e2e'],
    ...['owners (optional)', 'Ana', 'Ben'],
  ]);
  expect(fields(element).map(({ type: kind }) => kind)).toEqual([
    ...['text', 'email', 'url', 'date', 'datetime-local', 'number', 'number', 'checkbox', 'select-one'],
  ]);
  const answers: unknown[] = [];
  element.addEventListener('answer', (event) => answers.push((event as CustomEvent).detail));
  type(fields(element)[0]!, 'Zoë');
  options(element).at(-1)!.checked = true;
  send(element);
  expect(output(element)).toEqual({
    action: 'accept',
    content: {
      name: 'Zoë',
      site: 'https://example.org',
      day: '2026-12-01',
      at: '2026-12-01T10:30:00.000Z',
      copies: 2,
      ratio: 0.5,
      notify: true,
      stage: 'dev',
      region: 'b',
      checks: ['unit'],
      owners: ['ben'],
    },
  });
  expect(ElicitResult['~standard'].validate(output(element))).not.toHaveProperty('issues');
  const { content } = output(element) as { content: unknown };
  const result = await fromJsonSchema(WHOLE.requestedSchema as never)['~standard'].validate(content);
  expect(result).not.toHaveProperty('issues');
  expect(answers).toEqual([{ toolCallId: 'c1', toolName: 'ask_user', answer: output(element) }]);
  expect([element.status, part(element, 'status').textContent]).toEqual(['done', 'Answered']);
  expect(part(element, 'answer').textContent).toContain('Zoë');
  expect(parts(element, 'form')).toEqual([]);
  // The answer is part of the next request, once.
  sendNext(element.gate!);
  expect(element.gate!.outgoing()).toEqual([]);
});

test.each([
  ['decline', { action: 'decline' }, 'Declined'],
  ['dismiss', { action: 'cancel' }, 'Dismissed'],
])('the button %s needs no valid fields', async (name, answer, label) => {
  const element = await ask({ name: { type: 'string' } }, ['name']);
  part(element, name).click();
  expect(output(element)).toEqual(answer);
  expect(specTypeSchemas.ElicitResult['~standard'].validate(output(element))).not.toHaveProperty('issues');
  expect(part(element, 'status').textContent).toBe(label);
});

describe('problems', () => {
  test.each([
    ['missing', { type: 'string' }, '', 'Fill in this field.'],
    ['too short', { type: 'string', minLength: 3 }, '😀😀', 'Enter at least 3 characters.'],
    ['too long', { type: 'string', maxLength: 3 }, '😀😀😀😀', 'Enter at most 3 characters.'],
    ['missing number', { type: 'number' }, '', 'Fill in this field.'],
    ['too small', { type: 'number', minimum: 3 }, '2.5', 'Enter 3 or more.'],
    ['too large', { type: 'integer', maximum: 3 }, '4', 'Enter 3 or less.'],
    ['not an integer', { type: 'integer' }, '1.5', 'Enter a whole number.'],
    ['not a safe integer', { type: 'integer' }, '9007199254740993', 'Enter a whole number.'],
    ['not chosen', { type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f'] }, '', 'Choose one.'],
  ])('%s', async (_name, property, text, problem) => {
    const element = await ask({ field: property }, ['field']);
    const [field] = fields(element);
    field!.value = text;
    send(element);
    expect(problems(element)).toEqual([problem, 'Fields to check: 1.']);
    expect(field!.getAttribute('aria-invalid')).toBe('true');
    expect(element.shadowRoot?.activeElement).toBe(field);
    const about = field!.getAttribute('aria-describedby')!.split(' ');
    expect(about.map((id) => element.shadowRoot?.getElementById(id)?.textContent)).toContain(problem);
    expect(output(element)).toBeUndefined();
  });

  test('surrogate pairs count as one character, as in JSON Schema', async () => {
    const element = await ask({ field: { type: 'string', minLength: 3, maxLength: 3 } });
    type(fields(element)[0]!, '😀😀😀');
    send(element);
    expect(output(element)).toEqual({ action: 'accept', content: { field: '😀😀😀' } });
  });

  test('groups: none of the radio buttons, too few and too many checkboxes', async () => {
    const items = { type: 'string', enum: ['x', 'y', 'z'] };
    const element = await ask(
      { one: { type: 'string', enum: ['a', 'b'] }, many: { type: 'array', items, minItems: 2, maxItems: 2 } },
      ['one', 'many'],
    );
    const [a, , x, y, z] = options(element);
    send(element);
    expect(problems(element)).toEqual(['Choose one.', 'Choose at least 2.', 'Fields to check: 2.']);
    expect(element.shadowRoot?.activeElement).toBe(a);
    for (const input of [a!, x!, y!, z!]) {
      input.checked = true;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
    send(element);
    expect(problems(element)).toEqual(['Choose at most 2.', 'Fields to check: 1.']);
    expect(z!.getAttribute('aria-invalid')).toBe('true');
    z!.checked = false;
    z!.dispatchEvent(new Event('input', { bubbles: true }));
    expect(problems(element)).toEqual([]);
    send(element);
    expect(output(element)).toEqual({ action: 'accept', content: { one: 'a', many: ['x', 'y'] } });
  });

  test('a problem disappears while the user corrects it', async () => {
    const element = await ask({ field: { type: 'string', minLength: 3 } });
    const [field] = fields(element);
    type(field!, 'ab');
    expect(problems(element)).toEqual([]);
    send(element);
    expect(problems(element)[0]).toBe('Enter at least 3 characters.');
    type(field!, 'abc');
    expect(problems(element)).toEqual([]);
    expect(field!.hasAttribute('aria-invalid')).toBe(false);
  });
});

describe('a hostile schema', () => {
  test('a pattern is never run', async () => {
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    const element = await ask({ field: { type: 'string', pattern: '^(a+)+$' } }, ['field']);
    const [field] = fields(element);
    expect(field!.hasAttribute('pattern')).toBe(false);
    type(field!, `${'a'.repeat(50)}!`);
    send(element);
    expect(output(element)).toMatchObject({ action: 'accept' });
    expect(exec.mock.contexts.map(String)).not.toContain('/^(a+)+$/');
    exec.mockRestore();
  });

  test('texts are text, invisible characters are shown, and long texts are shortened', async () => {
    const evil = '<img src=x onerror="globalThis.hit=1">';
    const element = await show(
      asks({
        message: `${evil}\u202e${'x'.repeat(10_000)}`,
        requestedSchema: schemaOf({
          [evil]: { type: 'string', description: evil },
          choice: { type: 'string', title: `${evil}${'y'.repeat(1_000)}`, enum: [evil, 'b'] },
          menu: { type: 'string', oneOf: [...'abcdef'].map((id) => ({ const: id, title: `\u202e${evil}` })) },
        }),
      }),
    );
    expect(element.shadowRoot?.querySelector('img')).toBeNull();
    expect(textOf(element)).toContain(evil);
    expect(textOf(element)).toContain('U+202E');
    expect(textOf(element)).not.toContain('\u202e');
    expect(textOf(element).length).toBeLessThan(7_000);
    expect('hit' in globalThis).toBe(false);
  });

  test.each([
    ['no schema', undefined],
    ['a string', 'x'],
    ['not an object', { type: 'string' }],
    ['a list of properties', { type: 'object', properties: [] }],
    ['a required object', schemaOf({ a: { type: 'object', properties: {} } }, ['a'])],
    ['a required property that is missing', schemaOf({}, ['a'])],
    ['too many fields', schemaOf(Object.fromEntries(range(41).map((n) => [n, { type: 'string' }])))],
    ['too many options', schemaOf({ a: { type: 'string', enum: range(101) } }, ['a'])],
    [
      'too many options of all fields',
      schemaOf(Object.fromEntries(range(6).map((n) => [n, { type: 'string', enum: range(100) }]))),
    ],
    ['a password', schemaOf({ a: { type: 'string', format: 'password' } }, ['a'])],
    ['a value that must not be read again', schemaOf({ a: { type: 'string', writeOnly: true } }, ['a'])],
    ['no options', schemaOf({ a: { type: 'string', enum: [] } }, ['a'])],
    ['numbers as options', schemaOf({ a: { type: 'integer', enum: [1, 2] } }, ['a'])],
    ['items without options', schemaOf({ a: { type: 'array', items: { type: 'string' } } }, ['a'])],
    ['a name of 1 MB', schemaOf({ ['x'.repeat(1e6)]: { type: 'string' } }, ['x'.repeat(1e6)])],
  ])('%s: no form, and the user can decline', async (_name, requestedSchema) => {
    const element = await show(asks({ message: 'Which one?', requestedSchema }));
    expect(parts(element, 'send')).toEqual([]);
    expect(textOf(element)).toContain('cannot be shown as a form');
    part(element, 'decline').click();
    expect(output(element)).toEqual({ action: 'decline' });
  });

  test('optional properties that no field can show are counted', async () => {
    const element = await ask({ a: { type: 'string' }, b: { type: 'object' }, c: null, d: { type: 'array' } });
    expect(textOf(element)).toContain('Optional fields that cannot be shown: 3.');
    send(element);
    expect(output(element)).toEqual({ action: 'accept', content: {} });
  });

  test.each([null, undefined, 7, 'text', []])('an input that is %j', async (input) => {
    const element = await show(asks(input));
    expect(parts(element, 'decline')).toHaveLength(1);
  });

  test('names are data, and invalid defaults and limits are ignored', async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","default":"p"},"constructor":{"type":"string","default":7,"minLength":-1,"maxLength":"x"},' +
        '"toString":{"type":"integer","default":"1","minimum":null},"e":{"type":"string","enum":["a","a","b"],"default":"z"}}',
    ) as object;
    const element = await ask(properties);
    type(fields(element)[1]!, 'c');
    send(element);
    const { content } = output(element) as { content: object };
    expect(Object.entries(content)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
    expect(Object.getPrototypeOf(content)).toBe(Object.prototype);
  });
});

test('the app can give the question of a tool with another input', async () => {
  const gate = asks({ topic: 'colour' });
  const question = (label: string): Question => ({
    message: 'Which colour?',
    requestedSchema: schemaOf({ colour: { type: 'string', title: label } }),
  });
  const element = await show(gate, { toolCallId: 'c1', question: question('Colour') });
  type(fields(element)[0]!, 'red');
  // A template passes a new object on each render.
  element.question = question('Colour');
  await settle();
  expect(fields(element)[0]!.value).toBe('red');
  element.question = question('Other');
  await settle();
  expect([labels(element), fields(element)[0]!.value]).toEqual([['Other (optional)'], '']);
});

test('the form waits for the input and for an approval, and closes with the call', async () => {
  const gate = streaming(
    [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'ask_user' },
    ],
    { browserTools: ['ask_user'] },
  );
  const element = await show(gate);
  expect([element.status, parts(element, 'form').length]).toEqual(['drafting', 0]);
  gate.receive({
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'ask_user',
    input: { message: 'Sure?', requestedSchema: schemaOf({}) },
  });
  gate.receive({ type: 'tool-approval-request', approvalId: 'ask-c1', toolCallId: 'c1' });
  await settle();
  expect(parts(element, 'form')).toHaveLength(0);
  gate.receive({ type: 'finish', finishReason: 'tool-calls' });
  gate.streamEnded({ status: 'finished' });
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect([element.status, parts(element, 'form').length]).toEqual(['waiting', 1]);
  expect(part(element, 'message').textContent).toBe('Sure?');
  gate.sendUserMessage({ text: 'never mind' });
  await settle();
  expect(parts(element, 'form')).toHaveLength(0);
  expect(element.status).not.toBe('waiting');
});

test('an answer that the gate refuses is shown, and the entries stay', async () => {
  const element = await ask({ name: { type: 'string' } });
  const failures: unknown[] = [];
  element.addEventListener('answer-error', (event) => failures.push((event as CustomEvent).detail));
  const { gate } = element;
  gate!.addToolOutput = (): never => {
    throw new Error('no <b>way</b>');
  };
  type(fields(element)[0]!, 'Zoë');
  send(element);
  expect(problems(element)).toEqual(['Your answer was not accepted: no <b>way</b>']);
  expect(fields(element)[0]!.value).toBe('Zoë');
  expect(failures).toMatchObject([{ toolCallId: 'c1', error: { message: 'no <b>way</b>' } }]);
});

test('the second click of a double click does not answer the next question', async () => {
  const [first, second] = [await ask({}), await ask({})];
  const click = (element: ToolQuestionElement, detail: number): boolean =>
    part(element, 'decline').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  second.toolCallId = 'c1';
  click(first, 1);
  expect(output(first)).toEqual({ action: 'decline' });
  const other = await show(asks({ requestedSchema: schemaOf({}) }, 'c2'), { toolCallId: 'c2' });
  click(other, 2);
  expect(other.status).toBe('waiting');
  click(other, 1);
  expect(other.status).toBe('done');
});

test('texts can be replaced, and a gate can be replaced or removed', async () => {
  const element = await ask({ name: { type: 'string' } });
  element.texts = { send: 'Antworten', waiting: 'Wartet', optional: '(freiwillig)', decline: 7 as never };
  await settle();
  expect([part(element, 'send').textContent, part(element, 'decline').textContent]).toEqual(['Antworten', 'Decline']);
  expect([part(element, 'status').textContent, labels(element)]).toEqual(['Wartet', ['name (freiwillig)']]);
  element.gate = asks({ message: 'Another?', requestedSchema: schemaOf({}) });
  await settle();
  expect(part(element, 'message').textContent).toBe('Another?');
  element.gate = null;
  await settle();
  expect([element.status, part(element, 'card').hidden]).toEqual([undefined, true]);
});

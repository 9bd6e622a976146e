/**
 * Which calls of a history run, and the position of their results: repeated ids and decisions, superseded approvals,
 * calls of other servers, unusual messages, and generated histories in every format.
 */
import { Prompt } from 'effect/ai';
import fc from 'fast-check';
import { collectApprovals, ResolveError, resolveApprovals, type ResolveOptions } from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { approvalOf, forms, historyOf, type Call, type Form } from '../seeds/resolve-backends';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

/** Resolves a frozen history with a toolkit that contains every tool. `ran` contains the inputs in order. */
async function resolved(messages: Data[], options: ResolveOptions = {}) {
  const ran: Data[] = [];
  const run = (input: unknown): string => `done ${ran.push(input)}`;
  const toolkit = { run, GetWeather: run, constructor: run, ['__proto__']: run };
  Object.defineProperty(toolkit, '__proto__', { value: run, enumerable: true });
  return { ...(await resolveApprovals(frozen(messages), { toolkit, ...options })), ran };
}

/** The calls and results in the order in which a model reads them. */
function lines(messages: readonly Data[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return ['user'];
    const parts: Data[] = message.parts ?? (Array.isArray(message.content) ? message.content : []);
    const said = (part: Data): string =>
      String(
        part.output?.value ?? part.output?.type ?? part.result?.type ?? part.result ?? part.output ?? part.errorText,
      );
    const ui = parts
      .filter((part) => part.state)
      .map((part) => [
        `call ${part.toolCallId}`,
        ...(part.state.startsWith('output')
          ? [`result ${part.toolCallId}: ${part.state === 'output-denied' ? 'execution-denied' : said(part)}`]
          : []),
      ]);
    if (message.parts) return [...ui.map(([call]) => call!), ...ui.flatMap(([, result]) => result ?? [])];
    return parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [`call ${part.toolCallId ?? part.id}`]
        : part.type === 'tool-result'
          ? [`result ${part.toolCallId ?? part.id}: ${said(part)}`]
          : [],
    );
  });
}

const approved = (id: string, more: Partial<Call> = {}): Call => ({
  id,
  name: 'run',
  input: id,
  approved: true,
  ...more,
});

describe.each(forms)('%s', (form) => {
  const history = (...calls: Call[]): Data[] => historyOf(form, calls);

  test('resolving again changes nothing and runs no tool', async () => {
    const first = await resolved(history(approved('call_1'), approved('call_2', { approved: false, reason: 'no' })));
    const again = await resolved(first.messages);
    expect([again.ran, again.results, again.messages]).toEqual([[], [], first.messages]);
    expect(first.unresolved).toEqual([]);
  });

  test('results are in call order, including denials', async () => {
    const { results } = await resolved(
      history(approved('call_1'), approved('call_2', { approved: false }), approved('call_3')),
    );
    expect(results.map(({ toolCallId, outcome }) => `${toolCallId} ${outcome}`)).toEqual([
      'call_1 executed',
      'call_2 denied',
      'call_3 executed',
    ]);
  });

  test('a user message that follows an approval supersedes it, unless the app wants it to run first', async () => {
    const [user, ...step] = history(approved('call_1'));
    const posted = [user, ...step, { ...user, id: 'u2' }];
    const { messages, ran, unresolved } = await resolved(posted);
    expect([ran, unresolved]).toEqual([[], []]);
    const unknown = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
    expect(lines(messages)).toEqual(['user', 'call call_1', `result call_1: ${unknown}`, 'user']);
    const first = await resolved(posted, { onUserMessage: 'run' });
    expect(first.ran).toEqual(['call_1']);
    expect(lines(first.messages)).toEqual(['user', 'call call_1', 'result call_1: done 1', 'user']);
  });

  test('a malformed step before a user message does not block the chat, because nothing of it runs', async () => {
    const [user, ...step] = history(approved('call_1'), approved('call_1'));
    await expect(resolved([user, ...step])).rejects.toMatchObject({ code: 'malformed-messages' });
    const { ran } = await resolved([user, ...step, { ...user, id: 'u2' }]);
    expect(ran).toEqual([]);
  });

  test('a history with more parts than the limit is refused before anything runs', async () => {
    const posted = history(approved('call_1'));
    await expect(resolved(posted, { maxParts: 2 })).rejects.toMatchObject({ code: 'too-long' });
    expect((await resolved(posted, { maxParts: 20 })).ran).toEqual(['call_1']);
  });

  test('an approved call of an earlier step does not run: it gets an error with an unknown outcome', async () => {
    const later =
      form === 'UI messages'
        ? { id: 'b', role: 'assistant', parts: [{ type: 'text', text: 'So.' }] }
        : { role: 'assistant', content: 'So.' };
    const { messages, ran, results } = await resolved([
      ...history(approved('call_1'), approved('call_2', { approved: false })),
      later,
    ]);
    expect(ran).toEqual([]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['interrupted', 'denied']);
    expect(lines(messages)).toEqual([
      'user',
      'call call_1',
      'call call_2',
      'result call_1: Error: Tool execution was interrupted. It may have run; its outcome is unknown.',
      'result call_2: execution-denied',
    ]);
  });

  test('a later turn can repeat ids', async () => {
    const before = history(approved('call_1', { result: 'before' }));
    const { messages, ran } = await resolved([...before, ...history(approved('call_1', { input: 'after' }))]);
    expect(ran).toEqual(['after']);
    expect(lines(messages).filter((line) => line.startsWith('result'))).toEqual([
      'result call_1: before',
      'result call_1: done 1',
    ]);
    expect(
      collectApprovals([...before, ...history(approved('call_1'))], { excludeResolved: true }).approved,
    ).toHaveLength(1);
  });

  test('undecided calls are unchanged and listed as unresolved', async () => {
    const { messages, ran, unresolved } = await resolved(history(approved('call_1'), { id: 'call_2', name: 'run' }));
    expect([ran, unresolved]).toEqual([['call_1'], ['call_2']]);
    expect(lines(messages)).toEqual(['user', 'call call_1', 'call call_2', 'result call_1: done 1']);
  });

  test('calls of tools without execute are unchanged', async () => {
    const messages = history(approved('call_1'));
    expect(await resolved(messages, { toolkit: { run: {} } })).toMatchObject({
      messages,
      results: [],
      unresolved: ['call_1'],
    });
  });

  test('calls that the provider runs are unchanged', async () => {
    const messages = JSON.parse(JSON.stringify(history(approved('call_1')))) as Data[];
    const part = (messages[1].parts ?? messages[1].content).find(
      (one: Data) => one.type === 'tool-call' || one.type === 'tool-run',
    );
    part.providerExecuted = true;
    expect(await resolved(messages, { strip: true, toolkit: {} })).toMatchObject({
      messages,
      results: [],
      unresolved: [],
    });
    expect(collectApprovals(messages).approved).toMatchObject([{ toolCall: { providerExecuted: true } }]);
  });

  test.each(['false', 'true', 1, 0, null, {}])('approved: %j throws', async (answer) => {
    const messages = JSON.parse(JSON.stringify(history(approved('call_1')))) as Data[];
    const part = messages.at(-1).parts?.at(-1).approval ?? messages.at(-1).content[0];
    part.approved = answer;
    await expect(resolved(messages)).rejects.toMatchObject({ code: 'malformed-messages', approvalId: 'appr_1' });
    expect(() => collectApprovals(messages)).toThrow(ResolveError);
  });

  test('ids and names may contain any text', async () => {
    const { ran, results } = await resolved(
      history(
        approved('__proto__', { name: '__proto__' }),
        approved('constructor', { name: 'constructor' }),
        approved('x'.repeat(1e5)),
      ),
    );
    expect([ran.length, results.length]).toEqual([3, 3]);
    const messages = history(approved('call_1', { name: 'toString' }));
    await expect(resolved(messages, { toolkit: { run: () => 1 } })).rejects.toMatchObject({
      code: 'unknown-tool',
      toolName: 'toString',
    });
  });

  test('outputs of every kind', async () => {
    const outputs: unknown[] = [
      'text',
      { a: [1, null] },
      undefined,
      null,
      0,
      false,
      new Date(0),
      { toJSON: () => 'own' },
    ];
    const calls = outputs.map((_, i) => approved(`call_${i}`, { input: i }));
    const { messages } = await resolved(history(...calls), { toolkit: { run: (i: number) => outputs[i] } });
    const told: Data[] = messages
      .flatMap((message: Data) => (message.parts ?? message.content) as Data[])
      .filter((part: Data) => part.type === 'tool-result' || part.state);
    const expected = ['text', { a: [1, null] }, null, null, 0, false, '1970-01-01T00:00:00.000Z', 'own'];
    if (form === 'UI messages') expect(told.map(({ output }) => output)).toEqual(expected.with(2, undefined as never));
    else expect(told.map(({ output, result }) => (output ? output.value : result))).toEqual(expected);
  });

  test('values that have no text are not read as one', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const parts = [
      { type: 'tool-run', toolCallId: 'odd', state: odd, input: {}, approval: { id: 'a', approved: odd, reason: odd } },
      { type: 'tool-run', toolCallId: odd, state: 'output-available', output: odd, approval: odd },
      { type: odd },
    ];
    const content = [
      { type: 'tool-call', toolCallId: 'odd', toolName: odd, input: odd },
      { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'odd' },
      { type: 'tool-approval-request', approvalId: odd, toolCallId: odd },
    ];
    const answers = [
      { type: 'tool-approval-response', approvalId: 'a', approved: false, reason: odd },
      { type: 'tool-result', toolCallId: 'odd', output: { type: odd } },
      { type: 'tool-result', id: odd, isFailure: odd },
    ];
    const messages = [
      { id: 'm', role: 'assistant', parts },
      { role: 'assistant', content },
      { role: 'tool', content: answers },
      ...history(approved('call_1')),
    ];
    expect((await resolved(messages)).ran).toEqual(['call_1']);
    const last = resolved(messages.slice(0, 3));
    await expect(last.then(({ ran }) => ran)).resolves.toEqual([]);
  });

  test('unusual messages are unchanged', async () => {
    const odd = [
      null,
      5,
      'x',
      {},
      { role: 'assistant' },
      { role: 'assistant', content: 'hi' },
      { role: 'tool', content: [null, { type: 'tool-result' }] },
    ];
    const messages = [...odd, ...history(approved('call_1'))];
    const result = await resolved(messages);
    expect(result.messages.slice(0, odd.length)).toEqual(odd);
    expect(result.ran).toEqual(['call_1']);
    await expect(resolveApprovals('no' as never)).rejects.toMatchObject({ code: 'malformed-messages' });
    expect(() => collectApprovals({} as never)).toThrow(ResolveError);
  });
});

describe.each(['model messages', 'Effect prompt'] as const)('%s', (form) => {
  const history = (...calls: Call[]): Data[] => historyOf(form, calls);
  const answer = (approvalId: string, yes: boolean): Data => ({
    type: 'tool-approval-response',
    approvalId,
    approved: yes,
  });
  const request = (approvalId: string, toolCallId: string): Data => ({
    type: 'tool-approval-request',
    approvalId,
    toolCallId,
  });
  const types = (messages: readonly Data[]): string[][] =>
    messages.map(({ role, content }) => (typeof content === 'string' ? [role] : content.map(({ type }: Data) => type)));

  test('in an earlier step the first of several decisions counts', async () => {
    for (const [first, outcome] of [
      [true, 'interrupted'],
      [false, 'denied'],
    ] as const) {
      const messages = history(approved('call_1', { approved: first }));
      messages[2].content.push(answer('appr_1', first), answer('appr_1', !first));
      const { results, messages: complete } = await resolved([...messages, { role: 'assistant', content: 'So.' }]);
      expect(results).toMatchObject([{ outcome }]);
      const decisions = complete.flatMap(({ content }) => content).filter(({ type }) => /response/.test(type));
      expect(decisions.map((one) => one.approved)).toEqual([first, first, first]);
      const { approved: yes, denied: no } = collectApprovals(messages);
      expect([yes.length, no.length]).toEqual(first ? [1, 0] : [0, 1]);
    }
  });

  test('a call whose approval was requested again waits for the new decision', async () => {
    const messages = history(approved('call_1'));
    messages[1].content.push(request('appr_2', 'call_1'));
    expect(await resolved(messages)).toMatchObject({ ran: [], unresolved: ['call_1'] });
    expect(collectApprovals(messages)).toEqual({ approved: [], denied: [] });
    const answered = messages.with(2, { ...messages[2], content: [...messages[2].content, answer('appr_2', false)] });
    expect((await resolved(answered)).results).toMatchObject([{ approvalId: 'appr_2', outcome: 'denied' }]);
    // A repeated request does not discard its decision.
    const twice = history(approved('call_1'));
    twice[1].content.push(request('appr_1', 'call_1'));
    expect((await resolved(twice)).ran).toEqual(['call_1']);
  });

  test('an approval id of two calls approves only the first one in a list of approvals', () => {
    const messages = history(approved('call_1'), { id: 'call_2', name: 'run', input: 'call_2' });
    messages[1].content.at(-1).approvalId = 'appr_1';
    expect(collectApprovals(messages).approved).toMatchObject([{ toolCallId: 'call_1' }]);
  });

  test('a request may precede its call, and decisions may precede other results', async () => {
    const messages = history(approved('call_1'), approved('call_2', { result: 'there' }));
    messages[1].content.reverse();
    const { messages: complete } = await resolved(messages);
    expect(lines(complete)).toEqual([
      'user',
      'call call_2',
      'call call_1',
      'result call_2: there',
      'result call_1: done 1',
    ]);
    expect(types(complete)).toEqual([
      ['user'],
      ['tool-approval-request', 'tool-call', 'tool-approval-request', 'tool-call'],
      ['tool-approval-response', 'tool-approval-response'],
      ['tool-result', 'tool-result'],
    ]);
  });

  test('strip removes the requests and decisions only of calls that have results, in all turns', async () => {
    const messages = [
      ...history(approved('call_0', { result: 0 })),
      ...history(approved('call_1'), { id: 'call_2', name: 'run' }),
    ];
    const { messages: stripped } = await resolved(messages, { strip: true });
    expect(types(stripped)).toEqual([
      ['user'],
      ['tool-call'],
      ['tool-result'],
      ['user'],
      ['tool-call', 'tool-call', 'tool-approval-request'],
      ['tool-result'],
    ]);
    const alone = [
      ...history(approved('call_0', { result: 0 })),
      { role: 'assistant', content: [request('a', 'b')] },
      { role: 'tool', content: [answer('a', true)] },
    ];
    expect(types((await resolved(alone, { strip: true })).messages)).toEqual([
      ['user'],
      ['tool-call'],
      ['tool-result'],
    ]);
  });

  test('a tool message that contains only results keeps its other properties', async () => {
    const messages = history(approved('call_1'), approved('call_2', { result: 'there' }));
    const [answers, result] = [messages[2].content.slice(0, 2), messages[2].content.slice(2)];
    messages[2] = { role: 'tool', content: answers };
    messages[3] = { role: 'tool', content: result, providerOptions: { anthropic: { cacheControl: {} } } };
    const { messages: complete } = await resolved(messages);
    expect(complete).toHaveLength(4);
    expect(complete[3]).toMatchObject({ providerOptions: { anthropic: {} } });
    expect(lines(complete).slice(-2)).toEqual(['result call_1: done 1', 'result call_2: there']);
  });
});

test('a later step of the same UI message supersedes an approval, and only a part with a decision runs', async () => {
  const [, { parts }] = historyOf('UI messages', [approved('call_1')]);
  const after = (...more: Data[]): Data[] => [{ id: 'a', role: 'assistant', parts: [...parts, ...more] }];
  expect((await resolved(after({ type: 'step-start' }, { type: 'text', text: 'So.' }))).results).toMatchObject([
    { outcome: 'interrupted' },
  ]);
  for (const state of ['input-streaming', 'input-available', 'approval-requested', undefined]) {
    const [user, message] = historyOf('UI messages', [approved('call_1')]);
    message.parts[1].state = state;
    expect((await resolved([user, message])).ran).toEqual([]);
  }
  const [user, message] = historyOf('UI messages', [approved('call_1')]);
  Object.assign(message.parts[1], {
    type: 'dynamic-tool',
    toolName: 'run',
    title: 'Run',
    callProviderMetadata: { p: {} },
  });
  const { messages, ran } = await resolved([user, message]);
  expect(ran).toEqual(['call_1']);
  expect(messages[1].parts[1]).toEqual({ ...message.parts[1], state: 'output-available', output: 'done 1' });
});

test('a decoded Effect prompt is accepted, and the returned messages can be decoded, too', async () => {
  const prompt = Prompt.make(historyOf('Effect prompt', [approved('call_1'), approved('call_2', { approved: false })]));
  for (const strip of [false, true]) {
    const { messages } = await resolveApprovals(prompt.content, { toolkit: { run: () => ({ temp: 72 }) }, strip });
    const again = Prompt.make(messages as Iterable<Prompt.MessageEncoded>).content;
    expect(again).toHaveLength(strip ? 3 : 4);
    expect(again.at(-1)?.content).toMatchObject([
      { id: 'call_1', isFailure: false, result: { temp: 72 } },
      { id: 'call_2', isFailure: true, result: { type: 'execution-denied' } },
    ]);
  }
});

test.each(['output-available', 'output-error', 'output-denied'])(
  'a UI part in state %s has a result',
  async (state) => {
    const [user, message] = historyOf('UI messages', [approved('call_1', { approved: state !== 'output-denied' })]);
    message.parts[1].state = state;
    const { ran, results, unresolved } = await resolved([user, message]);
    expect([ran, results, unresolved]).toEqual([[], [], []]);
    const { approved: yes, denied: no } = collectApprovals([user, message]);
    expect([...yes, ...no]).toHaveLength(1);
    expect(collectApprovals([user, message], { excludeResolved: true })).toEqual({ approved: [], denied: [] });
  },
);

/** Turns with one step each. The test lets only calls of the last turn lack both a decision and a result. */
const turns = fc.array(
  fc.array(fc.record({ decision: fc.constantFrom('approve', 'deny', 'none', 'open'), done: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 4 },
);

test.each(forms)(
  'generated histories as %s: each approved call of the last step runs once, and none is lost or doubled',
  async (form: Form) => {
    await fc.assert(
      fc.asyncProperty(turns, async (script) => {
        const calls = script.map((step, turn) =>
          step.map(({ decision, done }, i): Call => {
            const id = `call_${turn}${i}`;
            const isPlain = decision === 'none' || (turn < script.length - 1 && decision === 'open');
            const result = done || isPlain ? { result: `old ${id}` } : {};
            return {
              id,
              name: 'run',
              input: id,
              ...(decision === 'approve' || decision === 'deny' ? { approved: decision === 'approve' } : {}),
              ...(decision === 'deny' ? {} : result),
            };
          }),
        );
        const history = calls.flatMap((step, turn) =>
          historyOf(form, step).map((message) => (message.id ? { ...message, id: `${message.id}${turn}` } : message)),
        );
        const { messages, ran, unresolved } = await resolved(history);
        const open = (call: Call): boolean => call.result === undefined;
        expect(ran).toEqual(
          calls
            .at(-1)!
            .filter((call) => open(call) && call.approved)
            .map(({ id }) => id),
        );
        expect(unresolved).toEqual(
          calls
            .flat()
            .filter((call) => open(call) && call.approved === undefined)
            .map(({ id }) => id),
        );
        const expected = calls.flatMap((step) => [
          'user',
          ...step.map(({ id }) => `call ${id}`),
          ...step.filter((call) => !unresolved.includes(call.id)).map(({ id }) => `result ${id}`),
        ]);
        expect(lines(messages).map((line) => line.replace(/:.*/, ''))).toEqual(expected);
        expect((await resolved(messages)).messages).toEqual(messages);
        const { approved: yes, denied: no } = collectApprovals(history);
        expect([...yes, ...no].map(({ approvalId }) => approvalId).sort()).toEqual(
          calls
            .flat()
            .filter((call) => call.approved !== undefined)
            .map(({ id }) => approvalOf(id))
            .sort(),
        );
      }),
      { numRuns: 150 },
    );
  },
);

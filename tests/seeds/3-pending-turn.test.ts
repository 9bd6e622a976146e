/**
 * "Single-Turn Reliability via Pending Tool State": a turn that fails in the middle of its steps must not lose the
 * completed work. The work is stored, precedes the next user message exactly once, and the model continues from it.
 *
 * The groups of tests follow a proposal with this title for another project, which is not in this repository: its
 * example, its numbered table of terminal states, and its rules. Further cases come after them.
 */
import type { GateMessage, ToolGateOptions } from 'toolgate';
import { describe, expect, test } from 'vitest';

import { Backend, type BackendOptions, type ModelTurn } from '../bugs/backend';
import { App, appOn, chatOn, resultsIn, versions } from './app';

const tools = { read_file: 'runs', edit_file: 'runs', write_file: 'asks' } as const;
const read: ModelTurn = { text: 'Reading.', calls: [{ id: 'c1', tool: 'read_file', input: { path: 'auth.go' } }] };
const edit: ModelTurn = { text: 'Editing.', calls: [{ id: 'c2', tool: 'edit_file', input: { path: 'auth.go' } }] };
const write: ModelTurn = { text: 'Writing.', calls: [{ id: 'c3', tool: 'write_file' }] };
const resumed: ModelTurn = { text: 'Done.' };

/** The two completed steps, as they are in the model's prompt. */
const WORK = [
  'user: refactor the auth module',
  'assistant: Reading.',
  'call read_file#c1',
  'result c1: text "read_file done"',
  'assistant: Editing.',
  'call edit_file#c2',
  'result c2: text "edit_file done"',
];

/** An app after one turn, with the scripted model of `backend`. */
async function turn(
  version: 6 | 7,
  backend: BackendOptions,
  prepare?: (app: App) => void,
  options?: ToolGateOptions,
): Promise<App> {
  const app = appOn(version, { tools, ...backend }, options);
  prepare?.(app);
  await app.says('refactor the auth module');
  app.onChunk = () => {};
  app.endsWith = 'finished';
  return app;
}

/** Everything that the user sees: texts, and calls with their state. */
const shown = (messages: readonly GateMessage[]): string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      'text' in part ? [part.text] : 'toolCallId' in part ? [`${part.toolCallId} ${part.state}`] : [],
    ),
  );

describe.each(versions)('with ai %i on the server', (version) => {
  describe('example flow: turn failure and recovery', () => {
    const flow = { model: [read, edit, { fails: 'at once' }, resumed] } as const;

    test('steps 1 and 2 run their tools, step 3 fails: the turn is incomplete, and its work is shown', async () => {
      const app = await turn(version, flow);
      expect(app.turn).toBe('incomplete/failed');
      expect(app.backend.ran).toEqual(['read_file#c1', 'edit_file#c2']);
      const { messages } = app.gate.getSnapshot();
      expect(shown(messages)).toEqual([
        'refactor the auth module',
        'Reading.',
        'c1 output-available',
        'Editing.',
        'c2 output-available',
      ]);
      expect([app.gate.outgoing(), app.gate.undelivered()]).toEqual([[], []]);
    });

    test('the user sends "continue": the model sees everything once, in order, and resumes', async () => {
      const app = await turn(version, flow);
      await app.says('continue');
      expect(app.backend.saw[3]).toEqual([...WORK, 'user: continue']);
      expect(app.backend.ran).toEqual(['read_file#c1', 'edit_file#c2']);
      expect(app.turn).toBe('done/finished');
      expect(app.backend.errors).toHaveLength(1);
    });

    test('the turn after that also has the work once', async () => {
      const app = await turn(version, flow);
      await app.says('continue');
      await app.says('thanks');
      expect(app.backend.saw[4]).toEqual([...WORK, 'user: continue', 'assistant: Done.', 'user: thanks']);
    });

    test('the same in a chat of the AI SDK', async () => {
      const { chat, backend, gate } = chatOn(version, { tools, ...flow });
      await chat.sendMessage({ text: 'refactor the auth module' });
      expect([chat.status, gate.getSnapshot().turn]).toMatchObject([
        'error',
        { status: 'incomplete', ending: 'failed' },
      ]);
      await chat.sendMessage({ text: 'continue' });
      expect(backend.saw[3]).toEqual([...WORK, 'user: continue']);
      expect(chat.status).toBe('ready');
    });

    test('after normal completion the next request has the work and the text once', async () => {
      const app = await turn(version, { model: [read, edit, resumed] });
      expect(app.turn).toBe('done/finished');
      await app.says('thanks');
      expect(app.backend.saw[3]).toEqual([...WORK, 'assistant: Done.', 'user: thanks']);
    });
  });

  /** Lets the user press Esc after the chunks for which `when` returns true. */
  const interrupts = (when: (chunk: { type: string }) => boolean) => (app: App) => {
    app.onChunk = (chunk) => when(chunk) && app.interrupts();
  };
  const afterWork = (): ((chunk: { type: string }) => boolean) => {
    let steps = 0;
    return ({ type }) => type === 'start-step' && ++steps === 3;
  };
  /** The terminal states, each with and without completed work. */
  const endings: [string, expected: string, backend: BackendOptions, prepare?: (app: App) => void][] = [
    ['1 normal completion, no tool calls', 'done/finished', { model: [resumed] }],
    ['1 normal completion, after work', 'done/finished', { model: [read, edit, resumed] }],
    ['2 API error, nothing done', 'error/failed', { model: [{ fails: 'at once' }] }],
    ['2 API error, after work', 'incomplete/failed', { model: [read, edit, { fails: 'at once' }] }],
    ['2 stream error in a text, nothing done', 'error/failed', { model: [{ text: 'I wi', fails: 'midway' }] }],
    [
      '2 stream error in a text, after work',
      'incomplete/failed',
      { model: [read, edit, { text: 'I wi', fails: 'midway' }] },
    ],
    ['3 empty reply, nothing done', 'stalled/empty', { model: [{}] }],
    ['3 empty reply, after work', 'incomplete/empty', { model: [read, edit, {}] }],
    [
      '4 step limit, which is only possible after work',
      'incomplete/step-limit',
      { model: [read, edit], stopAfter: 2 },
      (app) => void (app.endsWith = 'step-limit'),
    ],
    [
      '5 user interruption, nothing done',
      'error/interrupted',
      { model: [resumed] },
      interrupts(({ type }) => type === 'text-delta'),
    ],
    [
      '5 user interruption, after work',
      'incomplete/interrupted',
      { model: [read, edit, resumed] },
      (app) => interrupts(afterWork())(app),
    ],
    [
      'connection lost, nothing done',
      'error/disconnected',
      { model: [resumed], cutsAfter: (n) => (n === 1 ? 4 : undefined) },
    ],
    [
      'connection lost, after work',
      'incomplete/disconnected',
      { model: [read, edit, resumed], cutsAfter: (n) => (n === 1 ? 17 : undefined) },
    ],
  ];

  describe('terminal states of a turn: the status shows whether work is stored, the ending shows why the turn ended', () => {
    test.each(endings)('%s: %s', async (_, expected, backend, prepare) => {
      const app = await turn(version, backend, prepare);
      expect(app.turn).toBe(expected);
    });

    test.each(endings.filter(([name]) => name.includes('after work')))(
      '%s: the work is in the next request once, before the message',
      async (_, __, backend, prepare) => {
        const app = await turn(version, backend, prepare);
        await app.says('continue');
        const prompt = app.backend.saw.at(-1)!;
        expect(prompt.slice(0, WORK.length)).toEqual(WORK);
        expect(prompt.at(-1)).toBe('user: continue');
        expect(resultsIn(prompt)).toHaveLength(2);
        expect(app.backend.ran).toEqual(['read_file#c1', 'edit_file#c2']);
      },
    );

    test.each(endings.filter(([name]) => name.includes('nothing done')))(
      '%s: the next message is sent without any call',
      async (_, __, backend, prepare) => {
        const app = await turn(version, backend, prepare);
        await app.says('continue');
        const prompt = app.backend.saw.at(-1)!;
        expect([prompt[0], prompt.at(-1)]).toEqual(['user: refactor the auth module', 'user: continue']);
        expect(prompt.filter((line) => /^(call|result)/.test(line))).toEqual([]);
        expect(app.turn).toBe('done/finished');
      },
    );

    test('3 a request with an empty reply is not sent again; `cancel()` makes the turn an error', async () => {
      const app = await turn(version, { model: [{}] });
      await app.deliver();
      expect([app.backend.requests.length, app.gate.undelivered().map(({ delivery }) => delivery)]).toEqual([
        1,
        ['stalled'],
      ]);
      app.gate.cancel();
      expect(app.turn).toBe('error/empty');
    });

    test('3 an empty reply to an approval, after the tool ran: the work is stored', async () => {
      const app = await turn(version, { model: [write, {}] });
      app.answers('c3', true);
      await app.deliver();
      expect([app.turn, app.backend.ran]).toEqual(['incomplete/empty', ['write_file#c3']]);
      await app.says('continue');
      expect(resultsIn(app.backend.saw[2])).toEqual(['c3: text "write_file done"']);
    });

    test('4 a chat of the AI SDK detects the step limit too', async () => {
      const { chat, gate, backend } = chatOn(version, { tools, model: [read, edit, resumed], stopAfter: 2 });
      await chat.sendMessage({ text: 'refactor the auth module' });
      expect(gate.getSnapshot().turn).toMatchObject({ status: 'incomplete', ending: 'step-limit' });
      await chat.sendMessage({ text: 'continue' });
      expect(backend.saw[2]).toEqual([...WORK, 'user: continue']);
    });
  });

  describe('the rule: what counts as work', () => {
    test('incomplete text does not count: it is shown, and the turn is an error', async () => {
      const app = await turn(version, { model: [{ text: 'I will', fails: 'midway' }] });
      expect(app.turn).toBe('error/failed');
      expect(shown(app.gate.getSnapshot().messages)).toEqual(['refactor the auth module', 'I will']);
    });

    test('a request that did not arrive ends the turn with an error; after `retry` it is answered once', async () => {
      const app = await turn(version, {
        model: [resumed],
        intercept: (n) => (n === 1 ? new Error('offline') : undefined),
      });
      expect(app.turn).toBe('error/failed');
      app.gate.retry(app.gate.undelivered()[0]!.id);
      await app.deliver();
      expect(app.turn).toBe('done/finished');
      expect(shown(app.gate.getSnapshot().messages)).toEqual(['refactor the auth module', 'Done.']);
    });

    test('a settled call counts, even if its step did not end', async () => {
      const app = await turn(
        version,
        { model: [read, edit] },
        interrupts(({ type }) => type === 'tool-output-available'),
      );
      expect(app.turn).toBe('incomplete/interrupted');
    });
  });

  describe('user interruption', () => {
    test('by the Stop button of a chat: the work is stored', async () => {
      let stop = (): Promise<void> => Promise.resolve();
      const script = async (): Promise<void> => void stop();
      const { chat, gate, backend } = chatOn(version, {
        tools,
        model: [resumed],
        intercept: (n) =>
          n === 1
            ? [
                { type: 'start', messageId: 'a1' },
                { type: 'start-step' },
                { type: 'tool-input-available', toolCallId: 'c1', toolName: 'read_file', input: {} },
                { type: 'tool-output-available', toolCallId: 'c1', output: 'package auth' },
                { type: 'finish-step' },
                { type: 'start-step' },
                { type: 'tool-input-start', toolCallId: 'c2', toolName: 'edit_file' },
                script,
                { type: 'finish' },
              ]
            : undefined,
      });
      stop = () => chat.stop();
      await chat.sendMessage({ text: 'refactor the auth module' });
      expect(gate.getSnapshot().turn).toMatchObject({ status: 'incomplete', ending: 'interrupted' });
      await chat.sendMessage({ text: 'continue' });
      expect(backend.saw[0]).toEqual([
        'user: refactor the auth module',
        'call read_file#c1',
        'result c1: text "package auth"',
        'user: continue',
      ]);
    });
  });

  describe('nothing is duplicated when the turn finishes later', () => {
    const cut = { model: [read, edit, resumed], cutsAfter: (n: number) => (n === 1 ? 14 : undefined) };
    const whole = [
      'refactor the auth module',
      'Reading.',
      'c1 output-available',
      'Editing.',
      'c2 output-available',
      'Done.',
    ];

    test('the reply is read again after the connection was lost', async () => {
      const app = await turn(version, cut);
      expect(app.turn).toBe('incomplete/disconnected');
      await app.reconnects();
      expect(app.turn).toBe('done/finished');
      expect(shown(app.gate.getSnapshot().messages)).toEqual(whole);
      await app.says('thanks');
      expect(app.backend.saw[3]).toEqual([...WORK, 'assistant: Done.', 'user: thanks']);
    });

    test('by `resumeStream` of a chat', async () => {
      const { chat, backend } = chatOn(version, { tools, ...cut });
      await chat.sendMessage({ text: 'refactor the auth module' });
      await chat.resumeStream();
      expect(shown(chat.messages)).toEqual(whole);
      expect([chat.status, backend.requests.length, backend.ran.length]).toEqual(['ready', 1, 2]);
    });

    test('an approval is sent again with `retry`: the request failed before the server saw it', async () => {
      const app = await turn(version, {
        model: [read, write, resumed],
        intercept: (n) => (n === 2 ? new Error('offline') : undefined),
      });
      app.answers('c3', true);
      await app.deliver();
      expect([app.turn, app.backend.ran]).toEqual(['incomplete/failed', ['read_file#c1']]);
      app.gate.retry(app.gate.undelivered()[0]!.id);
      await app.deliver();
      expect([app.turn, app.backend.ran]).toEqual(['done/finished', ['read_file#c1', 'write_file#c3']]);
      expect(app.backend.requests[2]).toMatchObject({ headers: app.backend.requests[1]!.headers });
      expect(resultsIn(app.backend.saw[2])).toEqual(['c1: text "read_file done"', 'c3: text "write_file done"']);
    });

    test('an approval that was held by the interruption is sent by `resume`', async () => {
      const app = appOn(version, { tools, model: [write, resumed] });
      app.onChunk = ({ type }) => {
        if (type !== 'tool-approval-request') return;
        app.answers('c3', true);
        app.interrupts();
      };
      await app.says('refactor the auth module');
      expect([app.backend.requests.length, app.part('c3').delivery]).toEqual([1, 'held']);
      app.onChunk = () => {};
      app.gate.resume();
      await app.deliver();
      expect([app.turn, app.backend.ran]).toEqual(['done/finished', ['write_file#c3']]);
      expect(resultsIn(app.backend.saw[1])).toEqual(['c3: text "write_file done"']);
    });
  });

  describe('a call that may have run is never reported as not run', () => {
    test('the reply to an approval is lost: the tool ran, and the model reads that the outcome is unknown', async () => {
      const app = await turn(version, { model: [write, resumed], cutsAfter: (n) => (n === 2 ? 0 : undefined) });
      app.answers('c3', true);
      await app.deliver();
      expect(app.backend.ran).toEqual(['write_file#c3']);
      await app.says('continue');
      expect(app.outcome('c3')).toEqual({ kind: 'interrupted', mayHaveRun: true });
      expect(resultsIn(app.backend.saw.at(-1))).toEqual([
        'c3: error-text "Error: Tool execution was interrupted. It may have run; its outcome is unknown."',
      ]);
      expect(app.backend.ran).toEqual(['write_file#c3']);
    });

    test.each(['cancel', 'another message'])(
      'the request failed, but may have arrived: after %s the chat continues, and the model reads that the outcome is unknown',
      async (act) => {
        const app = await turn(version, { model: [write, resumed], loses: (n) => n === 2 });
        app.answers('c3', true);
        await app.deliver();
        await app.says('continue');
        expect([app.gate.getSnapshot().queued.length, app.backend.requests.length]).toEqual([1, 2]);
        if (act === 'cancel') app.gate.cancel();
        else app.gate.sendUserMessage({ text: 'never mind' });
        await app.deliver();
        expect(app.outcome('c3')).toEqual({ kind: act === 'cancel' ? 'cancelled' : 'interrupted', mayHaveRun: true });
        expect(resultsIn(app.backend.saw.at(-1))[0]).toContain('It may have run; its outcome is unknown.');
        expect(app.backend.ran).toEqual(['write_file#c3']);
      },
    );

    test('a call that was never sent is reported as not run', async () => {
      const app = await turn(version, { model: [write, resumed] }, undefined, { onUserMessage: 'cancel-pending' });
      await app.says('continue');
      expect(app.outcome('c3')).toEqual({ kind: 'cancelled' });
      expect(resultsIn(app.backend.saw[1])).toEqual([
        'c3: error-text "Error: Tool execution was cancelled by user. It did not run."',
      ]);
      expect(app.backend.ran).toEqual([]);
    });
  });

  describe('the work of a failed turn', () => {
    test('survives a crash of the page: a snapshot of the failed turn has its work, once', async () => {
      const app = (await turn(version, { model: [read, edit, { fails: 'at once' }, resumed] })).reloads();
      expect(app.turn).toBe('incomplete/failed');
      await app.says('continue');
      expect(app.backend.saw[3]).toEqual([...WORK, 'user: continue']);
    });

    test('survives a page that is closed mid-stream', async () => {
      const before = appOn(version, { tools, model: [read, edit, resumed] });
      let reopened: App | undefined;
      const done = afterWork();
      before.onChunk = (chunk) => {
        if (!done(chunk)) return;
        reopened = before.reloads();
        before.interrupts();
      };
      await before.says('refactor the auth module');
      const app = reopened!;
      expect(app.turn).toBe('incomplete/disconnected');
      expect(app.gate.outgoing()).toEqual([]);
      await app.says('continue');
      expect(app.backend.saw.at(-1)).toEqual([...WORK, 'user: continue']);
      expect(app.backend.ran).toEqual(['read_file#c1', 'edit_file#c2']);
    });

    test('survives a switch to another provider: the work is in its first request', async () => {
      const app = await turn(version, { model: [read, edit, { fails: 'at once' }] });
      app.backend = new Backend(version === 7 ? 6 : 7, { tools, model: [resumed] });
      await app.says('continue');
      expect(app.backend.saw).toEqual([[...WORK, 'user: continue']]);
    });

    test('survives a switch to another client, which loads the messages', async () => {
      const failed = await turn(version, { model: [read, edit, { fails: 'at once' }] });
      const app = appOn(version === 7 ? 6 : 7, { tools, model: [resumed] });
      expect(app.gate.load(failed.gate.getSnapshot().messages).repairs).toEqual([]);
      await app.says('continue');
      expect(app.backend.saw).toEqual([[...WORK, 'user: continue']]);
    });

    test('is removed with its turn, if the app wants it', async () => {
      const failed = await turn(version, { model: [read, edit, { fails: 'at once' }] });
      const kept = failed.reloads({ incompleteTurn: 'keep' });
      const app = failed.reloads({ incompleteTurn: 'drop' });
      expect(shown(kept.gate.getSnapshot().messages)).toHaveLength(5);
      expect(shown(app.gate.getSnapshot().messages)).toEqual(['refactor the auth module']);
      await app.says('continue');
      expect(app.backend.saw.at(-1)).toEqual(['user: refactor the auth module', 'user: continue']);
    });

    test('is removed only if the turn is incomplete', async () => {
      const app = (await turn(version, { model: [read, edit, resumed] })).reloads({ incompleteTurn: 'drop' });
      expect(shown(app.gate.getSnapshot().messages)).toHaveLength(6);
    });
  });
});

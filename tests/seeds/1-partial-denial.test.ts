/**
 * "Fix Tool Results Loss on Partial Denial": a model calls several tools at once, the user denies one of them, and the
 * others must not be lost. Every call ends with exactly one result, and the model reads them all.
 *
 * The groups of tests follow a proposal with this title for another project, which is not in this repository: its
 * example, its two ways to deny, its expected result, and its design decisions. What one denial among three calls does
 * without a policy is a scenario of the conformance kit: `denial-keeps-the-others`.
 */
import type { OnDeny, ToolGateOptions } from 'toolgate';
import { describe, expect, test } from 'vitest';

import type { BackendOptions } from '../bugs/backend';
import { type App, appOn, chatOn, resultsIn, versions } from './app';
import { uncaughtIn } from '../lib/uncaught';

const DENIED = 'Error: Tool execution was denied by user.';
const SKIPPED = 'Error: Tool execution was skipped due to previous tool denial.';
const FILES = ['a.txt', 'b.txt', 'c.txt'];

/** The model writes these files in one step, then a text. `read` needs no approval. */
const writes = (count: number, ...more: string[]): BackendOptions => ({
  tools: { write: 'asks', read: 'runs' },
  model: [
    {
      calls: [
        ...more.map((id) => ({ id, tool: 'read' })),
        ...FILES.slice(0, count).map((path, index) => ({ id: `t${index + 1}`, tool: 'write', input: { path } })),
      ],
    },
    { text: 'I see.' },
  ],
});

/** An app whose model has called the tools. Their approvals are pending. */
async function asked(version: 6 | 7, backend: BackendOptions, options?: ToolGateOptions): Promise<App> {
  const app = appOn(version, backend, options);
  await app.says('Write my files');
  return app;
}

/** The call ids of the results in the model's last prompt, one for each result, sorted. */
const callsRead = (app: App): string[] =>
  resultsIn(app.backend.saw.at(-1))
    .map((line) => line.split(':')[0]!)
    .sort();

describe.each(versions)('with ai %i on the server', (version) => {
  describe('the example scenario: [write a.txt, write b.txt], and the user presses Esc on the first', () => {
    test('the second call is not lost: both calls have their result, and no tool ran', async () => {
      const app = await asked(version, writes(2), { onDeny: 'by-reason' });
      app.answers('t1', false);
      await app.deliver();
      expect(app.results).toEqual({ t1: DENIED, t2: SKIPPED });
      expect(app.gate.pending()).toEqual([]);
      expect(app.backend.ran).toEqual([]);
    });

    test('the turn has ended; with the next message the model gets both calls with their results, then the message', async () => {
      const app = await asked(version, writes(2), { onDeny: 'by-reason' });
      app.answers('t1', false);
      await app.deliver();
      expect(app.backend.requests).toHaveLength(1);
      expect(app.turn).toBe('done/finished');
      await app.says('Why?');
      const prompt = app.backend.saw[1]!;
      expect(prompt.slice(0, 3)).toEqual(['user: Write my files', 'call write#t1', 'call write#t2']);
      expect(callsRead(app)).toEqual(['t1', 't2']);
      expect(resultsIn(prompt).at(-1)).toContain(SKIPPED);
      expect(prompt.at(-1)).toBe('user: Why?');
      expect(app.backend.errors).toEqual([]);
    });

    test('the same in a chat of the AI SDK, with its own methods', async () => {
      const { chat, backend, answers, part, settled } = chatOn(version, writes(2), { onDeny: 'by-reason' });
      await chat.sendMessage({ text: 'Write my files' });
      await answers('t1', false);
      await settled();
      expect([part('t1').outcome?.kind, part('t2').outcome?.kind]).toEqual(['denied', 'skipped']);
      expect(backend.requests).toHaveLength(1);
      await chat.sendMessage({ text: 'Why?' });
      expect(resultsIn(backend.saw[1]).map((line) => line.split(':')[0])).toEqual(['t1', 't2']);
      expect([backend.ran, backend.errors]).toEqual([[], []]);
    });
  });

  describe('the two ways to deny', () => {
    test('with a reason: the rest is skipped, and the model continues automatically, in one request', async () => {
      const app = await asked(version, writes(3), { onDeny: 'by-reason' });
      app.answers('t1', false, 'Use a folder');
      await app.deliver();
      expect(app.backend.requests).toHaveLength(2);
      expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
      expect(resultsIn(app.backend.saw[1])[0]).toBe('t1: execution-denied "Use a folder"');
      expect(app.turn).toBe('done/finished');
    });

    const policies: [OnDeny, reason: string | undefined, requests: number][] = [
      ['by-reason', undefined, 1],
      ['by-reason', 'No', 2],
      ['end-turn', undefined, 1],
      ['end-turn', 'No', 1],
      ['skip-rest', undefined, 2],
      ['skip-rest', 'No', 2],
    ];
    test.each(policies)(
      '%s, reason %s: requests in this turn: %i; every call has its result',
      async (onDeny, reason, requests) => {
        const app = await asked(version, writes(3), { onDeny });
        app.answers('t1', false, reason);
        await app.deliver();
        expect(app.backend.requests).toHaveLength(requests);
        expect(Object.keys(app.results)).toEqual(['t1', 't2', 't3']);
        await app.says('Go on');
        expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
        expect([app.backend.ran, app.backend.errors]).toEqual([[], []]);
      },
    );
  });

  describe('the expected result: [Tool1, Tool2, Tool3], and the user denies Tool1', () => {
    test.each(['skip-rest', 'end-turn', 'by-reason'] as const)(
      '%s: the three results, word for word',
      async (onDeny) => {
        const app = await asked(version, writes(3), { onDeny });
        app.answers('t1', false);
        expect(app.results).toEqual({
          t1: 'Error: Tool execution was denied by user.',
          t2: 'Error: Tool execution was skipped due to previous tool denial.',
          t3: 'Error: Tool execution was skipped due to previous tool denial.',
        });
      },
    );

    test('the model receives complete results for all three, each once', async () => {
      const app = await asked(version, writes(3), { onDeny: 'skip-rest' });
      app.answers('t1', false);
      await app.deliver();
      expect(resultsIn(app.backend.saw[1])).toEqual([
        't1: execution-denied',
        `t2: execution-denied "${SKIPPED}"`,
        `t3: execution-denied "${SKIPPED}"`,
      ]);
    });

    test('on a later turn the model still reads the reason of the denial and the other results', async () => {
      const app = await asked(version, writes(3), { onDeny: 'skip-rest' });
      app.answers('t1', false, 'Use a folder');
      await app.deliver();
      await app.says('And now?');
      const [first, ...others] = resultsIn(app.backend.saw[2]);
      expect(first).toContain('Use a folder');
      expect(others).toEqual([expect.stringContaining(SKIPPED), expect.stringContaining(SKIPPED)]);
    });
  });

  describe('all other calls of the step have a result, whatever was decided before the denial', () => {
    test.each([0, 1, 2])(
      'a denial with a reason after %i approvals: the approved calls run, the rest is skipped',
      async (before) => {
        const app = await asked(version, writes(3), { onDeny: 'by-reason' });
        for (let call = 1; call <= before; call++) app.answers(`t${call}`, true);
        app.answers(`t${before + 1}`, false, 'No');
        await app.deliver();
        expect(app.backend.ran).toEqual(['write#t1', 'write#t2'].slice(0, before));
        expect(['t1', 't2', 't3'].map((call) => app.outcome(call)?.kind)).toEqual(
          ['executed', 'executed', 'executed'].slice(0, before).concat('denied', 'skipped', 'skipped').slice(0, 3),
        );
        expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
        expect(app.backend.requests).toHaveLength(2);
      },
    );

    test.each([0, 1, 2])(
      'a denial without a reason after %i approvals: no approval was sent yet, so no tool runs',
      async (before) => {
        const app = await asked(version, writes(3), { onDeny: 'by-reason' });
        for (let call = 1; call <= before; call++) app.answers(`t${call}`, true);
        app.answers(`t${before + 1}`, false);
        await app.deliver();
        expect(app.results).toEqual({ t1: SKIPPED, t2: SKIPPED, t3: SKIPPED, [`t${before + 1}`]: DENIED });
        await app.says('Then not');
        expect(app.backend.ran).toEqual([]);
        expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
        expect(app.backend.errors).toEqual([]);
      },
    );

    test('a tool that needed no approval ran, and keeps its own result', async () => {
      const app = await asked(version, writes(2, 'r1'), { onDeny: 'skip-rest' });
      app.answers('t1', false);
      await app.deliver();
      expect(app.backend.ran).toEqual(['read#r1']);
      expect(app.results).toEqual({ r1: 'read done', t1: DENIED, t2: SKIPPED });
      expect(callsRead(app)).toEqual(['r1', 't1', 't2']);
    });

    test('a denial during the reply: calls that arrive later are skipped too', async () => {
      const app = appOn(version, writes(3), { onDeny: 'skip-rest' });
      app.onChunk = ({ type }) => {
        if (type === 'tool-approval-request' && app.gate.pending()[0]?.toolCallId === 't1') app.answers('t1', false);
      };
      await app.says('Write my files');
      expect(app.results).toEqual({ t1: DENIED, t2: SKIPPED, t3: SKIPPED });
      expect([app.backend.requests.length, app.backend.ran]).toEqual([2, []]);
      expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
    });

    test('a message instead of the other decisions: every call has a result', async () => {
      const app = await asked(version, writes(3));
      app.answers('t1', false, 'Not this one');
      await app.says('Something else');
      expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
      expect([app.backend.ran, app.backend.errors]).toEqual([[], []]);
    });
  });

  describe('callbacks get the results of skipped calls, like those of denied calls', () => {
    test('each result is emitted once, even if the page is reloaded', async () => {
      const app = await asked(version, writes(3), { onDeny: 'skip-rest' });
      app.answers('t2', false);
      expect(app.results).toEqual({ t1: SKIPPED, t2: DENIED, t3: SKIPPED });
      expect(app.reloads().results).toEqual({});
      await app.deliver();
      expect(app.results).toEqual({ t1: SKIPPED, t2: DENIED, t3: SKIPPED });
    });

    test('`rewriteResult` may replace the text, and the model reads the new one', async () => {
      const given: unknown[] = [];
      const app = await asked(version, writes(2), {
        onDeny: 'skip-rest',
        rewriteResult: ({ toolCallId, toolName, input, outcome, text }) => {
          given.push([toolCallId, toolName, input, outcome.kind, text]);
          return `${text} (${toolCallId})`;
        },
      });
      app.answers('t1', false);
      expect(given).toEqual([
        ['t1', 'write', { path: 'a.txt' }, 'denied', DENIED],
        ['t2', 'write', { path: 'b.txt' }, 'skipped', SKIPPED],
      ]);
      expect(app.results).toEqual({ t1: `${DENIED} (t1)`, t2: `${SKIPPED} (t2)` });
      await app.deliver();
      expect(resultsIn(app.backend.saw[1])).toEqual([
        `t1: execution-denied "${DENIED} (t1)"`,
        `t2: execution-denied "${SKIPPED} (t2)"`,
      ]);
    });

    test('`rewriteResult` is awaited: the request is sent after the last result', async () => {
      const finish: (() => void)[] = [];
      const app = await asked(version, writes(2), {
        onDeny: 'skip-rest',
        rewriteResult: ({ toolCallId }) =>
          new Promise((resolve) => finish.push(() => resolve(`rewritten ${toolCallId}`))),
      });
      app.answers('t1', false);
      expect([app.gate.outgoing(), app.results]).toEqual([[], {}]);
      finish[1]!();
      await Promise.resolve().then(() => {});
      expect([app.gate.outgoing(), app.results]).toEqual([[], { t2: 'rewritten t2' }]);
      finish[0]!();
      await Promise.resolve().then(() => {});
      expect(app.results).toEqual({ t1: 'rewritten t1', t2: 'rewritten t2' });
      await app.deliver();
      expect(resultsIn(app.backend.saw[1])).toEqual([
        't1: execution-denied "rewritten t1"',
        't2: execution-denied "rewritten t2"',
      ]);
    });

    test('a `rewriteResult` that throws does not change the result', async () => {
      const uncaught = await uncaughtIn(async () => {
        const app = await asked(version, writes(1), {
          rewriteResult: () => {
            throw new Error('mine');
          },
        });
        app.answers('t1', false);
        expect(app.results).toEqual({ t1: DENIED });
        await app.deliver();
        expect(callsRead(app)).toEqual(['t1']);
      });
      expect(uncaught).toMatchObject([{ message: 'mine' }]);
    });
  });

  describe('a distinct message for skipped tools', () => {
    test('the outcomes are different too, in the view and after a reload', async () => {
      const app = await asked(version, writes(2), { onDeny: 'end-turn' });
      app.answers('t1', false, 'No');
      for (const one of [app, app.reloads()]) {
        expect(one.outcome('t1')).toEqual({ kind: 'denied', reason: 'No' });
        expect(one.outcome('t2')?.kind).toBe('skipped');
      }
    });

    test('the outcomes are different in a history that a server stores: `load` distinguishes them', async () => {
      const app = await asked(version, writes(2), { onDeny: 'skip-rest' });
      app.answers('t1', false, 'No');
      await app.deliver();
      const kept = app.backend.requests[1]!.messages;
      const other = appOn(version, writes(2));
      other.gate.load(kept);
      expect([other.outcome('t1')?.kind, other.outcome('t2')?.kind]).toEqual(['denied', 'skipped']);
    });

    test('all texts are options', async () => {
      const texts = { denied: 'The user said no.', skipped: 'Not tried.' };
      const app = await asked(version, writes(2), { onDeny: 'skip-rest', texts });
      app.answers('t1', false);
      expect(app.results).toEqual({ t1: 'The user said no.', t2: 'Not tried.' });
      await app.deliver();
      expect(resultsIn(app.backend.saw[1])).toContain('t2: execution-denied "Not tried."');
    });

    test('a reason is added to the text of a denial', async () => {
      const app = await asked(version, writes(1));
      app.answers('t1', false, 'Wrong file');
      expect(app.results).toEqual({ t1: `${DENIED} Wrong file` });
    });
  });

  describe('by default each call is decided on its own', () => {
    test.each(FILES.map((_, index) => index))('all denied except index %i: only that call runs', async (index) => {
      const app = await asked(version, writes(3));
      for (const call of ['t3', 't1', 't2']) app.answers(call, call === `t${index + 1}`);
      await app.deliver();
      expect(app.backend.ran).toEqual([`write#t${index + 1}`]);
      expect(callsRead(app)).toEqual(['t1', 't2', 't3']);
    });

    test('`assemble` gives the results in the order of the calls', async () => {
      const app = await asked(version, writes(3));
      for (const call of ['t3', 't1', 't2']) app.answers(call, call === 't2');
      await app.deliver();
      const tools = app.gate.assemble().filter((message) => (message as { role: string }).role === 'tool');
      const results = tools.flatMap(
        (message) => (message as { content: { type: string; toolCallId?: string }[] }).content,
      );
      expect(results.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId)).toEqual([
        't1',
        't2',
        't3',
      ]);
    });
  });
});

/**
 * Approvals are resolved before the model is called. The names `Test 1.1` and so on are those of a test plan in a
 * proposal for another project, which is not in this repository. The tests run for every history format, with and
 * without streaming, with the real `generateText`, `streamText` and Effect's `LanguageModel`.
 */
import { collectApprovals, ResolveError, resolveApprovals, type ResolveOptions } from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { forms, historyOf, modes, request, type Call, type Form } from './resolve-backends';

const DENIED = 'Error: Tool execution was denied by user.';

const weather: Call = { id: 'call_1', name: 'GetWeather', input: { location: 'NYC' } };
const time: Call = { id: 'call_2', name: 'GetTime', input: {} };
const remove: Call = { id: 'call_1', name: 'DeleteFile', input: { path: '/etc/passwd' } };

/** The error with which resolving rejects. */
const refusal = (reply: Promise<unknown>): Promise<ResolveError> =>
  reply.then(
    () => Promise.reject(new Error('nothing was refused')),
    (error: unknown) => (error instanceof ResolveError ? error : Promise.reject(error)),
  );

/**
 * The result that the model receives for a denied call. For `UIMessage`s, the AI SDK's converter writes its own text if
 * there is no reason.
 */
const denialIn = (form: Form, reason: string | undefined): unknown =>
  form === 'UI messages'
    ? (reason ?? 'Tool call execution denied.')
    : { type: 'execution-denied', reason: reason ?? DENIED };

describe.each(forms)('%s', (form) => {
  const history = (...calls: Call[]): unknown[] => historyOf(form, calls);

  describe('Unit Tests for collectToolApprovals', () => {
    test('Test 1.1: Basic approval collection', () => {
      const { approved, denied } = collectApprovals(history({ ...weather, approved: true }));
      expect(approved).toHaveLength(1);
      expect(denied).toHaveLength(0);
      expect(approved[0]).toEqual({
        approvalId: 'appr_1',
        toolCallId: 'call_1',
        approved: true,
        toolCall: { toolCallId: 'call_1', toolName: 'GetWeather', input: { location: 'NYC' } },
      });
    });

    test('Test 1.2: Basic denial collection', () => {
      const { approved, denied } = collectApprovals(
        history({ ...remove, approved: false, reason: 'Dangerous operation' }),
      );
      expect(approved).toHaveLength(0);
      expect(denied).toHaveLength(1);
      expect(denied[0]?.reason).toBe('Dangerous operation');
    });

    test('Test 1.3: Mixed approvals and denials', () => {
      const { approved, denied } = collectApprovals(
        history({ ...weather, approved: true }, { id: 'call_2', name: 'DeleteFile', approved: false }),
      );
      expect(approved.map(({ toolCall }) => toolCall?.toolName)).toEqual(['GetWeather']);
      expect(denied.map(({ toolCall }) => toolCall?.toolName)).toEqual(['DeleteFile']);
    });

    test('Test 1.4: Excludes already resolved approvals', () => {
      const messages = history({ ...weather, approved: true, result: { temp: 72 } });
      expect(collectApprovals(messages, { excludeResolved: true }).approved).toHaveLength(0);
      expect(collectApprovals(messages).approved).toHaveLength(1);
    });

    test('Test 1.5: Ignores orphaned approval responses', () => {
      // A UI message contains a decision only in the part of its call, so it cannot have an orphaned one.
      const orphan =
        form === 'UI messages'
          ? []
          : [
              {
                role: 'tool',
                content: [{ type: 'tool-approval-response', approvalId: 'orphan_appr', approved: true }],
              },
            ];
      expect(collectApprovals([...history(), ...orphan])).toEqual({ approved: [], denied: [] });
    });
  });

  describe('Unit Tests for createDenialResults', () => {
    test('Test 2.1: Creates execution-denied results', async () => {
      const { results } = await resolveApprovals(history({ ...remove, approved: false, reason: 'User declined' }));
      expect(results).toEqual([
        {
          toolCallId: 'call_1',
          toolName: 'DeleteFile',
          approvalId: 'appr_1',
          outcome: 'denied',
          reason: 'User declined',
        },
      ]);
    });

    test('Test 2.2: Handles missing reason', async () => {
      const { results } = await resolveApprovals(history({ ...remove, approved: false }));
      expect(results).toMatchObject([{ outcome: 'denied', reason: DENIED }]);
      const other = await resolveApprovals(history({ ...remove, approved: false }), { deniedText: 'No.' });
      expect(other.results).toMatchObject([{ reason: 'No.' }]);
    });

    test('Test 2.3: Skips denials without tool call reference', async () => {
      const messages = history({ ...remove, approved: false, missing: true });
      // Neither the AI SDK nor Effect accepts an approval whose call is missing, so it is omitted.
      expect(await resolveApprovals(messages)).toEqual({ messages: messages.slice(0, 1), results: [], unresolved: [] });
    });
  });

  describe.each(modes)('Integration Tests for %s generation', (mode) => {
    const ask = (options: ResolveOptions, ...calls: Call[]) => request(form, mode, history(...calls), options);
    /** The chunks for the page in the streamed form; empty in the other form. */
    const streamed = (...chunks: object[]): object[] => (mode === 'streamed' ? chunks : []);

    test('Test 3.1 and 4.1: Approved tool call is executed before LLM call', async () => {
      const ran: unknown[] = [];
      const toolkit = { GetWeather: (input: unknown) => (ran.push(input), { temp: 72 }) };
      const reply = await ask({ toolkit }, { ...weather, approved: true });
      expect(reply.told).toEqual([{ id: 'call_1', name: 'GetWeather', failed: false, result: { temp: 72 } }]);
      expect(reply.text).toBe('Done.');
      expect(ran).toEqual([{ location: 'NYC' }]);
      expect(reply.ranElsewhere).toEqual([]);
      expect(reply.chunks).toEqual(
        streamed({ type: 'tool-output-available', toolCallId: 'call_1', output: { temp: 72 } }),
      );
    });

    test('Test 3.2 and 4.2: Denied tool call creates execution-denied result', async () => {
      const ran: unknown[] = [];
      const toolkit = { DeleteFile: () => (ran.push('deleted'), 'deleted') };
      const reply = await ask({ toolkit }, { ...remove, approved: false, reason: 'Dangerous operation' });
      expect(reply.told).toEqual([
        { id: 'call_1', name: 'DeleteFile', failed: true, result: denialIn(form, 'Dangerous operation') },
      ]);
      expect([ran, reply.ranElsewhere]).toEqual([[], []]);
      expect(reply.chunks).toEqual(streamed({ type: 'tool-output-denied', toolCallId: 'call_1' }));
    });

    test('Test 3.3: Missing toolkit with pending approvals fails with ToolkitRequiredError', async () => {
      for (const toolkit of [undefined, {}]) {
        const error = await refusal(ask({ toolkit }, { ...weather, approved: true }));
        expect(error).toMatchObject({ code: 'toolkit-required', toolNames: ['GetWeather'] });
        expect(error.message).toContain('"GetWeather"');
      }
      const mixed = refusal(ask({}, { ...weather, approved: true }, { ...time, approved: false }));
      expect(await mixed).toMatchObject({ toolNames: ['GetWeather', 'GetTime'] });
    });

    test('Test 3.4: Tool not found in toolkit fails with ToolNotFoundError', async () => {
      const ran: unknown[] = [];
      const toolkit = { GetTime: () => ran.push('time') };
      const error = await refusal(ask({ toolkit }, { ...weather, approved: true }, { ...time, approved: true }));
      expect(error).toMatchObject({
        code: 'unknown-tool',
        toolName: 'GetWeather',
        toolNames: ['GetTime'],
        toolCallId: 'call_1',
      });
      expect(error.message).toContain('"GetTime"');
      expect(ran).toEqual([]);
      const inherited = refusal(ask({ toolkit }, { ...weather, name: 'constructor', approved: true }));
      expect((await inherited).code).toBe('unknown-tool');
    });

    test('Test 3.5: Already resolved approvals are skipped', async () => {
      let runs = 0;
      const toolkit = { GetWeather: () => ++runs };
      const reply = await ask({ toolkit }, { ...weather, approved: true, result: { temp: 72 } });
      expect([runs, reply.ranElsewhere, reply.chunks]).toEqual([0, [], []]);
      expect(reply.told).toEqual([{ id: 'call_1', name: 'GetWeather', failed: false, result: { temp: 72 } }]);
    });

    test('Test 3.6: Multiple approvals in single request', async () => {
      const toolkit = { GetWeather: () => ({ temp: 72 }), GetTime: () => 1234567890 };
      const reply = await ask({ toolkit }, { ...weather, approved: true }, { ...time, approved: true });
      expect(reply.told.map(({ id, result }) => [id, result])).toEqual([
        ['call_1', { temp: 72 }],
        ['call_2', 1234567890],
      ]);
    });

    test('the results are in call order, for all orders of denials, results and runs', async () => {
      const toolkit = {
        Slow: () => new Promise((resolve) => setTimeout(resolve, 5, 'slow')),
        Fast: () => 'fast',
      };
      const reply = await ask(
        { toolkit },
        { id: 'call_1', name: 'Slow', approved: true },
        { id: 'call_2', name: 'Fast', approved: false, reason: 'no' },
        { id: 'call_3', name: 'Fast', approved: true, result: 'before' },
        { id: 'call_4', name: 'Fast', approved: true },
      );
      expect(reply.told.map(({ id, result }) => [id, result])).toEqual([
        ['call_1', 'slow'],
        ['call_2', denialIn(form, 'no')],
        ['call_3', 'before'],
        ['call_4', 'fast'],
      ]);
      // The page gets the chunks immediately.
      expect(reply.chunks.map((chunk) => 'toolCallId' in chunk && chunk.toolCallId)).toEqual(
        streamed('call_2' as never, 'call_4' as never, 'call_1' as never),
      );
    });

    test('Test 3.7: Tool handler error propagates with `failureMode`, and otherwise is the result of its call', async () => {
      const failed = new Error('Tool execution failed');
      const toolkit = { FailingTool: () => Promise.reject(failed), GetTime: () => 5 };
      const calls: Call[] = [
        { id: 'call_1', name: 'FailingTool', approved: true },
        { ...time, approved: true },
      ];
      await expect(ask({ toolkit, failureMode: 'throw' }, ...calls)).rejects.toBe(failed);
      const reply = await ask({ toolkit }, ...calls);
      expect(reply.told).toEqual([
        { id: 'call_1', name: 'FailingTool', failed: true, result: 'Tool execution failed' },
        { id: 'call_2', name: 'GetTime', failed: false, result: 5 },
      ]);
      expect(reply.chunks).toHaveLength(streamed({}, {}).length);
      expect(reply.chunks).toEqual(
        expect.arrayContaining(
          streamed({ type: 'tool-output-error', toolCallId: 'call_1', errorText: 'Tool execution failed' }),
        ),
      );
    });

    test('Test 5.1: Empty approval response list', async () => {
      const reply = await ask({});
      expect([reply.text, reply.told, reply.chunks]).toEqual(['Done.', [], []]);
    });

    test('Test 5.2: Approval response for non-existent tool call', async () => {
      const toolkits: ResolveOptions['toolkit'][] = [undefined, {}, { GetWeather: () => 72 }];
      for (const toolkit of toolkits) {
        const reply = await ask({ toolkit }, { ...weather, approved: true, missing: true });
        expect([reply.text, reply.told, reply.chunks, reply.ranElsewhere]).toEqual(['Done.', [], [], []]);
      }
    });

    test.each([
      [1, 1],
      [2, 2],
      [undefined, 3],
    ])('Test 5.3: Concurrency option is respected: %s', async (concurrency, most) => {
      let running = 0;
      let max = 0;
      const ids: unknown[] = [];
      const toolkit = {
        SlowTool: async ({ id }: { id: number }) => {
          max = Math.max(max, ++running);
          ids.push(id);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          return id;
        },
      };
      const calls = [1, 2, 3].map((id): Call => ({
        id: `call_${id}`,
        name: 'SlowTool',
        input: { id },
        approved: true,
      }));
      const reply = await ask({ toolkit, ...(concurrency && { concurrency }) }, ...calls);
      expect(max).toBe(most);
      expect(ids).toEqual([1, 2, 3]);
      expect(reply.told.map(({ result }) => result)).toEqual([1, 2, 3]);
    });
  });
});

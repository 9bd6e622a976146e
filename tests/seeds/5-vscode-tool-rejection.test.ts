/**
 * "VS Code Language Model Tool Rejection Handling": in VS Code, rejecting one tool call cancels the whole chat, the
 * model is not informed, and the turn disappears from the history. With Toolgate, the chat continues.
 *
 * The groups of tests follow a report with this title, which is not in this repository: its summary and its sections.
 * They check the correct behaviour for each. tests/protocols covers the protocol `vscode`, and the conformance kit what
 * approvals and denials of several calls do in a chat: `approval-of-all`, `denial-of-all`, `denial-keeps-the-others`.
 */
import { type ToolGateOptions } from 'toolgate';
import { describe, expect, test } from 'vitest';

import { type ModelTurn } from '../bugs/backend';
import { type App, appOn, chatOn, resultsIn, versions } from './app';
import { capabilitiesOf } from '../protocols/all.js';

const tools = { edit: 'asks', read: 'runs' } as const;
const help: ModelTurn = {
  text: 'Let me look.',
  calls: [
    { id: 'c1', tool: 'edit', input: { path: 'main.ts' } },
    { id: 'c2', tool: 'edit', input: { path: 'util.ts' } },
  ],
};
const model: ModelTurn[] = [help, { text: 'Then like this.' }, { text: 'Fine.' }];
const SAID = ['user: Help me edit this file', 'assistant: Let me look.', 'call edit#c1', 'call edit#c2'];

/** An app whose model has called two tools. Their approvals are pending. */
async function asked(version: 6 | 7, options?: ToolGateOptions): Promise<App> {
  const app = appOn(version, { tools, model }, options);
  await app.says('Help me edit this file');
  return app;
}

/** The result of a call in a prompt; `undefined` if there is none. */
const resultOf = (prompt: readonly string[] | undefined, call: string): string | undefined =>
  resultsIn(prompt).find((line) => line.startsWith(`${call}: `));

describe.each(versions)('with ai %i on the server', (version) => {
  describe('the scenarios of the summary', () => {
    const rows: [string, decide: (app: App) => void, ran: string[], told: RegExp][] = [
      [
        'user approves tool',
        (app) => app.gate.respondAll({ approved: true }),
        ['edit#c1', 'edit#c2'],
        /text "edit done"/,
      ],
      ['user rejects tool', (app) => app.gate.respondAll({ approved: false, reason: 'Not these' }), [], /Not these/],
      ['user cancels entire chat', (app) => app.gate.cancel(), [], /cancelled by user/],
    ];
    test.each(rows)('%s: the chat continues, and the history contains the turn', async (_, decide, ran, told) => {
      const app = await asked(version);
      decide(app);
      await app.deliver();
      await app.says('Try a different approach');
      // The chat continues.
      expect([app.turn, app.backend.errors]).toEqual(['done/finished', []]);
      expect(app.backend.ran).toEqual(ran);
      // The turn is in the history of the view, and in that of the model.
      const roles = app.gate.getSnapshot().messages.map(({ role }) => role);
      expect(roles).toEqual(['user', 'assistant', 'user', 'assistant']);
      const prompt = app.backend.saw.at(-1)!;
      expect(prompt.slice(0, 4)).toEqual(SAID);
      for (const call of ['c1', 'c2']) expect(resultOf(prompt, call)).toMatch(told);
      expect(prompt.at(-1)).toBe('user: Try a different approach');
    });

    test('the same in a chat of the AI SDK: the user cancels', async () => {
      const { chat, backend, gate, settled } = chatOn(version, { tools, model });
      await chat.sendMessage({ text: 'Help me edit this file' });
      gate.cancel();
      await settled();
      await chat.sendMessage({ text: 'Try a different approach' });
      expect([chat.status, chat.messages.length, backend.errors]).toEqual(['ready', 4, []]);
      expect(backend.saw.at(-1)!.slice(0, 4)).toEqual(SAID);
      expect(resultsIn(backend.saw.at(-1))).toHaveLength(2);
    });
  });

  describe('tool call timing', () => {
    test('an approval can be decided while the reply arrives; the decision is sent after the reply', async () => {
      const app = appOn(version, { tools, model });
      const answered: string[] = [];
      app.onChunk = ({ type }) => {
        const [first] = app.gate.pending();
        if (type !== 'tool-approval-request' || !first) return;
        app.answers(first.toolCallId, first.toolCallId === 'c1');
        answered.push(`${app.gate.getSnapshot().status}, ${app.gate.outgoing().length} to send`);
      };
      await app.says('Help me edit this file');
      expect(answered).toEqual(['streaming, 0 to send', 'streaming, 0 to send']);
      expect([app.backend.requests.length, app.backend.ran]).toEqual([2, ['edit#c1']]);
    });

    test('the decision has the id of its approval request, so it need not be matched with the history', async () => {
      const app = await asked(version);
      const ids = app.gate.pending().map(({ approvalId }) => approvalId);
      app.gate.respondAll({ approved: false });
      const [item] = app.gate.outgoing();
      expect([item?.approvalIds, item?.kind]).toEqual([ids, 'submission']);
    });
  });

  describe('rejection of one call does not cancel the chat', () => {
    test('`respond` does not throw for a rejection, only for a later decision that contradicts it', async () => {
      const app = await asked(version);
      const { approvalId } = app.gate.pending()[0]!;
      expect(app.gate.respond(approvalId, { approved: false })).toBe('accepted');
      expect(app.gate.respond(approvalId, { approved: false })).toBe('duplicate');
      expect(() => app.gate.respond(approvalId, { approved: true })).toThrow(
        expect.objectContaining({ code: 'already-decided' }),
      );
    });
  });

  describe('cancellation and rejection are distinguished', () => {
    /** An app with one rejected and one cancelled call. */
    async function both(): Promise<App> {
      const app = await asked(version);
      app.answers('c1', false, 'No');
      app.gate.cancel('Enough for today');
      return app;
    }

    test('in the view, and after a reload', async () => {
      const app = await both();
      for (const one of [app, app.reloads()]) {
        expect(one.outcome('c1')).toEqual({ kind: 'denied', reason: 'No' });
        expect(one.outcome('c2')).toEqual({ kind: 'cancelled', reason: 'Enough for today' });
      }
    });

    test('in the events', async () => {
      const app = await both();
      expect(app.results).toEqual({
        c1: 'Error: Tool execution was denied by user. No',
        c2: 'Error: Tool execution was cancelled by user. It did not run. Enough for today',
      });
      expect(app.events.flatMap((event) => (event.type === 'decision' ? [event.toolCallId] : []))).toEqual(['c1']);
    });

    test('in the request: a denied call has a decision, a cancelled call is closed without one', async () => {
      const app = await both();
      await app.says('Next');
      const sent = app.backend.requests[1]!.messages.flatMap(({ parts }) => parts);
      const part = (call: string) => sent.find(({ toolCallId }) => toolCallId === call);
      expect(part('c1')).toMatchObject({ state: 'output-denied', approval: { approved: false, reason: 'No' } });
      expect(part('c2')).toMatchObject({
        state: 'output-error',
        callProviderMetadata: { toolgate: { outcome: 'cancelled' } },
      });
      expect(part('c2')).not.toHaveProperty('approval');
    });

    test('in the prompt of the model', async () => {
      const app = await both();
      await app.says('Next');
      const prompt = app.backend.saw.at(-1);
      expect(resultOf(prompt, 'c1')).toContain('"No"');
      expect(resultOf(prompt, 'c2')).toContain('cancelled by user. It did not run. Enough for today');
    });

    test('in a history that a server stored', async () => {
      const app = await both();
      await app.says('Next');
      const other = appOn(version, { tools, model });
      other.gate.load(app.backend.requests.at(-1)!.messages);
      expect([other.outcome('c1')?.kind, other.outcome('c2')?.kind]).toEqual(['denied', 'cancelled']);
    });

    test('stopping the reply is neither: the approvals stay pending', async () => {
      const app = await asked(version);
      app.gate.stop();
      expect(app.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c2']);
      app.gate.respondAll({ approved: true });
      await app.deliver();
      expect(app.backend.ran).toEqual(['edit#c1', 'edit#c2']);
    });
  });

  describe('what happens after cancellation', () => {
    test('nothing is sent by cancelling', async () => {
      const app = await asked(version);
      app.gate.cancel();
      await app.deliver();
      expect([app.backend.requests.length, app.gate.outgoing(), app.gate.pending()]).toEqual([1, [], []]);
    });

    test('the cancelled turn, including its text, stays in the history', async () => {
      const app = await asked(version);
      app.gate.cancel();
      const [, reply] = app.gate.getSnapshot().messages;
      expect(reply?.parts).toMatchObject([
        { type: 'step-start' },
        { type: 'text', text: 'Let me look.' },
        { toolCallId: 'c1', outcome: { kind: 'cancelled' } },
        { toolCallId: 'c2', outcome: { kind: 'cancelled' } },
      ]);
    });

    test('with the next message the model sees the request, its own text and its calls with results', async () => {
      const app = await asked(version);
      app.gate.cancel();
      await app.says('Try a different approach');
      expect(app.backend.saw[1]).toEqual([
        ...SAID,
        'result c1: error-text "Error: Tool execution was cancelled by user. It did not run."',
        'result c2: error-text "Error: Tool execution was cancelled by user. It did not run."',
        'user: Try a different approach',
      ]);
    });

    test('cancelled while the reply arrives: later approval requests are cancelled too', async () => {
      const app = appOn(version, { tools, model });
      app.onChunk = ({ type }) => {
        if (type === 'text-end') app.gate.cancel();
      };
      await app.says('Help me edit this file');
      expect([app.outcome('c1')?.kind, app.outcome('c2')?.kind]).toEqual(['cancelled', 'cancelled']);
      expect([app.backend.requests.length, app.backend.ran]).toEqual([1, []]);
    });
  });

  describe('a missing result is never interpreted as a denial', () => {
    test('a call without a result is not a denied one: it is pending, then closed with its own outcome', async () => {
      const app = await asked(version);
      expect([app.outcome('c1'), app.part('c1').state]).toEqual([undefined, 'approval-requested']);
      const other = appOn(version, { tools, model });
      other.gate.load([
        ...app.gate.getSnapshot().messages,
        { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      ]);
      expect(other.outcome('c1')?.kind).toBe('interrupted');
    });

    test('an approved call without further events: its outcome is unknown, and the view shows that', async () => {
      const app = appOn(version, {
        tools,
        model,
        intercept: (n) =>
          n === 2
            ? [
                { type: 'start', messageId: 'reply-1' },
                { type: 'start-step' },
                { type: 'text-start', id: 't' },
                { type: 'text-delta', id: 't', delta: 'Well.' },
                { type: 'text-end', id: 't' },
                { type: 'finish-step' },
                { type: 'finish', finishReason: 'stop' },
              ]
            : undefined,
      });
      await app.says('Help me edit this file');
      app.gate.respondAll({ approved: true });
      await app.deliver();
      expect([app.gate.getSnapshot().status, app.outcome('c1')]).toEqual(['stalled', undefined]);
      await app.says('And?');
      expect(app.outcome('c1')).toEqual({ kind: 'interrupted', mayHaveRun: true });
    });

    test('the protocol declares whether a denial is visible in the stream', () => {
      expect(capabilitiesOf('ai-sdk').denialVisible).toBe(true);
    });
  });
});

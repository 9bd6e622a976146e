/**
 * docs/policies.md, "What is sent, and when": each row is played on the kinds of protocol that it is about. A row that
 * is added, removed or reworded needs its play here.
 */
import { describe, expect, it, test } from 'vitest';
import { type Protocol, type StreamEnd, type ToolGate } from 'toolgate';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';
import { anthropic } from 'toolgate/protocols/anthropic';
import { langgraph } from 'toolgate/protocols/langgraph';

import { ask, asking, reply, send } from '../gate/support.js';
import { page } from './support/pages.js';

/** Creates a gate whose reply requested approval of this many calls, and ended like this. */
type Begin = (calls?: number, how?: StreamEnd['status'] | 'open') => ToolGate;

const chunked =
  (protocol?: Protocol): Begin =>
  (calls = 2, how = 'finished') => {
    const { gate } = asking([], protocol ? { protocol } : {});
    gate.sendUserMessage({ text: 'go' });
    send(gate);
    const chunks = Array.from({ length: calls }, (_, at) => ask(`c${at + 1}`)).flat();
    for (const chunk of [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...chunks]) gate.receive(chunk);
    if (how !== 'open') gate.streamEnded({ status: how });
    return gate;
  };

const ofLangGraph: Begin = (calls = 2, how = 'finished') => {
  const { gate } = asking([], { protocol: langgraph });
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  const ids = Array.from({ length: calls }, (_, at) => `c${at + 1}`);
  const tool_calls = ids.map((id) => ({ id, name: 'wipe', args: { id }, type: 'tool_call' }));
  const action_requests = ids.map((id) => ({ name: 'wipe', args: { id } }));
  const review_configs = [{ action_name: 'wipe', allowed_decisions: ['approve', 'reject'] }];
  const value = { action_requests, review_configs };
  gate.receive({ event: 'values', data: { messages: [{ type: 'ai', id: 'm', content: '', tool_calls }] } });
  gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'i1', value }] } });
  if (how !== 'open') gate.streamEnded({ status: how });
  return gate;
};

const KINDS = { resubmitting: chunked(), answering: chunked(aiSdkWs), 'answers-first': ofLangGraph } as const;
type Kind = keyof typeof KINDS;

const decide = (gate: ToolGate, ...approved: boolean[]): void => {
  for (const one of approved) gate.respond(gate.pending()[0]!, { approved: one });
};

/** The number of decisions in each request that is ready. A message counts as `message`. */
const ready = (gate: ToolGate): (number | 'message')[] =>
  gate
    .outgoing()
    .map(({ approvalIds, kind }) => (approvalIds.length || kind === 'answer' ? approvalIds.length : 'message'));

/** The outcomes of the calls. */
const outcomes = (gate: ToolGate): unknown[] =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts.flatMap((part) => ('toolCallId' in part ? [part.outcome?.kind] : [])));

/** By the first cell: the kinds of protocol, and what is checked on each. */
const ROWS: Readonly<Record<string, readonly [kinds: readonly Kind[], play: (begin: Begin, kind: Kind) => void]>> = {
  'A step is complete': [
    ['resubmitting', 'answering', 'answers-first'],
    (begin, kind) => {
      const gate = begin();
      decide(gate, true);
      // The sentence below the table: on answering backends each decision is sent at once.
      expect(ready(gate)).toEqual(kind === 'answering' ? [1] : []);
      decide(gate, false);
      expect(ready(gate)).toEqual(kind === 'answering' ? [1, 1] : [2]);
    },
  ],
  'The request failed, or is unconfirmed': [
    ['resubmitting', 'answering', 'answers-first'],
    (begin, kind) => {
      for (const lost of [false, true]) {
        const gate = begin(1);
        decide(gate, true);
        const [first] = gate.outgoing();
        const id = send(gate);
        if (!lost) gate.markFailed(id, 'offline');
        // An answer has no reply that can break off: a page load makes it unconfirmed.
        else if (kind === 'answering') continue;
        else gate.streamEnded({ status: 'disconnected' });
        expect(gate.undelivered()).toMatchObject([{ id, delivery: lost ? 'unconfirmed' : 'failed' }]);
        expect(ready(gate)).toEqual([]);
        gate.retry(id);
        const [again] = gate.outgoing();
        expect([again?.key, again?.body, again?.attempt]).toEqual([first?.key, first?.body, 2]);
        gate.markFailed(send(gate), 'offline');
        gate.cancel(undefined, { id });
        expect([gate.undelivered(), outcomes(gate)]).toEqual([[], ['cancelled']]);
      }
    },
  ],
  'Its reply is empty, or an approved call has no result after it': [
    ['resubmitting'],
    (begin) => {
      for (const content of [
        [],
        [
          { type: 'start', messageId: 'm2' },
          { type: 'text-delta', id: 't', delta: 'Hm' },
        ],
      ]) {
        const gate = begin(1);
        decide(gate, true);
        send(gate);
        reply(gate, content);
        expect(gate.getSnapshot().turn.status).toBe('stalled');
        expect(ready(gate)).toEqual([]);
      }
    },
  ],
  'The reply has not ended yet': [
    ['resubmitting', 'answering', 'answers-first'],
    (begin, kind) => {
      const gate = begin(1, 'open');
      decide(gate, true);
      expect(gate.pending()).toEqual([]);
      expect(ready(gate)).toEqual(kind === 'answering' ? [1] : []);
      gate.streamEnded({ status: 'finished' });
      expect(ready(gate)).toEqual([1]);
    },
  ],
  "With a model's own API: the arguments of a call were not valid JSON": [
    ['resubmitting'],
    () => {
      const { gate } = asking([], { protocol: anthropic, needsApproval: () => false });
      gate.sendUserMessage({ text: 'go' });
      for (let replies = 1; ; replies++) {
        send(gate);
        const id = `c${replies}`;
        for (const event of [
          { type: 'message_start', message: { id: `m${replies}`, role: 'assistant', content: [] } },
          { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: 'edit', input: {} } },
          { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path": "a' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
          { type: 'message_stop' },
        ])
          gate.receive(event);
        gate.streamEnded({ status: 'finished' });
        if (replies === 4) break;
        expect(JSON.stringify(gate.outgoing()[0]?.body)).toContain('not valid JSON');
      }
      expect(gate.getSnapshot().turn.ending).toBe('failed');
      expect(ready(gate)).toEqual([]);
      gate.resume();
      expect(JSON.stringify(gate.outgoing()[0]?.body)).toContain('not valid JSON');
    },
  ],
  'The reply ended with an error, a lost connection or a stop': [
    ['resubmitting', 'answering', 'answers-first'],
    (begin, kind) => {
      // An answer is sent while the reply runs, unless the user stopped before.
      for (const how of kind === 'answering'
        ? (['aborted'] as const)
        : (['error', 'disconnected', 'aborted'] as const)) {
        const held = (...approved: boolean[]): ToolGate => {
          const gate = begin(3, kind === 'answering' ? 'finished' : 'open');
          decide(gate, ...approved);
          if (how === 'aborted') gate.stop();
          if (kind !== 'answering') gate.streamEnded({ status: how });
          expect([ready(gate), gate.getSnapshot().turn.waitingFor.map(({ kind }) => kind)]).toEqual([
            [],
            ['user', 'resume'],
          ]);
          return gate;
        };
        const all = (gate: ToolGate): number => ready(gate).reduce((sum: number, one) => sum + (one as number), 0);
        const denied = held(true, false);
        decide(denied, false);
        expect(ready(denied), 'a denial releases no approval').toEqual([]);
        denied.resume();
        expect(all(denied)).toBe(3);
        const approved = held(true, false);
        decide(approved, true);
        expect(all(approved)).toBe(3);
        const message = held(true, false);
        message.sendUserMessage({ text: 'No!' });
        expect(outcomes(message)).toEqual(['interrupted', 'denied', 'denied']);
        const first = message.outgoing()[0]!;
        expect(first.approvalIds.length > 0).toBe(true);
        const onlyDenials = held(false, false);
        decide(onlyDenials, false);
        expect(all(onlyDenials)).toBe(3);
        // The user's own act on one of them: *Do not run*.
        const closed = held(true, false);
        closed.cancel(undefined, { approvalId: firstApproval(closed) });
        expect(outcomes(closed)).toEqual(['cancelled', 'denied', undefined]);
        expect(closed.pending()).toHaveLength(1);
      }
    },
  ],
  'The user writes after an approval': [
    ['resubmitting', 'answers-first'],
    (begin) => {
      const gate = begin(1);
      decide(gate, true);
      expect(gate.sendUserMessage({ text: 'and then?' })).toBe('queued');
      expect(ready(gate)).toEqual([1]);
      send(gate);
      expect(ready(gate)).toEqual([]);
    },
  ],
};

/** The approval of the first call. */
function firstApproval(gate: ToolGate): string {
  const parts = gate.getSnapshot().messages.flatMap((message) => message.parts);
  return parts.flatMap((part) => ('toolCallId' in part && part.approval ? [part.approval.id] : []))[0]!;
}

/** The rows of the table, and the text of the section. */
const section = page('policies')
  .split(/^(?=## )/m)
  .find((text) => text.startsWith('## What is sent, and when')) as string;
const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].filter(([, cell]) => /\w/.test(cell!));

it('has a play for each row', () => {
  expect(rows.map(([, cell]) => cell)).toEqual(Object.keys(ROWS));
  expect(rows.map(([row]) => row).join('\n')).toMatchInlineSnapshot(`
    "| A step is complete | one request, with all its decisions |
    | The request failed, or is unconfirmed | it is listed in \`undelivered()\`. \`retry(id)\` sends it again, with the same key and an equal body; \`cancel(reason, { id })\` gives it up |
    | Its reply is empty, or an approved call has no result after it | the turn is \`stalled\`, and nothing more is sent automatically |
    | The reply has not ended yet | decisions count at once, and are sent after it |
    | With a model's own API: the arguments of a call were not valid JSON | the model gets the error in the next request, also if no other call is beside it. After the fourth such reply in a row the turn ends as \`failed\`, and \`resume()\` or a message sends the error |
    | The reply ended with an error, a lost connection or a stop | decisions made before that are held. \`resume()\`, an approval or a replay of the reply sends them; a message closes held approvals and carries the denials; \`cancel(reason, { approvalId })\` closes one held approval. Without a held approval, the next denial or page's result sends them, too |
    | The user writes after an approval | the approval is sent first, and the message after its reply |"
  `);
});

describe.each(Object.entries(ROWS))('%s', (_, [kinds, play]) => {
  test.each(kinds)('%s', (kind) => play(KINDS[kind], kind));
});

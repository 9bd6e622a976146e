/**
 * Invariants for generated sequences of commands and replies: one request at a time; a key is sent twice only at the
 * user's request; an approval has one decision; a denied call has no output; no id repeats; and the user can always
 * send another message, after which the chat is `ready`.
 */
import fc from 'fast-check';
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, type Message, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { ON_USER_MESSAGE } from '../../target/bindgen/enums.js';
import { asks, type Chunk, says, type ScriptedTransport } from './support/transport';

type Part = Message['parts'][number];

const toolParts = (messages: Message[]): Part[] =>
  messages.flatMap(({ parts }) => parts).filter((part) => 'toolCallId' in part);
const approvals = (chat: AnyChat): string[] =>
  toolParts(chat.messages).flatMap(({ approval }) => (approval ? [(approval as { id: string }).id] : []));

const acts = fc.oneof(
  { weight: 4, arbitrary: fc.constant('send') },
  { weight: 8, arbitrary: fc.constantFrom('wait', 'wait a little') },
  { weight: 5, arbitrary: fc.constantFrom('go on', 'regenerate', 'stop', 'resume', 'clear error', 'cut') },
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom('approve', 'approve', 'deny', 'output'), fc.nat(2)) },
);

/** A user's commands: first a message and its reply, then any sequence. */
const plans = fc.array(acts, { minLength: 6, maxLength: 20, size: 'max' }).map((rest) => ['send', 'wait', ...rest]);

/** How the backend replies: with calls, with a text, or with one of several failures. */
const manners = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('asks', 'asks two', 'slow') },
  { weight: 3, arbitrary: fc.constantFrom('answers', 'empty', 'no results', 'refuses', 'breaks', 'lost') },
);

const predicates = {
  none: undefined,
  yes: () => true,
  'yes, later': async () => (await turns(2), true),
  no: () => false,
  'no, later': async () => (await turns(2), false),
};

/** The options of the chat. */
const setups = fc.record({
  predicate: fc.constantFrom(...(Object.keys(predicates) as (keyof typeof predicates)[])),
  experimental_queue: fc.boolean(),
  onUserMessage: fc.constantFrom(...ON_USER_MESSAGE.filter((policy) => policy !== 'pass')),
});

function reply(
  manner: string,
  n: number,
  { messages, trigger }: { messages: Message[]; trigger: string },
): unknown[] | Error {
  const last = messages.at(-1)!;
  const id = last.role === 'assistant' && trigger === 'submit-message' ? last.id : `a${n}`;
  const results: Chunk[] =
    last.role === 'assistant'
      ? toolParts([last]).flatMap(({ toolCallId, state, approval }) => {
          if (state !== 'approval-responded') return [];
          return (approval as { approved: boolean }).approved
            ? [{ type: 'tool-output-available', toolCallId, output: 'ran' }]
            : [{ type: 'tool-output-denied', toolCallId }];
        })
      : [];
  const [start, ...rest] = says(`reply ${n}`, id);
  const asked = asks(manner === 'asks two' ? [`c${n}`, `d${n}`] : [`c${n}`], id).slice(1);
  switch (manner) {
    case 'asks':
    case 'asks two':
      return [start, ...results, ...asked];
    case 'empty':
      return [];
    case 'no results':
      return [start, ...rest];
    case 'refuses':
      return new Error('refused');
    case 'breaks':
      return [start, ...results, ...rest.slice(0, 3), new Error('broken')];
    case 'lost':
      return [start, ...results, ...asked.slice(0, 3), new TypeError('network error')];
    case 'slow':
      return [start, ...results, () => turns(3), ...asked.slice(0, 3), () => turns(3), ...asked.slice(3)];
    default:
      return [start, ...results, ...rest];
  }
}

/** Checks that no state is a dead end: after all approvals are denied, a new message is sent and the chat is ready. */
async function lastWords(chat: AnyChat, transport: ScriptedTransport, next: string[]): Promise<void> {
  next.length = 0;
  const heard = (): boolean =>
    transport.requests.some(({ messages }) => JSON.stringify(messages).includes('last words'));
  gateOf(chat).respondAll({ approved: false });
  await turns(60);
  await chat.sendMessage({ text: 'last words' });
  await turns(60);
  for (let more = 0; more < 3 && !heard(); more++) {
    // `sendMessage()` without a message sends a failed request again. Stopping releases a queue that waits for a tool.
    await chat.sendMessage().catch(() => chat.stop().then(() => chat.sendMessage({ text: 'now' })));
    await turns(60);
  }
  expect(heard()).toBe(true);
  expect(chat.status).toBe('ready');
}

describe.each(reactChats)('$name', (kind) => {
  test('invariants hold for generated sequences', async () => {
    await fc.assert(
      fc.asyncProperty(
        plans,
        fc.array(manners, { minLength: 6, maxLength: 12 }),
        setups,
        async (steps, plan, setup) => {
          const { predicate, experimental_queue, onUserMessage } = setup;
          const { chat, transport } = await stage(kind, {
            chat: { sendAutomaticallyWhen: predicates[predicate], experimental_queue },
            guard: { gate: { onUserMessage } },
          });
          const { sendMessages } = transport;
          transport.sendMessages = (request) => {
            const n = transport.requests.length;
            transport.replies[n] = reply(next[n] ?? 'answers', n, request);
            return sendMessages(request);
          };
          const { reconnectToStream } = transport;
          transport.reconnectToStream = (request) => {
            // The server replays its last reply completely, unless the chat has continued since.
            const told = transport.replies[transport.requests.length - 1];
            const id = Array.isArray(told) ? (told[0] as Chunk | undefined)?.['messageId'] : undefined;
            const place = chat.messages.findIndex((message) => message.id === id);
            const isCurrent = Array.isArray(told) && (place < 0 || place === chat.messages.length - 1);
            const whole = isCurrent ? told.filter((item) => !(item instanceof Error)) : null;
            transport.lost[transport.reconnects.length] = whole;
            return reconnectToStream(request);
          };
          const next = [...plan];
          let goneOn = 0;
          const open: Promise<unknown>[] = [];
          const done = (promise: Promise<unknown>): void => void open.push(promise.catch(() => {}));
          for (const step of steps) {
            if (typeof step !== 'string') {
              const [act, index] = step;
              const id = approvals(chat).at(-1 - index) ?? 'none';
              if (act === 'output')
                done(chat.addToolOutput({ toolCallId: id.replace('ask-', ''), output: 'from the browser' }));
              else done(chat.addToolApprovalResponse({ id, approved: act === 'approve' }));
            } else if (step === 'send') done(chat.sendMessage({ text: 'hi' }));
            else if (step === 'go on') {
              goneOn++;
              done(chat.sendMessage());
            } else if (step === 'regenerate') done(chat.regenerate());
            else if (step === 'stop') done(chat.stop());
            else if (step === 'resume') done(chat.resumeStream());
            else if (step === 'clear error') chat.clearError();
            else if (step === 'cut') chat.messages = chat.messages.slice(0, -1);
            else await turns(step === 'wait' ? 25 : 2);
          }
          await Promise.all(open);
          await until(() => chat.status === 'ready' || chat.status === 'error');
          await lastWords(chat, transport, next);

          expect(transport.atOnce).toBeLessThanOrEqual(1);
          const keys = transport.requests.map(({ headers }) => headers['Idempotency-Key']);
          expect(keys.length - new Set(keys).size).toBeLessThanOrEqual(goneOn + 3);
          const decisions = new Map<string, unknown>();
          for (const part of [
            ...transport.requests.map(({ messages }) => messages as Message[]),
            chat.messages,
          ].flatMap(toolParts)) {
            const approval = part['approval'] as { id: string; approved?: boolean } | undefined;
            if (approval?.approved === undefined) continue;
            expect(decisions.get(approval.id) ?? approval.approved).toBe(approval.approved);
            decisions.set(approval.id, approval.approved);
            if (!approval.approved) expect(part).not.toHaveProperty('output');
          }
          for (const messages of [
            ...transport.requests.map((request) => request.messages as Message[]),
            chat.messages,
          ]) {
            const ids = messages.map(({ id }) => id);
            const calls = toolParts(messages).map(({ toolCallId }) => toolCallId);
            expect([new Set(ids).size, new Set(calls).size]).toEqual([ids.length, calls.length]);
          }
        },
      ),
      // A fixed seed makes every run equal.
      { numRuns: 300, seed: 20261121 },
    );
  }, 60_000);
});

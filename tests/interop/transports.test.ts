/**
 * Chat transports of the AI SDK: one that posts only the last messages, to a server that stores the thread (the sample
 * of docs/migration.md), Vercel's `WorkflowChatTransport`, which reconnects to a reply by itself, and Trigger.dev's,
 * with an agent in the package's own test harness.
 */
import { DefaultChatTransport, type ChatTransport, type UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { transportFile } from '../../pkg-scripts/lib/transports.mjs';
import type { AiSdkServerOptions } from './ai-sdk.server';
import { runScenarios } from './scenarios';
import { THREE_CALLS, type Data } from './support';
import { aiSdkBackend, transportRig } from './transports.rig';
import { startTrigger } from './trigger.rig';

/** Posts the messages from the last one of the assistant on. */
const lastMessages = (api: string): ChatTransport<UIMessage> =>
  new DefaultChatTransport({
    api,
    prepareSendMessagesRequest: ({ headers, id, messages }) => {
      const from = messages.findLastIndex(({ role }) => role === 'assistant');
      return { headers: headers ?? {}, body: { id, messages: messages.slice(Math.max(from, 0)) } };
    },
  });

describe('the last messages', () => {
  const rig = transportRig('AI SDK, the last messages only', aiSdkBackend(lastMessages, { stores: true }));
  runScenarios(rig);

  test('a request has at most two messages', async () => {
    const { gate, send, bodies, close } = await rig.open([THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }], {});
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respondAll({ approved: false });
    await gate.deliver(send);
    gate.sendUserMessage({ text: 'Thanks.' });
    await gate.deliver(send);
    expect(bodies.map(({ messages }) => messages.map(({ role }: Data) => role))).toEqual([
      ['user'],
      ['assistant'],
      ['assistant', 'user'],
    ]);
    await close?.();
  });
});

const { WorkflowChatTransport } = (await import(transportFile('@ai-sdk/workflow/dist/client.js'))) as {
  WorkflowChatTransport: new (options: object) => ChatTransport<UIMessage>;
};

const workflow = (api: string): ChatTransport<UIMessage> =>
  new WorkflowChatTransport({
    api,
    prepareSendMessagesRequest: ({ headers, id, messages }: Data) => ({
      headers: { ...headers, 'content-type': 'application/json' },
      body: { id, messages },
    }),
  });

/** Names the run in the reply, and cuts each reply after this many chunks: the transport asks for the others. */
function runs(cut = Infinity): AiSdkServerOptions & { readonly asked: string[] } {
  const replies: string[][] = [];
  const asked: string[] = [];
  const from = (run: number, start: number, end = Infinity): Response =>
    new Response((replies[run] as string[]).slice(start, end).join(''), {
      headers: { 'content-type': 'text/event-stream', 'x-workflow-run-id': `run-${run}` },
    });
  return {
    asked,
    async wrap(request, answer) {
      const [, run, start] = /run-(\d+)\/stream\?startIndex=(\d+)/.exec(request.url) ?? [];
      if (run !== undefined) {
        asked.push(`${run} from ${start}`);
        // A reply that ended with an error has no `finish`, so the transport asks again and again.
        if (Number(start) >= (replies[Number(run)] as string[]).length) return new Response('', { status: 410 });
        return from(Number(run), Number(start));
      }
      const text = await (await answer()).text();
      replies.push(text.split(/(?<=\n\n)/).filter((block) => !block.includes('[DONE]')));
      return from(replies.length - 1, 0, cut);
    },
  };
}

describe('WorkflowChatTransport', () => {
  runScenarios(transportRig('AI SDK, WorkflowChatTransport', aiSdkBackend(workflow, runs())));
  runScenarios(transportRig('AI SDK, WorkflowChatTransport, each reply cut', aiSdkBackend(workflow, runs(3))));

  test('it asks for the rest of a reply, and nothing runs or is shown twice', async () => {
    const server = runs(4);
    const { gate, send, ran, bodies, close } = await transportRig('cut', aiSdkBackend(workflow, server)).open(
      [THREE_CALLS, { text: 'Done.' }],
      {},
    );
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respondAll({ approved: true });
    await gate.deliver(send);
    expect(server.asked).toEqual(['0 from 4', '1 from 4']);
    expect([ran, bodies.length]).toEqual([['read /r', 'remove /a', 'remove /b'], 2]);
    const parts = gate.getSnapshot().messages.at(-1)?.parts as Data[];
    expect(parts.filter(({ toolCallId }) => toolCallId).map(({ state }) => state)).toEqual(
      Array(3).fill('output-available'),
    );
    expect(parts.filter(({ type }) => type === 'text').map(({ text }) => text)).toEqual(['Done.']);
    await close?.();
  });
});

/** What is lost: calls that were closed without a request of their own, before the message that follows them. */
const LAST_ONLY = {
  why: 'it posts the last message only, so the agent does not learn how the calls before it were closed',
  gone: ['remove /a', 'remove /b', 'send /c'],
};

describe('Trigger.dev', () =>
  runScenarios(
    transportRig('AI SDK, TriggerChatTransport', startTrigger, {
      runsAgain: false,
      closesLater: true,
      quirks: { cancel: LAST_ONLY, 'denials fail, then a message': LAST_ONLY },
    }),
  ));

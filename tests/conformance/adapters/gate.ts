/** Adapters of a `ToolGate` without a framework, whose app sends requests over HTTP as docs/backends.md describes. */
import { init, ToolGate, type Outgoing, type SavedGate } from 'toolgate';
import { eventsOf } from '../../interop/support';
import { type ProtocolName, named } from '../../protocols/all.js';
import { shownIn, type Adapter, type Chunk, type Client, type Dispute, type OpenOptions } from '../kit/src/index';
import { impossible, impossibleScenarios } from './tanstack';
import { agUiServer } from './ag-ui-server';
import { tanstackServer } from './tanstack-server';
import { versionOf } from './versions';

/** Posts a request and reads its reply, as docs/backends.md; the event `stopped` ends it (docs/policies.md). */
async function send(gate: ToolGate, { id: requestId, key, body, attempt }: Outgoing, url: string): Promise<void> {
  const stopping = new AbortController();
  const unsubscribe = gate.onEvent(({ type }) => type === 'stopped' && stopping.abort());
  const about = { requestId, attempt };
  try {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'idempotency-key': key };
    const { signal } = stopping;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    if (!response.ok) throw new Error(`the server said ${response.status}`);
    gate.markSent(requestId);
    try {
      for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>))
        if (data !== '[DONE]') gate.receive(JSON.parse(data), about);
      gate.streamEnded({ status: 'finished' }, about);
    } catch (error) {
      gate.streamEnded({ status: 'disconnected', error: String(error) }, about);
    }
  } finally {
    unsubscribe();
  }
}

/** Reads a reply once more, from its start. */
async function resume(gate: ToolGate, url: string): Promise<void> {
  const about = { reconnect: 'start' } as const;
  gate.reconnecting();
  const response = await fetch(url);
  for await (const data of eventsOf((response.body ?? []) as unknown as AsyncIterable<Uint8Array>))
    if (data !== '[DONE]') gate.receive(JSON.parse(data), about);
  gate.streamEnded({ status: 'finished' }, about);
}

function open({ id, url }: OpenOptions, protocol: ProtocolName, saved?: SavedGate): Client {
  const options = { protocol: named(protocol) };
  const gate = saved ? ToolGate.restore(saved, options) : new ToolGate({ chatId: id, ...options });
  let isOpen = true;
  const deliver = (): void => {
    if (isOpen) void gate.deliver((item) => send(gate, item, url));
  };
  deliver();
  gate.subscribe(deliver);
  /** The approval of a call: with TanStack AI its id is another one than the kit's. */
  const respond = (approvalId: string, approved: boolean, reason?: string): unknown => {
    const callId = approvalId.replace('ask-', '');
    const asked = gate.pending().find(({ toolCallId }) => toolCallId === callId);
    return gate.respond(asked ?? approvalId, { approved, ...(reason !== undefined && { reason }) });
  };
  return {
    send: (text) => gate.sendUserMessage({ text }),
    approve: (approvalId) => respond(approvalId, true),
    deny: (approvalId, reason) => respond(approvalId, false, reason),
    output: (_tool, toolCallId, output) => gate.addToolOutput(toolCallId, { output }),
    stop: () => gate.stop(),
    // TanStack AI's server of the kit stores no replies.
    ...(protocol === 'ai-sdk' && { reconnect: () => resume(gate, `${url}/${id}/stream`) }),
    state: () => {
      const { status, messages } = gate.getSnapshot();
      return { isBusy: status === 'submitted' || status === 'streaming', ...shownIn(messages as unknown as Message[]) };
    },
    reload: () => {
      isOpen = false;
      const copy = JSON.parse(JSON.stringify(gate)) as SavedGate;
      gate.free();
      return open({ id, url }, protocol, copy);
    },
    close: () => {
      isOpen = false;
      gate.free();
    },
  };
}

interface Message {
  readonly role: string;
  readonly parts: readonly Chunk[];
}

/** The policies of the gate. */
const DISPUTES: Readonly<Record<string, Dispute>> = {
  'message-after-lost-reply': {
    reason: 'The request failed, as far as the page knows. A message waits until Retry, Cancel or a second message.',
    source: 'policies.md',
  },
};

/** A gate that talks to the kit's server. */
export const gateAdapter: Adapter = {
  name: '`ToolGate`',
  versions: { toolgate: versionOf('toolgate') },
  options: '`new ToolGate({ chatId })`, `fetch`; a reload restores `toJSON()`',
  disputes: DISPUTES,
  open: async (options) => {
    await init();
    return open(options, 'ai-sdk');
  },
};

/** A gate that talks to TanStack AI's server. */
export const tanstackGateAdapter: Adapter = {
  wire: tanstackServer,
  hasNoReasons: true,
  impossible: impossibleScenarios(impossible),
  name: '`ToolGate`',
  versions: { toolgate: versionOf('toolgate'), '@tanstack/ai': versionOf('@tanstack/ai') },
  options: '`new ToolGate({ chatId, protocol: tanstack })`, `fetch`; a reload restores `toJSON()`',
  disputes: DISPUTES,
  open: async (options) => {
    await init();
    return open(options, 'tanstack');
  },
};

/** A gate that talks to a server of AG-UI. */
export const agUiGateAdapter: Adapter = {
  wire: agUiServer('tool_call'),
  impossible: impossibleScenarios(impossible),
  name: '`ToolGate`',
  versions: { toolgate: versionOf('toolgate') },
  options: '`new ToolGate({ chatId, protocol: agUi })`, `fetch`; a reload restores `toJSON()`',
  disputes: DISPUTES,
  open: async (options) => {
    await init();
    return open(options, 'ag-ui');
  },
};

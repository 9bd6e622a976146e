/** The server entry points and the core in a project for Node, whose types contain no DOM. */
import { readFileSync } from 'node:fs';
import { init, ToolGate, type GateView } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';
import { collectApprovals, MemoryRecord, resolveApprovals, resolveApprovalsStream, signApproval, ToolDelegate, ToolRejectedError } from 'toolgate/server';
import { initSync } from 'toolgate/slim';
import { same } from './equal.js';

const record = new MemoryRecord();
record.request({ approvalId: 'a1', toolCallId: 'c1', toolName: 'edit', input: {} });
const toolkit = { edit: { execute: async ({ file }: { file: string }, { abortSignal }: { abortSignal?: AbortSignal }) => `${file} ${abortSignal?.aborted}` } };
const { messages, results } = await resolveApprovals([{ role: 'user' as const }], { toolkit, record, secret: process.env.SECRET ?? '' });
same<typeof messages, { role: 'user' }[]>();
same<(typeof results)[number]['outcome'], 'executed' | 'failed' | 'denied' | 'interrupted'>();
for await (const chunk of resolveApprovalsStream([], { toolkit }).stream) {
  if (chunk.type === 'tool-output-error') chunk.errorText satisfies string;
  // @ts-expect-error only a call that ran has an output
  else chunk.output;
}
const answer: string = await new ToolDelegate({ timeoutMs: 1000 }).wait<string>('c1', { signal: AbortSignal.timeout(1000) });
await init(readFileSync('toolgate.wasm'));
initSync(readFileSync('toolgate.wasm'));
const gate = new ToolGate({ chatId: 'c1' });
same<ReturnType<ToolGate['getSnapshot']>, GateView>();
await persist(gate, { name: 'c1', storage: { read: () => undefined, write: () => {}, remove: () => {} } });
export const all: unknown[] = [answer, gateOf, guard, collectApprovals(messages).denied, await signApproval({ approvalId: 'a', toolCallId: 'c', toolName: 't', input: 1 }, 's'), ToolRejectedError];

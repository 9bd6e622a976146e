/**
 * The types of the entry points that need no framework, compiled as in a user's project. `@ts-expect-error` marks
 * invalid code.
 */
import { digest, init, ToolGate, ToolGateError } from 'toolgate';
import type { AuditEntry, Capabilities, ToolGateErrorCode, GateEvent, GateView, InitSource, Outcome, Outgoing, PendingApproval, Protocol, RepairReport, SavedGate, ToolGateOptions, ToolPart } from 'toolgate';
import { gateOf, guard, type AiSdkChat, type GuardOptions } from 'toolgate/ai-sdk';
import { defineToolApproval, ToolApprovalElement, type ApprovalStatus, type DecisionDetail, type ToolApprovalTags } from 'toolgate/element';
import { inspect, record, replay, type Recording } from 'toolgate/inspector';
import { persist, type PersistedChat, type PersistStorage } from 'toolgate/persist';
import { collectApprovals, resolveApprovals, resolveApprovalsStream, ResolveError, ToolDelegate, type Approval, type CallResult, type ResolveChunk } from 'toolgate/server';
import { defineProtocol, isToolCall, ReplyWriter, resultOf, type ProtocolDefinition } from 'toolgate/protocols';
import { acp } from 'toolgate/protocols/acp';
import { openaiResponses } from 'toolgate/protocols/openai-responses';
import * as slim from 'toolgate/slim';
import { registerTools } from 'toolgate/tools';
import wasm from 'toolgate/toolgate.wasm';
import { same } from './equal.js';

// Loading.
await init();
await init(wasm);
await init(fetch('/toolgate.wasm'));
// @ts-expect-error protocols are imported, not loaded
await init({ protocols: ['acp'] });
slim.initSync(new Uint8Array());
// @ts-expect-error a number is not a source
await init(1);
await init(await WebAssembly.compileStreaming(fetch('/toolgate.wasm')));
// @ts-expect-error the slim entry needs a source
await slim.init();
await slim.init(wasm);
same<typeof slim.ToolGate, typeof ToolGate>();
same<Parameters<typeof slim.init>[0] extends infer S ? Extract<S, string | URL> : never, Extract<InitSource, string | URL>>();

// Protocols, as values.
const protocol: Protocol = openaiResponses;
same<typeof protocol.capabilities, Capabilities>();
const backends: Protocol[] = [acp, openaiResponses];
new ToolGate({ protocol: backends[0]! });
// @ts-expect-error only the built-in protocol can be given by its name
new ToolGate({ protocol: 'acp' });
new ToolGate({ protocol: 'ai-sdk' }).assemble(acp);
// @ts-expect-error only defineProtocol creates protocols
new ToolGate({ protocol: { name: 'mine', capabilities: acp.capabilities } });
const definition: ProtocolDefinition = {
  name: 'mine',
  capabilities: { kind: 'resubmitting' },
  createReader(stream) {
    const writer = new ReplyWriter(stream);
    // @ts-expect-error an event is unknown until it is narrowed
    return (event) => (writer.textDelta('t', event.text), true);
  },
  write: (history, { texts }) =>
    history.flatMap(({ content }) => content.map((part) => (isToolCall(part) ? resultOf(part, texts)?.text : part.type))),
  body: (_, { request }) => request,
};
same<ReturnType<typeof defineProtocol>, Protocol>();
new ToolGate({ protocol: defineProtocol(definition) });
// @ts-expect-error a protocol without a kind
defineProtocol({ ...definition, capabilities: {} });

// Options.
const options: ToolGateOptions = {
  protocol,
  chatId: 'c1',
  onDeny: 'by-reason',
  onUserMessage: 'queue',
  approvalTimeoutMs: 60_000,
  needsApproval: ({ toolName }) => toolName !== 'read',
  browserTools: ['pick'],
  texts: { denied: 'No.' },
  rewriteResult: async ({ outcome, text }) => (outcome.kind === 'denied' ? `${text}!` : text),
};
const gate = new ToolGate(options);
// @ts-expect-error a misspelt option
new ToolGate({ onDenied: 'continue' });
// @ts-expect-error a misspelt policy
new ToolGate({ onDeny: 'skip' });
// @ts-expect-error options are read-only
options.chatId = 'c2';
// @ts-expect-error the result of an executed tool is not rewritten
new ToolGate({ rewriteResult: ({ outcome, text }) => (outcome.kind === 'executed' ? '' : text) });

// Answers.
same<ReturnType<ToolGate['respond']>, 'accepted' | 'duplicate'>();
gate.respond('a1', { approved: false, reason: 'no', remember: { for: 'chat', scope: 'tool' } });
gate.respond('a1', { approved: true, input: { path: 'b.txt' }, inputDigest: digest({ path: 'a.txt' }), remember: 'always' });
// @ts-expect-error `approved` is missing
gate.respond('a1', { reason: 'no' });
// @ts-expect-error the approval id is missing
gate.respond({ approved: true });
// @ts-expect-error the scope is invalid
gate.respond('a1', { approved: true, remember: 'forever' });
same<ReturnType<ToolGate['respondAll']>, number>();
gate.respondAll({ approved: true, where: ({ toolName }) => toolName === 'read' });
gate.addToolOutput('c1', { output: { any: 'thing' } });
gate.addToolOutput('c1', { errorText: 'it broke' });
// @ts-expect-error neither output nor error
gate.addToolOutput('c1', { result: 1 });

// The stream, messages and requests.
gate.receive({ type: 'start' }, { requestId: 'r1' });
gate.streamEnded({ status: 'disconnected', error: 'gone' });
// @ts-expect-error no such ending
gate.streamEnded({ status: 'done' });
same<ReturnType<ToolGate['sendUserMessage']>, 'sent' | 'queued'>();
gate.sendUserMessage({ text: 'hi' });
gate.sendUserMessage({ parts: [{ type: 'text', text: 'hi' }] });
// @ts-expect-error a string is not a message
gate.sendUserMessage('hi');
same<ReturnType<ToolGate['outgoing']>, readonly Outgoing[]>();
// @ts-expect-error the list is read-only
gate.outgoing().pop();
await gate.deliver(async ({ key, body }) => void (await fetch('/', { method: 'POST', headers: { key }, body: JSON.stringify(body) })));
same<ReturnType<ToolGate['load']>, RepairReport>();
const snapshot: SavedGate = gate.toJSON();
ToolGate.restore(snapshot, options);
// @ts-expect-error a plain object is not a snapshot
ToolGate.restore({ version: 1 });
// @ts-expect-error only `restore` accepts a snapshot
new ToolGate({ incompleteTurn: 'drop' });
ToolGate.restore(snapshot, { incompleteTurn: 'drop' });
{
  using held = new ToolGate();
  held.respond(held.pending()[0]!, { approved: true });
}

// The view: the state of a part determines its other fields.
const view: GateView = gate.getSnapshot();
const pending: readonly PendingApproval[] = view.pending;
// @ts-expect-error the view is read-only
view.status = 'idle';
export function describe(part: ToolPart): string {
  switch (part.state) {
    case 'approval-requested':
      // @ts-expect-error the approval is not decided yet
      part.approval.approved satisfies boolean;
      return part.approval.id;
    case 'approval-responded':
      return part.approval.approved ? 'yes' : (part.approval.reason ?? 'no');
    case 'output-denied':
      same<typeof part.approval.approved, false>();
      // @ts-expect-error a denied call has no output
      part.output satisfies object;
      return 'denied';
    case 'output-error':
      return part.errorText;
    case 'output-available':
      same<typeof part.output, unknown>();
      return 'done';
    case 'input-streaming':
    case 'input-available':
      return String(part.input);
    default:
      // Every state was named.
      return part satisfies never;
  }
}

// Types from the app's own tools.
type MyTools = { deleteFile: { input: { path: string }; output: number }; list: { input: object; output: string[] } };
same<ReturnType<ToolGate['pending']>, readonly PendingApproval[]>();
for (const approval of gate.pending<MyTools>()) {
  approval satisfies PendingApproval;
  // @ts-expect-error the tool is not known yet
  approval.input.path;
  if (approval.toolName === 'deleteFile') {
    approval.input.path satisfies string;
    // @ts-expect-error another type
    gate.respond(approval, { approved: true, input: { path: 1 } });
  } else if (approval.toolName !== 'list') {
    same<typeof approval.input, unknown>();
    approval.toolName satisfies string;
  }
  // @ts-expect-error the name is misspelt
  if (approval.toolName === 'deletFile') break;
}
gate.onEvent<MyTools>((event) => {
  if (event.type === 'tool-result' && event.toolName === 'list') same<typeof event.result, string[] | string>();
});
// @ts-expect-error neither tools nor a message type
gate.pending<{ at: number }>();

// Events: the type determines the fields.
gate.onEvent((event: GateEvent) => {
  // @ts-expect-error not every event is about a call
  event.toolCallId;
  if (event.type === 'decision') {
    same<typeof event.by, 'user' | 'remembered' | 'policy' | 'backend'>();
    event.approved satisfies boolean;
  } else if (event.type === 'anomaly' || event.type === 'crashed') {
    same<typeof event.error, ToolGateError>();
    same<typeof event.error.code, ToolGateErrorCode>();
  } else if (event.type === 'tool-result') {
    same<typeof event.outcome, Outcome>();
  } else if (event.type === 'lossy') {
    same<typeof event.protocol, string>();
    // @ts-expect-error no decision
    event.approved;
  }
  // @ts-expect-error no such event
  if (event.type === 'approved') return;
});
export function audit(entry: AuditEntry): string {
  return entry.type === 'decided' ? `${entry.by} ${entry.approved}` : entry.type === 'settled' ? entry.outcome.kind : entry.type;
}
export function rethrow(error: unknown): void {
  if (!(error instanceof ToolGateError) || error.code !== 'stale-input') throw error;
  // @ts-expect-error no such code
  if (error.code === 'stale') return;
}

// A guarded chat keeps its own type.
declare const chat: AiSdkChat & { readonly mine: 1 };
same<typeof guarded, AiSdkChat & { readonly mine: 1 }>();
const guardOptions: GuardOptions = { gate: { onDeny: 'end-turn' } };
const guarded = guard(chat, guardOptions);
same<ReturnType<typeof gateOf>, ToolGate>();
// @ts-expect-error the protocol is the chat's
guard(chat, { gate: { protocol: 'ai-sdk' } });
// @ts-expect-error not a chat
guard({ messages: [] });

// Elements: tags, properties and events.
defineToolApproval();
const card = document.createElement('tool-approval');
same<typeof card, ToolApprovalElement>();
card.gate = gate;
card.approvalId = 'a1';
card.remember = 'none';
card.texts = { approve: 'Yes' };
card.validateInput = (input) => (input === null ? 'not nothing' : undefined);
same<typeof card.status, ApprovalStatus | undefined>();
// @ts-expect-error no such value of `remember`
card.remember = 'forever';
document.createElement('tool-approvals').gate = guarded;
document.createElement('tool-approvals').gate = null;
// @ts-expect-error neither a gate nor a chat
document.createElement('tool-approvals').gate = { messages: [] };
same<ToolApprovalTags['tool-approval']['approvalId'], string | undefined>();
card.addEventListener('decision', (event) => (event as CustomEvent<DecisionDetail>).detail.approved satisfies boolean);

// Persisted chats, the inspector, and the entry point for servers.
const storage: PersistStorage = { read: () => undefined, write: async () => {}, remove: () => {} };
const kept: PersistedChat = await persist(gate, { name: 'chat', storage });
// @ts-expect-error a persisted chat needs a name
await persist(gate, {});
// @ts-expect-error no such storage
await persist(gate, { name: 'chat', storage: 'cookies' });
const recording: Recording | undefined = inspect(gate, { open: true }).recording();
record(gate, { limit: 10 }).stop();
same<Awaited<ReturnType<typeof replay>>['gate'], ToolGate>();
const dispose: () => void = registerTools(gate, { pick: { execute: async ({ n }: { n: number }) => n } });
const { approved }: { approved: Approval[] } = collectApprovals([]);
const resolved = await resolveApprovals(['a message'], { toolkit: { run: () => 1 }, secret: 'x' });
same<typeof resolved.messages, string[]>();
same<typeof resolved.results, readonly CallResult[]>();
same<ReturnType<typeof resolveApprovalsStream<string>>['stream'], ReadableStream<ResolveChunk>>();
// @ts-expect-error no such mode
await resolveApprovals([], { failureMode: 'ignore' });
same<Awaited<ReturnType<ToolDelegate['wait']>>, unknown>();

export const used: unknown[] = [pending, kept, recording, dispose, approved, ResolveError];

/**
 * Checks the public types against those of the AI SDK. Only `tsc` checks this file; it does not run. The package
 * imports no types from `ai`, so this file ensures that its messages are assignable to and from `UIMessage`.
 */
import { convertToModelMessages, isToolUIPart, type UIMessage } from 'ai';
import type { UIMessage as UIMessage6 } from 'ai6';
import { expectTypeOf } from 'vitest';
import { ToolGateError } from '../../src/ts/types/errors.js';
import type {
  ReplyTo,
  AnomalyEvent,
  DynamicToolPart,
  ToolGateErrorCode,
  GateEvent,
  GateMessage,
  GatePart,
  GateView,
  Outcome,
  OutcomeKind,
  Outgoing,
  AiSdkBody,
  Remember,
  Decision,
  SavedGate,
  StaticToolPart,
  ToolGateOptions,
  ToolPart,
  ToolState,
  UserMessage,
} from '../../src/ts/types/index.js';

declare const view: GateView;
declare const part: GatePart;
declare const tool: ToolPart;
declare const event: GateEvent;

// AI SDK 7: the view's messages are UIMessages, and UIMessages are accepted as messages.
view.messages satisfies UIMessage[];
void convertToModelMessages(view.messages);
expectTypeOf<UIMessage>().toExtend<GateMessage>();
expectTypeOf<UIMessage<{ at: number }>>().toExtend<GateMessage>();
expectTypeOf<AiSdkBody['messages']>().toExtend<UIMessage[]>();

// AI SDK 6: its messages are accepted. Ours need a cast to its type, which lacks some parts and readonly JSON.
expectTypeOf<UIMessage6>().toExtend<GateMessage>();
expectTypeOf<GateMessage>().not.toExtend<UIMessage6>();

// The type guards of the AI SDK work and keep the fields that Toolgate adds.
if (isToolUIPart(part)) {
  expectTypeOf(part.outcome).toEqualTypeOf<Outcome | undefined>();
  expectTypeOf(part.state).toEqualTypeOf<ToolState>();
}

// `type` discriminates parts.
if (part.type === 'text') expectTypeOf(part.text).toBeString();
if (part.type === 'dynamic-tool') expectTypeOf(part).toEqualTypeOf<DynamicToolPart>();
if (tool.type !== 'dynamic-tool') expectTypeOf(tool).toEqualTypeOf<StaticToolPart>();

// The state determines the type of the approval.
if (tool.state === 'approval-requested') {
  expectTypeOf(tool.approval.id).toBeString();
  expectTypeOf(tool.approval.approved).toEqualTypeOf<undefined>();
}
if (tool.state === 'output-denied') expectTypeOf(tool.approval.approved).toEqualTypeOf<false>();
if (tool.state === 'output-available') expectTypeOf(tool.approval?.approved).toEqualTypeOf<true | undefined>();
if (tool.state === 'input-available') expectTypeOf(tool.approval).toEqualTypeOf<undefined>();

const base = { type: 'tool-del', toolCallId: 'c1', input: {} } as const;
({ ...base, state: 'approval-requested', approval: { id: 'a1', signature: 's' } }) satisfies GatePart;
({
  ...base,
  state: 'output-denied',
  approval: { id: 'a1', approved: false },
  outcome: { kind: 'denied' },
}) satisfies GatePart;
// @ts-expect-error a denied call has its approval
({ ...base, state: 'output-denied' }) satisfies GatePart;
// @ts-expect-error a denied call has no output
({ ...base, state: 'output-denied', approval: { id: 'a1', approved: false }, output: 1 }) satisfies GatePart;
// @ts-expect-error an executed call was not denied
({ ...base, state: 'output-available', output: 1, approval: { id: 'a1', approved: false } }) satisfies GatePart;
// @ts-expect-error an absent approval is undefined, not null
({ ...base, state: 'input-available', approval: null }) satisfies GatePart;
// @ts-expect-error a settled call has no pending request
({ ...base, state: 'output-error', errorText: 'e', approval: { id: 'a1' } }) satisfies GatePart;

// `type` discriminates events.
switch (event.type) {
  case 'anomaly':
    expectTypeOf(event).toEqualTypeOf<AnomalyEvent>();
    expectTypeOf(event.error).toEqualTypeOf<ToolGateError>();
    break;
  case 'transition':
    expectTypeOf(event.to).toEqualTypeOf<ToolState>();
    break;
  default:
    expectTypeOf(event.type).toEqualTypeOf<
      | 'decision'
      | 'input-changed'
      | 'delivery'
      | 'tool-result'
      | 'reply-failed'
      | 'stalled'
      | 'lossy'
      | 'passthrough'
      | 'data'
      | 'stopped'
      | 'crashed'
    >();
}

expectTypeOf<Outcome['kind']>().toEqualTypeOf<OutcomeKind>();
expectTypeOf<ToolGateError['code']>().toEqualTypeOf<ToolGateErrorCode>();
expectTypeOf<ToolGateErrorCode>().toExtend<string>();

// Options and arguments.
({
  protocol: 'ai-sdk',
  browserTools: ['pick'],
  onDeny: 'by-reason',
  texts: { denied: 'No.' },
}) satisfies ToolGateOptions;
({ rewriteResult: async ({ text }) => text.toUpperCase(), generateId: () => 'm1' }) satisfies ToolGateOptions;
({ approved: false, reason: 'not now', remember: { for: 'chat', scope: 'tool' } }) satisfies Decision;
'always' satisfies Remember;
({ requestId: 'o1', attempt: 2 }) satisfies ReplyTo;
({ text: 'hello' }) satisfies UserMessage;
({ role: 'user', parts: [{ type: 'text', text: 'hello' }] }) satisfies UserMessage;
// @ts-expect-error the role of a user message is `user`
({ role: 'assistant', parts: [] }) satisfies UserMessage;
// @ts-expect-error not a policy
({ onDeny: 'stop' }) satisfies ToolGateOptions;

// A snapshot comes from a gate or from JSON, not from a literal.
declare const stored: string;
export const restored: SavedGate = JSON.parse(stored);
export const kept: SavedGate = structuredClone(restored);
// @ts-expect-error not a snapshot
export const invented: SavedGate = { version: 1 };

declare const item: Outgoing;
expectTypeOf(item.body).toBeUnknown();

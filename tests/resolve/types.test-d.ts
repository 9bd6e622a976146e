/** The types of `toolgate/resolve`, as a user's compiler sees them; `tsc` is the test. */
import { jsonSchema, tool, type ModelMessage, type ToolSet, type UIMessage, type UIMessageChunk } from 'ai';
import type { ToolGate } from 'toolgate';
import {
  registerTools,
  resolveApprovals,
  resolveApprovalsStream,
  ResolveError,
  ToolDelegate,
  type ApprovalRecord,
  type BrowserToolEvent,
  type CallResult,
  type ResolveChunk,
  type ResolveErrorCode,
  type ToolGateLike,
  type Toolkit,
} from 'toolgate/resolve';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

// Messages go in and come out as what they are.
expectTypeOf(resolveApprovals([] as ModelMessage[])).resolves.toHaveProperty('messages').toEqualTypeOf<ModelMessage[]>();
expectTypeOf(resolveApprovalsStream([] as UIMessage[]).resolved).resolves.toHaveProperty('messages').toEqualTypeOf<UIMessage[]>();
// Its chunks are the AI SDK's.
expectTypeOf<ResolveChunk>().toExtend<UIMessageChunk>();
expectTypeOf(resolveApprovalsStream([]).stream).toEqualTypeOf<ReadableStream<ResolveChunk>>();

// Tools of the AI SDK, plain ones, functions, and a name without a tool.
const read = tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }, { abortSignal }) => `${path} ${abortSignal?.aborted}` });
({
  read,
  ask: tool({ inputSchema: jsonSchema<{ question: string }>({}) }),
  plain: { execute: (input: { n: number }, { toolCallId }: { toolCallId: string }) => `${toolCallId} ${input.n}` },
  run: async (input: unknown) => input,
  none: undefined,
}) satisfies Toolkit;
({}) as ToolSet satisfies Toolkit;

// A record may be synchronous or not, and keep results or not.
({ get: () => undefined, claim: async () => true }) satisfies ApprovalRecord;
// @ts-expect-error a record that claims nothing stops no repetition
({ get: () => undefined }) satisfies ApprovalRecord;

// Errors and results can be told apart.
expectTypeOf(new ResolveError('unknown-tool', '').code).toEqualTypeOf<ResolveErrorCode>();
expectTypeOf<CallResult['outcome']>().toEqualTypeOf<'executed' | 'failed' | 'denied' | 'interrupted'>();
expectTypeOf(new ToolDelegate().wait<{ ok: boolean }>('c1')).resolves.toEqualTypeOf<{ ok: boolean }>();
expectTypeOf(new ToolDelegate().wait('c1')).resolves.toBeUnknown();

// A gate is what tools are registered on.
expectTypeOf<ToolGate>().toExtend<ToolGateLike>();
export const register = (gate: ToolGate): (() => void) =>
  registerTools(
    gate,
    { pick: { execute: async ({ from }: { from: string[] }, { signal, onProgress }) => (onProgress(signal.aborted), from[0]), timeoutMs: 5 } },
    { onEvent: (event: BrowserToolEvent) => void (event.type === 'ended' && event.how === 'aborted') },
  );
// @ts-expect-error a tool that runs here has something to run
export const without = (gate: ToolGate): unknown => registerTools(gate, { pick: {} });

/** The types of `toolgate/server`, as a user's compiler sees them; `tsc` is the test. */
import { jsonSchema, tool, type ModelMessage, type ToolSet, type UIMessage, type UIMessageChunk } from 'ai';
import {
  resolveApprovals,
  resolveApprovalsStream,
  ResolveError,
  ToolDelegate,
  type ApprovalRecord,
  type CallResult,
  type ResolveChunk,
  type ResolveErrorCode,
  type Toolkit,
} from 'toolgate/server';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

// Messages go in and come out as what they are.
expectTypeOf(resolveApprovals([] as ModelMessage[]))
  .resolves.toHaveProperty('messages')
  .toEqualTypeOf<ModelMessage[]>();
expectTypeOf(resolveApprovalsStream([] as UIMessage[]).resolved)
  .resolves.toHaveProperty('messages')
  .toEqualTypeOf<UIMessage[]>();
// Its chunks are the AI SDK's.
expectTypeOf<ResolveChunk>().toExtend<UIMessageChunk>();
expectTypeOf(resolveApprovalsStream([]).stream).toEqualTypeOf<ReadableStream<ResolveChunk>>();

// Tools of the AI SDK, plain ones, functions, and a name without a tool.
const read = tool({
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }, { abortSignal }) => `${path} ${abortSignal?.aborted}`,
});
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

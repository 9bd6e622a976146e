/** Checks the types of `toolgate/server` with `tsc`, like a user's compiler. */
import Database from 'better-sqlite3';
import { Redis } from 'ioredis';
import { Client, Pool, type PoolClient } from 'pg';
import { createClient } from 'redis';
import type { UIMessageChunk as UIMessageChunk6 } from 'ai6';
import { jsonSchema, tool, type ModelMessage, type ToolSet, type UIMessage, type UIMessageChunk } from 'ai';
import {
  d1Store,
  postgresStore,
  redisStore,
  resolveApprovals,
  resolveApprovalsStream,
  DelegateError,
  ResolveError,
  respondOnce,
  sqliteStore,
  StoredRecord,
  ToolDelegate,
  type ApprovalRecord,
  type CallResult,
  type RecordStore,
  type ResolveChunk,
  type DelegateErrorCode,
  type ResolveErrorCode,
  type Toolkit,
} from 'toolgate/server';
import { type Miniflare } from 'miniflare';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

// The message type is preserved.
expectTypeOf(resolveApprovals([] as ModelMessage[]))
  .resolves.toHaveProperty('messages')
  .toEqualTypeOf<ModelMessage[]>();
expectTypeOf(resolveApprovalsStream([] as UIMessage[]).resolved)
  .resolves.toHaveProperty('messages')
  .toEqualTypeOf<UIMessage[]>();
// Chunks are those of the AI SDK.
expectTypeOf<ResolveChunk>().toExtend<UIMessageChunk>();
expectTypeOf(resolveApprovalsStream([]).stream).toEqualTypeOf<ReadableStream<ResolveChunk>>();
// An app with `ai` 6 cannot merge the stream without the option.
expectTypeOf<ResolveChunk<6>>().toExtend<UIMessageChunk6>();
expectTypeOf<ResolveChunk>().not.toExtend<UIMessageChunk6>();
expectTypeOf(resolveApprovalsStream([], { aiSdk: 6 }).stream).toEqualTypeOf<ReadableStream<ResolveChunk<6>>>();

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

// A record may be synchronous or asynchronous, with or without `finish`.
({ request: () => {}, requested: () => undefined, begin: async () => true }) satisfies ApprovalRecord;
// @ts-expect-error `begin` is required
({ request: () => {}, requested: () => undefined }) satisfies ApprovalRecord;

// Stores take the app's own clients.
const stores = [
  redisStore(createClient()),
  redisStore(new Redis({ lazyConnect: true })),
  postgresStore(new Pool()),
  postgresStore(new Client()),
  postgresStore({} as PoolClient),
  sqliteStore(new Database(':memory:')),
  d1Store({} as Awaited<ReturnType<Miniflare['getD1Database']>>),
] satisfies RecordStore[];
// @ts-expect-error a Postgres client is not a Redis client
redisStore(new Pool());
new StoredRecord(stores[0]!, { user: 'ann', chat: 'chat' }) satisfies ApprovalRecord;
// @ts-expect-error the chat is named by user and id
new StoredRecord(stores[0]!, 'chat');
expectTypeOf(
  respondOnce(stores[0]!, { user: 'ann', key: 'key' }, () => new Response()),
).resolves.toEqualTypeOf<Response>();

// Errors and results have distinct types.
expectTypeOf(new ResolveError('unknown-tool', '').code).toEqualTypeOf<ResolveErrorCode>();
expectTypeOf(new DelegateError('closed', '').code).toEqualTypeOf<DelegateErrorCode>();
expectTypeOf<CallResult['outcome']>().toEqualTypeOf<'executed' | 'failed' | 'denied' | 'interrupted'>();
expectTypeOf(new ToolDelegate().wait<{ ok: boolean }>('c1')).resolves.toEqualTypeOf<{ ok: boolean }>();
expectTypeOf(new ToolDelegate().wait('c1')).resolves.toBeUnknown();

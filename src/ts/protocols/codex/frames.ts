/** The app server's messages as they arrive. Source: its protocol's types, as `codex app-server` generates them. */
import type { Item, RequestId } from './items.js';
import type { AnyOf, With } from '../shared/wire.js';

/** A turn as it arrives. */
export type Turn = AnyOf<{ id: string; status: string; error: { message: string } | null }>;
/** The parameters of the requests and notifications that are read. The method says which of them it needs. */
export type Params = With<
  AnyOf<
    | { turnId: string; turn: Turn; itemId: string; delta: string; requestId: RequestId; callId: string; tool: string }
    | { [NAME in 'approvalId' | 'command' | 'cwd' | 'reason']: string | null }
    | { networkApprovalContext: object | null; permissions: object | null; availableDecisions: string[] | null }
    | { arguments: unknown; mode: string; serverName: string; message: string; requestedSchema: object }
    | { questions: { id: string; question: string; isSecret: boolean }[] }
  > & { readonly item?: Item },
  'item' | 'itemId' | 'turn' | 'requestId' | 'callId' | 'questions' | 'serverName'
>;
/** A message of the app server as it arrives. A response has no method and no parameters. */
export type Message = { readonly params: Params } & AnyOf<{ method: string; id: RequestId; result: { turn: Turn } }> &
  AnyOf<{ error: { message: string } }>;

/** Sessions with programs that speak ACP: what their recordings omit, and what each does differently. */
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { rigOf, type AgentKind, type Connect } from './wire';

/** Fields that no client reads, and that differ between runs. */
const OMITTED = /^(_meta|usage|locations)$/;

/** The sessions of all programs. */
const kindOf = (folder: string): AgentKind => ({
  protocol: 'acp',
  folder,
  endOf: ({ result, error, method }) => {
    if (error && method === undefined) return { status: 'error', error: error.message };
    if (!result?.stopReason) return undefined;
    return { status: result.stopReason === 'max_turn_requests' ? 'step-limit' : 'finished' };
  },
  isAnswer: ({ method }) => method === undefined,
  trim: (message) =>
    JSON.parse(JSON.stringify(message, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data,
});

/** The scenarios of programs that take seconds to start: one of each kind of decision. */
const ACTS = ['approve all', 'deny one with a reason', 'mixed'] as const;

/** The rejection of the second of three requests. */
const REJECTED = { why: 'one rejection rejects all pending requests', ran: ['read /r', 'remove /a'] };

/** `opencode acp`. */
export const opencodeKind: AgentKind = { ...kindOf('opencode-acp'), asksAbout: 1, areResultsLate: true, isShown: ({ input }) => 'path' in (input as object), nameOf: ({ input }, title) => `${title} ${(input as Data).path}` };

export const opencodeAcp = (connect: Connect): Rig =>
  rigOf(opencodeKind, connect, { name: 'opencode by ACP', quirks: { 'deny one with a reason': REJECTED, mixed: REJECTED }, only: ACTS, losesReasons: true, deniedWords: /rejected permission/ });

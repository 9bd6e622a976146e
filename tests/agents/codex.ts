/** Threads of Codex: what their recordings omit, and what they do differently. */
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { rigOf, type AgentKind, type Connect } from './wire';

/** The fields that no client reads, and that differ between runs. */
const OMITTED =
  /^(\w+AtMs|\w+At|durationMs|processId|pluginId|scriptPath|contentTokenCount|rootTurnId|environmentId|moderation|memoryCitation|delivery|questions|phase|clientId|path|gitInfo|cliVersion|originator)$/;

/** The threads of Codex. */
export const kind: AgentKind = {
  protocol: 'codex',
  endOf: ({ method, params }) => {
    if (method !== 'turn/completed') return undefined;
    return { status: params.turn.status === 'failed' ? 'error' : 'finished' };
  },
  isAnswer: ({ result }) => result !== undefined,
  trim: (message) =>
    JSON.parse(JSON.stringify(message, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data,
  areResultsLate: true,
  // The tools are commands.
  nameOf: ({ input }) => /(?:read|remove|send) \/\w+/.exec((input as Data).command)?.[0] ?? '',
};

/** The rig: with the real program, or with a replay. */
export const codex = (connect: Connect): Rig =>
  rigOf(kind, connect, {
    name: 'Codex',
    losesReasons: true,
    deniedWords: /rejected by user/,
    quirks: {
      cancel: {
        why: 'the model reads “aborted by user” about every call of a cancelled step, also about one that ran',
        untold: ['read /r'],
      },
    },
  });

/**
 * Snapshots: the core's state as plain JSON, with a version. Values keep their exact form (encode.ts).
 */
import { decode, encode } from './encode.js';
import { ToolGateError } from './errors.js';
import type { Snapshot } from './types.js';

/** The version that this release writes. */
const VERSION = 1;

/** The state as a snapshot. Throws `unserializable` with the path of what JSON cannot hold. */
export function capture(state: unknown, chatId: string): Snapshot {
  return { version: VERSION, chatId, state: encode(state) } as unknown as Snapshot;
}

/** The state in a snapshot. Throws `bad-snapshot` for anything that is none, or comes from a later release. */
export function revive(snapshot: unknown): { state: unknown; chatId: string } {
  const { version, chatId, state } = (typeof snapshot === 'object' && snapshot !== null ? snapshot : {}) as Record<string, unknown>;
  if (version !== VERSION) {
    const what = typeof version === 'number' ? `is of version ${version}` : 'has no version';
    throw new ToolGateError('bad-snapshot', `the snapshot ${what}; this release reads version ${VERSION}. Pass what toJSON() returned`);
  }
  if (typeof chatId !== 'string' || typeof state !== 'object' || state === null) {
    throw new ToolGateError('bad-snapshot', 'the snapshot is damaged: its chat id or its state is missing');
  }
  return { state: decode(state), chatId };
}

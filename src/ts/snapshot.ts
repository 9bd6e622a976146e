/**
 * Snapshots: a gate's state as plain JSON, with a version. Values keep their exact form (encode.ts).
 */
import { decode, encode } from './encode.js';
import { ToolGateError } from './errors.js';
import type { Snapshot } from './types.js';

/** The version that this release writes; it reads all before it too. The core knows what was in which. */
const VERSION = 3;

/** What a snapshot holds. Numbers and texts are the core's; only it reads them. */
interface SavedState {
  readonly version: number;
  readonly chatId: string;
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** The state as a snapshot. Throws `unserializable` with the path of what JSON cannot hold. */
export function capture({ chatId, numbers, texts, values }: Omit<SavedState, 'version'>): Snapshot {
  return { version: VERSION, chatId, numbers, texts, values: values.map((value) => encode(value)) } as unknown as Snapshot;
}

/** The state in a snapshot. Throws `bad-snapshot` for anything that is none, or comes from a later release. */
export function revive(snapshot: unknown): SavedState {
  const given = (typeof snapshot === 'object' && snapshot !== null ? snapshot : {}) as Record<string, unknown>;
  const { version, chatId, numbers, texts, values } = given;
  if (!Number.isInteger(version) || (version as number) < 1 || (version as number) > VERSION) {
    const what = typeof version === 'number' ? `is of version ${version}` : 'has no version';
    throw new ToolGateError('bad-snapshot', `the snapshot ${what}; this release reads versions 1 to ${VERSION}. Pass what toJSON() returned`);
  }
  const listOf = (list: unknown, type: string): boolean => Array.isArray(list) && list.every((item) => typeof item === type);
  if (typeof chatId !== 'string' || !listOf(numbers, 'number') || !listOf(texts, 'string') || !Array.isArray(values)) {
    throw new ToolGateError('bad-snapshot', 'the snapshot is damaged: pass what toJSON() returned, whole and unchanged');
  }
  return { version: version as number, chatId, numbers: numbers as number[], texts: texts as string[], values: values.map((value, i) => decode(value, `the snapshot is damaged at values[${i}]`)) };
}

/**
 * Snapshots: a gate's state as plain JSON, with a version and a checksum. Values keep their exact form (encode.ts).
 */
import { checksum } from '../json/checksum.js';
import { decode, encode } from '../json/encode.js';
import { ToolGateError } from '../types/errors.js';
import type { SavedGate } from '../types/index.js';

/** The version that this release writes and reads. */
const VERSION = 5;

/** What a snapshot holds: the core's state as numbers, the texts of the ids in it, and the values. Only the core reads it. */
export interface SavedState {
  readonly chatId: string;
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** The state as a snapshot. Throws `unserializable` with the path of what JSON cannot hold. */
export function capture({ chatId, numbers, texts, values }: SavedState): SavedGate {
  return seal({ version: VERSION, chatId, numbers, texts: [...texts], values: values.map((value) => encode(value)) });
}

/**
 * The snapshot with the checksum of what is in it: for tests that damage one and want the damage to be read.
 * @internal
 */
export function seal(snapshot: object): SavedGate {
  return { ...snapshot, checksum: checksumOf(snapshot as Readonly<Record<string, unknown>>) } as unknown as SavedGate;
}

/** The state in a snapshot. Throws `bad-snapshot` for anything that is none, was changed, or is of another version. */
export function revive(snapshot: unknown): SavedState {
  const given = (typeof snapshot === 'object' && snapshot !== null ? snapshot : {}) as Record<string, unknown>;
  const { version, chatId, numbers, texts, values } = given;
  if (version !== VERSION) {
    const what = typeof version === 'number' ? `is of version ${version}` : 'has no version';
    const message = `the snapshot ${what}; this release reads version ${VERSION}. Pass what toJSON() returned`;
    throw new ToolGateError('bad-snapshot', message);
  }
  const listOf = (list: unknown, type: string): boolean =>
    Array.isArray(list) && list.every((item) => typeof item === type);
  const hasShape = listOf(numbers, 'number') && listOf(texts, 'string') && Array.isArray(values);
  if (typeof chatId !== 'string' || !hasShape || !isWhole(given)) throw damaged();
  return {
    chatId,
    numbers: numbers as number[],
    texts: texts as string[],
    values: values.map((value, i) => decode(value, `the snapshot is damaged at values[${i}]`)),
  };
}

/** What is thrown for a snapshot that is not as it was written. */
export function damaged(): ToolGateError {
  return new ToolGateError('bad-snapshot', 'the snapshot is damaged: pass what toJSON() returned, whole and unchanged');
}

function isWhole(snapshot: Readonly<Record<string, unknown>>): boolean {
  try {
    return snapshot['checksum'] === checksumOf(snapshot);
  } catch {
    // Nested deeper than anything that was written.
    return false;
  }
}

function checksumOf({ version, chatId, numbers, texts, values }: Readonly<Record<string, unknown>>): string {
  return checksum([version, chatId, numbers, texts, values]);
}

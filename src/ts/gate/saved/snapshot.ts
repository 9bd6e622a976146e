/**
 * Writes and reads snapshots: a gate's state as plain JSON, with a version and a checksum. Values are restored exactly
 * (json/encode.ts).
 */
import { checksum } from '../../json/checksum.js';
import { decode, encode } from '../../json/encode.js';
import { ToolGateError } from '../../types/errors.js';
import type { SavedGate } from '../../types/index.js';
import { say } from '../../types/say.js';

/**
 * The version that this release writes and reads. The layout of `numbers`, `texts` and `values` is the crate's: the
 * machine's ledger visits them in a fixed order (src/wire/snapshot.rs), and enums are stored by their position. Raise
 * the version when a field or a variant is added, removed or moved, or means something else: the test in
 * tests/host/snapshot_layout.rs fails until it is raised. Snapshots of other versions are refused.
 */
const VERSION = 14;
export { VERSION as SNAPSHOT_VERSION };

/** The content of a snapshot: the core's state as numbers, the texts of its ids, and the values. */
export interface SavedState {
  readonly chatId: string;
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Returns the state as a snapshot. Throws `unserializable` with the path of a value that JSON cannot express. */
export function capture({ chatId, numbers, texts, values }: SavedState): SavedGate {
  return seal({ version: VERSION, chatId, numbers, texts: [...texts], values: values.map((value) => encode(value)) });
}

/**
 * Returns the snapshot with its checksum. Exported for tests that restore a damaged snapshot with a valid checksum.
 * @internal
 */
export function seal(snapshot: object): SavedGate {
  return { ...snapshot, checksum: checksumOf(snapshot as Readonly<Record<string, unknown>>) } as unknown as SavedGate;
}

/** Returns the state in a snapshot. Throws `bad-snapshot` if it is damaged or has another version. */
export function revive(snapshot: unknown): SavedState {
  const given = Object(snapshot) as Record<string, unknown>;
  const { version, chatId, numbers, texts, values } = given;
  if (version !== VERSION) {
    const found = typeof version === 'number' ? `has version ${version}` : 'has no version';
    const message = say`The snapshot ${found}. Expected version ${VERSION}, as toJSON() of this release returns it.`;
    throw new ToolGateError('bad-snapshot', message);
  }
  const listOf = (list: unknown, type: string): boolean =>
    Array.isArray(list) && list.every((item) => typeof item === type);
  const hasShape = listOf(numbers, 'number') && listOf(texts, 'string') && Array.isArray(values);
  if (typeof chatId !== 'string' || !hasShape || !hasValidChecksum(given)) throw damaged();
  return {
    chatId,
    numbers: numbers as number[],
    texts: texts as string[],
    values: values.map((value, i) => decode(value, `The snapshot is damaged at values[${i}]`)),
  };
}

/** The error for a snapshot that was changed after it was written. */
export function damaged(): ToolGateError {
  return new ToolGateError(
    'bad-snapshot',
    say`The snapshot is damaged. Pass the complete, unchanged return value of toJSON().`,
  );
}

function hasValidChecksum(snapshot: Readonly<Record<string, unknown>>): boolean {
  try {
    return snapshot['checksum'] === checksumOf(snapshot);
  } catch {
    // A value is nested deeper than toJSON() allows.
    return false;
  }
}

function checksumOf({ version, chatId, numbers, texts, values }: Readonly<Record<string, unknown>>): string {
  return checksum([version, chatId, numbers, texts, values]);
}

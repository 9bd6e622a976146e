/**
 * Every intended difference between Toolgate and the AI SDK, in one table.
 *
 * The tests use it twice: a stream or history may differ from the package only by the entries that it names, and
 * each entry has a stream or history that shows it to be real. `docs/ai-sdk-differences.md` is this table, rendered.
 */
import type { Difference } from './difference';
import { historyDifferences } from './history-differences';
import { messageDifferences } from './message-differences';

export type { Difference, Place } from './difference';

const table = { ...messageDifferences, ...historyDifferences } as const;

/** Ids of the differences. */
export type DifferenceId = keyof typeof table;

/** The table. */
export const differences: Readonly<Record<DifferenceId, Difference>> = table;

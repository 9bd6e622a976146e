/**
 * Every intended difference between Toolgate and the AI SDK, in one table.
 *
 * The tests check it in both directions. Our result for a stream or a history may differ from the package's only by the
 * entries that its test names, and at least one picked stream or history must show each entry.
 * `docs/ai-sdk-differences.md` is this table, rendered.
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

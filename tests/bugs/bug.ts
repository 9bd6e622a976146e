/**
 * The type of a bug: one scenario, the expected facts for each side, and a function that describes them in a table
 * cell. The test compares the facts; the descriptions are for readers.
 */
import type { Side } from './harness';

/** Plain facts, compared with `toEqual`. */
export type Facts = Readonly<Record<string, unknown>>;

/** One row of the table. */
export interface Bug<F extends Facts = Facts> {
  /** The name of the file, without its extension, and of the tests. */
  readonly id: string;
  /** A short description of the user's actions. */
  readonly title: string;
  /** Why a chat does the wrong thing. Plain text; code is in backquotes. */
  readonly cause: string;
  /** What the right behaviour is. */
  readonly rule: string;
  /** Runs the scenario on one side. */
  run(side: Side): Promise<F>;
  /** Whether the facts follow the rule. */
  isRight(facts: F): boolean;
  /** Describes the facts in a table cell; plain text or Markdown without line breaks. */
  say(facts: F): string;
  /** The expected facts with the pinned versions. With Toolgate they are the same for both versions. */
  readonly expected: {
    readonly ai6: F;
    readonly ai7: F;
    readonly toolgate: F;
    /** The facts for `ai` 7 with `experimental_queue`, if they differ. */
    readonly ai7Queue?: F;
  };
}

/** Returns its argument. Infers the type of the facts. */
export const bug = <F extends Facts>(row: Bug<F>): Bug<F> => row;

/** `1 request`, `2 requests`. */
export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

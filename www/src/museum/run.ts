/**
 * Runs a bug in this page: the scenario of the bug table, once with the plain chat and once with the guarded one. The
 * result of a side is computed from what its server recorded. Nothing is read from the table.
 */
import type { Bug } from '../../../tests/bugs/bug';
import { bugs, harms } from '../../../tests/bugs/cases';
import { sides, type Side } from '../../../tests/bugs/harness';
import type { Step } from '../../../tests/bugs/watch';

export { bugs, harms };
export type { Bug, Step };

/** A version of the AI SDK that the museum shows. */
export type Version = 6 | 7;

/** The versions, the newest first. */
export const VERSIONS: readonly Version[] = [7, 6];

/** The two sides of an exhibit. */
export interface Pair {
  readonly plain: Side;
  readonly guarded: Side;
}

/** What happened on one side. */
export interface SideRun {
  readonly steps: readonly Step[];
  /** Whether the facts follow the bug's rule. */
  readonly isRight: boolean;
  /** The facts in words, as in the table; Markdown without line breaks. */
  readonly said: string;
}

/** What happened on both sides. */
export interface Run {
  readonly plain: SideRun;
  readonly guarded: SideRun;
}

/** The sides of a version, with default options. */
export function pairOf(version: Version): Pair {
  const find = (isGuarded: boolean): Side =>
    sides.find((side) => side.version === version && side.guarded === isGuarded && !side.queues)!;
  return { plain: find(false), guarded: find(true) };
}

/** Runs a bug on both sides. Rejects if a scenario cannot be run, such as when the core cannot be loaded. */
export async function runBoth(bug: Bug, { plain, guarded }: Pair): Promise<Run> {
  return { plain: await runSide(bug, plain), guarded: await runSide(bug, guarded) };
}

async function runSide(bug: Bug, side: Side): Promise<SideRun> {
  const steps: Step[] = [];
  const facts = await bug.run({ ...side, watch: (step) => void steps.push(step) });
  return { steps, isRight: bug.isRight(facts), said: bug.say(facts) };
}

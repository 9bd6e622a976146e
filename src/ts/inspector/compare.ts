/** Finds the first difference between two steps or two end states, and describes it. */
import type { Difference, EndState, Step } from './recording.js';

/** The first path at which two values differ, and the values there. */
interface DifferentValue {
  readonly path: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** The fields of a step that must be equal. */
const CHECKED = ['threw', 'returned', 'events', 'taken'] as const;

/** The default of omitted fields. */
const NONE: Readonly<Record<string, unknown>> = { events: [], taken: [] };

/**
 * Compares a group of recorded steps with the replayed ones. A group is a step, followed by the steps that listeners
 * called during it. The order of events in a group of several steps depends on the listeners, so it is not compared.
 */
export function stepsDiffer(at: number, recorded: readonly Step[], replayed: readonly Step[]): Difference | undefined {
  for (const [i, step] of recorded.entries()) {
    const now = replayed[i];
    if (!now) return difference(at + i, step.call, { path: 'call', recorded: step.call, replayed: undefined });
    for (const name of CHECKED) {
      if (recorded.length > 1 && (name === 'events' || name === 'taken')) continue;
      const place = differ(step[name] ?? NONE[name], now[name] ?? NONE[name], name);
      if (place) return difference(at + i, step.call, place);
    }
  }
  if (recorded.length < 2) return undefined;
  const all = (steps: readonly Step[], name: 'events' | 'taken'): unknown[] =>
    steps
      .flatMap((step) => (step[name] ?? []).map((item) => [JSON.stringify(item), item] as const))
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, item]) => item);
  for (const name of ['events', 'taken'] as const) {
    const place = differ(all(recorded, name), all(replayed, name), name);
    if (place) return difference(at, recorded[0]?.call, place);
  }
  return undefined;
}

/** Compares the end states. */
export function endsDiffer(recorded: EndState, replayed: EndState): Difference | undefined {
  for (const name of ['view', 'outgoing'] as const) {
    const place = differ(recorded[name], replayed[name], name);
    if (place) return difference('end', undefined, place);
  }
  return undefined;
}

/** Returns the first difference of two JSON values, in the key order of the recorded one. */
function differ(recorded: unknown, replayed: unknown, path: string): DifferentValue | undefined {
  if (Object.is(recorded, replayed)) return undefined;
  const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isTree(recorded) || !isTree(replayed) || Array.isArray(recorded) !== Array.isArray(replayed))
    return { path, recorded, replayed };
  const isList = Array.isArray(recorded);
  const valueOf = (tree: Record<string, unknown>, key: string): unknown =>
    Object.hasOwn(tree, key) ? tree[key] : undefined;
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    const name = isList
      ? `[${key}]`
      : /^[A-Za-z_]\w{0,60}$/.test(key)
        ? `.${key}`
        : `[${JSON.stringify(key.slice(0, 60))}]`;
    const found = differ(valueOf(recorded, key), valueOf(replayed, key), path + name);
    // A production build has other messages.
    if (found && !(key === 'message' && recorded['type'] === 'anomaly')) return found;
  }
  return undefined;
}

function difference(
  step: number | 'end',
  call: string | undefined,
  { path, recorded, replayed }: DifferentValue,
): Difference {
  const where = step === 'end' ? 'at the end' : `step ${step}, ${call}`;
  const message = `${where}: ${path} is ${shown(replayed)}, but the recording has ${shown(recorded)}.`;
  return { step, ...(call !== undefined && { call }), path, recorded, replayed, message };
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/**
 * The arguments of a call that Vertex AI streams: each piece names its place by a JSON Path. Source: `PartialArg` of
 * `@google/genai` 3.3.
 */
import type { PartialArg } from '@google/genai';
import { setOwn } from '../../json/own-property.js';

type Container = Record<string, unknown>;

/** One step of a path: `.name`, `['name']` or `[0]`. */
const STEP = /\.([^.[]+)|\[(?:(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/gy;

/** Collects the arguments of one call. */
export class PartialArguments {
  /** The arguments so far. */
  readonly value: Container = {};

  /** Adds a piece. Texts at the same place are joined. Throws for a piece without a place or a value. */
  add({ jsonPath, stringValue, numberValue, boolValue, nullValue }: PartialArg): void {
    const piece = stringValue ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null);
    const steps = stepsOf(jsonPath);
    const last = steps.pop();
    if (piece === undefined || last === undefined) throw new TypeError('expected a part of an argument with its path');
    let at = this.value;
    steps.forEach((step, place) => {
      const next = steps[place + 1] ?? last;
      if (!Object.hasOwn(at, step)) setOwn(at, step, typeof next === 'number' ? [] : {});
      at = at[step] as Container;
    });
    const before = Object.hasOwn(at, last) ? at[last] : undefined;
    setOwn(at, String(last), typeof before === 'string' && typeof piece === 'string' ? before + piece : piece);
  }
}

/** The names and indices of a path. Throws for a path that is not a chain of them. */
function stepsOf(path: string | undefined): (string | number)[] {
  if (!path?.startsWith('$')) throw new TypeError('expected a JSON Path');
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const [, name, index, single, double] = STEP.exec(path) ?? [];
    const quoted = single ?? double;
    const step = name ?? (index === undefined ? quoted?.replaceAll(/\\(.)/g, '$1') : Number(index));
    if (step === undefined) throw new TypeError(`unknown JSON Path: ${path}`);
    steps.push(step);
  }
  return steps;
}

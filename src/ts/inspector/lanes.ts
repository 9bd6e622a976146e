/**
 * The layout of the timeline's drawing: one column for each line, one lane for each call, and above them a lane that
 * says what the chat waited for. Pure: `lanes-view.ts` draws it.
 */
import type { Kind, Line, Now, WaitingKind } from './journal.js';

/** The lane of one call. */
export interface Lane {
  readonly id: string;
  /** The tool's name and the call's id. */
  readonly name: string;
  /** What the call waits for now. */
  readonly waits: readonly WaitingKind[];
}

/** A state that lasts from one column to another. */
export interface Span<WHAT> {
  readonly from: number;
  readonly to: number;
  readonly what: WHAT;
}

/** The state of a call, in the lane with this index. */
export interface CallSpan extends Span<string> {
  readonly lane: number;
}

/** A sign in a lane; in the lane above the calls if the line concerns no call that has one. */
export interface Mark {
  /** The number of the line. */
  readonly n: number;
  readonly column: number;
  readonly lane: number;
  readonly kind: Kind;
  /** The state after the line. */
  readonly to: string | undefined;
  readonly title: string;
}

/** A request that is sent, drawn across lanes. */
export interface Crossing {
  readonly n: number;
  readonly column: number;
  /** The lanes whose decisions it contains. Empty: a message. */
  readonly lanes: readonly number[];
  /** The delivery state: `in-flight`, `acknowledged`, or why it did not arrive. */
  readonly to: string;
  readonly title: string;
}

/** Everything that is drawn. */
export interface Drawing {
  readonly columns: number;
  readonly lanes: readonly Lane[];
  readonly spans: readonly CallSpan[];
  readonly waits: readonly Span<readonly WaitingKind[]>[];
  readonly marks: readonly Mark[];
  readonly crossings: readonly Crossing[];
  /** The number of calls that have no lane, because there are too many. */
  readonly omitted: number;
}

/** The index of the lane above the calls. */
export const ABOVE = -1;

/** Maximum number of columns and of lanes. */
export const MAX_COLUMNS = 300;
export const MAX_LANES = 40;

/** The delivery states that are drawn across lanes; the others happen in the page. */
const CROSSING: readonly string[] = ['in-flight', 'acknowledged', 'failed', 'unconfirmed', 'stalled'];

/**
 * Lays out lines. `names` has the tool of each call, and `only` the one call whose lane is wanted, or an empty string.
 */
export function layOut(
  lines: readonly Line[],
  names: ReadonlyMap<string, string>,
  now: readonly Now[],
  only: string,
): Drawing {
  const shown = lines.slice(-MAX_COLUMNS);
  const seen = [...new Set(shown.flatMap(({ calls }) => calls))].filter((id) => !only || id === only);
  const ids = seen.slice(-MAX_LANES);
  const laneOf = new Map(ids.map((id, lane) => [id, lane]));
  const end = shown.length;
  const spans: CallSpan[] = [];
  const marks: Mark[] = [];
  const crossings: Crossing[] = [];
  const open = new Map<number, { from: number; what: string }>();
  const close = (lane: number, to: number): void => {
    const span = open.get(lane);
    if (span) spans.push({ ...span, lane, to });
    open.delete(lane);
  };

  shown.forEach(({ n, kind, calls, subject, text, to }, column) => {
    const lanes = calls.flatMap((id) => laneOf.get(id) ?? []);
    const title = `${subject}: ${text}`;
    if (kind === 'delivery') {
      if (to !== undefined && CROSSING.includes(to)) crossings.push({ n, column, lanes, to, title });
      return;
    }
    if (kind === 'transition' && to !== undefined) {
      for (const lane of lanes) {
        close(lane, column);
        if (!to.startsWith('output-')) open.set(lane, { from: column, what: to });
      }
    }
    for (const lane of lanes.length > 0 ? lanes : [ABOVE]) marks.push({ n, column, lane, kind, to, title });
  });
  for (const lane of [...open.keys()]) close(lane, end);

  return {
    columns: end + 1, // the last one is the present
    lanes: ids.map((id) => ({
      id,
      name: `${names.get(id) ?? 'call'} ${id}`,
      waits: now.flatMap(({ kind, calls }) => (calls.includes(id) ? [kind] : [])),
    })),
    spans,
    waits: waitsOf(shown, now),
    marks,
    crossings,
    omitted: seen.length - ids.length,
  };
}

/** What the chat waited for. Unknown for lines from before the inspector was opened. */
function waitsOf(lines: readonly Line[], now: readonly Now[]): Span<readonly WaitingKind[]>[] {
  const spans: { from: number; to: number; what: readonly WaitingKind[] }[] = [];
  const all = [...lines.map(({ waiting }) => waiting ?? []), now.map(({ kind }) => kind)];
  all.forEach((what, column) => {
    const last = spans.at(-1);
    if (last && last.to === column && last.what.join() === what.join()) last.to = column + 1;
    else if (what.length > 0) spans.push({ from: column, to: column + 1, what });
  });
  return spans;
}

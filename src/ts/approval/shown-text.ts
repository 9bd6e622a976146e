/** Texts from outside, for components that show them: with their hidden characters, and bounded. */
import { cut, escapeAll, truncated } from '../describe/brief.js';
import { jsonOf } from './edited-input.js';
import { counted, textsWith, type ApprovalTexts } from './texts.js';

/** Limits of the short form of JSON, and of the long one, in characters. */
const SHORT = { characters: 1200, lines: 16 };
const LONG = 100_000;

/** Maximum characters of a text. */
const TEXT = 4000;

/** A string of JSON. */
const STRING = /("(?:[^"\\]|\\.)*")/;

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text with characters written out that are invisible or change the direction of text, such as `[U+202E]`, so
 * that they cannot hide anything. Cuts a very long one.
 */
export const visible = (text: string): string => escapeAll(truncated(text, TEXT));

/** The JSON of a value, for a component that shows it. */
export interface ShownJson {
  /**
   * The text in pieces: every second one is a string, to be shown in a `<bdi>`. Without it, a name and a value that are
   * written from right to left would swap their places.
   */
  readonly pieces: readonly string[];
  /** The label of a button that shows everything, or less again; undefined if the value is short. */
  readonly more: string | undefined;
}

/** Objects in each other deeper than this are left out of a value that `JSON.stringify` cannot encode. */
const DEPTH = 100;

/** The value as JSON. One that is too deep for the browser is cut. */
function jsonText(value: unknown): string {
  const json = jsonOf(value);
  if (json !== UNREADABLE || typeof value !== 'object') return json;
  const depths = new WeakMap<object, number>();
  function replace(this: object, _key: string, inner: unknown): unknown {
    if (typeof inner !== 'object' || inner === null) return inner;
    const depth = (depths.get(this) ?? 0) + 1;
    // What contains itself, or one object often, would never end.
    if (depths.has(inner) || depth > DEPTH) return UNREADABLE;
    depths.set(inner, depth);
    return inner;
  }
  try {
    return JSON.stringify(value, replace, 2);
  } catch {
    return json;
  }
}

/** What is shown in place of a value that cannot be read. */
const UNREADABLE = '[…]';

/**
 * Returns a value as JSON: its beginning, or all of it up to 100,000 characters if `isWhole`. Ends that are cut have an
 * ellipsis. Never throws.
 */
export function shownJson(value: unknown, isWhole: boolean, texts?: Partial<ApprovalTexts>): ShownJson {
  const json = jsonText(value);
  const lines = json
    .split('\n', SHORT.lines + 1)
    .slice(0, SHORT.lines)
    .join('\n');
  const short = cut(lines, SHORT.characters);
  // Do not add a button for a few omitted characters.
  const isLong = json.length > short.length + 200;
  const shown = !isLong ? json : isWhole ? cut(json, LONG) : short;
  const text = escapeAll(shown.length < json.length ? `${shown}…` : shown);
  const words = textsWith(texts);
  return {
    pieces: RIGHT_TO_LEFT.test(text) ? text.split(STRING) : [text],
    more: isLong ? (isWhole ? words.showLess : counted(words, 'showAll', json.length)) : undefined,
  };
}

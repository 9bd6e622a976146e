/**
 * Scripts: what a model's reply means, apart from any wire. `scriptOf` makes one from a seed; an encoder of a protocol
 * turns it into events.
 */
import type { Random } from '../../soak/random.js';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A call of the model. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: Json };
  /** The text of the input as the model wrote it: valid JSON, with its own white space and escapes. */
  readonly json: string;
  /** How the wire announces the input. */
  readonly how: How;
  /** The name of the sub-agent that makes the call; undefined for the main agent. */
  readonly agent: string | undefined;
  /** The approval that the backend requests, if it requests one. */
  readonly request: ScriptedRequest | undefined;
  /** The result that the backend reports in the same reply, if it ran the call without an approval. */
  readonly result: ScriptedResult | undefined;
}

/** How the wire announces a call. An encoder uses the fields that its wire has. */
export interface How {
  /** The pieces of the JSON text; some are empty. Cut anywhere, also inside of escapes and surrogate pairs. */
  readonly pieces: readonly string[];
  /** Whether the first event has the whole input already. */
  readonly isWhole: boolean;
  /** Whether the header has no id, or the ids that only the wire uses differ in each event. */
  readonly ids: 'given' | 'missing' | 'rotated';
}

/** A request for an approval. */
export interface ScriptedRequest {
  readonly approvalId: string;
  /**
   * `plain`: after the input. `early`: before the input is complete. `twice`: the same request again. `other`: with
   * another input, which the backend will run. `unannounced`: the call has no other event.
   */
  readonly how: 'plain' | 'early' | 'twice' | 'other' | 'unannounced';
  /** The input that the request names. */
  readonly input: { readonly [key: string]: Json };
}

/** The result of a call. */
export interface ScriptedResult {
  readonly value: string;
  readonly failed: boolean;
}

/** A text or a reasoning, in pieces. */
export interface ScriptedText {
  readonly kind: 'text' | 'reasoning';
  readonly pieces: readonly string[];
}

/** One model call: its content in order. Calls that follow each other may be interleaved. */
export interface ScriptedStep {
  readonly texts: readonly ScriptedText[];
  readonly calls: readonly ScriptedCall[];
}

/** A reply. */
export interface Script {
  readonly steps: readonly ScriptedStep[];
  /** How the reply ends. `early`: a finish reason before the last events. */
  readonly ending: 'finished' | 'early' | 'error';
}

/** What a wire can express. The generator makes only such scripts. */
export interface Features {
  /** The inputs of several calls can arrive at the same time. */
  readonly interleaves?: boolean;
  /** Inputs arrive in pieces. */
  readonly streams?: boolean;
  /** The first event of a call may have its whole input, before pieces that are empty. */
  readonly startsWhole?: boolean;
  /** Servers exist that leave out ids, or give another id with each event. */
  readonly missingIds?: boolean;
  readonly rotatedIds?: boolean;
  /** Servers exist that give each call of a step the same id. */
  readonly repeatedIds?: boolean;
  /** Servers exist that send a finish reason before the last events. */
  readonly earlyFinish?: boolean;
  /** The forms of requests that the wire has. None: this client asks. */
  readonly requests?: readonly ScriptedRequest['how'][];
  /** The backend runs calls without an approval, and reports their results. */
  readonly results?: boolean;
  /** The wire has no requests: this client asks about every call. */
  readonly clientAsks?: boolean;
  /** Calls of sub-agents arrive in the same stream, and the wire says who asks. */
  readonly subAgents?: boolean;
  /** A reply can have several steps. The results of a step follow all of its calls. */
  readonly steps?: boolean;
  /** The wire does not say where a step begins: it begins with a text after results. */
  readonly textBeginsStep?: boolean;
  /** The events name the reply or its messages, so that a reply which is read again is recognized. */
  readonly replays?: boolean;
  /** The wire has no event for an error: the stream breaks off. */
  readonly breaksOff?: boolean;
  readonly reasoning?: boolean;
}

const WORDS = [
  '',
  'a',
  'path',
  '/tmp/a b',
  'ü',
  '😀',
  '"',
  '\\',
  '\n',
  '{',
  '}',
  '[1',
  '\u2028',
  '__proto__',
  'x'.repeat(40),
];

function value(random: Random, depth: number): Json {
  const kind = random.below(depth > 2 ? 5 : 7);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick([0, -1, 1.5, 1e21, 12_345_678]);
  if (kind < 5) return random.pick(WORDS) + random.pick(WORDS);
  if (kind === 5) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return object(random, depth + 1);
}

function object(random: Random, depth: number): { [key: string]: Json } {
  const names = ['path', 'to', 'n', 'ü', 'content'].filter(() => random.chance(0.4));
  return Object.fromEntries(names.map((name) => [name, value(random, depth)]));
}

/** JSON text with the white space and escapes of another writer. */
function written(input: Json, random: Random): string {
  const text = JSON.stringify(input, undefined, random.pick([0, 0, 1]));
  return random.chance(0.3)
    ? text.replace(/[^\x20-\x7e\n]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
}

/** Cuts a text anywhere, also within a surrogate pair. Some pieces are empty. */
function cut(text: string, random: Random): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest) {
    if (random.chance(0.1)) pieces.push('');
    const length = 1 + random.below(Math.max(1, Math.min(rest.length, random.pick([1, 3, 12, 400]))));
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return random.chance(0.1) ? [...pieces, ''] : pieces;
}

/** Makes a script that a wire with these features can express. */
export function scriptOf(features: Features, random: Random): Script {
  let count = 0;
  const repeatsIds = features.repeatedIds && random.chance(0.15);
  const callOf = (): ScriptedCall => {
    const at = count++;
    const hows = features.requests ?? [];
    const how = hows.length && random.chance(0.7) ? random.pick(hows) : undefined;
    // A request that names no call could otherwise mean another one with the same input.
    const input = { ...object(random, 0), ...(how === 'unannounced' && { only: at }) };
    const json = written(input, random);
    const ids = random.pick([
      'given' as const,
      ...(features.missingIds ? (['missing'] as const) : []),
      ...(features.rotatedIds ? (['rotated'] as const) : []),
    ]);
    return {
      id: repeatsIds ? 'call_0' : `call-${at}`,
      name: random.pick(['write', 'send', 'delete_file']),
      input,
      json,
      agent: features.subAgents && random.chance(0.4) ? random.pick(['researcher', 'writer']) : undefined,
      how: {
        pieces: features.streams ? cut(json, random) : [json],
        isWhole: features.startsWhole === true && random.chance(0.2),
        ids,
      },
      request: how && { approvalId: `approval-${at}`, how, input: how === 'other' ? { ...input, changed: at } : input },
      result:
        how === undefined && features.results && random.chance(0.5)
          ? { value: `result ${at}`, failed: random.chance(0.3) }
          : undefined,
    };
  };
  const textOf = (kind: ScriptedText['kind']): ScriptedText => ({
    kind,
    pieces: cut(random.pick(['I look.', 'Grüße 😀', 'two\nlines', '…']), random).filter(Boolean),
  });
  const stepOf = (): ScriptedStep => ({
    texts: [
      ...(features.reasoning && random.chance(0.3) ? [textOf('reasoning')] : []),
      ...(random.chance(0.5) || features.textBeginsStep ? [textOf('text')] : []),
    ],
    calls: Array.from({ length: random.below(4) }, callOf),
  });
  const steps = Array.from({ length: features.steps ? 1 + random.below(3) : 1 }, stepOf);
  // Only the last step of a reply can wait: the model continues when all calls of a step have results.
  const settled = steps.slice(0, -1).map(({ texts, calls }) => ({
    texts,
    calls: calls.map((call) => ({ ...call, request: undefined, result: { value: 'done', failed: false } })),
  }));
  const ending = random.chance(0.1) ? 'error' : features.earlyFinish && random.chance(0.3) ? 'early' : 'finished';
  return { steps: [...settled, ...steps.slice(-1)], ending };
}

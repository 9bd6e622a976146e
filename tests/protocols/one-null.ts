/**
 * The rule for damaged streams: an event with one `null` loses no more text than a missing event would, and the content
 * before the damaged part is kept.
 */
import { gateFor, type Data } from './support';
import { type ProtocolName } from './all.js';

/** The events of a backend's reply, and its ending. */
export interface Stream {
  readonly events: readonly Data[];
  readonly end?: 'finished' | 'error';
}

type Path = readonly (string | number)[];

/** Texts that were lost although the damage was elsewhere. */
export interface Lost {
  /** The position of the damage: stream, event, leaf. */
  readonly at: string;
  readonly texts: readonly string[];
}

/** Returns all text and reasoning of a gate after these streams. */
function shown(protocol: ProtocolName, streams: readonly Stream[]): string {
  const gate = gateFor(protocol);
  for (const { events, end = 'finished' } of streams) {
    for (const event of events) gate.receive(event);
    gate.streamEnded({ status: end });
  }
  const texts = gate
    .getSnapshot()
    .messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
    .map((part) => ('text' in part ? part.text : ''));
  if (gate.getSnapshot().status === 'crashed') throw new Error('the gate crashed');
  gate.free();
  return texts.join('');
}

/** Returns every value inside a value, containers included, in reading order. */
function* nodes(value: Data, path: Path = []): Generator<readonly [Path, unknown]> {
  if (path.length > 0) yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) yield* nodes(value[key], [...path, Array.isArray(value) ? Number(key) : key]);
}

function without(value: Data, [key, ...rest]: Path): Data {
  if (key === undefined) return null;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = without(value[key], rest);
  return copy;
}

/** Returns the part that contains a value: the item of the innermost list around it, or the whole event. */
const partOf = (path: Path): string =>
  JSON.stringify(path.slice(0, path.findLastIndex((key) => typeof key === 'number') + 1));

/**
 * Replaces each value in the streams by `null`, one at a time, and plays all streams into an empty gate. Returns the
 * losses.
 */
export function lostBy(protocol: ProtocolName, streams: readonly Stream[]): Lost[] {
  const whole = shown(protocol, streams);
  // Texts are strings that the gate shows. They contain a space, which the keywords of events do not.
  const isText = (leaf: unknown): leaf is string => typeof leaf === 'string' && / /.test(leaf) && whole.includes(leaf);
  const texts = streams.map(({ events }) =>
    events.map((event) => [...nodes(event)].filter((node): node is [Path, string] => isText(node[1]))),
  );
  if (!texts.flat(2).length) throw new Error('no text of the streams is shown');
  const found: Lost[] = [];
  streams.forEach(({ events }, s) =>
    events.forEach((event, e) => {
      const own = texts[s]?.[e] ?? [];
      const rest = shown(
        protocol,
        streams.map((stream, at) => (at === s ? { ...stream, events: stream.events.toSpliced(e, 1) } : stream)),
      );
      // Texts that are shown even if this event is missing. Content that it opens or continues may be lost.
      const others = new Set(
        texts
          .flat(2)
          .map(([, text]) => text)
          .filter((text) => rest.includes(text)),
      );
      const order = [...nodes(event)].map(([path]) => JSON.stringify(path));
      for (const [path, value] of nodes(event)) {
        if (value === null) continue;
        const damaged = streams.map((stream, at) =>
          at === s ? { ...stream, events: stream.events.with(e, without(event, path)) } : stream,
        );
        const left = shown(protocol, damaged);
        const at = order.indexOf(JSON.stringify(path));
        const isBefore = (where: Path): boolean =>
          order.indexOf(JSON.stringify(where)) < at && partOf(where) !== partOf(path);
        // Damage outside of all parts damages the whole event.
        const before = partOf(path) === '[]' ? [] : own.filter(([where]) => isBefore(where)).map(([, text]) => text);
        const lost = [...others, ...before].filter((text) => !left.includes(text));
        if (lost.length)
          found.push({ at: `${s}[${e}] ${event.type ?? event.event ?? ''} .${path.join('.')}`, texts: lost });
      }
    }),
  );
  return found;
}

/** Encoders: how a protocol's wire carries a scripted reply. Each protocol has one in `encoders/`. */
import type { ToolGateOptions } from 'toolgate';
import type { ProtocolName } from '../all.js';
import type { Random } from '../../soak/random.js';
import type { Features, Json, Script, ScriptedCall, ScriptedText } from './script.js';

/** The events of one reply, in parts that the suite puts in an order which the wire allows. */
export interface Wire {
  /** The events before everything else. */
  open?(): unknown[];
  /** The events at the start and at the end of a step. */
  openStep?(): unknown[];
  closeStep?(): unknown[];
  /** The events of a text or a reasoning. */
  text(text: ScriptedText): unknown[];
  /** The events of a call's input. */
  call(call: ScriptedCall): unknown[];
  /** The events of an approval request. Absent if they are part of `close`. */
  request?(call: ScriptedCall): unknown[];
  /** The events of a result. */
  result?(call: ScriptedCall): unknown[];
  /** The events that end the reply. */
  close(): unknown[];
  /** The events that end it with an error, in one of the wire's forms. */
  fail(): unknown[];
  /** A finish reason before the last events. */
  early?(): unknown[];
}

/** A call, as somebody has read it. */
export interface ReadCall {
  readonly name: string;
  readonly input: Json;
}

/** What a stream contains, as the vendor's own package reads it. */
export interface VendorReading {
  readonly calls: readonly ReadCall[];
  readonly text: string;
}

/** The encoder of one protocol. */
export interface Encoder {
  readonly protocol: ProtocolName;
  readonly features: Features;
  readonly options?: ToolGateOptions;
  /** The events of a script. Called once for each reply; the wire may count. */
  wire(script: Script, random: Random): Wire;
  /**
   * Reads the same events with the vendor's own package, where it has an accumulator. Undefined for a script that it
   * cannot read, such as that of another server of the same API.
   */
  vendor?(events: readonly unknown[], script: Script): Promise<VendorReading | undefined>;
  /** The calls in a request body with the conversation, of which the first are those of the reply. */
  sentCalls?(body: unknown): readonly ReadCall[];
  /** Puts the events into the frames of a transport. */
  transport?(events: readonly unknown[], random: Random): readonly unknown[];
  /** Events that say nothing about the reply, which servers may send at any time. */
  readonly noise?: readonly unknown[];
}

/** Merges sequences at random; they begin in their order. `isHeaderFirst`: the first event of each comes first. */
function merged(lanes: readonly unknown[][], random: Random, isHeaderFirst: boolean): unknown[] {
  const waiting = lanes.map((lane) => [...lane]).filter((lane) => lane.length);
  const begun: unknown[][] = isHeaderFirst ? waiting.splice(0) : [];
  const events = begun.map((lane) => lane.shift());
  for (;;) {
    const open = [...begun, ...waiting.slice(0, 1)].filter((lane) => lane.length);
    if (!open.length) return events;
    const lane = random.pick(open);
    if (lane === waiting[0]) begun.push(...waiting.splice(0, 1));
    events.push(lane.shift());
  }
}

/** The events of a call with its request. */
function laneOf(wire: Wire, call: ScriptedCall, random: Random): unknown[] {
  const { request } = call;
  const events = request?.how === 'unannounced' ? [] : wire.call(call);
  if (request && wire.request) {
    const asks = wire.request(call);
    if (request.how === 'early' && events.length > 1) events.splice(1 + random.below(events.length - 1), 0, ...asks);
    else events.push(...asks);
    if (request.how === 'twice') events.push(...asks);
  }
  return events;
}

/** The events of a script, in a random order that the wire allows. */
export function eventsOf(encoder: Encoder, script: Script, random: Random): readonly unknown[] {
  const { features, noise = [] } = encoder;
  const wire = encoder.wire(script, random);
  const events: unknown[] = [...(wire.open?.() ?? [])];
  for (const { texts, calls } of script.steps) {
    events.push(...(wire.openStep?.() ?? []));
    for (const text of texts) events.push(...wire.text(text));
    const resultOf = (call: ScriptedCall): unknown[] => (call.result && wire.result?.(call)) ?? [];
    const lanes = calls.map((call) => [...laneOf(wire, call, random), ...(features.steps ? [] : resultOf(call))]);
    events.push(...(features.interleaves ? merged(lanes, random, random.chance(0.3)) : lanes.flat()));
    if (features.steps) events.push(...calls.flatMap(resultOf));
    events.push(...(wire.closeStep?.() ?? []));
  }
  if (script.ending === 'error') events.splice(1 + random.below(events.length), Infinity, ...wire.fail());
  else events.push(...wire.close());
  if (script.ending === 'early' && wire.early)
    events.splice(events.length - random.below(Math.min(4, events.length)), 0, ...wire.early());
  for (let count = random.below(3); noise.length > 0 && count > 0; count--)
    events.splice(1 + random.below(events.length), 0, random.pick(noise));
  return encoder.transport?.(events, random) ?? events;
}

/** The events as lines of JSON, in the form that the clients of OpenAI and Anthropic read. */
export function linesOf(events: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
      controller.close();
    },
  });
}

/**
 * Plays the events of a script into a gate, and checks what the user would see and what would be sent. The script is
 * the judge: it says what the model produced. Where the vendor's package reads the same events, it must agree.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ToolGate } from 'toolgate';
import { gateFor, type Data } from '../support.js';
import { eventsOf, type Encoder, type ReadCall } from './encoder.js';
import { Random } from '../../soak/random.js';
import { scriptOf, type Features, type Script, type ScriptedCall } from './script.js';

const keyOf = ({ name, input }: ReadCall): string => `${name} ${JSON.stringify(sorted(input))}`;

/** The same value with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

const keysOf = (calls: readonly ReadCall[]): string[] => calls.map(keyOf).sort();

/** The call as the backend will run it. */
const runs = ({ name, input, request }: ScriptedCall): ReadCall => ({ name, input: request?.input ?? input });

/** A call, as its part shows it. */
const read = ({ type, toolName = type.slice('tool-'.length), input }: Data): ReadCall => ({ name: toolName, input });

/** The calls of each step that has some. */
function stepsOf(parts: readonly Data[]): string[][] {
  const steps: ReadCall[][] = [[]];
  for (const part of parts)
    if (part.type === 'step-start') steps.push([]);
    else if (part.toolCallId !== undefined) steps.at(-1)!.push(read(part));
  return steps.filter(({ length }) => length).map(keysOf);
}

/** The scenarios that a script contains. */
export function scenariosOf({ steps, ending }: Script): string[] {
  const calls = steps.flatMap((step) => step.calls);
  const several = steps.some((step) => step.calls.length > 1);
  return [
    ending,
    ...(several ? ['several calls'] : []),
    ...(new Set(calls.map(({ id }) => id)).size < calls.length ? ['repeated ids'] : []),
    ...(steps.length > 1 ? ['several steps'] : []),
    ...calls.flatMap(({ agent, how, request, result }) => [
      ...(how.isWhole ? ['whole at the start'] : []),
      ...(how.pieces.includes('') ? ['empty pieces'] : []),
      ...(agent ? ['sub-agents'] : []),
      `ids ${how.ids}`,
      ...(request ? [`request ${request.how}`] : []),
      ...(result ? [`result ${result.failed}`] : []),
    ]),
  ];
}

/** The scenarios that scripts of a wire with these features contain sooner or later. */
export function scenariosFor(features: Features): string[] {
  return [
    'finished',
    'error',
    'several calls',
    'ids given',
    ...(features.earlyFinish ? ['early'] : []),
    ...(features.steps ? ['several steps'] : []),
    ...(features.repeatedIds ? ['repeated ids'] : []),
    ...(features.startsWhole ? ['whole at the start'] : []),
    ...(features.streams ? ['empty pieces'] : []),
    ...(features.subAgents ? ['sub-agents'] : []),
    ...(features.missingIds ? ['ids missing'] : []),
    ...(features.rotatedIds ? ['ids rotated'] : []),
    ...(features.requests ?? []).map((how) => `request ${how}`),
    ...(features.results || features.steps ? ['result false'] : []),
    ...(features.results ? ['result true'] : []),
  ];
}

/** Makes a script from a seed, and plays its events. `wrong`: the anomalies. */
function play(encoder: Encoder, seed: number) {
  const random = new Random(seed);
  const script = scriptOf(encoder.features, random);
  const events = eventsOf(encoder, script, random);
  // Where the page runs the tools, the user is asked about every call. Elsewhere it runs none.
  const ours = encoder.features.clientAsks ? {} : { browserTools: [] };
  const gate = gateFor(encoder.protocol, { now: () => 0, ...ours, ...encoder.options });
  const wrong: string[] = [];
  gate.onEvent((event) => void (event.type === 'anomaly' && wrong.push(String(event.error))));
  gate.sendUserMessage({ text: 'Go.' });
  const requestId = gate.outgoing()[0]!.id;
  gate.claim(requestId);
  gate.markSent(requestId);
  // The connection breaks, and the reply is read again from its start. A host that has read the end knows that.
  let about: { requestId: string; reconnect?: 'start' } = { requestId };
  if (encoder.features.replays && random.chance(0.2)) {
    for (const event of events.slice(0, random.below(events.length))) gate.receive(event, about);
    gate.streamEnded({ status: 'disconnected' }, about);
    if (gate.getSnapshot().turn.ending === 'finished') about = { requestId, reconnect: 'start' };
  }
  for (const event of events) gate.receive(event, about);
  const isBroken = script.ending === 'error' && encoder.features.breaksOff;
  gate.streamEnded({ status: isBroken ? 'error' : 'finished' }, { requestId });
  return { script, events, gate, wrong };
}

/** Plays the script of a seed, and checks every rule. Throws an error with what is needed to see a broken one again. */
export async function check(encoder: Encoder, seed: number): Promise<Script> {
  const { script, events, gate, wrong } = play(encoder, seed);
  const expectSame = (what: string, found: unknown, expected: unknown): void => {
    if (isDeepStrictEqual(found, expected)) return;
    const report = { protocol: encoder.protocol, seed, what, found, expected, wrong, script, events };
    throw new Error(`${encoder.protocol}, seed ${seed}: ${what}\n${JSON.stringify(report, undefined, 1)}`);
  };
  const parts: Data[] = gate
    .getSnapshot()
    .messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  const shown = parts.filter(({ toolCallId }) => toolCallId !== undefined);
  const scripted = script.steps.flatMap(({ calls }) => calls);
  const expected = scripted.map(runs);

  const said = (kind: string): string =>
    parts
      .filter(({ type }) => type === kind)
      .map(({ text }) => text)
      .join('');
  const written = (kind: string): string =>
    script.steps.flatMap(({ texts }) => texts.flatMap((text) => (text.kind === kind ? text.pieces : []))).join('');
  const { turn } = gate.getSnapshot();

  if (script.ending === 'error') {
    expectSame('the end of the turn', turn.ending, 'failed');
    for (const kind of ['text', 'reasoning'])
      expectSame(`the ${kind} before the error`, said(kind), written(kind).slice(0, said(kind).length));
    // What the error cut off is never a call. Everything else is as the model wrote it.
    const whole = shown.filter(({ state, outcome }) => state !== 'input-streaming' && outcome?.kind !== 'interrupted');
    const left = new Set(keysOf([...expected, ...scripted]));
    expectSame(
      'calls before an error that the model did not produce',
      keysOf(whole.map(read)).filter((key) => !left.has(key)),
      [],
    );
    gate.free();
    return script;
  }
  expectSame('anomalies', wrong, []);
  expectSame('the calls that are shown', keysOf(shown.map(read)), keysOf(expected));
  for (const kind of ['text', 'reasoning']) expectSame(`the ${kind}`, said(kind), written(kind));
  const results = scripted.flatMap(({ result }) => result?.value ?? []);
  expectSame(
    'the results',
    shown
      .flatMap(({ output, errorText }) => output ?? errorText ?? [])
      .map(String)
      .sort(),
    results.sort(),
  );
  const { metadata = {} } = gate.getSnapshot().messages.at(-1)!;
  expectSame('a reason to end early', JSON.stringify(metadata).includes('finishReason'), false);
  const { clientAsks } = encoder.features;
  const asked = scripted.filter(({ request, result }) => request ?? (clientAsks && !result));
  const pending = gate.pending().map(({ toolName: name, input }) => ({ name, input }) as ReadCall);
  if (encoder.features.steps) {
    const steps = script.steps.map(({ calls }) => keysOf(calls.map(runs)));
    expectSame(
      'the calls of each step',
      stepsOf(parts),
      steps.filter(({ length }) => length),
    );
  }
  const last = script.steps.at(-1)!;
  if (last.texts.length + last.calls.length)
    expectSame('the end of the turn', [turn.ending, turn.status === 'done'], ['finished', !asked.length]);
  expectSame('the approvals that the user is asked for', keysOf(pending), keysOf(asked.map(runs)));
  const askers = shown.flatMap(({ approval }) => approval?.requestedBy ?? []);
  expectSame('who asks', askers.sort(), asked.flatMap(({ agent }) => agent ?? []).sort());
  const reading = await encoder.vendor?.(events, script);
  if (reading) {
    expectSame("the vendor's calls", keysOf(reading.calls), keysOf(scripted));
    expectSame("the vendor's text", reading.text, said('text'));
  }
  checkSent(encoder, gate, asked, expected, expectSame);
  gate.free();
  return script;
}

/** Approves everything, runs the tools of the page, and checks the calls of the next request. */
function checkSent(
  { sentCalls, features }: Encoder,
  gate: ToolGate,
  asked: readonly ScriptedCall[],
  expected: readonly ReadCall[],
  expectSame: (what: string, found: unknown, wanted: unknown) => void,
): void {
  const count = gate.respondAll({ approved: true });
  expectSame('the number of approvals', count, asked.length);
  if (!sentCalls || !asked.length) return;
  if (features.clientAsks) for (const id of gate.getSnapshot().turn.runnable) gate.addToolOutput(id, { output: 'ran' });
  const body = gate.outgoing()[0]?.body;
  expectSame(
    'the calls that are sent',
    body === undefined ? 'nothing is sent' : keysOf(sentCalls(body)),
    keysOf(expected),
  );
}

/**
 * Records the method calls on a gate that is connected to a real backend. tests/protocols/damage replays damaged copies
 * of the recordings. `RECORD=1 npx vitest run --project unit tests/interop` rewrites tests/fixtures/recordings.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ToolGate, ToolGateOptions } from 'toolgate';
import { expect, onTestFinished } from 'vitest';
import { type ProtocolName } from '../protocols/all.js';

/** A call of one of the gate's methods, with its arguments. */
export type Act = readonly [method: (typeof ACTS)[number], ...args: unknown[]];

/** A conversation with a real backend: the method calls on its gate. */
export interface Recording {
  readonly protocol: ProtocolName;
  /** The rig and the scenario. */
  readonly source: string;
  readonly options: ToolGateOptions;
  readonly acts: readonly Act[];
}

/** The methods that are recorded: those that change a gate. */
export const ACTS = [
  'load',
  'receive',
  'streamEnded',
  'sendUserMessage',
  'respond',
  'respondAll',
  'addToolOutput',
  'cancel',
  'stop',
  'resume',
  'claim',
  'markSent',
  'markFailed',
  'retry',
] as const;

const FOLDER = new URL('../fixtures/recordings/', import.meta.url);

/** The recorded scenarios: decisions of every kind, and a cancelled turn. */
const SCENARIO = /^(.*): (mixed|cancel)(?: \(|$)/;

/** With `RECORD` set, records the method calls on a scenario's gate, and writes them when its test has passed. */
export function recordScenario(gate: ToolGate, protocol: ProtocolName, options: ToolGateOptions): void {
  const [, rig, scenario] = SCENARIO.exec(expect.getState().currentTestName?.split(' > ').at(-1) ?? '') ?? [];
  if (!process.env['RECORD'] || rig === undefined) return;
  const recording: Recording = { protocol, source: `${rig}: ${scenario}`, options, acts: watch(gate) };
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'fail') write(recording);
  });
}

/** Records the method calls on the gate from now on. */
function watch(gate: ToolGate): Act[] {
  const acts: Act[] = [];
  let depth = 0;
  for (const name of ACTS) {
    const method = (gate[name] as (...args: unknown[]) => unknown).bind(gate);
    const watched = (...args: unknown[]): unknown => {
      // Nested calls are not recorded, because replaying the outer call repeats them.
      if (!depth) acts.push(JSON.parse(JSON.stringify([name, ...args])) as Act);
      depth++;
      try {
        return method(...args);
      } finally {
        depth--;
      }
    };
    Object.defineProperty(gate, name, { value: watched, configurable: true });
  }
  return acts;
}

function write({ acts, ...head }: Recording): void {
  const name = head.source
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  const lines = acts.map((act) => `    ${JSON.stringify(act)}`);
  mkdirSync(FOLDER, { recursive: true });
  const text = `{\n${fields.join('')}  "acts": [\n${lines.join(',\n')}\n  ]\n}\n`;
  writeFileSync(new URL(`${name}.json`, FOLDER), text.replaceAll(/\/tmp\/[\w-]+/g, '/tmp/chat'));
}

/**
 * Plays a scenario of the conformance kit on one side: what the user, the network and the server do is the kit's data.
 * The server is this table's own, a real `streamText`; only the replies that no `streamText` sends are handwritten.
 */
import type { Act, Line, Reply, Scenario } from '../conformance/kit/src/scenario';
import { scenarios } from '../conformance/kit/src/scenarios/index';
import type { BackendOptions, ModelTurn, Tools } from './backend';
import { macrotask, stage, type Side, type Stage } from './harness';
import type { Script } from './script';

/** The tools of the kit's scenarios. */
const TOOLS: Tools = { remove: 'asks', send: 'asks', read: 'runs', edit: 'runs' };

/** Points where the server waits for the user. */
class Gates {
  /** Whether the server waits. */
  isClosed = false;
  #open = (): void => {};

  /** Waits at a point. */
  readonly wait = (): Promise<void> => {
    this.isClosed = true;
    return new Promise((resolve) => (this.#open = resolve));
  };

  /** Continues. */
  release(): void {
    this.isClosed = false;
    this.#open();
  }
}

/**
 * Sets up a side with the kit's scenario, and plays it to its end. `after` is called after each act. Throws if there is
 * no such scenario.
 */
export async function played(side: Side, id: string, after?: (act: Act, on: Stage) => void): Promise<Stage> {
  const scenario = scenarios.find((one) => one.id === id);
  if (!scenario) throw new Error(`The kit has no scenario ${id}.`);
  const gates = new Gates();
  const on = await stage(side, backendOf(scenario, gates));
  for (const act of scenario.user) {
    await perform(on, act, gates);
    if (act.atOnce) await macrotask();
    // A reply that waits does not end by itself.
    else await (gates.isClosed ? on.turns() : on.settled());
    after?.(act, on);
  }
  return on;
}

async function perform(on: Stage, act: Act, gates: Gates): Promise<void> {
  if ('send' in act) return on.send(act.send);
  if ('release' in act) return gates.release();
  if ('output' in act) return on.output(act.tool, act.output, act.value);
  if (!('approve' in act || 'deny' in act)) throw new Error(`The bug table has no act ${Object.keys(act).join()}.`);
  const call = 'approve' in act ? act.approve : act.deny;
  if (act.ifOffered && on.part(call)?.['state'] !== 'approval-requested') return;
  const reason = 'deny' in act ? act.reason : undefined;
  return on.answer(on.approvalOf(call), 'approve' in act, reason);
}

/** The backend of a scenario. Replies that wait, or do not settle the decisions, are sent as they are. */
function backendOf({ server, network = {} }: Scenario, gates: Gates): BackendOptions {
  const isWritten = ({ lines, settles }: Reply): boolean =>
    settles === false || lines.some((line) => !('type' in line));
  return {
    tools: TOOLS,
    model: server.filter((reply) => !isWritten(reply)).map(turnOf),
    // The last reply of a scenario is repeated, so that a client that never stops is seen.
    intercept: (n) => {
      const reply = server[n - 1] ?? server.at(-1)!;
      return isWritten(reply) ? scriptOf(reply, n, gates) : undefined;
    },
    loses: (n) => network[n] === 'lost reply',
    hold: (n) => {
      const fault = network[n];
      if (typeof fault !== 'object' || !('delayMs' in fault)) return undefined;
      return new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    },
  };
}

function scriptOf({ lines }: Reply, n: number, gates: Gates): Script {
  const start = n === 1 ? { type: 'start', messageId: 'reply-1' } : { type: 'start' };
  return [
    start,
    ...lines.map((line) => ('type' in line ? line : gates.wait)),
    { type: 'finish', finishReason: 'stop' },
  ] as Script;
}

/** What the model says in a reply of one step. */
function turnOf({ lines }: Reply): ModelTurn {
  const chunks = lines.filter((line): line is Line & { type: string; [key: string]: unknown } => 'type' in line);
  const text = chunks.flatMap(({ type, delta }) => (type === 'text-delta' ? String(delta) : [])).join('');
  const calls = chunks.flatMap(({ type, toolCallId, toolName, input }) =>
    type === 'tool-input-available' ? [{ id: String(toolCallId), tool: String(toolName), input }] : [],
  );
  return { ...(text && { text }), ...(calls.length > 0 && { calls }) };
}

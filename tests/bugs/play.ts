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

/** The point where the server waits for the user. */
class Gate {
  /** What waits: a request that is not answered yet, or a reply in the middle. */
  waits: 'request' | 'reply' | undefined;
  #open = (): void => {};

  close(waits: 'request' | 'reply'): Promise<void> {
    this.waits = waits;
    return new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.waits = undefined;
    this.#open();
  }
}

/** How a scenario is played. */
export interface PlayOptions {
  /** Only the first acts are played. Default: all. */
  readonly acts?: number;
  /** Called after each act. */
  readonly after?: (act: Act, on: Stage) => void;
}

/** Sets up a side with the kit's scenario, and plays it. Throws if there is no such scenario. */
export async function played(side: Side, id: string, { acts, after }: PlayOptions = {}): Promise<Stage> {
  const scenario = scenarios.find((one) => one.id === id);
  if (!scenario) throw new Error(`The kit has no scenario ${id}.`);
  const gate = new Gate();
  const on = await stage(side, backendOf(scenario, gate));
  for (const act of scenario.user.slice(0, acts)) {
    await perform(on, act, gate);
    if (act.atOnce) await macrotask();
    else await on.settled(() => gate.waits !== undefined);
    after?.(act, on);
  }
  return on;
}

async function perform(on: Stage, act: Act, gate: Gate): Promise<void> {
  if ('send' in act) return on.send(act.send);
  if ('release' in act) return gate.open();
  if ('stop' in act) {
    // The chat does not wait for a reply that it has stopped.
    if (gate.waits === 'reply') gate.open();
    return void on.stop();
  }
  if ('output' in act) return on.output(act.tool, act.output, act.value);
  if (!('approve' in act || 'deny' in act)) throw new Error(`The bug table has no act ${Object.keys(act).join()}.`);
  const call = 'approve' in act ? act.approve : act.deny;
  if (act.ifOffered && on.part(call)?.['state'] !== 'approval-requested') return;
  const reason = 'deny' in act ? act.reason : undefined;
  return on.answer(on.approvalOf(call), 'approve' in act, reason);
}

/** How the reply to a request is sent. */
type Kind = 'by the server' | 'after a wait' | 'as it is';

function kindOf({ lines, settles }: Reply): Kind {
  const waits = lines.map((line) => !('type' in line));
  if (settles === false || waits.includes(true, 1)) return 'as it is';
  return waits[0] ? 'after a wait' : 'by the server';
}

/** The backend of a scenario. Replies that wait in the middle, or don't settle the decisions, are sent as they are. */
function backendOf({ server, network = {} }: Scenario, gate: Gate): BackendOptions {
  // The last reply of a scenario is repeated, so that a client that never stops is seen.
  const replyTo = (n: number): Reply => server[n - 1] ?? server.at(-1)!;
  return {
    tools: TOOLS,
    model: server.filter((reply) => kindOf(reply) !== 'as it is').map(turnOf),
    intercept: (n) => (kindOf(replyTo(n)) === 'as it is' ? scriptOf(replyTo(n), n, gate) : undefined),
    replyIds: server.some(({ hasNewId }) => hasNewId) ? 'new' : 'same',
    loses: (n) => network[n] === 'lost reply',
    hold: (n) => {
      const fault = network[n];
      if (typeof fault === 'object' && 'delayMs' in fault)
        return new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      return kindOf(replyTo(n)) === 'after a wait' ? gate.close('request') : undefined;
    },
  };
}

function scriptOf({ lines }: Reply, n: number, gate: Gate): Script {
  const start = n === 1 ? { type: 'start', messageId: 'reply-1' } : { type: 'start' };
  const wait = (): Promise<void> => gate.close('reply');
  return [start, ...lines.map((line) => ('type' in line ? line : wait)), { type: 'finish', finishReason: 'stop' }];
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

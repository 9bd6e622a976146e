/** Performs the acts of a scenario, and waits until nothing happens any more. */
import type { Act, Need } from '../scenario.js';
import type { ChatServer } from '../server/server.js';
import type { Client } from './adapter.js';
import { checkedClient, stateOf, within } from './check.js';

/** How long nothing must change to count as quiet: a time, and turns of the event loop, for busy machines. */
export interface Patience {
  readonly ms: number;
  readonly turns: number;
  /** The longest wait for quiet, and for each of the adapter's promises that the kit awaits. */
  readonly longestMs: number;
}

/** The client did not become quiet. */
export class RestlessError extends Error {
  override readonly name = 'RestlessError';
}

/** A client during a scenario; a reload replaces it. */
export interface Stage {
  client: Client;
  readonly server: ChatServer;
  /** Errors that methods threw, or rejected with. */
  readonly thrown: string[];
  readonly patience: Patience;
}

/** What a client lacks for a scenario. */
export const lacks = (client: Client, needs: readonly Need[] = []): Need[] =>
  needs.filter((need) => client[need] === undefined);

/** Performs one act. Does not wait for its effects. */
export async function perform(stage: Stage, act: Act): Promise<void> {
  const { client, server, thrown, patience } = stage;
  const call = (method: () => unknown): void => {
    // Like a button: the returned promise is not awaited.
    const note = (error: unknown): void => void thrown.push(nameOf(error));
    try {
      Promise.resolve(method()).catch(note);
    } catch (error) {
      note(error);
    }
  };
  if ('send' in act) return call(() => client.send(act.send));
  if ('release' in act) return server.release(act.release);
  if ('stop' in act) return call(() => client.stop!());
  if ('reconnect' in act) return call(() => client.reconnect!());
  if ('output' in act) return call(() => client.output!(act.tool, act.output, act.value));
  if ('reload' in act) {
    stage.client = checkedClient(await within(patience.longestMs, 'reload', client.reload!()), 'reload');
    return;
  }
  const id = 'approve' in act ? act.approve : act.deny;
  const isOffered = stateOf(client).calls.some((shown) => shown.id === id && shown.state === 'asked');
  if (act.ifOffered && !isOffered) return;
  if ('deny' in act) return call(() => client.deny(`ask-${id}`, act.reason));
  for (let click = 0; click < (act.times ?? 1); click++) call(() => client.approve(`ask-${id}`));
}

const nameOf = (error: unknown): string => {
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
  return typeof code === 'string' ? code : `${name}: ${message}`;
};

/** Waits until neither the server nor the client has changed for a while. Throws a `RestlessError` if they go on. */
export async function quiet(stage: Stage): Promise<void> {
  const { longestMs } = stage.patience;
  const end = Date.now() + longestMs;
  let seen = '';
  let since = Date.now();
  let turns = 0;
  while (turns < stage.patience.turns || Date.now() - since < stage.patience.ms) {
    const { server, client } = stage;
    const now = `${server.ticks} ${server.isBusy} ${JSON.stringify(stateOf(client))}`;
    if (now !== seen || server.isBusy) [seen, since, turns] = [now, Date.now(), 0];
    if (Date.now() > end)
      throw new RestlessError(`after ${longestMs} ms it still changes; state() is ${JSON.stringify(stateOf(client))}`);
    turns++;
    await new Promise((resolve) => (turns < 20 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
}

/** Waits a few turns of the event loop, in which an act takes its effect, but a click can still follow at once. */
export async function moment(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * What a page and a coding agent send each other, recorded in tests/fixtures/wire by the runs with the real agents
 * (tests/agents/live), and replayed by replayed.test.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outgoing, PendingApproval, StreamEnd, ToolGateOptions } from 'toolgate';
import { expect, onTestFinished } from 'vitest';
import type { Line, Reply, Rig, Session } from '../interop/rig';
import { signalOf } from '../interop/page';
import { firstCalls, gateFor, type Data } from '../interop/support';
import type { ProtocolName } from '../protocols/all.js';

/** One thing that happened, in order. */
export type Frame =
  /** A message of the agent. */
  | { readonly in: Data }
  /** The body of an item that the page sent. */
  | { readonly out: Data }
  /** A tool ran: `remove /a`. */
  | { readonly ran: string }
  /** What the model read. */
  | { readonly prompt: readonly Line[] }
  /** What a page that is opened again gets: the stored history. The open requests follow as messages. */
  | { readonly load: readonly Data[] };

/** An agent: a connection to the real one, or its replay. */
export interface Agent {
  /** Writes an item's body. */
  write(body: Data): void;
  /** The stored history, and the open requests, for a page that is opened again. */
  stored(): Promise<{ readonly history: readonly Data[]; readonly requests: readonly Data[] }>;
  /** Resolves when the agent has had the time to take a message that starts no turn. */
  idle?(): Promise<void>;
  /** Ends its requests: the page was closed. */
  cut?(): void;
  close(): Promise<void> | void;
}

/** What the sessions with an agent have in common. */
export interface AgentKind {
  readonly protocol: ProtocolName;
  /** The folder of the recordings. Default: the protocol's name. */
  readonly folder?: string;
  /** How a message ends the stream; undefined if it does not. */
  endOf(message: Data): StreamEnd | undefined;
  /** Whether a message ends the turn of an earlier prompt than this one. */
  isLate?(message: Data, prompt: Data): boolean;
  /** Whether a body is an answer to a request. */
  isAnswer(body: Data): boolean;
  /** The request that a message of the agent opens, or with `false` closes. Default: that of JSON-RPC. */
  requestOf?(message: Data): readonly [id: unknown, isOpen: boolean] | undefined;
  /** The id of the request that a body answers. Default: that of JSON-RPC. */
  answeredBy?(body: Data): unknown;
  /** Removes what differs between runs, and what no client reads. */
  trim(message: Data): Data;
  /**
   * The number of calls that wait for an approval at once. Default: all of the step. `Infinity`: the user acts when the
   * run has ended.
   */
  readonly asksAbout?: number;
  /** Whether the result of a call arrives after the decisions about the other calls of its step. */
  readonly areResultsLate?: boolean;
  /** Whether a request shows what it is about. Some agents send a call's input after the request. Default: always. */
  readonly isShown?: (approval: PendingApproval) => boolean;
  /** Names a pending approval, see `Session`. `title`: that of its call. */
  readonly nameOf?: (approval: PendingApproval, title?: string) => string;
}

/** Connects to an agent. `happen` receives everything that it does. */
export type Connect = (replies: readonly Reply[], happen: (frame: Frame) => void) => Promise<Agent>;

const FOLDER = new URL('../fixtures/wire/', import.meta.url);

/** The recording of a test: its name without the agent's. */
const nameOf = (folder: string, test = expect.getState().currentTestName ?? ''): URL =>
  new URL(`${folder}/${test.replace(/^[^:]*: | \(.*$/g, '').replaceAll(/\W+/g, '-')}.json`, FOLDER);

/** Opens a session with an agent. */
export async function openWith(
  kind: AgentKind,
  connect: Connect,
  options: ToolGateOptions,
  replies: readonly Reply[],
): Promise<Session & Pick<Agent, 'write'>> {
  const [ran, prompts]: [string[], (readonly Line[])[]] = [[], []];
  const gate = gateFor(kind.protocol, options);
  const watching = new Set<() => void>();
  let [turns, isBusy, prompt] = [0, false, {} as Data];
  /** The requests that have no answer. */
  const open = new Map<unknown, Data>();
  const requestOf = kind.requestOf ?? (({ id, method }) => (id !== undefined && method ? [id, true] : undefined));
  const take = (message: Data): void => {
    const [request, isOpen] = requestOf(message) ?? [];
    if (isOpen) open.set(request, message);
    else if (isOpen === false) open.delete(request);
    if (kind.isLate?.(message, prompt)) return;
    gate.receive(message);
    const end = kind.endOf(message);
    if (!end) return;
    isBusy = false;
    turns++;
    gate.streamEnded(end);
  };
  const agent = await connect(replies, (frame) => {
    if ('in' in frame) take(frame.in);
    else if ('ran' in frame) ran.push(frame.ran);
    else if ('prompt' in frame) prompts.push(frame.prompt);
    for (const look of watching) look();
  });
  const settled = (is: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!is()) return;
        watching.delete(look);
        resolve();
      };
      watching.add(look);
      look();
    });
  /** The number of approvals that the user can decide. */
  const asked = (): number => gate.pending().filter((one) => kind.isShown?.(one) ?? true).length;
  /** Whether the user must answer a question. */
  const isAsked = (): boolean => gate.getSnapshot().turn.waitingFor.some((entry) => entry.kind === 'tool');
  /** Whether only the user's decisions are missing: the call that needs no approval has run. */
  const isWaiting = (): boolean => {
    if (kind.asksAbout === Infinity) return false;
    if (isAsked()) return true;
    const parts = (gate.getSnapshot().messages.at(-1)?.parts ?? []) as Data[];
    const isRunning = parts.some(({ toolCallId, approval, outcome }) => toolCallId && !approval && !outcome);
    return (
      asked() === (kind.asksAbout ?? firstCalls(replies, true).length) &&
      ran.length >= firstCalls(replies, false).length &&
      (!isRunning || kind.areResultsLate === true)
    );
  };
  const titleOf = (id: string): string | undefined =>
    gate
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts as Data[])
      .findLast(({ toolCallId }) => toolCallId === id)?.title;
  return {
    gate,
    ran,
    prompts,
    async send({ id, body }: Outgoing) {
      const before = turns;
      const isAnswer = kind.isAnswer(body);
      if (!isAnswer) [isBusy, prompt] = [true, body];
      else open.delete(kind.answeredBy?.(body) ?? (body as Data).id);
      const { signal } = signalOf(gate);
      const cut = new Promise<void>((resolve) =>
        signal?.addEventListener('abort', () => {
          agent.cut?.();
          isBusy = false;
          resolve();
        }),
      );
      agent.write(JSON.parse(JSON.stringify(body)));
      gate.markSent(id);
      // A message that passes pending approvals starts no turn.
      if (!isAnswer && gate.pending().length) await agent.idle?.();
      const isOver = settled(
        () =>
          // The gate refuses by itself what is asked about a closed call.
          gate.outgoing().length > 0 ||
          (isAnswer ? !isBusy || isAsked() || asked() > 0 : turns > before || isWaiting()),
      );
      await Promise.race([isOver, cut]);
    },
    settled: () => settled(() => !isBusy || isAsked() || asked() + gate.outgoing().length > 0),
    open: () => [...open.values()],
    async refill() {
      const { history, requests } = await agent.stored();
      gate.load(history);
      for (const request of requests) gate.receive(request);
    },
    ...(kind.nameOf && { nameOf: (approval) => kind.nameOf?.(approval, titleOf(approval.toolCallId)) as string }),
    write: (body) => agent.write(body),
    close: () => agent.close(),
  };
}

/** Connects, and with `RECORD_WIRE` set writes what happens, when the test has passed. */
export function recording(kind: AgentKind, connect: Connect): Connect {
  if (!process.env['RECORD_WIRE']) return connect;
  return async (replies, happen) => {
    const frames: Frame[] = [];
    const file = nameOf(kind.folder ?? kind.protocol);
    onTestFinished(({ task }) => {
      if (task.result?.state !== 'fail' && !task.fails)
        write(
          file,
          frames.map((frame) => ('in' in frame ? { in: kind.trim(frame.in) } : frame)),
        );
    });
    const agent = await connect(replies, (frame) => {
      frames.push(JSON.parse(JSON.stringify(frame)));
      happen(frame);
    });
    return {
      ...agent,
      write(body) {
        frames.push({ out: body });
        agent.write(body);
      },
      async stored() {
        const { history, requests } = await agent.stored();
        frames.push({ load: history.map(kind.trim) }, ...requests.map((request): Frame => ({ in: request })));
        return { history, requests };
      },
    };
  };
}

/** Writes a recording, with ids, times and paths that are the same in every run. */
function write(file: URL, frames: readonly Frame[]): void {
  const ids = new Map<string, string>();
  const text = `[\n${frames.map((frame) => `  ${JSON.stringify(frame)}`).join(',\n')}\n]\n`
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`);
      return ids.get(id) as string;
    })
    .replaceAll(/\/tmp\/toolgate-[\w-]+/g, '/tmp/chat');
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Replays the recording of the current test, or of `test`: after a body was sent, everything that followed it happens.
 * Throws for a body that was not sent in the recorded run.
 */
export const replaying =
  (kind: AgentKind, test?: string): Connect =>
  async (_, happen) => {
    const frames = JSON.parse(readFileSync(nameOf(kind.folder ?? kind.protocol, test), 'utf8')) as Frame[];
    let place = 0;
    const sent = new Set<Frame>();
    const play = (): void => {
      for (let frame = frames[place]; frame && !('load' in frame); frame = frames[++place]) {
        if (!('out' in frame)) happen(frame);
        else if (!sent.has(frame)) return;
      }
    };
    return {
      write(body) {
        const text = JSON.stringify(body);
        const found = frames.find((frame) => 'out' in frame && !sent.has(frame) && JSON.stringify(frame.out) === text);
        expect(found ?? frames.slice(place), `the recorded run did not send ${text}`).toBe(found);
        sent.add(found as Frame);
        // The caller marks the item as sent before the agent answers.
        queueMicrotask(play);
      },
      stored: async () => {
        const frame = frames[place] as { load: readonly Data[] };
        const requests: Data[] = [];
        for (let next = frames[++place]; next && 'in' in next; next = frames[++place]) requests.push(next.in);
        return { history: frame.load, requests };
      },
      close() {},
    };
  };

/** The rig of an agent. */
export const rigOf = (
  kind: AgentKind,
  connect: Connect,
  rest: Omit<Rig, 'protocol' | 'waiting' | 'open'> & Partial<Pick<Rig, 'waiting'>>,
): Rig => ({
  protocol: kind.protocol,
  waiting: 'with the server',
  streams: true,
  open: (replies, options) => openWith(kind, connect, options, replies),
  ...rest,
});

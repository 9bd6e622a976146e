/**
 * The kit's chat server: HTTP on the loopback, with scripted replies and a scripted network. It records every request
 * before the network acts on it.
 *
 * `POST /chat` is the chat; `GET /chat/<chat id>/stream` resumes a reply that was interrupted, from its start, or
 * answers 204.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chunk, Fault, Line, Reply, Scenario } from '../scenario.js';
import { says, step } from '../scenarios/words.js';
import type { Wire } from '../wires/wire.js';
import { stepsOf, type Backend } from './backend.js';
import { MOST_REQUESTS, type RequestRecord, type ServerRecord } from './record.js';
import { faultsOf, settle } from './settle.js';

const OK: Reply = { lines: step(...says('ok')) };

/** A request before it was read. */
type Noted = Omit<RequestRecord, 'faults' | 'prompt'>;

/** A running server. */
export interface ChatServer {
  /** The address of the chat. */
  readonly url: string;
  readonly record: ServerRecord;
  /** A number that changes whenever anything happens. */
  readonly ticks: number;
  /** Whether the server will do something without another request or act: a delayed reply. */
  readonly isBusy: boolean;
  /** Continues replies that wait for this name. */
  release(name: string): void;
  close(): Promise<void>;
}

/** Starts a server for one scenario. */
export async function serveScenario(
  scenario: Pick<Scenario, 'server' | 'network'>,
  wire: Wire | Backend,
): Promise<ChatServer> {
  const server = new Scripted(scenario, wire);
  await server.listen();
  return server;
}

class Scripted implements ChatServer {
  readonly record: ServerRecord = { requests: [], ran: [] };
  ticks = 0;
  readonly #scenario: Pick<Scenario, 'server' | 'network'>;
  readonly #wire: Wire | Backend;
  readonly #http = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  readonly #gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();
  /** Requests that a client has sent. */
  #arrivals = 0;
  /** Requests whose reply has not ended. */
  #open = 0;
  #delays = 0;
  /** The interrupted reply, which can be resumed. */
  #interrupted: readonly Line[] | undefined;

  constructor(scenario: Pick<Scenario, 'server' | 'network'>, wire: Wire | Backend) {
    this.#scenario = scenario;
    this.#wire = wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/chat`;
  }

  get isBusy(): boolean {
    return this.#delays > 0;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(0, '127.0.0.1', resolve);
    });
  }

  release(name: string): void {
    this.ticks++;
    this.#gate(name).open();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }

  #gate(name: string): { opened: Promise<void>; open: () => void } {
    const known = this.#gates.get(name);
    if (known) return known;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = { opened, open };
    this.#gates.set(name, gate);
    return gate;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.ticks++;
    // Clients repeat a request on their own if a reused connection is cut. The scenarios decide what is repeated.
    response.setHeader('connection', 'close');
    if (request.method === 'GET') return this.#resume(response);
    const body = await textOf(request);
    const number = ++this.#arrivals;
    const fault = this.#scenario.network?.[number];
    const overlaps = this.#open > 0;
    this.#open++;
    let isOpen = true;
    response.once('close', () => {
      if (isOpen) this.#open--;
      isOpen = false;
      this.ticks++;
    });
    const arrived = fault !== 'lost request' && !(typeof fault === 'object' && 'status' in fault);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const noted = { number, body, headers, overlaps, arrived };
    if (!arrived || number > MOST_REQUESTS) {
      this.#note({ ...noted, faults: [] });
      if (fault === 'lost request') return void response.destroy();
      response.statusCode = typeof fault === 'object' && 'status' in fault ? fault.status : 429;
      return void response.end('refused');
    }
    if (typeof fault === 'object' && 'delayMs' in fault) await this.#delay(fault.delayMs);
    const wire = this.#wire;
    if ('answer' in wire) return this.#forward(wire, noted, response, fault);
    const { lines, refused } = this.#run(noted, wire);
    if (fault === 'lost reply') return void response.destroy();
    const isCut = typeof fault === 'object' && 'cutAfter' in fault;
    if (isCut && !refused) this.#interrupted = lines;
    await this.#write(lines, wire, response, fault);
  }

  /** Requests are recorded in the order in which they were sent, also if the network delays one. */
  #note(request: RequestRecord): void {
    const { requests } = this.record;
    const at = requests.findLastIndex(({ number }) => number < request.number) + 1;
    requests.splice(at, 0, request);
  }

  /** The scenario's reply to a request. Requests that did not arrive get none. */
  #replyTo({ number }: Noted): Reply {
    const before = this.record.requests.filter((one) => one.arrived && one.number < number).length;
    return this.#scenario.server[before] ?? OK;
  }

  /** Lets another stack answer a request. */
  async #forward(backend: Backend, noted: Noted, response: ServerResponse, fault: Fault | undefined): Promise<void> {
    const reply = this.#replyTo(noted);
    const steps = stepsOf(reply);
    const request: { -readonly [Key in keyof RequestRecord]: RequestRecord[Key] } = { ...noted, faults: [] };
    this.#note(request);
    // Something between the client and the server answers in its place, with nothing.
    if (reply.settles === false) return void response.writeHead(200, backend.headers).end();
    const isCut = typeof fault === 'object' && 'cutAfter' in fault;
    const pieces = backend.answer(JSON.parse(noted.body), {
      next: (prompt) => {
        // Later prompts of a reply begin with the first one.
        if (!request.prompt) Object.assign(request, { prompt, faults: faultsOf(prompt, openIn(prompt)) });
        const said = steps.shift() ?? OK.lines;
        const error = said.find((line) => 'type' in line && line.type === 'error');
        if (error) throw new Error(String((error as Chunk)['errorText']));
        return said;
      },
      ran: (id) => void this.record.ran.push(id),
      reached: async (name) => {
        // The reply of a connection that breaks does so where the server waits.
        if (isCut) setTimeout(() => response.destroy(), 20);
        await Promise.race([this.#gate(name).opened, closed(response)]);
      },
    });
    if (fault !== 'lost reply') response.writeHead(200, backend.headers);
    for await (const piece of pieces) {
      this.ticks++;
      if (fault === 'lost reply') continue;
      if (response.destroyed) return;
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (fault === 'lost reply' || isCut) return void response.destroy();
    response.end();
    this.ticks++;
  }

  /** Runs what the request decides, and returns the whole reply. */
  #run(noted: Noted, wire: Wire): { lines: Line[]; refused: boolean } {
    const read = wire.read(JSON.parse(noted.body));
    const reply = this.#replyTo(noted);
    const continued = reply.hasNewId ? undefined : read.continues;
    const start: Chunk = { type: 'start', messageId: continued ?? `reply-${noted.number}` };
    if (reply.settles === false && read.open.length === 0) {
      const faults = faultsOf(read.prompt, []);
      this.#note({ ...noted, prompt: read.prompt, faults });
      return { lines: [start, ...reply.lines, { type: 'finish' }], refused: false };
    }
    // Like `streamText`: the approved calls run before the history is checked.
    const { chunks, results } = settle(read, this.record);
    const prompt = [...read.prompt, ...results];
    const faults = faultsOf(prompt, read.open);
    this.#note({ ...noted, prompt, faults });
    if (faults.length > 0) {
      const errorText = `The history is not valid: ${faults.join(', ')}.`;
      return { lines: [start, ...chunks, { type: 'error', errorText }, { type: 'finish' }], refused: true };
    }
    const end: Chunk[] = reply.fails ? [] : [{ type: 'finish' }];
    return { lines: [start, ...chunks, ...reply.lines, ...end], refused: false };
  }

  async #delay(ms: number): Promise<void> {
    this.#delays++;
    await sleep(ms);
    this.#delays--;
    this.ticks++;
  }

  async #resume(response: ServerResponse): Promise<void> {
    const lines = this.#interrupted;
    this.#interrupted = undefined;
    const wire = this.#wire;
    if (lines && !('answer' in wire)) return this.#write(lines, wire, response, undefined);
    response.statusCode = 204;
    response.end();
  }

  async #write(lines: readonly Line[], wire: Wire, response: ServerResponse, fault: Fault | undefined): Promise<void> {
    const cutAfter = typeof fault === 'object' && 'cutAfter' in fault ? fault.cutAfter : Infinity;
    let written = 0;
    response.writeHead(200, wire.headers);
    for (const line of lines) {
      if (written >= cutAfter) {
        // The bytes so far must arrive before the connection breaks.
        await new Promise((resolve) => setTimeout(resolve, 5));
        return void response.destroy();
      }
      if ('until' in line) {
        await Promise.race([this.#gate(line.until as string).opened, closed(response)]);
        if (response.destroyed) return;
        continue;
      }
      const text = wire.write(line);
      response.write(fault === 'doubled chunks' && line.type !== 'start' ? text + text : text);
      this.ticks++;
      written++;
      // One chunk for each turn of the event loop, so that clients see them one after another.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (cutAfter !== Infinity) return void response.destroy();
    response.end(wire.end);
    this.ticks++;
  }
}

/** Calls of a prompt without a result. */
const openIn = (prompt: readonly string[]): string[] =>
  prompt
    .flatMap((line) => /^call ([^:]*):/.exec(line)?.[1] ?? [])
    .filter((id) => !prompt.some((line) => line.startsWith(`result ${id}:`)));

const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.once('close', () => resolve()));

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

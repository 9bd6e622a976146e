/**
 * `registerTools`: runs the calls of tools that live in the browser, once they may run, and gives the gate their results.
 *
 * A call runs when its approval is given; one without an approval when the reply has ended without asking for one. It runs at
 * most once: only calls whose way to this point was seen by this page are started by themselves. What was found as it is,
 * after a reload or when another tab has gone, may have run already and is left.
 */
import { isFollowing, portOf } from '../keeping.js';
import type { GateEvent, ToolOutput, ToolPart } from '../types.js';
import type { BrowserCall, BrowserTool, BrowserToolContext, BrowserToolEvent, RegisteredTools, RegisterOptions, ToolGateLike } from './browser-types.js';
import { callTool, messageOf } from './run.js';
import { parseInput } from './schema.js';
import { MAY_HAVE_RUN } from './texts.js';
import { own } from './toolkit.js';

/** What is known of a gate's calls, for as long as the gate lives: tools may be registered again and again. */
interface Known {
  /** Calls whose way was seen here. */
  readonly seen: Set<string>;
  /** Calls that were started here, or are not to be by themselves. */
  readonly passed: Set<string>;
  /** The names of registered tools. */
  readonly names: Set<string>;
}

const gates = new WeakMap<object, Known>();

type Tools = Readonly<Record<string, BrowserTool>>;

/**
 * Runs tools in the browser for a gate: name them in the gate's option `browserTools` too (with a model's own API all tools
 * are), or the server is asked to run them as well. Register them before the chat's first request; calling what is returned
 * ends it. With `toolgate/keeper` only the tab that sends runs tools, and a call is stored as approved before it starts.
 * Throws a `TypeError` for a name that is registered already, and for options that are none.
 */
export function registerTools(gate: ToolGateLike, tools: Tools, options: RegisterOptions = {}): RegisteredTools {
  const runner = new Runner(gate, tools, options);
  return Object.defineProperties(() => runner.dispose(), {
    running: { get: () => [...runner.running.keys()] },
    retry: { value: (toolCallId: string) => runner.retry(toolCallId) },
  }) as RegisteredTools;
}

class Runner {
  readonly running = new Map<string, AbortController>();
  readonly #gate: ToolGateLike;
  readonly #tools: Tools;
  readonly #options: RegisterOptions;
  readonly #known: Known;
  readonly #queue = new Map<string, BrowserCall>();
  readonly #subscriptions: (() => void)[];
  #disposed = false;

  constructor(gate: ToolGateLike, tools: Tools, options: RegisterOptions) {
    const { concurrency = Infinity } = options;
    if (!(concurrency === Infinity || (Number.isInteger(concurrency) && concurrency > 0))) {
      throw new TypeError('registerTools: concurrency is a whole number above 0, or Infinity');
    }
    const known = gates.get(gate) ?? { seen: new Set(), passed: new Set(), names: new Set() };
    for (const [name, { timeoutMs = 1 }] of Object.entries(tools)) {
      if (known.names.has(name)) throw new TypeError(`registerTools: the tool "${name}" is registered on this gate already`);
      if (!(timeoutMs > 0)) throw new TypeError(`registerTools: the timeoutMs of "${name}" is a number of ms above 0, or left out`);
    }
    gates.set(gate, known);
    for (const name of Object.keys(tools)) known.names.add(name);
    [this.#gate, this.#tools, this.#options, this.#known] = [gate, tools, options, known];
    this.#subscriptions = [gate.onEvent((event) => this.#heard(event)), gate.subscribe(() => this.#look())];
    this.#look();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const end of this.#subscriptions) end();
    for (const name of Object.keys(this.#tools)) this.#known.names.delete(name);
    for (const controller of this.running.values()) controller.abort(new DOMException('the tools were disposed of', 'AbortError'));
  }

  retry(toolCallId: string): void {
    const part = this.#open().find((open) => open.toolCallId === toolCallId);
    if (!part || this.#disposed || this.running.has(toolCallId) || !this.#known.passed.delete(toolCallId)) return;
    this.#known.seen.add(toolCallId);
    this.#look();
  }

  #heard(event: GateEvent): void {
    if (event.type === 'transition' && !this.#isFollowing) {
      this.#known.seen.add(event.toolCallId);
      // A later turn may use the id of an earlier call.
      if (event.from === undefined) this.#known.passed.delete(event.toolCallId);
    }
    if (event.type !== 'stopped') return;
    // The user stopped: nothing is run or continued by itself, and no result sets off a request.
    for (const [toolCallId, { toolName }] of this.#queue) this.#leave(toolCallId, toolName);
    for (const controller of this.running.values()) controller.abort(new DOMException('the user stopped', 'AbortError'));
  }

  /** Another tab sends for this gate, or may. */
  get #isFollowing(): boolean {
    return isFollowing(this.#gate);
  }

  /** The calls of registered tools that may run. */
  #open(): ToolPart[] {
    const { messages, status, turn } = this.#gate.getSnapshot();
    const isOver = turn.status === 'open' && status !== 'streaming' && status !== 'submitted';
    return (messages.at(-1)?.parts ?? []).filter((part): part is ToolPart => {
      if (!('toolCallId' in part) || part.providerExecuted || part.outcome) return false;
      const tool = own(this.#tools, nameOf(part));
      if (part.state === 'approval-responded') return tool !== undefined && part.approval.approved;
      return tool !== undefined && part.state === 'input-available' && (isOver || tool.needsApproval === false);
    });
  }

  /** The gate changed. */
  #look(): void {
    if (this.#disposed || this.#isFollowing) return;
    const { seen, passed } = this.#known;
    const open = this.#open();
    for (const [toolCallId, controller] of this.running) {
      if (!this.#isUnsettled(toolCallId)) controller.abort(new DOMException('the call was closed', 'AbortError'));
    }
    for (const part of open) {
      const { toolCallId } = part;
      if (passed.has(toolCallId) || this.#queue.has(toolCallId)) continue;
      if (seen.has(toolCallId)) this.#queue.set(toolCallId, { toolCallId, toolName: nameOf(part), input: part.input });
      else this.#leave(toolCallId, nameOf(part));
    }
    this.#next();
  }

  #isUnsettled(toolCallId: string): boolean {
    const parts = this.#gate.getSnapshot().messages.at(-1)?.parts ?? [];
    return parts.some((part) => 'toolCallId' in part && part.toolCallId === toolCallId && !part.outcome);
  }

  /** Starts what may start. */
  #next(): void {
    const { concurrency = Infinity } = this.#options;
    for (const [toolCallId, call] of this.#queue) {
      if (this.running.size >= concurrency) return;
      if (!this.running.has(toolCallId)) void this.#run(call);
    }
  }

  async #run(call: BrowserCall): Promise<void> {
    const { toolCallId, toolName } = call;
    const controller = new AbortController();
    this.running.set(toolCallId, controller);
    try {
      if (!(await this.#claim(call, controller.signal))) return;
      this.#tell({ type: 'started', toolCallId, toolName });
      const result = await this.#result(call, controller);
      if (result) this.#gate.addToolOutput(toolCallId, result);
      this.#tell({ type: 'ended', toolCallId, toolName, how: !result ? 'aborted' : 'output' in result ? 'executed' : 'failed' });
    } catch (error) {
      this.#tell({ type: 'error', toolCallId, toolName, error });
      this.#leave(toolCallId, toolName);
    } finally {
      this.running.delete(toolCallId);
      this.#queue.delete(toolCallId);
      // What was aborted may be wanted anew by now, under the same id.
      this.#look();
    }
  }

  /** Whether the call is this page's to run, now and once. */
  async #claim(call: BrowserCall, signal: AbortSignal): Promise<boolean> {
    // What a crash brings back must be a call that was approved, or it would be asked for and run again.
    await portOf(this.#gate)?.keeper?.claimed();
    const isOurs = (await this.#options.claim?.(call)) ?? true;
    if (signal.aborted || this.#disposed) return false;
    const isOpen = this.#open().some(({ toolCallId }) => toolCallId === call.toolCallId);
    if (isOpen && isOurs !== true) this.#leave(call.toolCallId, call.toolName);
    if (!isOpen || isOurs !== true || this.#isFollowing) return false;
    this.#known.passed.add(call.toolCallId);
    return true;
  }

  /** What the gate is given; nothing if the call was aborted. */
  async #result({ toolCallId, toolName, input }: BrowserCall, controller: AbortController): Promise<ToolOutput | undefined> {
    const tool = own(this.#tools, toolName)!;
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const aborted = new Promise<ToolOutput | undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined));
      if (tool.timeoutMs === undefined || tool.timeoutMs === Infinity) return;
      timer = setTimeout(() => {
        const errorText = `${MAY_HAVE_RUN} It took longer than ${tool.timeoutMs} ms.`;
        resolve({ errorText });
        controller.abort(new DOMException(errorText, 'TimeoutError'));
      }, Math.min(tool.timeoutMs, 2 ** 31 - 1));
    });
    const onProgress = (output: unknown): void => {
      if (!signal.aborted) this.#tell({ type: 'progress', toolCallId, toolName, output });
    };
    const run = async (): Promise<ToolOutput> => {
      if (tool.inputSchema !== undefined) await parseInput(tool.inputSchema, structuredClone(input));
      const context: BrowserToolContext = { toolCallId, signal, onProgress };
      return { output: await callTool(() => tool.execute(input as never, context), onProgress) };
    };
    const ran = run().catch((error: unknown): ToolOutput => ({ errorText: messageOf(error) }));
    const result = await Promise.race([ran, aborted]);
    clearTimeout(timer);
    return result;
  }

  /** A call that is not run by itself. */
  #leave(toolCallId: string, toolName: string): void {
    this.#queue.delete(toolCallId);
    if (this.#known.passed.has(toolCallId)) return;
    this.#known.passed.add(toolCallId);
    this.#tell({ type: 'interrupted', toolCallId, toolName });
  }

  #tell(event: BrowserToolEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      // The listener's failure is its own.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

const nameOf = (part: ToolPart): string => (part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length));

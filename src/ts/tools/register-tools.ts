/**
 * `registerTools`: runs the calls of tools that live in the browser, once they may run, and gives the gate their results.
 *
 * A call runs when its approval is given; one without an approval when the reply has ended without asking for one. It runs at
 * most once: only calls whose way to this point was seen by this page are started by themselves. What was found as it is,
 * after a reload or when another tab has gone, may have run already and is not started.
 *
 * Calls belong to the gate, not to a registration: an effect that registers its tools again with each render takes over
 * what runs.
 */
import { isFollowing, internalsOf } from '../gate/internals.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { isToolPart, toolNameOf } from '../types/tool-part.js';
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, ToolPart } from '../types/index.js';
import { runTool } from './run-tool.js';
import type { BrowserCall, BrowserTool, BrowserToolEvent, RegisteredTools, RegisterOptions } from './tool-types.js';
import { KnownCalls, type KnownCall } from './known-calls.js';
import { own } from '../json/own-property.js';

type Tools = Readonly<Record<string, BrowserTool>>;

/** What was registered at once. */
interface Registration {
  readonly tools: Tools;
  readonly options: RegisterOptions;
}

/** A call that is being run. */
interface Run {
  readonly call: BrowserCall;
  readonly controller: AbortController;
  /** Who hears of it: the registration that its tool is in, or was in last. */
  registration: Registration;
}

const OPTIONS: KnownOptions<RegisterOptions> = { concurrency: true, onEvent: true, claim: true };

const runners = new WeakMap<object, Runner>();

/**
 * Runs tools in the browser for a gate or guarded chat: name them in the gate's option `browserTools` too (with a model's own API all
 * tools are), or the server is asked to run them as well. Register them before the chat's first request; calling what
 * is returned ends it. What runs then is aborted, unless its tool is registered again in the same task, as an effect of
 * a framework does: then it goes on, and its events go to the new registration. With `toolgate/persist` only the tab
 * that sends runs tools, and a call is stored as approved before it starts. Throws a `TypeError` for a name that is
 * registered already, and for an unknown option or a value that is none.
 */
export function registerTools(
  source: NonNullable<GateSource>,
  tools: Tools,
  options: RegisterOptions = {},
): RegisteredTools {
  const gate = gateOfSource('registerTools', source);
  refuseUnknown('registerTools', options, OPTIONS);
  const { concurrency = Infinity } = options;
  if (!(concurrency === Infinity || (Number.isInteger(concurrency) && concurrency > 0))) {
    throw new TypeError('registerTools: concurrency is a whole number above 0, or Infinity');
  }
  for (const [name, { timeoutMs = 1 }] of Object.entries(tools)) {
    if (timeoutMs > 0) continue;
    throw new TypeError(`registerTools: the timeoutMs of "${name}" is a number of ms above 0, or left out`);
  }
  let runner = runners.get(gate);
  if (!runner) runners.set(gate, (runner = new Runner(gate)));
  const registration: Registration = { tools, options };
  runner.register(registration);
  return Object.defineProperties(() => runner.dispose(registration), {
    running: { get: () => runner.running(registration) },
    interrupted: { get: () => runner.interrupted(registration) },
    retry: { value: (toolCallId: string) => runner.retry(registration, toolCallId) },
  }) as RegisteredTools;
}

/** Runs the tools of one gate. */
class Runner {
  readonly #gate: ToolGate;
  readonly #calls = new KnownCalls<Run>();
  /** What is registered, by the tool's name. */
  readonly #registered = new Map<string, Registration>();
  readonly #runs = new Set<Run>();
  readonly #queue = new Map<string, BrowserCall>();
  #subscriptions: readonly (() => void)[] = [];

  constructor(gate: ToolGate) {
    this.#gate = gate;
  }

  /** Throws a `TypeError` for a name that is taken. */
  register(registration: Registration): void {
    const names = Object.keys(registration.tools);
    for (const name of names) {
      if (!this.#registered.has(name)) continue;
      throw new TypeError(`registerTools: the tool "${name}" is registered on this gate already`);
    }
    for (const name of names) this.#registered.set(name, registration);
    for (const run of this.#runs) run.registration = this.#registered.get(run.call.toolName) ?? run.registration;
    if (this.#subscriptions.length === 0) {
      this.#subscriptions = [
        this.#gate.onEvent((event) => this.#heard(event)),
        this.#gate.subscribe(() => this.#look()),
      ];
    }
    this.#look();
  }

  /** Again, it does nothing. */
  dispose(registration: Registration): void {
    for (const name of Object.keys(registration.tools)) {
      if (this.#registered.get(name) === registration) this.#registered.delete(name);
    }
    for (const [toolCallId, { toolName }] of this.#queue) {
      if (!this.#registered.has(toolName)) this.#queue.delete(toolCallId);
    }
    // An effect that runs again registers the same tools before anything else happens.
    queueMicrotask(() => this.#abandon());
  }

  /** The calls of these tools that run, the oldest first. */
  running(registration: Registration): string[] {
    const own = [...this.#runs].filter(({ call }) => this.#owns(registration, call.toolName));
    return own.map(({ call }) => call.toolCallId);
  }

  /** The calls of these tools that wait for `retry`. */
  interrupted(registration: Registration): string[] {
    if (this.#isFollowing) return [];
    const left = this.#open().filter((part) => {
      const { isPassed, run } = this.#calls.get(part.toolCallId);
      return isPassed && !run && this.#owns(registration, toolNameOf(part));
    });
    return left.map(({ toolCallId }) => toolCallId);
  }

  retry(registration: Registration, toolCallId: string): void {
    if (!this.interrupted(registration).includes(toolCallId)) return;
    Object.assign(this.#calls.get(toolCallId), { isSeen: true, isPassed: false, isLost: false });
    this.#look();
  }

  #owns(registration: Registration, toolName: string): boolean {
    return this.#registered.get(toolName) === registration;
  }

  /** Aborts what runs for tools that nobody registered again. */
  #abandon(): void {
    for (const { call, controller } of this.#runs) {
      if (this.#registered.has(call.toolName) || controller.signal.aborted) continue;
      const known = this.#calls.get(call.toolCallId);
      known.isLost = known.isPassed;
      controller.abort(new DOMException('the tools were disposed of', 'AbortError'));
    }
    if (this.#registered.size > 0) return;
    for (const end of this.#subscriptions) end();
    this.#subscriptions = [];
  }

  #heard(event: GateEvent): void {
    if (event.type === 'transition' && !this.#isFollowing) {
      this.#calls.transition(event)?.run?.controller.abort(new DOMException('a newer call has its id', 'AbortError'));
    }
    if (event.type !== 'stopped') return;
    // The user stopped: nothing is run or continued by itself, and no result sets off a request.
    for (const [toolCallId, { toolName }] of this.#queue) this.#leave(toolCallId, toolName);
    for (const { controller } of this.#runs) controller.abort(new DOMException('the user stopped', 'AbortError'));
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
      if (!isToolPart(part) || part.providerExecuted || part.outcome) return false;
      const tool = this.#toolOf(toolNameOf(part));
      if (part.state === 'approval-responded') return tool !== undefined && part.approval.approved;
      return tool !== undefined && part.state === 'input-available' && (isOver || tool.needsApproval === false);
    });
  }

  #toolOf(name: string): BrowserTool | undefined {
    return own(this.#registered.get(name)?.tools, name);
  }

  /** The gate changed. */
  #look(): void {
    if (this.#registered.size === 0 || this.#isFollowing) return;
    const open = this.#open();
    for (const { call, controller } of this.#runs) {
      if (!this.#isUnsettled(call.toolCallId)) controller.abort(new DOMException('the call was closed', 'AbortError'));
    }
    for (const part of open) {
      const { toolCallId } = part;
      const toolName = toolNameOf(part);
      const known = this.#calls.get(toolCallId);
      if (known.isLost && !known.run) this.#interrupt(known, toolCallId, toolName);
      if (known.isPassed || this.#queue.has(toolCallId)) continue;
      if (known.isSeen) this.#queue.set(toolCallId, { toolCallId, toolName, input: part.input });
      else this.#leave(toolCallId, toolName);
    }
    this.#calls.forget(this.#gate.getSnapshot().messages);
    this.#next();
  }

  #isUnsettled(toolCallId: string): boolean {
    const parts = this.#gate.getSnapshot().messages.at(-1)?.parts ?? [];
    return parts.some((part) => isToolPart(part) && part.toolCallId === toolCallId && !part.outcome);
  }

  /** Starts what may start. */
  #next(): void {
    for (const [toolCallId, call] of this.#queue) {
      const registration = this.#registered.get(call.toolName);
      if (!registration || this.#calls.get(toolCallId).run) continue;
      const { concurrency = Infinity } = registration.options;
      if (this.running(registration).length < concurrency) void this.#run(call, registration);
    }
  }

  async #run(call: BrowserCall, registration: Registration): Promise<void> {
    const { toolCallId, toolName } = call;
    const run: Run = { call, controller: new AbortController(), registration };
    const known = this.#calls.get(toolCallId);
    known.run = run;
    this.#runs.add(run);
    try {
      if (!(await this.#claim(known, run))) return;
      this.#emit(run.registration, { type: 'started', toolCallId, toolName });
      const tool = own(run.registration.tools, toolName)!;
      const result = await runTool(tool, call, run.controller, (output) =>
        this.#emit(run.registration, { type: 'progress', toolCallId, toolName, output }),
      );
      // The id may be another call's by now.
      const isWanted = result !== undefined && this.#calls.get(toolCallId) === known;
      if (isWanted) this.#gate.addToolOutput(toolCallId, result);
      const how = !isWanted ? 'aborted' : 'output' in result ? 'executed' : 'failed';
      this.#emit(run.registration, { type: 'ended', toolCallId, toolName, how });
    } catch (error) {
      this.#emit(run.registration, { type: 'error', toolCallId, toolName, error });
      if (this.#calls.get(toolCallId) === known) this.#leave(toolCallId, toolName);
    } finally {
      this.#runs.delete(run);
      known.run = undefined;
      if (this.#queue.get(toolCallId) === call) this.#queue.delete(toolCallId);
      // What was aborted may be wanted again by now.
      this.#look();
    }
  }

  /** Whether the call is this page's to run, now and once. */
  async #claim(known: KnownCall<Run>, { call, controller, registration }: Run): Promise<boolean> {
    // What a crash brings back must be a call that was approved, or it would be asked for and run again.
    await internalsOf(this.#gate)?.persister?.claimed();
    const isOurs = (await registration.options.claim?.(call)) ?? true;
    if (controller.signal.aborted || this.#calls.get(call.toolCallId) !== known) return false;
    const isOpen = this.#open().some(({ toolCallId }) => toolCallId === call.toolCallId);
    if (isOpen && isOurs !== true) this.#leave(call.toolCallId, call.toolName);
    if (!isOpen || isOurs !== true || this.#isFollowing) return false;
    known.isPassed = true;
    return true;
  }

  /** A call that is not run by itself. */
  #leave(toolCallId: string, toolName: string): void {
    this.#queue.delete(toolCallId);
    const known = this.#calls.get(toolCallId);
    if (!known.isPassed) this.#interrupt(known, toolCallId, toolName);
  }

  /** Once for each call: listeners may register tools again with each event. */
  #interrupt(known: KnownCall<Run>, toolCallId: string, toolName: string): void {
    known.isPassed = true;
    known.isLost = false;
    const registration = this.#registered.get(toolName);
    if (registration) this.#emit(registration, { type: 'interrupted', toolCallId, toolName });
  }

  #emit({ options }: Registration, event: BrowserToolEvent): void {
    try {
      options.onEvent?.(event);
    } catch (error) {
      // The listener's failure is its own.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

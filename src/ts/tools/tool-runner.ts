/**
 * Runs the calls of the browser tools that are registered for one gate.
 *
 * The gate's view lists the calls that may run: approved calls, and calls without an approval once the reply has ended.
 * A call runs at most once: only calls that this page has seen from their beginning start automatically. Calls that
 * exist when the page loads, or when another tab closes, may have run already and are not started.
 *
 * Calls belong to the gate, not to a registration: an effect that registers its tools on each render takes over the
 * running calls.
 */
import { isFollowing, internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { own } from '../json/own-property.js';
import type { ToolGateError } from '../types/errors.js';
import type { GateEvent, ToolOutput, ToolPart } from '../types/index.js';
import { guarded } from '../types/report-uncaught.js';
import { callsOfStep, toolNameOf } from '../types/tool-part.js';
import { askAbout } from './ask-about.js';
import { KnownCalls, type KnownCall } from './known-calls.js';
import { registeredAlready } from './register-later.js';
import { runTool } from './run-tool.js';
import type { BrowserCall, BrowserTool, BrowserToolEvent, RegisterOptions, Tools } from './tool-types.js';

/** The arguments of one call of `registerTools`. */
export interface Registration {
  readonly tools: Tools;
  readonly options: RegisterOptions;
  /** Ends the approval requests about its calls. */
  stopAsking?: (() => void) | undefined;
}

/** A running call. */
interface Run {
  readonly call: BrowserCall;
  readonly controller: AbortController;
  /** The registration that receives its events: the one that contains its tool, or did so last. */
  registration: Registration;
}

/** Runs the tools of one gate. */
export class ToolRunner {
  readonly #gate: ToolGate;
  readonly #calls = new KnownCalls<Run>();
  /** The registrations by tool name. */
  readonly #registered = new Map<string, Registration>();
  readonly #runs = new Set<Run>();
  readonly #queue = new Map<string, BrowserCall>();
  #subscriptions: readonly (() => void)[] = [];

  constructor(gate: ToolGate) {
    this.#gate = gate;
  }

  /**
   * Throws a `TypeError` for a tool name that is registered already, and for a tool of the server that needs approval.
   */
  register(registration: Registration): void {
    const names = Object.keys(registration.tools);
    for (const name of names) if (this.#registered.has(name)) throw registeredAlready(name);
    registration.stopAsking = askAbout(this.#gate, registration.tools);
    for (const name of names) this.#registered.set(name, registration);
    for (const run of this.#runs) run.registration = this.#registered.get(run.call.toolName) ?? run.registration;
    if (this.#subscriptions.length === 0) {
      this.#subscriptions = [
        this.#gate.onEvent((event) => this.#onEvent(event)),
        this.#gate.subscribe(() => this.#update()),
      ];
    }
    this.#update();
  }

  /** Ends a registration. Does nothing if it has ended already. */
  dispose(registration: Registration): void {
    registration.stopAsking?.();
    for (const name of Object.keys(registration.tools)) {
      if (this.#owns(registration, name)) this.#registered.delete(name);
    }
    for (const [toolCallId, { toolName }] of this.#queue) {
      if (!this.#registered.has(toolName)) this.#queue.delete(toolCallId);
    }
    // An effect that runs again registers the same tools in the same task.
    queueMicrotask(() => this.#abortUnregistered());
  }

  /** The ids of running calls of these tools, the oldest first. */
  running(registration: Registration): string[] {
    const own = [...this.#runs].filter(({ call }) => this.#owns(registration, call.toolName));
    return own.map(({ call }) => call.toolCallId);
  }

  /** The ids of calls of these tools that wait for `retry`. */
  interrupted(registration: Registration): string[] {
    if (this.#isFollowing) return [];
    const waiting = this.#open().filter((part) => {
      const { isStarted, run } = this.#calls.get(part.toolCallId);
      return isStarted && !run && this.#owns(registration, toolNameOf(part));
    });
    return waiting.map(({ toolCallId }) => toolCallId);
  }

  retry(registration: Registration, toolCallId: string): void {
    if (!this.interrupted(registration).includes(toolCallId)) return;
    Object.assign(this.#calls.get(toolCallId), { isSeen: true, isStarted: false, isLost: false });
    this.#update();
  }

  #owns(registration: Registration, toolName: string): boolean {
    return this.#registered.get(toolName) === registration;
  }

  /** Aborts running calls of tools that were not registered again. */
  #abortUnregistered(): void {
    for (const { call, controller } of this.#runs) {
      if (this.#registered.has(call.toolName) || controller.signal.aborted) continue;
      const known = this.#calls.get(call.toolCallId);
      known.isLost = known.isStarted;
      abort(controller, 'the tools were disposed');
    }
    if (this.#registered.size > 0) return;
    for (const end of this.#subscriptions) end();
    this.#subscriptions = [];
  }

  #onEvent(event: GateEvent): void {
    if (event.type === 'transition' && !this.#isFollowing) {
      abort(this.#calls.transition(event)?.run?.controller, 'a newer call has its id');
    }
    if (event.type !== 'stopped') return;
    // After the user stopped, no call starts or continues automatically, and no result causes a request.
    for (const [toolCallId, { toolName }] of this.#queue) this.#skip(toolCallId, toolName);
    for (const { controller } of this.#runs) abort(controller, 'the user stopped');
  }

  /** Another tab is the leader for this gate, or may be. */
  get #isFollowing(): boolean {
    return isFollowing(this.#gate);
  }

  /** The calls of registered tools that may run now. */
  #open(): ToolPart[] {
    const view = this.#gate.getSnapshot();
    const { runnable, waitingFor } = view.turn;
    const ids = new Set(runnable);
    const awaited = new Set(waitingFor.flatMap((entry) => (entry.kind === 'tool' ? entry.toolCallIds : [])));
    if (ids.size + awaited.size === 0) return [];
    return callsOfStep(view).filter((part) => {
      const tool = this.#toolOf(toolNameOf(part));
      if (!tool || part.outcome) return false;
      // A tool that never needs an approval does not wait for the end of the reply.
      return ids.has(part.toolCallId) || (tool.needsApproval === false && awaited.has(part.toolCallId));
    });
  }

  #toolOf(name: string): BrowserTool | undefined {
    return own(this.#registered.get(name)?.tools, name);
  }

  /** Aborts, queues and starts calls after a change of the gate. */
  #update(): void {
    if (this.#registered.size === 0 || this.#isFollowing) return;
    const open = this.#open();
    for (const { call, controller } of this.#runs) {
      if (!this.#isUnsettled(call.toolCallId)) abort(controller, 'the call was closed');
    }
    for (const part of open) {
      const { toolCallId } = part;
      const toolName = toolNameOf(part);
      const known = this.#calls.get(toolCallId);
      if (known.isLost && !known.run) this.#interrupt(known, toolCallId, toolName);
      if (known.isStarted || this.#queue.has(toolCallId)) continue;
      if (known.isSeen) this.#queue.set(toolCallId, { toolCallId, toolName, input: part.input });
      else this.#skip(toolCallId, toolName);
    }
    this.#calls.forget(callsOfStep(this.#gate.getSnapshot()));
    this.#startQueued();
  }

  #isUnsettled(toolCallId: string): boolean {
    return callsOfStep(this.#gate.getSnapshot()).some((part) => part.toolCallId === toolCallId && !part.outcome);
  }

  /** Starts queued calls within the limits. */
  #startQueued(): void {
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
      // The id may belong to another call now.
      const isWanted = result !== undefined && this.#calls.get(toolCallId) === known;
      const how = !isWanted ? 'aborted' : this.#add(toolCallId, result) ? 'executed' : 'failed';
      this.#emit(run.registration, { type: 'ended', toolCallId, toolName, how });
    } catch (error) {
      this.#emit(run.registration, { type: 'error', toolCallId, toolName, error });
      if (this.#calls.get(toolCallId) === known) this.#skip(toolCallId, toolName);
    } finally {
      this.#runs.delete(run);
      known.run = undefined;
      if (this.#queue.get(toolCallId) === call) this.#queue.delete(toolCallId);
      // The aborted call may have been approved again meanwhile.
      this.#update();
    }
  }

  /**
   * Adds a result to the gate. Returns whether it is an output. The model reads the error of an output that no request
   * can contain.
   */
  #add(toolCallId: string, result: ToolOutput): boolean {
    try {
      this.#gate.addToolOutput(toolCallId, result);
      return 'output' in result;
    } catch (error) {
      const { code, message } = error as ToolGateError;
      if (code !== 'unserializable') throw error;
      this.#gate.addToolOutput(toolCallId, { errorText: `The tool ran, but its output cannot be sent. ${message}` });
      return false;
    }
  }

  /** Whether this page may run the call now. Marks it as started. */
  async #claim(known: KnownCall<Run>, { call, controller, registration }: Run): Promise<boolean> {
    // Store the approval first: otherwise a reload after a crash would ask for the approval and run the call again.
    await internalsOf(this.#gate)?.persister?.claimed();
    const isOurs = ((await registration.options.claim?.(call)) ?? true) === true;
    if (controller.signal.aborted || this.#calls.get(call.toolCallId) !== known) return false;
    if (!this.#open().some(({ toolCallId }) => toolCallId === call.toolCallId)) return false;
    if (!isOurs) this.#skip(call.toolCallId, call.toolName);
    else if (!this.#isFollowing) return (known.isStarted = true);
    return false;
  }

  /** Marks a call that must not start automatically. */
  #skip(toolCallId: string, toolName: string): void {
    this.#queue.delete(toolCallId);
    const known = this.#calls.get(toolCallId);
    if (!known.isStarted) this.#interrupt(known, toolCallId, toolName);
  }

  /** Emits `interrupted` once per call: listeners may register tools again on each event. */
  #interrupt(known: KnownCall<Run>, toolCallId: string, toolName: string): void {
    known.isStarted = true;
    known.isLost = false;
    this.#emit(this.#registered.get(toolName), { type: 'interrupted', toolCallId, toolName });
  }

  #emit(registration: Registration | undefined, event: BrowserToolEvent): void {
    // An error of a listener must not affect the run.
    guarded(() => registration?.options.onEvent?.(event));
  }
}

const abort = (controller: AbortController | undefined, why: string): void =>
  controller?.abort(new DOMException(why, 'AbortError'));

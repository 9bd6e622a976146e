/**
 * What stands before a gate that is kept: its own methods, put in the place of the class's.
 *
 * While another tab leads, the gate sends nothing, reads nothing, and what the user does is done here at once, for the
 * screen and for errors, and told to whoever has to know. Nothing is decided here.
 */
import { encode } from '../encode.js';
import { portOf, type Act } from '../keeping.js';
import { ToolGate } from '../store.js';
import type { JSONValue, ResponseToAll } from '../types.js';

/** What the user does. */
const ACTS = [
  'respond',
  'respondAll',
  'sendUserMessage',
  'regenerate',
  'cancel',
  'stop',
  'resume',
  'addToolOutput',
  'retry',
  'forget',
] as const;

const NOTHING: readonly never[] = Object.freeze([]);
const nothing = (): void => {};

/** What is left of a gate while another tab sends for it. */
const SILENT = { outgoing: () => NOTHING, claim: () => false };

/** And while another tab reads for it. A history that is loaded is not the chat that is shown. */
const DEAF = {
  markSent: nothing,
  markFailed: nothing,
  receive: nothing,
  streamEnded: nothing,
  load: () => ({ repairs: [] }),
  tick: nothing,
  nextDeadline: () => null,
};

type Method = (...args: unknown[]) => unknown;

/** A gate's front. */
export class Front {
  readonly #gate: ToolGate;
  readonly #onAct: (act: JSONValue) => void;

  /** `onAct` is told of each act that the gate accepted, encoded. */
  constructor(gate: ToolGate, onAct: (act: JSONValue) => void) {
    this.#gate = gate;
    this.#onAct = onAct;
  }

  /** Another tab sends, or may. */
  follow(): void {
    this.#put({ ...SILENT, ...DEAF });
    for (const method of ACTS) this.#put({ [method]: (...args: unknown[]) => this.#act(method, args) });
  }

  /** This tab sends: the gate is as it was. */
  lead(): void {
    for (const method of [...Object.keys(SILENT), ...Object.keys(DEAF), ...ACTS]) Reflect.deleteProperty(this.#gate, method);
  }

  /** Nobody keeps the gate any more: it sends nothing, and is as it was otherwise. */
  retire(): void {
    this.lead();
    this.#put(SILENT);
  }

  /** Does to a gate that leads what the user did, in this tab or another one. Throws what the gate throws. */
  perform({ method, args, note }: Act): void {
    const companion = portOf(this.#gate)?.companion;
    if (!ACTS.some(name => name === method)) return;
    if (companion) companion.perform({ method, args: toCall(method, args), note });
    // As the app would: nothing of the keeper's stands before it now, and a recorder that does must see it.
    else (this.#gate[method as 'respond'] as Method)(...toCall(method, args));
  }

  /** Does to the gate alone, for the screen, what the user did here. What is refused now was not refused then. */
  replay({ method, args }: Act): void {
    try {
      callOf(method).apply(this.#gate, toCall(method, args));
    } catch {
      // The tab that leads has decided otherwise.
    }
  }

  #act(method: (typeof ACTS)[number], given: unknown[]): unknown {
    const args = this.#told(method, given);
    const note = portOf(this.#gate)?.companion?.note;
    // First: what cannot be told to another tab must not be shown as done.
    const act = encode(note === undefined ? { method, args } : { method, args, note }, method);
    const result = callOf(method).apply(this.#gate, toCall(method, args));
    if (result !== 'duplicate') this.#onAct(act);
    return result;
  }

  /** The arguments as they can be told: a function cannot, and an id must be the same in each tab. */
  #told(method: string, args: unknown[]): unknown[] {
    const [first, ...rest] = args;
    if (method === 'respondAll' && typeof first === 'object' && first !== null) {
      // All that are shown here: not those that the other tab may know of by then.
      const response = first as ResponseToAll;
      const chosen = this.#gate.pending().filter(response.where ?? (() => true));
      return [{ ...response, where: chosen.map(({ approvalId }) => approvalId) }, ...rest];
    }
    if (method === 'sendUserMessage' && typeof first === 'object' && first !== null) {
      const { id } = first as { id?: unknown };
      return typeof id === 'string' ? args : [{ ...first, id: portOf(this.#gate)?.env.freshId() }, ...rest];
    }
    return args;
  }

  #put(methods: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(methods)) {
      Object.defineProperty(this.#gate, name, { value, configurable: true, writable: true });
    }
  }
}

/** The method of the class: what stands before the gate is not asked. */
function callOf(method: string): Method {
  return ToolGate.prototype[method as (typeof ACTS)[number]] as Method;
}

/** The arguments as the gate takes them. */
function toCall(method: string, args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args;
  const where = (first as { where?: unknown } | null | undefined)?.where;
  if (method !== 'respondAll' || !Array.isArray(where)) return [...args];
  const chosen = new Set<unknown>(where);
  return [{ ...(first as ResponseToAll), where: ({ approvalId }: { approvalId: string }) => chosen.has(approvalId) }, ...rest];
}

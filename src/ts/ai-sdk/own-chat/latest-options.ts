/**
 * The options of a chat of `useGuardedChat`, as the driver reads them. They may be used by several components, and each
 * may pass other options with each render: each option is read when it is needed, from the component that rendered last
 * and has it.
 */
import { randomId } from '../../json/random-id.js';
import type { ChatHost, ChunkStream, Transport } from '../chat-host.js';
import type { GuardOptions } from '../guard-options.js';
import type { Persisted } from '../waiting/gated-chat.js';

/** The options of `useGuardedChat`. The types for apps, which depend on `ai`, are in the bindings. */
export interface OwnChatOptions extends Partial<Omit<ChatHost, 'queueEnabled'>>, GuardOptions {
  readonly messages?: readonly unknown[];
  readonly experimental_queue?: boolean;
  readonly throttle?: number;
  readonly experimental_throttle?: number;
  readonly resume?: boolean;
  readonly persist?: (chat: never) => PromiseLike<Persisted>;
}

/** The options that one component passes. */
export interface OptionsSource {
  /** The options of its last render. */
  readonly options: OwnChatOptions;
  /** When it rendered last: a later one has a higher number. */
  readonly renderedAt: number;
}

type GateOptions = NonNullable<GuardOptions['gate']>;

/** The options of `gate` that are functions and may use the state of a component. */
const GATE_FUNCTIONS = ['needsApproval', 'rewriteResult'] as const;

/** The options that are read as they are. */
const PLAIN_OPTIONS = [
  'messageMetadataSchema',
  'dataPartSchemas',
  'onToolCall',
  'onData',
  'onFinish',
  'onError',
  'sendAutomaticallyWhen',
] as const;

export interface LatestOptions extends Pick<ChatHost, (typeof PLAIN_OPTIONS)[number]> {}

/** The newest options of one chat. */
export class LatestOptions implements ChatHost {
  readonly transport: Transport;

  readonly #sources = new Set<OptionsSource>();
  /** Called when the chat generates its id. */
  readonly #onId: (id: string) => void;
  #id: string | undefined;

  constructor(first: OptionsSource, onId: (id: string) => void) {
    this.#sources.add(first);
    this.#id = first.options.id;
    this.#onId = onId;
    for (const name of PLAIN_OPTIONS) Object.defineProperty(this, name, { get: () => this.#latest(name) });
    const current = async (): Promise<Transport> => this.#latest('transport') ?? (await loadDefault());
    const latest = (): boolean | undefined => this.#latest('transport')?.resumeStreamIsReplay;
    this.transport = {
      sendMessages: async (request): Promise<ChunkStream> => (await current()).sendMessages(request),
      reconnectToStream: async (request): Promise<ChunkStream | null> => (await current()).reconnectToStream(request),
      // No `close`: the component may use its transport for the next chat.
      get resumeStreamIsReplay() {
        return latest() ?? true;
      },
    };
  }

  /** Removes the options of all components, because another one is mounted as the only one. */
  reset(): void {
    this.#sources.clear();
  }

  /** Adds a component's options. */
  add(source: OptionsSource): void {
    this.#sources.add(source);
  }

  /** Removes a component's options, unless they are the last ones: a reply may still need them. */
  remove(source: OptionsSource): void {
    if (this.#sources.size > 1) this.#sources.delete(source);
  }

  /** The gate's options of the first component. Their functions are replaced by the newest ones. */
  get gate(): GateOptions {
    const given = this.#latest('gate') ?? {};
    const late = GATE_FUNCTIONS.filter((name) => given[name]).map((name) => {
      const call = (argument: never): unknown => (this.#latest('gate')?.[name] ?? given[name]!)(argument);
      return [name, call] as const;
    });
    return { ...given, ...Object.fromEntries(late) };
  }

  /** Generated on the first read, if no component has passed an id. */
  get id(): string {
    if (this.#id === undefined) this.#onId((this.#id = this.generateId()));
    return this.#id;
  }

  generateId(): string {
    return (this.#latest('generateId') ?? randomId)();
  }

  get persist(): ((chat: object) => PromiseLike<Persisted>) | undefined {
    return this.#latest('persist') as ((chat: object) => PromiseLike<Persisted>) | undefined;
  }

  get queueEnabled(): boolean {
    return this.#latest('experimental_queue') === true;
  }

  #latest<NAME extends keyof OwnChatOptions>(name: NAME): OwnChatOptions[NAME] {
    let found: { readonly value: OwnChatOptions[NAME]; readonly renderedAt: number } | undefined;
    for (const { options, renderedAt } of this.#sources) {
      const value = options[name];
      if (value !== undefined && renderedAt >= (found?.renderedAt ?? 0)) found = { value, renderedAt };
    }
    return found?.value;
  }
}

/** The transport for apps that pass none. Loaded when it is first needed, because most apps pass one. */
async function loadDefault(): Promise<Transport> {
  const { defaultTransport } = await import('./default-transport.js');
  return defaultTransport;
}

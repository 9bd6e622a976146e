/**
 * Reads the events of `client.threads.stream`: each is an envelope with a method and a namespace, which is empty for
 * the graph itself. Source: `protocol.ts` of `@langchain/protocol` 0.0.21.
 *
 * Messages arrive as content blocks, and become chunks of messages. Events of subgraphs are not part of the chat, but
 * their interrupts are: each names the namespace that its answer needs.
 */
import { asList } from '../shared/history.js';
import type { GraphInterrupt, RunFields } from './interrupts.js';
import type { Use } from './message.js';

/** What an event of a thread is about: the fields of all its kinds. Reading one without them throws. */
export interface ThreadEvent {
  readonly method?: string;
  readonly params: { readonly namespace?: readonly string[]; readonly node?: unknown; readonly data: ThreadData };
}
type Texts = Partial<Readonly<Record<'interrupt_id' | 'node' | 'id' | 'role' | 'error', string>>>;
interface ThreadData extends RunFields, Texts {
  readonly interrupt_ids?: readonly string[];
  readonly payload?: unknown;
  readonly values?: unknown;
  readonly event: string;
  readonly index?: unknown;
  readonly content: ThreadBlock;
  readonly delta?: ThreadBlock;
}
interface ThreadBlock extends Use {
  readonly text?: string;
  readonly reasoning?: string;
}

/** Reads the events of one thread. */
export class ThreadEvents {
  readonly #read: (event: string, data: object) => boolean;
  readonly #ask: (interrupts: readonly GraphInterrupt[]) => void;
  readonly #answered: (interrupts: readonly unknown[]) => void;
  /** The assistant's messages that are arriving, by their nodes. */
  readonly #messages = new Map<unknown, unknown>();

  /**
   * `read`: reads an event of `client.runs.stream`. `ask`: asks for interrupts. `answered`: closes the requests of
   * interrupts.
   */
  constructor(
    read: (event: string, data: object) => boolean,
    ask: (interrupts: readonly GraphInterrupt[]) => void,
    answered: (interrupts: readonly unknown[]) => void,
  ) {
    this.#read = read;
    this.#ask = ask;
    this.#answered = answered;
  }

  /** Reads one event. Returns whether it is known. */
  read({ method, params: { namespace, node, data } }: ThreadEvent): boolean {
    if (method === 'input.requested')
      this.#ask([{ id: data.interrupt_id, value: data.payload, namespace: asList(namespace) }]);
    else if (method === 'input.answered') this.#answered(asList(data.interrupt_ids));
    else if (asList(namespace).length) return false;
    else if (method === 'messages') this.#readMessage(node, data);
    else if (method === 'values') this.#read(method, data);
    else if (method === 'updates') this.#read(method, { [data.node ?? '']: data.values });
    else if (method === 'lifecycle') this.#readLifecycle(data);
    else return false;
    return true;
  }

  #readLifecycle({ event, error }: ThreadData): void {
    if (/^(started|running)$/.test(event)) this.#read('metadata', {});
    else if (event === 'failed') this.#read('error', { message: error });
  }

  #readMessage(node: unknown, { event, id: given, role, index, content, delta, message }: ThreadData): void {
    if (event === 'message-start') this.#messages.set(node, role === 'ai' ? given : undefined);
    if (event === 'error') this.#read('error', { message });
    const id = this.#messages.get(node);
    if (id === undefined) return;
    const piece = (more: object): unknown => this.#read('messages', [{ type: 'ai', id, content: '', ...more }]);
    const { type, text, reasoning, args } = delta ?? content ?? {};
    if (/^content-block-(start|delta)$/.test(event)) {
      if (text || reasoning) piece({ content: [{ type, text, reasoning }] });
      // A `block-delta` replaces what came before. The finished block has all of it.
      else if (/^tool.call/.test(`${type}`) && (delta || content.id))
        piece({ tool_call_chunks: [{ index, id: content?.id, name: content?.name, args }] });
    } else if (event === 'content-block-finish' && type === 'tool_call') {
      // The message's other calls are known.
      this.#read('messages', [{ type: 'ai', id, content: '', tool_calls: [content] }]);
    }
  }
}

/**
 * The messages of all views of a gate. There is one list, which changes in place while no view shows it: a changed part
 * costs the same in a message of ten parts and of ten thousand. A list that a view shows is copied before it changes.
 * A view whose messages have not been read notes the later changes, and undoes them in a copy when they are read.
 */
import { NONE } from '../../types/empty-list.js';
import type { GateMessage, GatePart } from '../../types/index.js';

/** How to undo a change. `part` is -1 for a whole message; `before` is undefined for what was added. */
interface Undo {
  readonly message: number;
  readonly part: number;
  readonly before: GateMessage | GatePart | undefined;
}

/**
 * After this many views whose messages have not been read, the next view gets a list at once, so that earlier views do
 * not collect more notes.
 */
const MAX_UNREAD = 64;

/** The messages at one time. */
export class Version {
  readonly #source: MessageList;
  /** The messages, once they have been read. */
  list: GateMessage[] | undefined = undefined;
  /** The changes after this version, and the version that they led to. */
  undo: Undo[] | undefined = undefined;
  next: Version | undefined = undefined;

  constructor(source: MessageList) {
    this.#source = source;
  }

  /** The messages. It is the same list each time. */
  read(): GateMessage[] {
    this.list ??= this.#source.read(this);
    this.undo = this.next = undefined;
    return this.list;
  }

  /** The messages. The caller must not keep the list. */
  peek(): readonly GateMessage[] {
    return this.list ?? this.#source.peek(this);
  }

  /** The last message, if the list is not empty. The caller must not keep it. */
  last(): GateMessage | undefined {
    return this.peek().at(-1);
  }
}

/** The messages of one gate. */
export class MessageList {
  #messages: GateMessage[] = [];
  /** Whether a view shows the list. */
  #isShown = false;
  /** The messages that no view shows: copies, which may change. */
  #unshown: readonly GateMessage[] = NONE;
  /** The newest version, and whether something changed since. */
  #version: Version | undefined;
  #isChanged = false;
  #unread = 0;

  /** The messages now. The caller must not keep the list. */
  get now(): readonly GateMessage[] {
    return this.#messages;
  }

  /** The present version. */
  version(): Version {
    const last = this.#version;
    if (last && !this.#isChanged) return last;
    const made = new Version(this);
    if (last && !last.list) last.next = made;
    this.#isChanged = false;
    if (++this.#unread > MAX_UNREAD) made.read();
    return (this.#version = made);
  }

  /** Drops all messages. Versions keep theirs. */
  clear(): void {
    const last = this.#version;
    // Earlier versions undo their changes from the list of this one.
    last?.read();
    this.#messages = [];
    this.#version = undefined;
    this.#isShown = false;
    this.#unshown = NONE;
  }

  /** Removes the messages from `count` on. */
  cut(count: number): void {
    for (let index = this.#messages.length - 1; index >= count; index--) this.#note(index, -1, this.#messages[index]);
    if (this.#messages.length > count) this.#own().length = count;
  }

  /** Replaces a message, or adds one at the end. */
  put(index: number, message: GateMessage): void {
    this.#note(index, -1, this.#messages[index]);
    this.#own()[index] = message;
  }

  /** Replaces a part of a message, or adds one at its end. */
  putPart(index: number, part: number, now: GatePart): void {
    const messages = this.#own();
    const message = messages[index] as GateMessage;
    this.#note(index, part, message.parts[part]);
    if (this.#unshown.includes(message)) {
      message.parts[part] = now;
      return;
    }
    const parts = message.parts.slice();
    parts[part] = now;
    const copy = withParts(message, parts);
    messages[index] = copy;
    this.#unshown = [...this.#unshown, copy];
  }

  /** The messages of a version, for it to keep. */
  read(version: Version): GateMessage[] {
    if (version !== this.#version || this.#isChanged) return this.#undone(version);
    // The next change copies what this version shows.
    this.#isShown = true;
    this.#unshown = NONE;
    this.#unread = 0;
    return this.#messages;
  }

  /** The messages of a version. The caller must not keep the list. */
  peek(version: Version): readonly GateMessage[] {
    return version === this.#version && !this.#isChanged ? this.#messages : version.read();
  }

  /** The list, which may be changed. */
  #own(): GateMessage[] {
    this.#isChanged = true;
    if (this.#isShown) this.#messages = this.#messages.slice();
    this.#isShown = false;
    return this.#messages;
  }

  #note(message: number, part: number, before: GateMessage | GatePart | undefined): void {
    const last = this.#version;
    if (last && !last.list) (last.undo ??= []).push({ message, part, before });
  }

  /** The messages of an earlier version: those of the next one that has a list, with all changes since undone. */
  #undone(version: Version): GateMessage[] {
    const chain: Version[] = [];
    let from: Version | undefined = version;
    for (; from && !from.list; from = from.next) chain.push(from);
    const list = (from?.list ?? this.#messages).slice();
    const copied = new Set<number>();
    for (let at = chain.pop(); at; at = chain.pop()) {
      const { undo = NONE } = at;
      for (let i = undo.length - 1; i >= 0; i--) undoChange(list, copied, undo[i] as Undo);
    }
    return list;
  }
}

/** The properties of most messages, in the order in which they are made. */
const PLAIN: readonly string[] = ['id', 'role', 'parts'];

/** A copy of a message with other parts, and with its keys in the same order. */
function withParts(message: GateMessage, parts: GatePart[]): GateMessage {
  let at = 0;
  for (const key in message) if (key !== PLAIN[at++]) return { ...message, parts };
  // Spread syntax takes fifty times as long for a copy of a copy. V8 allocates the objects of a literal in the old
  // generation if the first ones lived long. A dead copy keeps its list of parts there until a full collection.
  const copy = {} as { -readonly [K in keyof GateMessage]: GateMessage[K] };
  copy.id = message.id;
  copy.role = message.role;
  copy.parts = parts;
  return copy;
}

/** Undoes a change. `copied`: the messages of the list that may be changed. */
function undoChange(list: GateMessage[], copied: Set<number>, { message, part, before }: Undo): void {
  if (part < 0) {
    copied.delete(message);
    if (before) list[message] = before as GateMessage;
    else list.length = message;
    return;
  }
  const now = list[message] as GateMessage;
  if (!copied.has(message)) list[message] = withParts(now, now.parts.slice());
  copied.add(message);
  const { parts } = list[message] as GateMessage;
  if (before) parts[part] = before as GatePart;
  else parts.length = part;
}

/**
 * Indexes the old turns of a history: reads the ids of their messages and settled calls, so that the core need not
 * read each value through the host. `src/wire/ai_sdk/load_index.rs` has the order of the numbers.
 *
 * Only plain messages are indexed, in which every value has the type that its schema requires, and every call has its
 * output. The core reads everything else itself, and repairs it.
 */
import { copyAll, isArray, own, type Bag } from '../../json/safe-reading.js';
import type { HandleTable } from '../../wasm/handle-table.js';

/** The roles, in the order of the Rust enum `Role`. */
const ROLES: readonly unknown[] = ['system', 'user', 'assistant'];

/** The number for a message that is not indexed. */
const UNREAD = 0;

// The tags of parts.
const STEP_START = 0;
const CONTENT = 1;
const CALL = 2;

/** The types of content that are indexed, in the order of the Rust enum `Kind`. */
const CONTENT_KINDS: readonly string[] = ['text', 'reasoning'];

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['id', 'role', 'parts']);

const CALL_FIELDS: ReadonlySet<string> = new Set(['type', 'toolCallId', 'state', 'input', 'output']);

/** The index of a history. */
export interface HistoryIndex {
  readonly numbers: readonly number[];
  /** The messages that are indexed, in their order. */
  readonly messages: readonly unknown[];
}

/** Indexes the messages before the last user message. Never throws. */
export function indexHistory(history: readonly unknown[], handles: HandleTable): HistoryIndex {
  const numbers: number[] = [];
  const messages: unknown[] = [];
  let length = 0;
  try {
    const end = history.findLastIndex((message) => own(message, 'role') === 'user');
    for (let at = 0; at < end; at++) {
      const message = history[at] as Bag;
      if (addMessage(numbers, message, handles)) messages.push(message);
      else {
        numbers.length = length;
        numbers.push(UNREAD);
      }
      length = numbers.length;
    }
  } catch {
    // A proxy or a getter threw. The core reads such values safely.
    numbers.length = length;
  }
  return { numbers, messages };
}

function isPlain(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Adds a message: its role plus 1, its id, its other properties, the number of its parts, and the parts. Returns false
 * if it cannot be indexed; some numbers may have been added then.
 */
function addMessage(to: number[], message: unknown, handles: HandleTable): boolean {
  if (!isPlain(message)) return false;
  const { id, parts } = message;
  const role = ROLES.indexOf(message['role']);
  if (typeof id !== 'string' || role < 0 || !isArray(parts) || parts.length === 0) return false;
  let hasFields = false;
  for (const key in message) {
    if (key === 'content') return false;
    hasFields ||= !MESSAGE_FIELDS.has(key);
  }
  const fields = hasFields ? handles.hold(copyAll(message, {}, MESSAGE_FIELDS)) : 0;
  to.push(role + 1, handles.idOf(id) + 1, fields, parts.length);
  for (let at = 0; at < parts.length; at++) if (!addPart(to, parts[at], handles)) return false;
  return true;
}

function addPart(to: number[], part: unknown, handles: HandleTable): boolean {
  if (!isPlain(part)) return false;
  const { type } = part;
  if (type === 'step-start') return (to.push(STEP_START), true);
  const kind = CONTENT_KINDS.indexOf(type as string);
  if (kind < 0) return typeof type === 'string' && addCall(to, part, type, handles);
  if (typeof part['text'] !== 'string') return false;
  for (const key in part) {
    if (key === 'filename' || key === 'title' || key === 'providerReference') return false;
    if (key === 'providerMetadata' && !isPlain(part[key])) return false;
  }
  to.push(CONTENT, kind, handles.hold(part));
  return true;
}

/** Adds a call that has its output: its id, its tool, whether it is dynamic, its other properties, input and output. */
function addCall(to: number[], part: Bag, type: string, handles: HandleTable): boolean {
  const isDynamic = type === 'dynamic-tool';
  const tool = isDynamic ? part['toolName'] : type.startsWith('tool-') ? type.slice('tool-'.length) : undefined;
  const { toolCallId, input, output } = part;
  if (typeof tool !== 'string' || typeof toolCallId !== 'string' || part['state'] !== 'output-available') return false;
  if (input === undefined || output === undefined || output === null) return false;
  let metadata: Bag | undefined;
  for (const key in part) {
    if (key === 'callProviderMetadata') {
      // The core reads the outcome that Toolgate stored in it.
      if (!isPlain(part[key]) || 'toolgate' in part[key]) return false;
      metadata = part[key];
    } else if (!CALL_FIELDS.has(key) && !(isDynamic && key === 'toolName')) return false;
  }
  const fields = metadata ? handles.hold({ callProviderMetadata: metadata }) : 0;
  to.push(CALL, handles.idOf(toolCallId) + 1, handles.idOf(tool) + 1, Number(isDynamic), fields);
  to.push(handles.hold(input), handles.hold(output));
  return true;
}

/**
 * Writes and reads histories for all protocols; a codec supplies its own message format.
 *
 * Writing: each step is followed by the results of its calls. A call without a result is omitted if the protocol cannot
 * express one. Reading: calls and results are matched by id and position, or by name if the protocol has no ids. Parts
 * that cannot be read are omitted and reported, one by one.
 */
import { Calls } from './calls.js';
import type { Call, CallOutput, CallResult, Context, Entry, Kept, Part } from './codec.js';
import { hasMoreThanText, partsOfMcp, textOfParts } from './content.js';
import { isToolCall, resultOf, setContent, setResult } from './history.js';
import { unusedId } from './call-ids.js';
import { isStandIn } from './stand-ins.js';
import type { Wire } from './wire.js';
import { WrittenHistory, writtenIn } from './written-history.js';

/** Where a history is being written. */
export interface Writing {
  readonly context: Context;
  /** The entry that is being written, and its index. */
  readonly entry: Entry;
  readonly at: number;
  /** Whether the entry is the request's open step. */
  readonly isOpen: boolean;
  /** Whether no entry follows. What depends on it calls `written.unsettle()`. */
  readonly isLast: boolean;
  readonly request: WrittenRequest | undefined;
  /** What was written before the entry. */
  readonly written: WrittenHistory;
}

/** The request for which a history is written, as far as the protocol needs it. */
export interface WrittenRequest {
  /** The open step, whose decisions or results the request carries. A message of the user is none. */
  readonly step: Entry | undefined;
  readonly [more: string]: unknown;
}

/**
 * How a protocol writes its messages: one object for all requests, because a written entry is used again while the
 * entry is the same object. What is written may depend on earlier entries through `written`, and on nothing else that
 * may change. An entry that depends on what follows it calls `written.unsettle()`; the open step is always written
 * again.
 *
 * `MESSAGE`: a message. `ITEM`: what a message contains.
 */
export interface HistoryFormat<MESSAGE, ITEM> {
  /** Makes a message from its parts; with the role `tool`, from the results of the step. */
  message(role: Entry['role'] | 'tool', parts: ITEM[], writing: Writing): MESSAGE | readonly MESSAGE[];
  /**
   * Writes a call: the items for its step, and the items that answer it. `result` is missing only if `open` allows it.
   */
  call(call: Call, result: CallResult, id: string, writing: Writing): [said: ITEM[], answers?: ITEM[]];
  /** Writes any other part; returns undefined if the protocol cannot express it. */
  part(part: Exclude<Part, Call>, role: Entry['role'], writing: Writing): ITEM | readonly ITEM[] | undefined;
  /** Whether a call may be written without a result. */
  open?(call: Call, writing: Writing): boolean;
  /** Whether `call` writes the parts of a result (`CallResult.content`), and reports those that it cannot express. */
  hasContent?: boolean;
  /** Makes an id that the protocol accepts. */
  id?(id: string): string;
  /**
   * Whether call ids must be unique in the whole history. If so, a repeated id is replaced in the later call and its
   * result.
   */
  isUnique?: boolean;
}

/**
 * Writes the whole history in a protocol's own format. Entries that the previous request contained are not written
 * again: their messages are the same objects.
 */
export const writeHistory = <MESSAGE, ITEM>(
  entries: readonly Entry[],
  context: Context,
  format: HistoryFormat<MESSAGE, ITEM>,
  request?: WrittenRequest,
): MESSAGE[] => write(entries, context, format, writtenIn(context.written, format), request);

/** Writes some entries of a history. Nothing is kept for the next request. */
export const writeEntries = <MESSAGE, ITEM>(
  entries: readonly Entry[],
  context: Context,
  format: HistoryFormat<MESSAGE, ITEM>,
): MESSAGE[] => write(entries, context, format, new WrittenHistory());

function write<MESSAGE, ITEM>(
  entries: readonly Entry[],
  context: Context,
  format: HistoryFormat<MESSAGE, ITEM>,
  written: WrittenHistory,
  request?: WrittenRequest,
): MESSAGE[] {
  const step = request?.step?.role === 'assistant' ? entries.lastIndexOf(request.step) : -1;
  const writeOne = (entry: Entry, at: number): MESSAGE[] => {
    if (at === step) written.unsettle();
    const isLast = at === entries.length - 1;
    return writeEntry(format, { context, entry, at, isOpen: at === step, isLast, request, written });
  };
  return written.of(entries, writeOne, step < 0 ? undefined : step);
}

function writeEntry<MESSAGE, ITEM>(format: HistoryFormat<MESSAGE, ITEM>, writing: Writing): MESSAGE[] {
  const { context, written } = writing;
  const { role, content } = writing.entry;
  const answers: ITEM[] = [];
  // Within a step ids are always unique: a result must belong to one call only.
  const used = format.isUnique ? written.ids : new Set<string>();
  const said = content.flatMap((part): ITEM | readonly ITEM[] => {
    if (isStandIn(part)) return [];
    if (!isToolCall(part)) {
      const item = attempt(() => format.part(part, role, writing));
      if (item === undefined && (part.type !== 'text' || part.text))
        context.reportLoss(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
      return item ?? [];
    }
    const { toolCallId } = part;
    const known = resultOf(part, context.texts) as CallResult;
    const parts =
      known?.kind === 'executed' && !known.content && format.hasContent ? partsOfMcp(known.value) : undefined;
    const result = parts ? { ...known, content: parts, text: textOfParts(parts), value: textOfParts(parts) } : known;
    if (!result && !format.open?.(part, writing)) {
      context.reportLoss('pending', toolCallId);
      return [];
    }
    if (result?.content && !format.hasContent && hasMoreThanText(result.content))
      context.reportLoss('content', toolCallId);
    const id = unusedId(format.id?.(toolCallId) ?? toolCallId, used);
    if (id !== toolCallId) context.reportLoss('id', toolCallId);
    if (result && part.response?.approved) context.reportLoss('approval', toolCallId);
    if (result?.kind === 'failed') context.reportLoss('failed', toolCallId);
    if (result && typeof result.value !== 'string') context.reportLoss('json', toolCallId);
    // Metadata that a backend attached to a call may be damaged. Then the call is written without it.
    const [items, answer = []] =
      attempt(() => format.call(part, result, id, writing)) ?? format.call(withoutMetadata(part), result, id, writing);
    answers.push(...answer);
    return items;
  });
  return [
    said.length ? format.message(role, said, writing) : [],
    answers.length ? format.message('tool', answers, writing) : [],
  ].flat() as MESSAGE[];
}

/** Calls a function, and returns undefined if it throws. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function withoutMetadata({ providerOptions: _, result, ...call }: Call): Call {
  const { providerOptions: __, ...rest } = result ?? ({} as CallOutput);
  return { ...call, ...(result && { result: rest }) };
}

/** The result of a call in a history. */
export interface CallAnswer {
  readonly answers: string | undefined;
  /** The tool's name, if the protocol has no call ids. */
  readonly name?: string;
  readonly value: unknown;
  /** The parts of the result, if it consists of parts. They take precedence over `value`. */
  readonly content?: readonly Part[];
  readonly failed?: boolean;
  /** Metadata of the result. The core has a place for it only if the provider ran the call; else the call keeps it. */
  readonly meta?: Kept | undefined;
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'];

/** What a codec reads: a part, which is checked before it is used, or a result. */
export type Parsed = Wire<Part> | CallAnswer;

/**
 * Reads a history from a protocol's messages. `parse` converts one part; it returns undefined for a part that it has
 * applied itself, and `null` for a part whose call is missing. A flat history (`isFlat`) is a list of single items
 * instead of messages: the assistant's items form one step, which ends with an item that answers a call. Messages and
 * parts for which `partsOf` or `parse` throws are omitted and reported one by one. If calls of one step share an id,
 * all but the first get a new one.
 */
export function readHistory<MESSAGE, PART>(
  history: readonly MESSAGE[],
  { texts, reportRepair }: Pick<Context, 'texts' | 'reportRepair'>,
  partsOf: (message: MESSAGE) => [role: Entry['role'] | undefined, parts: readonly PART[]],
  parse: (part: PART, calls: Calls) => Parsed | undefined | null,
  isFlat = false,
): Entry[] {
  const entries: Entry[] = [];
  const calls = new Calls();
  let isOpen = false;

  const answer = ({ answers, name, value, content, failed = false, meta }: CallAnswer): void => {
    const isNamed = name !== undefined && (answers === undefined || !calls.get(answers));
    const call = isNamed
      ? calls.firstWithout('result', (one) => one.toolName === name)
      : calls.withoutResult(answers as string);
    const id = typeof answers === 'string' ? answers : undefined;
    if (call && meta && !call.providerExecuted)
      for (const [name, kept] of Object.entries(meta))
        call.providerOptions = { ...call.providerOptions, [name]: { ...call.providerOptions?.[name], ...kept } };
    if (call && content) setContent(call, content, failed === true, texts, meta);
    else if (call) {
      if (value === undefined)
        reportRepair(
          'invalid-value',
          `The result of call ${quoted(call.toolCallId)} has no value; null is used.`,
          call.toolCallId,
        );
      setResult(call, value ?? null, failed === true, texts, meta);
    } else if (id !== undefined && calls.get(id)) {
      reportRepair('duplicate-call', `Omitted a second result of call ${quoted(id)}.`, id);
    } else {
      reportRepair('orphaned', `Omitted a result without a call.`, id);
    }
  };

  history.forEach((message, place) => {
    const [role, parts] = (isObject(message) && attempt(() => partsOf(message))) || [];
    if (!ROLES.includes(role) || !Array.isArray(parts))
      return reportRepair('malformed', `Omitted message ${place}: it could not be read.`);
    const continuesStep = isFlat && isOpen && role === 'assistant';
    const content = continuesStep ? (entries.at(-1) as Entry).content : [];
    const lengthBefore = content.length;
    if (role === 'assistant' && !continuesStep) calls.nextStep();
    if (role !== 'assistant' && !parts.length)
      reportRepair('malformed', `Omitted message ${place}: it has no content.`);
    parts.forEach((raw, position) => {
      const omit = (): void =>
        reportRepair('malformed', `Omitted part ${position} of message ${place}: it could not be read.`);
      let part: Parsed | undefined | null;
      if (!isObject(raw)) return omit();
      try {
        part = parse(raw, calls);
      } catch {
        return omit();
      }
      if (part && 'type' in part) {
        if (!isComplete(part)) return omit();
        const { answeredAs, ...own } = part;
        if (isToolCall(own)) calls.addDistinct(own, answeredAs);
        content.push(own);
        return;
      }
      isOpen = false;
      if (part === null) reportRepair('orphaned', `Omitted part ${position} of message ${place}: its call is missing.`);
      else if (part) answer(part as CallAnswer);
    });
    if (content.length > lengthBefore) isOpen = role === 'assistant';
    if (content.length && !lengthBefore) entries.push({ role: role as Entry['role'], content });
  });
  return entries;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a part has the fields that its type requires. */
function isComplete(part: Wire<Part>): part is Part {
  const { type, text, toolCallId, toolName } = part;
  if (type === 'text' || type === 'reasoning') return typeof text === 'string';
  return type === 'tool-call'
    ? typeof toolCallId === 'string' && typeof toolName === 'string'
    : typeof type === 'string';
}

/** Formats an id for a message. */
const quoted = (id: string): string => JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id);

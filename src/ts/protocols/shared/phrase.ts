/**
 * What writing and reading a history has in common for all protocols; a codec adds the words.
 *
 * Written: each step, and after it the results of its calls. A call without a result is left out where the protocol cannot
 * have one. Read: calls and answers find each other by id and position, or by name where the protocol has no ids. What cannot
 * be read is left out, part by part, and reported.
 */
import { Calls } from './calls.js';
import type { Call, CallResult, Context, Data, Entry, Part } from './codec.js';
import { isToolCall, settle, resultOf } from './history.js';
import { unusedId } from './call-ids.js';

/** A protocol's words. */
interface Words {
  /** A message from its parts; with `tool`, from the answers to the step before. */
  message(role: Entry['role'] | 'tool', parts: Data[]): Data;
  /** A call: what its step says of it, and what answers it. There may be no `result` if `open` allows that. */
  call(call: Call, result: CallResult, id: string): [said: Data[], answers?: Data[]];
  /** Any other part; nothing if there are no words for it. */
  part(part: Part, role: Entry['role']): Data | undefined;
  /** Whether a call can be there without a result. */
  open?(call: Call): boolean;
  /** Makes an id that the protocol takes. */
  id?(id: string): string;
  /** The API refuses a call id that comes again, in any step: the later call and its result get another one. */
  isUnique?: boolean;
}

/** A history in a protocol's words. */
export function write(entries: readonly Entry[], context: Context, words: Words): Data[] {
  const used = new Set<string>();
  return entries.flatMap(({ role, content }) => {
    const answers: Data[] = [];
    // Within a step an id is one call's alone: a result would be that of two.
    if (!words.isUnique) used.clear();
    const said = content.flatMap((part) => {
      if (!isToolCall(part)) {
        const made = attempt(() => words.part(part, role));
        if (made === undefined && (part.type !== 'text' || part['text']))
          context.reportLoss(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
        return made ?? [];
      }
      const { toolCallId } = part;
      const result = resultOf(part, context.texts) as CallResult;
      if (!result && !words.open?.(part)) {
        context.reportLoss('pending', toolCallId);
        return [];
      }
      const id = unusedId(words.id?.(toolCallId) ?? toolCallId, used);
      if (id !== toolCallId) context.reportLoss('id', toolCallId);
      if (result && part.response?.['approved']) context.reportLoss('approval', toolCallId);
      if (result?.kind === 'failed') context.reportLoss('failed', toolCallId);
      if (result && typeof result.value !== 'string') context.reportLoss('json', toolCallId);
      // What a backend attached to a call may be damaged: then the call is written without it.
      const [use, answer = []] =
        attempt(() => words.call(part, result, id)) ?? words.call(withoutMetadata(part), result, id);
      answers.push(...answer);
      return use;
    });
    return [said.length ? words.message(role, said) : [], answers.length ? words.message('tool', answers) : []].flat();
  });
}

/** What a function returns; undefined if it throws. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function withoutMetadata({ providerOptions: _, result, ...call }: Call): Call {
  const { providerOptions: __, ...rest } = result ?? ({} as Part);
  return { ...call, ...(result && { result: rest as Part }) } as Call;
}

/** The result of a call, as a history has it. */
export interface CallAnswer {
  readonly answers: string | undefined;
  /** The tool, where there is no id. */
  readonly name?: string;
  readonly value: Data;
  readonly failed?: boolean;
  readonly meta?: Data;
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'];

/**
 * A history from a protocol's messages, by what `parse` makes of each part; it returns nothing for one that it has dealt with
 * itself, and `null` for one whose call is not there. A flat history has items in place of messages: a step ends with an answer to it. What either function throws for is left
 * out and reported, by itself. Of calls that have one id in one step, those after the first get an id of their own.
 */
export function read(
  history: readonly Data[],
  { texts, reportRepair }: Pick<Context, 'texts' | 'reportRepair'>,
  partsOf: (message: Data) => [role: Entry['role'], parts: readonly Data[]],
  parse: (part: Data, calls: Calls) => Part | CallAnswer | undefined | null,
  isFlat = false,
): Entry[] {
  const entries: Entry[] = [];
  const calls = new Calls();
  let isOpen = false;

  const answer = ({ answers, name, value, failed = false, meta }: CallAnswer): void => {
    const isNamed = name !== undefined && (answers === undefined || !calls.get(answers));
    const call = isNamed
      ? calls.lacking('result', (one) => one.toolName === name)
      : calls.unanswered(answers as string);
    const id = typeof answers === 'string' ? answers : undefined;
    if (call) {
      if (value === undefined)
        reportRepair(
          'invalid-value',
          `the result of call ${quoted(call.toolCallId)} has no value: it is taken as null`,
          call.toolCallId,
        );
      settle(call, value ?? null, failed === true, texts, meta);
    } else if (id !== undefined && calls.get(id)) {
      reportRepair('duplicate-call', `a second result of call ${quoted(id)} was left out`, id);
    } else {
      reportRepair('orphaned', `a result without its call was left out`, id);
    }
  };

  history.forEach((message, place) => {
    const [role, parts] = (isObject(message) && attempt(() => partsOf(message))) || [];
    if (!ROLES.includes(role) || !Array.isArray(parts))
      return reportRepair('malformed', `message ${place} could not be read: it was left out`);
    const goesOn = isFlat && isOpen && role === 'assistant';
    const content = goesOn ? (entries.at(-1) as Entry).content : [];
    const had = content.length;
    if (role === 'assistant' && !goesOn) calls.nextStep();
    if (role !== 'assistant' && !parts.length)
      reportRepair('malformed', `message ${place} has no content: it was left out`);
    parts.forEach((raw, position) => {
      const leaveOut = (): void =>
        reportRepair('malformed', `part ${position} of message ${place} could not be read: it was left out`);
      let part: Part | CallAnswer | undefined | null;
      if (!isObject(raw)) return leaveOut();
      try {
        part = parse(raw, calls);
      } catch {
        return leaveOut();
      }
      if (part && 'type' in part) {
        if (!isSound(part)) return leaveOut();
        const { answeredAs, ...own } = part as Call;
        if (isToolCall(own)) calls.addDistinct(own, answeredAs);
        content.push(own);
        return;
      }
      isOpen = false;
      if (part === null)
        reportRepair(
          'orphaned',
          `part ${position} of message ${place} is about a call that is not there: it was left out`,
        );
      else if (part) answer(part as CallAnswer);
    });
    if (content.length > had) isOpen = role === 'assistant';
    if (content.length && !had) entries.push({ role: role as Entry['role'], content });
  });
  return entries;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a part has what its type needs. */
function isSound(part: Part): boolean {
  const { type, text, toolCallId, toolName } = part;
  if (type === 'text' || type === 'reasoning') return typeof text === 'string';
  return type === 'tool-call'
    ? typeof toolCallId === 'string' && typeof toolName === 'string'
    : typeof type === 'string';
}

/** An id in a sentence. */
const quoted = (id: string): string => JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id);

/**
 * What writing and reading a history has in common for all protocols; a codec adds the words.
 *
 * Written: each step, and behind it what became of its calls. A call without a result is left out where the protocol cannot
 * have one. Read: calls and answers find each other by id, or by name where the protocol has no ids.
 */
import type { Call, Context, Data, Entry, Part } from './codec.js';
import { isCall, settle, told, type Told } from './history.js';

/** A protocol's words. */
interface Words {
  /** A message from its parts; with `tool`, from the answers to the step before. */
  message(role: Entry['role'] | 'tool', parts: Data[]): Data;
  /** A call: what stands in its step, and what answers it. There may be no `result` if `open` allows that. */
  call(call: Call, result: Told, id: string): [said: Data[], answers?: Data[]];
  /** Any other part; nothing if there are no words for it. */
  part(part: Part, role: Entry['role']): Data | undefined;
  /** Whether a call can stand without a result. */
  open?(call: Call): boolean;
  /** Makes an id that the protocol takes. */
  id?(id: string): string;
}

/** A history in a protocol's words. */
export function write(entries: readonly Entry[], context: Context, words: Words): Data[] {
  return entries.flatMap(({ role, content }) => {
    const answers: Data[] = [];
    const said = content.flatMap((part) => {
      if (!isCall(part)) {
        const made = words.part(part, role);
        if (made === undefined && (part.type !== 'text' || part['text'])) context.lose(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
        return made ?? [];
      }
      const { toolCallId } = part;
      const result = told(part, context.texts) as Told;
      if (!result && !words.open?.(part)) {
        context.lose('pending', toolCallId);
        return [];
      }
      const id = words.id?.(toolCallId) ?? toolCallId;
      if (id !== toolCallId) context.lose('id', toolCallId);
      if (result && part.response?.['approved']) context.lose('approval', toolCallId);
      if (result?.kind === 'failed') context.lose('failed', toolCallId);
      if (result && typeof result.value !== 'string') context.lose('json', toolCallId);
      const [use, answer = []] = words.call(part, result, id);
      answers.push(...answer);
      return use;
    });
    return [said.length ? words.message(role, said) : [], answers.length ? words.message('tool', answers) : []].flat();
  });
}

/** The result of a call, as a history has it. */
export interface Answer {
  readonly answers: string | undefined;
  /** The tool, where there is no id. */
  readonly name?: string;
  readonly value: Data;
  readonly failed?: boolean;
  readonly meta?: Data;
}

/**
 * A history from a protocol's messages, by what `parse` makes of each part; it returns nothing for one that it has dealt with
 * itself. A flat history has items in place of messages: a step ends with an answer to it.
 */
export function read(
  history: readonly Data[],
  { texts }: Context,
  partsOf: (message: Data) => [role: Entry['role'], parts: readonly Data[]],
  parse: (part: Data, calls: ReadonlyMap<string, Call>) => Part | Answer | undefined,
  isFlat = false,
): Entry[] {
  const entries: Entry[] = [];
  const calls = new Map<string, Call>();
  let isOpen = false;
  for (const message of history) {
    const [role, parts] = partsOf(message);
    const content = isFlat && isOpen && role === 'assistant' ? (entries.at(-1) as Entry).content : [];
    const had = content.length;
    for (const raw of parts) {
      const part = parse(raw, calls);
      if (part && 'type' in part) {
        if (isCall(part)) calls.set(part.toolCallId, part);
        content.push(part);
        continue;
      }
      isOpen = false;
      if (!part) continue;
      const { answers, name, value, failed = false, meta } = part as Answer;
      const call = answers === undefined ? [...calls.values()].find((one) => !one.result && one.toolName === name) : calls.get(answers);
      if (call) settle(call, value, failed, texts, meta);
    }
    if (content.length > had) isOpen = role === 'assistant';
    if (content.length && !had) entries.push({ role, content });
  }
  return entries;
}

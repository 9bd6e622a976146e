/**
 * The events of a run of LangGraph: messages in pieces and whole, updates, the state of the thread, and its interrupts.
 *
 * The state is compared with what is shown by position: which message a call is in, and where in it.
 */
import { resultText } from './shared/result-texts.js';
import type { Data, Reader, StreamContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, textOf } from './shared/history.js';
import { plain, wordsOf } from './langgraph-message.js';
import { Turn, type Known, type Made } from './langgraph-turn.js';
import { reasonOf } from './shared/finish-reasons.js';

/** What an interrupt may allow; `respond` in Python alone. */
const KINDS = ['approve', 'edit', 'reject', 'respond'];

/** The text of a call that the backend dropped. */
export const DROPPED = { kind: 'interrupted' } as const;

/** How much of a message an event has: a piece, all of it so far, or the whole. */
type Extent = 'piece' | 'so far' | 'whole';

/** Reads the events of a run. */
export function createReader({ emit, calls: shown }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls: shown });
  const turn = new Turn(shown);
  /** The messages that were in the thread before this run. */
  let old: Set<unknown> | undefined;
  /** The message that is being read. */
  let current: unknown;
  /** What was emitted of each text. */
  const said = new Map<string, string>();
  /** Results that were read, by the ids of their messages. */
  const results = new Set<string>();
  /** The calls of the message that came in pieces, by what the pieces call their place. */
  const places = new Map<number, Made>();

  const speak = (message: Data, extent: Extent): void => {
    const { content, tool_call_chunks: pieces, response_metadata: about } = message;
    const uses = asList(message.tool_calls);
    // A piece without an id is one of the message that is being read; a whole message without one is known by its calls.
    const isNamed = typeof message.id === 'string';
    const id: unknown = isNamed || extent !== 'piece' ? message.id : current;
    const isKnown = (use: Data): boolean =>
      isNamed ? !turn.of(id).some(({ wire }) => wire === use?.id) && turn.isShown(use) : turn.has(use);
    if (old?.has(id) || (id !== current && extent !== 'piece' && uses.some(isKnown))) return;
    if (id !== current) {
      if (current !== undefined) writer.endStep();
      places.clear();
    }
    current = id;
    for (const kind of ['reasoning', 'text']) {
      const key = `${id}:${kind}`;
      const before = said.get(key) ?? '';
      const texts = asParts(content).map((block) => block?.[kind] ?? (kind === 'text' ? '' : (block?.thinking ?? '')));
      const text = texts.filter((one) => typeof one === 'string').join('');
      const more = extent === 'piece' ? text : text.slice(before.length);
      said.set(key, before + more);
      if (more) writer.textDelta(key, more, kind);
    }
    if (extent === 'so far') return;
    const isPiece = extent === 'piece' && asList(pieces).length > 0;
    if (isPiece) writer.each(pieces, (piece) => grow(id, piece));
    else callAll(id, uses);
    if (extent === 'whole') writer.endText();
    writer.cutOff(reasonOf(about?.finish_reason ?? about?.stop_reason ?? about?.finishReason));
  };
  const grow = (message: unknown, { index, id, name, args }: Data): void => {
    let made = places.get(index);
    // What has another id is another call, also where all pieces are said to be of the first.
    if (name && (!made || (id && id !== made.wire))) {
      made = turn.add(message, id ?? '', name);
      writer.startCall(made.id, name);
      places.set(index, made);
    }
    if (made) writer.inputDelta(made.id, args);
  };
  /** All calls of a message: those that have come are complete, the others are new. */
  const callAll = (message: unknown, uses: readonly Data[]): void => {
    const left = [...turn.of(message)];
    writer.each(uses, ({ id, name, args: input }) => {
      const at = left.findIndex(({ wire }) => wire === id);
      const made = at < 0 ? undefined : left.splice(at, 1)[0];
      if (!made) writer.toolCall(turn.add(message, id, name, input).id, name, input);
      else if (writer.isOpen(made.id)) {
        made.input = input;
        writer.endInput(made.id, input);
      }
    });
  };

  /** A call has its result. */
  const settle = (call: Known, content: Data, failed: boolean): void => {
    if (call.isOver && !call.isClosed) return;
    writer.endInput();
    if (failed && call.approval?.approved === false) writer.emit({ type: 'tool-output-denied', toolCallId: call.id });
    // What was denied or cancelled here is reported as failed; if it ran all the same, that is news.
    if (!failed || !call.isOver) writer.toolResult(call.id, wordsOf(content), failed);
    call.isOver = true;
    call.isClosed = false;
  };
  /** A result is read once, whatever repeats it. */
  const isNews = ({ id, tool_call_id: call, content }: Data): boolean => {
    const key = typeof id === 'string' ? id : textOf([call, content]);
    const isRead = results.has(key);
    results.add(key);
    return !isRead;
  };
  const tell = (message: Data, extent: Extent): void => {
    const { type, tool_call_id: id, content, status } = message;
    if (type === 'ai') speak(message, extent);
    if (type !== 'tool' || !isNews(message)) return;
    const call = turn.unanswered(id) ?? turn.calls.findLast(({ wire, isClosed }) => wire === id && isClosed);
    if (call) settle(call, content, status === 'error');
  };

  /** The state of the thread: what is new in it, and which calls it has left behind. */
  const compare = (given: Data): void => {
    const messages: Data[] = [];
    writer.each(given, (message) => messages.push(plain(message)));
    old ??= new Set(messages.map(({ id }) => id).filter((id) => id !== current));
    // Where the turn begins: what the run itself says in the user's name is no beginning.
    const start = messages.findLastIndex(({ type, id }) => type === 'human' && old?.has(id)) + 1;
    /** The message of each call that is still in the thread. */
    const holders = new Map<Known, number>();
    let place = 0;
    /** The calls of the last message that has any, without those that have their results. */
    let open: Known[] = [];
    messages.forEach((message, position) => {
      const { type, tool_calls: uses, tool_call_id: id, content, status } = message;
      if (type === 'ai') speak(message, 'whole');
      if (position < start) return;
      if (type === 'ai') {
        const of = asList(uses).flatMap((use) => {
          const at = turn.calls.findIndex(({ wire }, index) => index >= place && wire === use?.id);
          if (at < 0) return [];
          place = at + 1;
          return [turn.calls[at] as Known];
        });
        for (const call of of) holders.set(call, position);
        if (of.length) open = of;
      }
      if (type !== 'tool') return;
      const at = open.findIndex(({ wire }) => wire === id);
      const call = at < 0 ? undefined : open.splice(at, 1)[0];
      if (isNews(message) && call) settle(call, content, status === 'error');
    });
    // The middleware drops calls beside one that was rejected: a state with none of the turn's calls says nothing about them.
    if (!holders.size) return;
    for (const call of turn.calls) {
      const holder = holders.get(call) ?? -1;
      const isLeft = holder < 0 || messages.slice(holder + 1).some(({ type }) => type !== 'tool');
      if (call.approval?.approved && !call.isOver && isLeft) settle(call, resultText(DROPPED), true);
    }
  };

  const ask = (interrupts: Data): boolean => {
    const asked = new Set<Known>();
    writer.endInput();
    let isBatch = false;
    writer.each<Data>(interrupts, ({ id, value, response_schema: schema }) => {
      const {
        type,
        action_requests: snake,
        actionRequests: camel,
        review_configs: configs,
        reviewConfigs,
      } = value ?? {};
      const single = type === 'tool_approval';
      const actions = single ? [value] : asList(snake ?? camel);
      const edit = [camel && 'editedAction', (single || snake) && 'edited_action'].filter(Boolean);
      const interrupt = typeof id === 'string' && id ? id : undefined;
      isBatch ||= !single && actions.length > 0;
      writer.each(actions, ({ name, args, description, tool_call_id: named }, position) => {
        if (typeof name !== 'string') throw new TypeError('an action without a name');
        const approvalId = `${interrupt ?? String(current)}:${position}`;
        const before = turn.calls.find(({ approval }) => approval?.id === approvalId);
        // A question that was answered, and whose call is over, is asked no more.
        if (before?.isOver) return void asked.add(before);
        const free = turn.calls.filter((call) => !call.isOver && !asked.has(call) && call.name === name);
        const isSame = ({ wire, input }: Known): boolean =>
          wire === named || (!named && textOf(input) === textOf(args));
        const same = before ?? free.find(isSame) ?? free[0];
        const toolCallId: string = same?.id ?? named ?? approvalId;
        if (same) asked.add(same);
        else {
          writer.toolCall(toolCallId, name, args);
          turn.add(undefined, toolCallId, name, args);
          asked.add(turn.calls.at(-1) as Known);
        }
        const config = asList(configs ?? reviewConfigs).find((one) => (one?.action_name ?? one?.actionName) === name);
        const langgraph = {
          interrupt,
          position,
          count: actions.length,
          allowed: allowedBy(config, schema),
          edit,
          single,
          description,
        };
        // Without the interrupt's id, an answer that is sent again could answer a later one.
        writer.emit({
          type: 'tool-approval-request',
          approvalId,
          toolCallId,
          ...(!interrupt && { repeatUnsafe: true }),
          langgraph,
        });
      });
    });
    // The middleware asks for the others of the message too, and answers itself.
    for (const call of isBatch ? turn.calls : []) {
      if (call.isOver || asked.has(call) || call.approval) continue;
      const approvalId = `auto:${call.id}`;
      asked.add(call);
      writer.emit({ type: 'tool-approval-request', approvalId, toolCallId: call.id, isAutomatic: true });
      writer.emit({ type: 'tool-approval-response', approvalId, approved: true });
    }
    return asked.size > 0;
  };

  return (given) => {
    turn.next();
    const [event, data = {}]: Data[] = Array.isArray(given) ? given : [given.event, given.data ?? {}];
    const each = (messages: Data, extent: Extent): void =>
      writer.each(asList(messages), (message) => tell(plain(message), extent));
    if (event === 'messages') each(data[0], 'piece');
    else if (event === 'messages/partial') each(data, 'so far');
    else if (event === 'messages/complete') {
      old ??= new Set(asList(data).map((message) => message?.id));
      each(data, 'whole');
    } else if (event === 'values' || event === 'updates') {
      const { __interrupt__: interrupts, ...nodes } = data;
      if (event === 'updates') for (const update of Object.values<Data>(nodes).flat()) each(update?.messages, 'whole');
      else if (data.messages) compare(data.messages);
      return !interrupts || ask(interrupts);
    } else if (event === 'metadata') writer.startReply();
    else if (event === 'error')
      writer.failReply(data.message ?? data, /recursion/i.test(data.error) ? 'step-limit' : undefined);
    else if (event === 'end') writer.endReply();
    else return /^messages\//.test(event);
    return true;
  };
}

/** The decisions that an interrupt takes for an action. Where it says so in a way that cannot be read: those that all take. */
function allowedBy(config: Data, schema: Data): readonly string[] {
  const given = config?.allowed_decisions ?? config?.allowedDecisions;
  if (Array.isArray(given)) return given.filter((kind) => KINDS.includes(kind));
  if (given !== undefined) return ['approve', 'reject'];
  return KINDS.filter((kind, place) => (schema ? textOf(schema).includes(`"const":"${kind}"`) : place < 3));
}

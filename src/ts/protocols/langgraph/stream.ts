/**
 * Reads the events of a LangGraph run: message chunks and whole messages, updates, the thread's state, and its
 * interrupts. They have the form of `client.runs.stream`, or that of `client.threads.stream` (thread-events.ts).
 *
 * The state is matched with the current turn by position: the message of a call, and the call's index in it.
 */
import { resultText } from '../shared/result-texts.js';
import type { Reader, StreamContext } from '../shared/codec.js';
import { ReplyWriter } from '../shared/reply-writer.js';
import { asList, asParts, textOf } from '../shared/history.js';
import { DROPPED } from './decision.js';
import type { GraphInterrupt, RunFields } from './interrupts.js';
import {
  plain,
  wordsOf,
  type GivenMessage,
  type ThreadMessage,
  type Use,
  type Block,
  type UseChunk,
} from './message.js';
import { Requests } from './requests.js';
import { ThreadEvents, type ThreadEvent } from './thread-events.js';
import { TurnCalls, type TurnCall, type StreamedCall } from './turn.js';
import { finishReasonOf } from '../shared/finish-reasons.js';

/** How much of a message an event contains: a chunk, all of it so far, or the whole message. */
type Extent = 'piece' | 'so far' | 'whole';

/** What an event of a run contains. */
type RunData = readonly GivenMessage[] & RunFields;

/** An event of `client.runs.stream` or of `client.threads.stream`, or the pair that `graph.stream` yields. */
interface RunEvent extends Partial<ThreadEvent> {
  readonly event: string;
  readonly data?: RunData | null;
}

/** Reads the events of a run. */
export function createReader(stream: StreamContext): Reader<RunEvent> {
  const { calls: shown } = stream;
  const writer = new ReplyWriter(stream);
  const turn = new TurnCalls(shown);
  const requests = new Requests(writer, turn, stream);
  /** Ids of the messages that were in the thread before this run. */
  let earlierIds: Set<unknown> | undefined;
  /** The message that is being read. */
  let current: unknown;
  /** The emitted part of each text. */
  const emittedTexts = new Map<string, string>();
  /** Keys of the results that were read. */
  const results = new Set<string>();
  /** The calls that are streaming, by their message and the index in its chunks. */
  const places = new Map<string, StreamedCall>();

  /** Completes the inputs that are whole. Nodes that run in parallel stream several messages at the same time. */
  const endWhole = (): void => {
    for (const [place, { id }] of places) {
      const lane = writer.lane(id);
      if (lane.isWhole) lane.end();
      if (!lane.isOpen) places.delete(place);
    }
  };

  const readAssistantMessage = (message: ThreadMessage, extent: Extent): void => {
    const { content, tool_call_chunks: pieces, response_metadata: about } = message;
    const uses = asList(message.tool_calls);
    // A chunk without an id belongs to the current message; a whole message without an id is recognized by its calls.
    const isNamed = typeof message.id === 'string';
    const id: unknown = isNamed || extent !== 'piece' ? message.id : current;
    const isKnown = (use: Use): boolean =>
      isNamed ? !turn.of(id).some(({ wire }) => wire === use?.id) && turn.isShown(use) : turn.has(use);
    if (earlierIds?.has(id) || (id !== current && extent !== 'piece' && uses.some(isKnown))) return;
    if (id !== current) {
      endWhole();
      // A message that follows calls without results is that of another node: they belong to one step.
      if (current !== undefined && turn.calls.every(({ streamed, isOver }) => !streamed || isOver)) writer.endStep();
    }
    current = requests.current = id;
    for (const kind of ['reasoning', 'text'] as const) {
      const key = `${id}:${kind}`;
      const before = emittedTexts.get(key) ?? '';
      const blocks: readonly (Block | null)[] = asParts(content);
      const texts = blocks.map((block) => block?.[kind] ?? (kind === 'text' ? '' : (block?.thinking ?? '')));
      const text = texts.filter((one) => typeof one === 'string').join('');
      const more = extent === 'piece' ? text : text.slice(before.length);
      emittedTexts.set(key, before + more);
      if (more) writer.textDelta(key, more, kind);
    }
    if (extent === 'so far') return;
    const isPiece = extent === 'piece' && asList(pieces).length > 0;
    if (isPiece) writer.each(pieces, (piece) => addChunk(id, piece));
    else callAll(id, uses);
    if (extent === 'whole') writer.endText();
    writer.cutOff(finishReasonOf(about?.finish_reason ?? about?.stop_reason ?? about?.finishReason));
  };
  const addChunk = (message: unknown, { index, id, name, args }: UseChunk): void => {
    const place = `${String(message)}:${index}`;
    let streamed = places.get(place);
    // A chunk with another id begins another call, even if all chunks have the same index.
    if (name && (!streamed || (id && id !== streamed.wire))) {
      streamed = turn.add(message, id ?? '', name);
      writer.lane(streamed.id).start(streamed.id, name);
      places.set(place, streamed);
    }
    if (streamed) writer.lane(streamed.id).delta(args);
  };
  /** Reads all calls of a message: completes the known ones, and emits the new ones. */
  const callAll = (message: unknown, uses: readonly Use[]): void => {
    const left = [...turn.of(message)];
    writer.each(uses, ({ id, name, args: input }) => {
      const at = left.findIndex(({ wire }) => wire === id);
      const streamed = at < 0 ? undefined : left.splice(at, 1)[0];
      if (!streamed) writer.call(turn.add(message, id, name, input).id, name, input);
      else if (writer.lane(streamed.id).isOpen) {
        streamed.input = input;
        writer.lane(streamed.id).end(input);
      }
    });
  };

  /** Settles a call with its result. */
  const settle = (call: TurnCall, content: ThreadMessage['content'], failed: boolean): void => {
    if (call.isOver && !call.isClosed) return;
    endWhole();
    if (call.approval?.approved === false && (failed || call.approval.langgraph?.shape === 'inbox'))
      writer.emit({ type: 'tool-output-denied', toolCallId: call.id });
    // Calls that were denied or cancelled in this client are reported as failed; a success means that the call ran
    // anyway.
    else if (!failed || !call.isOver) writer.result(call.id, wordsOf(content), failed);
    call.isOver = true;
    call.isClosed = false;
  };
  /** Records a result. Returns false if it was already read. */
  const isUnread = ({ id, tool_call_id: call, content }: ThreadMessage): boolean => {
    const key = typeof id === 'string' ? id : textOf([call, content]);
    const isRead = results.has(key);
    results.add(key);
    return !isRead;
  };
  const readMessage = (message: ThreadMessage, extent: Extent): void => {
    const { type, tool_call_id: id, content, status } = message;
    if (type === 'ai') readAssistantMessage(message, extent);
    if (type !== 'tool' || !isUnread(message)) return;
    const call = turn.withoutResult(id) ?? turn.calls.findLast(({ wire, isClosed }) => wire === id && isClosed);
    if (call) settle(call, content, status === 'error');
  };

  /** Emits the new content of the thread's state, and closes approved calls that the thread has dropped. */
  const compareState = (given: RunFields['messages']): void => {
    const messages: ThreadMessage[] = [];
    writer.each(given as readonly GivenMessage[], (message) => messages.push(plain(message)));
    earlierIds ??= new Set(messages.map(({ id }) => id).filter((id) => id !== current));
    // The start of the turn. A human message that the run itself adds does not start a turn.
    const start = messages.findLastIndex(({ type, id }) => type === 'human' && earlierIds?.has(id)) + 1;
    /** The position of the message that contains each call, for calls that are still in the thread. */
    const holders = new Map<TurnCall, number>();
    let place = 0;
    /** The calls without a result. Nodes that run in parallel add several messages before the first result. */
    const open: TurnCall[] = [];
    messages.forEach((message, position) => {
      const { type, tool_calls: uses, tool_call_id: id, content, status } = message;
      if (type === 'ai') readAssistantMessage(message, 'whole');
      if (position < start) return;
      if (type === 'ai') {
        const of = asList(uses).flatMap((use) => {
          const at = turn.calls.findIndex(({ wire }, index) => index >= place && wire === use?.id);
          if (at < 0) return [];
          place = at + 1;
          return [turn.calls[at] as TurnCall];
        });
        for (const call of of) holders.set(call, position);
        open.push(...of);
      }
      if (type !== 'tool') return;
      // The first such call of the newest message: ids may repeat.
      const newest = holders.get(open.findLast(({ wire }) => wire === id) as TurnCall);
      const at = open.findIndex((one) => one.wire === id && holders.get(one) === newest);
      const call = at < 0 ? undefined : open.splice(at, 1)[0];
      if (isUnread(message) && call) settle(call, content, status === 'error');
    });
    // The middleware drops calls next to a rejected one. A state without any call of the turn gives no information,
    // and one without the message of a call that is streaming none about that call.
    if (!holders.size) return;
    const ids = new Set<unknown>(messages.map(({ id }) => id));
    for (const call of turn.calls) {
      const isPending = call.approval && call.approval.approved === undefined;
      if (call.isOver || isPending || (call.streamed && !ids.has(call.streamed.message))) continue;
      const after = messages.slice((holders.get(call) ?? messages.length) + 1);
      const results = after.findIndex(({ type }) => type === 'tool');
      const isPassed = after.some(
        ({ type }, at) => type === 'human' || (results >= 0 && at > results && type !== 'tool'),
      );
      if (!holders.has(call) || isPassed) settle(call, resultText(DROPPED), true);
    }
  };

  const askAll = (interrupts: readonly GraphInterrupt[]): void => {
    endWhole();
    requests.ask(interrupts);
  };
  const read = (event: string, given: object): boolean => {
    const data = given as RunData;
    const each = (messages: RunFields['messages'], extent: Extent): void =>
      writer.each(asList(messages), (message) => readMessage(plain(message), extent));
    if (event === 'messages') each(data[0], 'piece');
    else if (event === 'messages/partial') each(data, 'so far');
    else if (event === 'messages/complete') {
      earlierIds ??= new Set<unknown>(asList<GivenMessage>(data).map((message) => message?.id));
      each(data, 'whole');
    } else if (event === 'values' || event === 'updates') {
      const { __interrupt__: interrupts, ...nodes } = data;
      if (event === 'updates')
        for (const update of Object.values(nodes as Record<string, RunFields | null>).flat())
          each(update?.messages, 'whole');
      else if (data.messages) compareState(data.messages);
      if (interrupts) askAll(interrupts);
    } else if (event === 'metadata') writer.startReply();
    else if (event === 'error')
      writer.failReply(data.message ?? data, /recursion/i.test(data.error as string) ? 'step-limit' : undefined);
    else if (event === 'end') writer.endReply();
    else return /^messages\//.test(event);
    return true;
  };
  const thread = new ThreadEvents(read, askAll, (ids) => requests.answered(ids));

  return (given) => {
    turn.refresh();
    if (given.method !== undefined && given.params) return thread.read(given as ThreadEvent);
    const pair = Array.isArray(given) ? given : [given.event, given.data ?? {}];
    const [event, data = {}] = pair as [string, RunData?];
    return read(event, data);
  };
}

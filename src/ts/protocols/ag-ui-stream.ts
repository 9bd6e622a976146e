/**
 * The streams of `ag-ui`, and of `tanstack`. Source: the events of `@ag-ui/core` 1.0.
 *
 * State, activities and custom events are the app's and pass through. So does a snapshot of the messages, but what it has of this
 * turn beyond what was streamed is added (ag-ui-snapshot.ts).
 */
import { compareWith } from './ag-ui-snapshot.js';
import type { Data, Reader, StreamContext } from './shared/codec.js';
import { demandCall, ReplyWriter } from './shared/reply-writer.js';
import { reasonOf } from './shared/finish-reasons.js';

/** The key of what comes back with a part, a call, a result or an approval. */
export const AG_UI = 'ag-ui';

/** Events that say nothing which the others do not. */
const SILENT = /^(TEXT_MESSAGE_START|REASONING_(START|MESSAGE_(START|END)))$/;

/**
 * How Pydantic AI refuses answers that it has had before: they have arrived. Source: `_agent_graph.py` of pydantic-ai 2.68, "Tool call
 * … was already executed and its result cannot be overridden."
 */
const ARRIVED = /already (been )?executed/i;

const keep = (own: Data): Data => ({ providerMetadata: { [AG_UI]: own } });

/** Whether a call of the turn was answered here. */
const isAnswered = ({ state, approval, outcome }: Data): boolean =>
  state === 'approval-responded' || approval?.approved !== undefined || outcome?.kind === 'cancelled';

/** Reads one stream, which may hold several runs, or model calls, one after the other. */
export function createReader({ emit, calls, messages }: StreamContext): Reader {
  /** Calls that have no result yet, as they were emitted. */
  const open: Data[] = [];
  const writer = new ReplyWriter({
    emit(chunk) {
      if (chunk?.type === 'tool-input-available') open.push(chunk);
      emit(chunk);
    },
    calls,
  });
  /** What comes back with a call. */
  const kept = new Map<string, Data>();
  /** Messages that somebody else is made to say. */
  const others = new Set<string>();
  /** Messages of the open step. */
  let ids = new Set<string | undefined>();
  let [hasResults, thought, last]: [boolean, string?, string?] = [false];
  /** The call that grows by chunks, and ends with anything else. */
  let growing: string | undefined;
  /** The run has brought anything. */
  let isHeard = false;

  /** What belongs to a message comes: after results, that of another message belongs to another step. */
  const enter = (id?: string): void => {
    if (hasResults && (id === undefined || !ids.has(id))) step();
    ids.add(id);
  };
  const step = (): void => {
    writer.endStep();
    ids = new Set();
    hasResults = false;
  };
  const begin = (id: string, name: string, parent?: string): void => {
    demandCall(id, name);
    enter(parent);
    writer.endText();
    kept.set(id, parent && { id: parent });
    writer.startCall(id, name);
  };
  const end = (id: string): void => {
    const own = kept.get(id);
    writer.endInput(id, undefined, own && keep(own));
  };
  /** The first open call with this id. It is open no longer. */
  const take = (id: string): Data => {
    const place = open.findIndex(({ toolCallId }) => toolCallId === id);
    return place < 0 ? undefined : open.splice(place, 1)[0];
  };
  /** A result: its message's id comes back too, and only a call keeps what is said beside it. */
  const settle = (id: string, event: Data): void => {
    hasResults = true;
    end(id);
    const call = take(id) ?? calls().findLast(({ toolCallId }) => toolCallId === id);
    if (writer.confirmDecision(id)) return;
    if (call && event.messageId) {
      const { toolName, input, callProviderMetadata, providerMetadata = callProviderMetadata } = call;
      writer.emit({
        type: 'tool-input-available',
        toolCallId: id,
        toolName,
        input,
        providerMetadata: { ...providerMetadata, [AG_UI]: { ...providerMetadata?.[AG_UI], result: event.messageId } },
      });
      take(id);
    }
    writer.toolResult(id, event.content, event.metadata?.tanstack?.state === 'output-error', {
      providerExecuted: false,
    });
  };
  const ask = (interrupt: Data): void => {
    const { id: approvalId, toolCallId = approvalId, reason, message, expiresAt } = interrupt;
    if (typeof approvalId !== 'string') throw new TypeError('an interrupt without an id');
    take(toolCallId);
    if (reason === 'tanstack:client_tool_execution') return;
    if (toolCallId === approvalId) {
      writer.toolCall(
        approvalId,
        typeof reason === 'string' ? reason : 'interrupt',
        { message },
        { providerExecuted: true, dynamic: true, ...keep({ isQuestion: true }) },
      );
      take(approvalId);
    }
    writer.emit({
      type: 'tool-approval-request',
      approvalId,
      toolCallId,
      ...(expiresAt && { expiresAt: Date.parse(expiresAt) }),
      [AG_UI]: interrupt,
    });
  };
  const finish = ({ outcome, metadata, finishReason = metadata?.tanstack?.finishReason }: Data): void => {
    // TanStack ends each model call so, and goes on with the results.
    if (!outcome && finishReason === 'tool_calls') return step();
    if (outcome?.type === 'interrupt') {
      writer.endInput();
      writer.each(outcome.interrupts, ask);
      // What needs no answer waits with the others: it is the backend's to run, in the next run.
      for (const chunk of open) emit({ ...chunk, providerExecuted: true });
    }
    writer.endReply(reasonOf(finishReason));
    forget();
  };
  /** The run is over: an id that comes again in the next one is another call's. */
  const forget = (): void => {
    open.length = 0;
    kept.clear();
    ids = new Set();
    hasResults = false;
  };
  const fail = (message: Data): void => {
    // The answers of this run have arrived before, and it has nothing to add.
    if (!isHeard && ARRIVED.test(message)) writer.endReply();
    else writer.failReply(message);
    forget();
  };

  const read = (event: Data): boolean => {
    const { type, messageId, toolCallId, delta } = event;
    const isChunk = /_CHUNK$/.test(type);
    if (/^TEXT/.test(type) && typeof event.role === 'string' && event.role !== 'assistant') others.add(messageId);
    if (growing !== undefined && !(type === 'TOOL_CALL_CHUNK' && (toolCallId ?? growing) === growing)) {
      end(growing);
      growing = undefined;
    }
    if (type === 'RUN_STARTED') {
      const { runId } = event;
      // A run that answers goes on with the message that asked; any other is a message of its own, also when it is replayed.
      writer.startReply(undefined, calls().some(isAnswered) ? undefined : runId);
      writer.emit({ type: 'message-metadata', messageMetadata: { [AG_UI]: { runId } } });
      return true;
    }
    if (type === 'RUN_ERROR') fail(event.message);
    else if (/^(TEXT|REASONING)_MESSAGE_(CONTENT|CHUNK)$/.test(type)) {
      if (isChunk) last = messageId ?? last;
      const id: string = messageId ?? last;
      if (others.has(id)) return true;
      enter(id);
      writer.textDelta(id, delta, type[0] === 'T' ? 'text' : 'reasoning', keep({ id }));
    } else if (type === 'TEXT_MESSAGE_END' || type === 'REASONING_END') {
      writer.endText(messageId);
    } else if (SILENT.test(type)) {
      if (type === 'REASONING_START') thought = messageId;
    } else if (type === 'REASONING_ENCRYPTED_VALUE') {
      const { entityId: id, encryptedValue } = event;
      if (event.subtype === 'tool-call') kept.set(id, { ...kept.get(id), encryptedValue });
      else if (id === thought || writer.isOpen(id)) {
        writer.textDelta(id, '', 'reasoning');
        writer.endText(id, { [AG_UI]: { id, encryptedValue } });
      }
    } else if (type === 'TOOL_CALL_START') {
      begin(toolCallId, event.toolCallName, event.parentMessageId);
    } else if (type === 'TOOL_CALL_ARGS') {
      writer.inputDelta(toolCallId, delta);
    } else if (type === 'TOOL_CALL_CHUNK') {
      if (growing === undefined) begin(toolCallId, event.toolCallName, event.parentMessageId);
      growing ??= toolCallId as string;
      writer.inputDelta(growing, delta);
    } else if (type === 'TOOL_CALL_END') {
      end(toolCallId);
    } else if (type === 'TOOL_CALL_RESULT') {
      settle(toolCallId, event);
    } else if (type === 'RUN_FINISHED') {
      finish(event);
    } else if (type === 'MESSAGES_SNAPSHOT') {
      compareWith(writer, messages(), event.messages);
      // It is the app's too: what is no chunk is passed through.
      writer.emit(event);
    } else {
      return false;
    }
    return true;
  };
  return (event) => {
    const isKnown = read(event);
    if (event.type === 'RUN_STARTED') isHeard = false;
    else isHeard ||= isKnown;
    return isKnown;
  };
}

/**
 * Reads the streams of `ag-ui` and of `tanstack`. Source: the events of `@ag-ui/core` 1.0.
 *
 * State, activities and custom events are for the app and are passed through. A snapshot of the messages is passed
 * through too, and content that was not streamed before is added (ag-ui-snapshot.ts).
 */
import { compareWith } from './ag-ui-snapshot.js';
import type { Data, Reader, StreamContext } from './shared/codec.js';
import { assertCall, ReplyWriter } from './shared/reply-writer.js';
import { finishReasonOf } from './shared/finish-reasons.js';

/** The metadata key for values that must be sent back with a part, a call, a result or an approval. */
export const AG_UI = 'ag-ui';

/** Events without content of their own. */
const REDUNDANT = /^(TEXT_MESSAGE_START|REASONING_(START|MESSAGE_(START|END)))$/;

/**
 * The error of Pydantic AI for decisions that it already received. Source: `_agent_graph.py` of pydantic-ai 2.68, "Tool
 * call … was already executed and its result cannot be overridden."
 */
const ALREADY_RECEIVED = /already (been )?executed/i;

const metadataOf = (own: Data): Data => ({ providerMetadata: { [AG_UI]: own } });

/** Whether the user decided about a call of this turn, or cancelled it. */
const isAnswered = ({ state, approval, outcome }: Data): boolean =>
  state === 'approval-responded' || approval?.approved !== undefined || outcome?.kind === 'cancelled';

/** Reads one stream, which may contain several runs or model calls in sequence. */
export function createReader({ emit, calls, messages }: StreamContext): Reader {
  /** Calls without a result, as they were emitted. */
  const open: Data[] = [];
  const writer = new ReplyWriter({
    emit(chunk) {
      if (chunk?.type === 'tool-input-available') open.push(chunk);
      emit(chunk);
    },
    calls,
  });
  /** Metadata to send back with each call. */
  const metadataToReturn = new Map<string, Data>();
  /** Ids of text messages with another role than the assistant's. */
  const otherRoles = new Set<string>();
  /** Ids of the messages of the open step. */
  let ids = new Set<string | undefined>();
  let [hasResults, thought, last]: [boolean, string?, string?] = [false];
  /** The call that is streaming in chunks. Any other event completes it. */
  let streamingCall: string | undefined;
  /** Whether the run has sent an event of the protocol after `RUN_STARTED`. */
  let hasEvents = false;

  /** Called before content is written, with its message's id. After results, another message begins a new step. */
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
    assertCall(id, name);
    enter(parent);
    writer.endText();
    metadataToReturn.set(id, parent && { id: parent });
    writer.startCall(id, name);
  };
  const end = (id: string): void => {
    const own = metadataToReturn.get(id);
    writer.endInput(id, undefined, own && metadataOf(own));
  };
  /** Returns the first open call with this id, and removes it. */
  const removeOpen = (id: string): Data => {
    const place = open.findIndex(({ toolCallId }) => toolCallId === id);
    return place < 0 ? undefined : open.splice(place, 1)[0];
  };
  /** Emits a result. Its message id must be sent back too, and is stored in the call's metadata. */
  const settle = (id: string, event: Data): void => {
    hasResults = true;
    end(id);
    const call = removeOpen(id) ?? calls().findLast(({ toolCallId }) => toolCallId === id);
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
      removeOpen(id);
    }
    writer.toolResult(id, event.content, event.metadata?.tanstack?.state === 'output-error', {
      providerExecuted: false,
    });
  };
  const requestApproval = (interrupt: Data): void => {
    const { id: approvalId, toolCallId = approvalId, reason, message, expiresAt } = interrupt;
    if (typeof approvalId !== 'string') throw new TypeError('expected an interrupt with an id');
    removeOpen(toolCallId);
    if (reason === 'tanstack:client_tool_execution') return;
    if (toolCallId === approvalId) {
      writer.toolCall(
        approvalId,
        typeof reason === 'string' ? reason : 'interrupt',
        { message },
        { providerExecuted: true, dynamic: true, ...metadataOf({ isQuestion: true }) },
      );
      removeOpen(approvalId);
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
    // TanStack ends each model call this way, and continues with the results.
    if (!outcome && finishReason === 'tool_calls') return step();
    if (outcome?.type === 'interrupt') {
      writer.endInput();
      writer.each(outcome.interrupts, requestApproval);
      // The remaining calls need no decision: the backend runs them in the next run.
      for (const chunk of open) emit({ ...chunk, providerExecuted: true });
    }
    writer.endReply(finishReasonOf(finishReason));
    forget();
  };
  /** Forgets the calls of the run: an id that repeats in the next run belongs to another call. */
  const forget = (): void => {
    open.length = 0;
    metadataToReturn.clear();
    ids = new Set();
    hasResults = false;
  };
  const fail = (message: Data): void => {
    // The decisions of this run had already arrived with an earlier request, so the backend has nothing to add.
    if (!hasEvents && ALREADY_RECEIVED.test(message)) writer.endReply();
    else writer.failReply(message);
    forget();
  };

  const read = (event: Data): boolean => {
    const { type, messageId, toolCallId, delta } = event;
    const isChunk = /_CHUNK$/.test(type);
    if (/^TEXT/.test(type) && typeof event.role === 'string' && event.role !== 'assistant') otherRoles.add(messageId);
    if (
      streamingCall !== undefined &&
      !(type === 'TOOL_CALL_CHUNK' && (toolCallId ?? streamingCall) === streamingCall)
    ) {
      end(streamingCall);
      streamingCall = undefined;
    }
    if (type === 'RUN_STARTED') {
      const { runId } = event;
      // A run with decisions continues the message that contains the calls. Any other run begins a message with the
      // run's id, so that a replay of the run is recognized.
      writer.startReply(undefined, calls().some(isAnswered) ? undefined : runId);
      writer.emit({ type: 'message-metadata', messageMetadata: { [AG_UI]: { runId } } });
      return true;
    }
    if (type === 'RUN_ERROR') fail(event.message);
    else if (/^(TEXT|REASONING)_MESSAGE_(CONTENT|CHUNK)$/.test(type)) {
      if (isChunk) last = messageId ?? last;
      const id: string = messageId ?? last;
      if (otherRoles.has(id)) return true;
      enter(id);
      writer.textDelta(id, delta, type[0] === 'T' ? 'text' : 'reasoning', metadataOf({ id }));
    } else if (type === 'TEXT_MESSAGE_END' || type === 'REASONING_END') {
      writer.endText(messageId);
    } else if (REDUNDANT.test(type)) {
      if (type === 'REASONING_START') thought = messageId;
    } else if (type === 'REASONING_ENCRYPTED_VALUE') {
      const { entityId: id, encryptedValue } = event;
      if (event.subtype === 'tool-call') metadataToReturn.set(id, { ...metadataToReturn.get(id), encryptedValue });
      else if (id === thought || writer.isOpen(id)) {
        writer.textDelta(id, '', 'reasoning');
        writer.endText(id, { [AG_UI]: { id, encryptedValue } });
      }
    } else if (type === 'TOOL_CALL_START') {
      begin(toolCallId, event.toolCallName, event.parentMessageId);
    } else if (type === 'TOOL_CALL_ARGS') {
      writer.inputDelta(toolCallId, delta);
    } else if (type === 'TOOL_CALL_CHUNK') {
      if (streamingCall === undefined) begin(toolCallId, event.toolCallName, event.parentMessageId);
      streamingCall ??= toolCallId as string;
      writer.inputDelta(streamingCall, delta);
    } else if (type === 'TOOL_CALL_END') {
      end(toolCallId);
    } else if (type === 'TOOL_CALL_RESULT') {
      settle(toolCallId, event);
    } else if (type === 'RUN_FINISHED') {
      finish(event);
    } else if (type === 'MESSAGES_SNAPSHOT') {
      compareWith(writer, messages(), event.messages);
      // The app may use the snapshot too: it is passed through.
      writer.emit(event);
    } else {
      return false;
    }
    return true;
  };
  return (event) => {
    const isKnown = read(event);
    if (event.type === 'RUN_STARTED') hasEvents = false;
    else hasEvents ||= isKnown;
    return isKnown;
  };
}

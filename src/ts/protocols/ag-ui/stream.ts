/**
 * Reads the streams of `ag-ui` and of `tanstack`. Source: the events of `@ag-ui/core` 1.0.
 *
 * State, activities and custom events are for the app and are passed through. A snapshot of the messages is passed
 * through too, and content that was not streamed before is added (ag-ui/snapshot.ts).
 */
import { AG_UI } from './names.js';
import { compareWith } from './snapshot.js';
import { partOf } from './messages.js';
import { customInterrupt, isPlaceholder, isRequest, requestsOf, type NativeReader } from './interrupts.js';
import type { Content, Event, Interrupt } from './types.js';
import type { Kept, Reader, StreamContext } from '../shared/codec.js';
import type { ReplyChunk } from '../../types/protocol-definition.js';
import { contentOf } from '../shared/content.js';
import { unusedId } from '../shared/call-ids.js';
import { ReplyWriter, STAND_IN } from '../shared/reply-writer.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { asList, equal, valueOf } from '../shared/history.js';
import { isStandIn } from '../shared/stand-ins.js';

/** Events without content of their own. */
const REDUNDANT = /^(TEXT|REASONING)(_MESSAGE)?_(START|END)$/;

/**
 * The errors for decisions that a server already received. Sources: `_agent_graph.py` of pydantic-ai 2.68, "Tool call …
 * was already executed and its result cannot be overridden."; `_agent_run.py` of agent-framework-ag-ui 1.7, "No pending
 * approval interrupt found …"; `agent.py` of ag-ui-strands 1.0, "Cannot resume without an active native interrupt
 * checkpoint" and "… an interrupt that is not open"; `adk_agent.py` of ag-ui-adk 0.11, "… unknown interrupt …";
 * `os/interfaces/agui` of agno 3.1, "No paused run matching …".
 */
const ALREADY_RECEIVED =
  /already.* executed|no pending approval|active native|no paused run|is not open|unknown interrupt/i;

const metadataOf = (own: unknown) => ({ providerMetadata: { [AG_UI]: own } });

/** An id that an event may lack. */
type Id = string | undefined;

/** A call, as the reader has emitted it or the gate shows it. */
interface Known {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input?: unknown;
  readonly outcome?: { readonly kind?: string };
  readonly approval?: { readonly id: string; readonly approved?: boolean };
  readonly providerMetadata?: Kept;
  readonly callProviderMetadata?: Kept;
}

/** Whether the user decided about a call of this turn, or cancelled it. */
const isAnswered = ({ approval, outcome, ...call }: Known): boolean =>
  approval?.approved !== undefined || outcome?.kind === 'cancelled' || (outcome !== undefined && isStandIn(call));

/** What differs between servers. */
export interface ReaderOptions {
  /** The calls without a result at the end of a run wait for approval. */
  readonly asksByCall?: boolean;
  readonly native?: NativeReader;
}

/** The result of a call, of an event or a snapshot's message. */
type Result = Pick<Event, 'toolCallId' | 'messageId' | 'content' | 'metadata'>;

/** Reads one stream, which may contain several runs or model calls in sequence. */
export function createReader(stream: StreamContext, { asksByCall, native }: ReaderOptions = {}): Reader<Event> {
  const { emit, refuse, messages, unanswerable } = stream;
  const calls = stream.calls as () => readonly Known[];
  /** Calls without a result, as they were emitted. */
  const open: Known[] = [];
  /**
   * The chunks that open the reply to a request with decisions, until the run sends something else. A run that fails
   * first, or fails before it starts, has refused the decisions: the reply stays unopened, so the gate does not take
   * them as received.
   */
  let opening: ReplyChunk[] | undefined = calls().some(isAnswered) ? [] : undefined;
  /** Whether a run of the stream has sent something. A later run of it does not refuse the decisions. */
  let isAccepted = false;
  /** Whether the run has sent an event of its own after `RUN_STARTED`. */
  let hasEvents = false;
  const writer = new ReplyWriter({
    emit(chunk) {
      if (chunk?.type === 'tool-input-available') open.push(chunk as unknown as Known);
      const type = chunk?.type;
      if (opening && (type === 'start' || type === 'message-metadata')) return void opening.push(chunk as ReplyChunk);
      if (opening && type === 'error') return;
      if (type !== 'MESSAGES_SNAPSHOT') accept();
      emit(chunk);
    },
    calls: stream.calls,
  });
  /** Opens the reply. */
  const accept = (): void => {
    const held = opening ?? [];
    opening = undefined;
    hasEvents = isAccepted = true;
    held.forEach(emit);
  };
  /** Metadata to send back with each call. */
  const metadataToReturn = new Map<Id, object | undefined>();
  /** Ids of text messages with another role than the assistant's. */
  const otherRoles = new Set<unknown>();
  /** Ids of the messages of the open step. */
  let ids = new Set<string | undefined>();
  let thought: string | undefined;
  /** The calls that arrive in chunks. They are complete when the step or the run ends. */
  const chunked = new Set<string | undefined>();
  /** The last message and the last call in chunks: of each sub-agent, and with `undefined` of the agent itself. */
  const lastMessages = new Map<unknown, Id>();
  const lastCalls = new Map<unknown, Id>();
  /** The names of the sub-agents by their runs, and the runs by their calls. */
  const agents = new Map<unknown, string | undefined>();
  const callers = new Map<Id, Id>();
  /** Calls that only request an approval, by id. They are not shown if an interrupt requests it too. */
  const requests = new Map<Id, { readonly name: Id; readonly parent: Id; text: string }>();
  /** The custom events about interrupts. An outcome of the run repeats them. */
  const customs: Event[] = [];
  /** Results that count only if no interrupt is about their call: they may say that it waits for its approval. */
  const placeholders: Result[] = [];

  /** Called before content is written, with its message's id. After all results, another message begins a new step. */
  const enter = (id?: string): void => {
    if (writer.isStepOver && (id === undefined || !ids.has(id))) step();
    ids.add(id);
  };
  /** Completes the calls that arrived in chunks. */
  const endChunks = (): void => {
    chunked.forEach(end);
    chunked.clear();
  };
  const step = (): void => {
    endChunks();
    writer.endStep();
    ids = new Set();
  };
  const begin = (id: Id, { toolCallName: name, parentMessageId: parent, subagentRunId: agent }: Event): void => {
    callers.set(id, agent);
    if (isRequest(name)) return void requests.set(id, { name, parent, text: '' });
    enter(parent);
    writer.endText();
    metadataToReturn.set(id, (parent && { id: parent }) as object | undefined);
    writer.lane(id).start(id, name);
  };
  const input = (id: string | undefined, delta: Event['delta']): void => {
    const request = requests.get(id);
    if (request) request.text += delta;
    else writer.lane(id).delta(delta);
  };
  const end = (id: string | undefined): void => {
    const own = metadataToReturn.get(id);
    writer.lane(id).end(undefined, own && metadataOf(own));
  };
  /** Returns the first event of a list about this call, and removes it. */
  const take = <EVENT extends { readonly toolCallId?: string | undefined }>(
    list: EVENT[],
    id: string | undefined,
  ): EVENT | undefined => {
    const place = list.findIndex(({ toolCallId }) => toolCallId === id);
    return place < 0 ? undefined : list.splice(place, 1)[0];
  };
  /** Emits a result. Its message id must be sent back too, and is stored in the call's metadata. */
  const settle = (id: string | undefined, { messageId, content: given, metadata }: Result): void => {
    if (requests.delete(id)) return;
    end(id);
    const call = take(open, id) ?? calls().findLast(({ toolCallId }) => toolCallId === id);
    if (writer.confirmDecision(id)) return;
    const isParts = Array.isArray(given);
    if (call && (messageId || isParts) && call.outcome === undefined) {
      const { toolName, input, callProviderMetadata, providerMetadata = callProviderMetadata } = call;
      writer.emit({
        type: 'tool-input-available',
        toolCallId: id,
        toolName,
        input,
        providerMetadata: {
          ...providerMetadata,
          [AG_UI]: { ...providerMetadata?.[AG_UI], result: messageId, ...(isParts && { parts: true }) },
        },
      });
      take(open, id);
    }
    const content = isParts ? given.map((part: Content) => contentOf(partOf(part))) : given;
    writer.result(id, content, metadata?.tanstack?.state === 'output-error', {
      providerExecuted: false,
      ...(isParts && { providerMetadata: { toolgate: { output: 'content' } } }),
    });
  };
  /** The calls that an interrupt may be about: those of this run, then those of earlier ones. */
  const unasked = () => [...open, ...calls().filter(({ outcome, approval }) => !outcome && !approval)];
  const requestApproval = (interrupt: Interrupt): void => {
    const { reason, message, expiresAt } = interrupt;
    if (reason === 'tanstack:client_tool_execution') return void take(open, interrupt.toolCallId);
    for (const { approvalId, toolCallId: call, toolName, input, question, action } of requestsOf(
      interrupt,
      unasked(),
      native,
    )) {
      const own = action ? { ...interrupt, action } : interrupt;
      const toolCallId = call ?? approvalId;
      const known = take(open, toolCallId) ?? calls().find((one) => one.toolCallId === toolCallId);
      take(placeholders, toolCallId);
      if (!known && (call || !question)) {
        const name = toolName ?? `${reason ?? 'interrupt'}`;
        // A question of the agent, or a call that no event has announced.
        const more = call === undefined ? STAND_IN : { providerExecuted: true, dynamic: true };
        writer.call(toolCallId, name, input ?? { message }, more);
        take(open, toolCallId);
      }
      if (question) {
        if (!writer.question(approvalId, question, undefined, { [AG_UI]: own }))
          unanswerable(`interrupt ${approvalId}`);
        take(open, approvalId);
        // The server continues its call with the answer.
        if (known && call) open.push(known);
        continue;
      }
      const agent = interrupt.subagentRunId ?? callers.get(toolCallId);
      const asked =
        known && call !== undefined && input !== undefined ? { toolCallId, toolName, input } : { toolCallId };
      // LangGraph's tools that ask one after the other may have the same id.
      const others = calls().filter((one) => one.toolCallId !== toolCallId);
      writer.ask(unusedId(approvalId, new Set(others.map(({ approval }) => approval?.id as string))), asked, {
        ...(agent && { requestedBy: agents.get(agent) ?? agent }),
        ...(expiresAt && { expiresAt: Date.parse(expiresAt) }),
        [AG_UI]: own,
      });
    }
  };
  const finish = ({ runId, outcome: given, metadata, finishReason = metadata?.tanstack?.finishReason }: Event) => {
    const outcome =
      given ??
      (customs.length
        ? { type: 'interrupt', interrupts: customs.map((one, at) => customInterrupt(one, `${runId}:${at}`)) }
        : undefined);
    endChunks();
    // TanStack ends each model call this way, and continues with the results.
    if (!outcome && finishReason === 'tool_calls') return step();
    const isInterrupted = outcome?.type === 'interrupt';
    // A run that does nothing but ask again has not accepted the decisions.
    if (opening && isInterrupted && outcome.interrupts?.length && asList(outcome.interrupts).every(isDecided))
      return reject();
    if (isInterrupted) {
      writer.endInputs();
      writer.each(outcome.interrupts, requestApproval);
      // A later request must answer all of them, those of calls that were cancelled meanwhile too.
      const interrupts = asList(given?.interrupts).flatMap((interrupt) => interrupt?.id ?? []);
      writer.emit({ type: 'message-metadata', messageMetadata: { [AG_UI]: { interrupts } } });
    } else {
      for (const [id, { name, parent, text }] of requests) {
        enter(parent);
        writer.call(id, name, valueOf(text));
      }
    }
    if (asksByCall) for (const { toolCallId } of open.splice(0)) writer.ask(toolCallId, { toolCallId });
    for (const event of placeholders.splice(0)) settle(event.toolCallId, event);
    // The remaining calls need no decision: the backend runs them in the next run.
    if (isInterrupted) {
      const approved = calls().filter(({ approval, outcome }) => approval?.approved && !outcome);
      for (const { toolCallId, input } of [...open, ...approved])
        writer.update(toolCallId, { input, more: { providerExecuted: true } });
    }
    if (outcome?.type === 'cancelled') writer.emit({ type: 'abort' });
    else writer.endReply(finishReasonOf(finishReason));
    forget();
  };
  /** Forgets the calls of the run: an id that repeats in the next run belongs to another call. */
  const forget = (): void => {
    open.length = placeholders.length = customs.length = 0;
    requests.clear();
    metadataToReturn.clear();
    lastMessages.clear();
    lastCalls.clear();
    ids = new Set();
  };
  /** Whether the approvals of an interrupt were decided in this turn. */
  const isDecided = (interrupt: Interrupt): boolean =>
    requestsOf(interrupt, unasked(), native).every(({ approvalId, toolCallId, question }) => {
      // LangGraph's tools may ask for something else under the same id.
      const isSame = (call: Known): boolean =>
        question
          ? call.toolCallId === approvalId && equal(call.input, question)
          : call.approval?.id === approvalId && (toolCallId ?? call.toolCallId) === call.toolCallId;
      return calls().some((call) => isSame(call) && isAnswered(call));
    });
  /** Ends a run that did nothing with the decisions. Its interrupts are still open. */
  const reject = (): void => {
    // Nothing of the reply was emitted. This closes what the writer has begun.
    writer.failReply('');
    opening = [];
    refuse();
    forget();
  };
  const fail = (message: string | undefined): void => {
    // The decisions of this run had already arrived with an earlier request, so the backend has nothing to add.
    if (!hasEvents && ALREADY_RECEIVED.test(message as string)) writer.endReply();
    else if (opening) return reject();
    else writer.failReply(message);
    forget();
  };

  return (event) => {
    const { type, messageId, toolCallId, delta, role, subagentRunId: agent } = event;
    if (/^TEXT/.test(type) && role && role !== 'assistant') otherRoles.add(messageId);
    if (type === 'RUN_STARTED') {
      const { runId } = event;
      const isContinuation = calls().some(isAnswered);
      if (isContinuation && !isAccepted) opening = [];
      // A run with decisions continues the message that contains the calls. Any other run begins a message with the
      // run's id, so that a replay of the run is recognized.
      writer.startReply(undefined, isContinuation ? undefined : runId);
      writer.emit({ type: 'message-metadata', messageMetadata: { [AG_UI]: { runId } } });
      hasEvents = false;
      return true;
    }
    if (type === 'RUN_ERROR') fail(event.message);
    else if (/^(TEXT|REASONING)_MESSAGE_(CONTENT|CHUNK)$/.test(type)) {
      const id = messageId ?? lastMessages.get(agent);
      lastMessages.set(agent, id);
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
      else if (id === thought || writer.isOpen(id as string)) {
        writer.textDelta(id, '', 'reasoning');
        writer.endText(id, { [AG_UI]: { id, encryptedValue } });
      }
    } else if (type === 'TOOL_CALL_START') {
      begin(toolCallId, event);
    } else if (type === 'TOOL_CALL_ARGS') {
      input(toolCallId, delta);
    } else if (type === 'TOOL_CALL_CHUNK') {
      const id = toolCallId ?? lastCalls.get(agent);
      if (!chunked.has(id)) begin(id, event);
      chunked.add(id);
      lastCalls.set(agent, id);
      input(id, delta);
    } else if (type === 'TOOL_CALL_END') {
      end(toolCallId);
    } else if (type === 'TOOL_CALL_RESULT') {
      if (isPlaceholder(event.content)) placeholders.push(event);
      else settle(toolCallId, event);
    } else if (type === 'RUN_FINISHED') {
      finish(event);
    } else if (type === 'SUBAGENT_STARTED') {
      // The app may show it: it is passed through.
      agents.set(agent, event.name);
      return false;
    } else if (event.name === 'on_interrupt' && native && !/mastra_suspend/.test(`${event.value}`)) {
      // Only a custom event has this name.
      customs.push(event);
    } else if (type === 'MESSAGES_SNAPSHOT') {
      compareWith(writer, messages(), event.messages, (name, result) => {
        if (!stream.runsInPage(name)) placeholders.push({ ...result, messageId: result.id });
      });
      // The app may use the snapshot too: it is passed through.
      writer.emit(event as Event & ReplyChunk);
    } else {
      return false;
    }
    return true;
  };
}

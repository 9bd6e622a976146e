/**
 * Reads the events of A2A's `SendStreamingMessage`, `SubscribeToTask` and `SendMessage`: as JSON-RPC responses, or
 * alone, as the HTTP binding sends them. Source: `StreamResponse` in `a2a.proto` of A2A 1.0.
 *
 * Only a status `TASK_STATE_INPUT_REQUIRED` can request approvals; a request anywhere else is shown as data.
 */
import type * as sdk from '@a2a-js/sdk';
import { conventionOf, partsOfAgent, type A2aKept, type A2aMessage, type A2aPart } from './approvals.js';
import type { Origin, Said } from './approvals.js';
import { artifactParts, customPart, fileIn, isTerminal, isWaiting } from './parts.js';
import type { Reader, StreamContext } from '../shared/codec.js';
import { ReplyWriter } from '../shared/reply-writer.js';
import type { AnyOf, With } from '../shared/wire.js';

/** A status, an artifact and a task in JSON, as they arrive. */
type Status = { readonly state: string; readonly message?: A2aMessage };
type Artifact = With<AnyOf<Omit<sdk.Artifact, 'parts'>>, 'artifactId'> & Pick<A2aMessage, 'parts'>;
export type Task = AnyOf<Pick<sdk.Task, 'id' | 'contextId'>> & {
  readonly status: Status;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly A2aMessage[];
};
/** `StreamResponse` in JSON, or a task alone. */
type Answer = Task & {
  readonly task?: Task;
  readonly statusUpdate?: Origin & { readonly status: Status };
  readonly artifactUpdate?: Origin & Omit<sdk.TaskArtifactUpdateEvent, 'artifact'> & { readonly artifact: Artifact };
  readonly message?: A2aMessage;
};
/** An event as it arrives: an answer, alone or in a JSON-RPC response. */
type Event = Answer & { readonly result?: Answer; readonly error?: { readonly message?: string } };
/** A part that the gate shows, with what this protocol keeps in it. */
type Shown = Partial<Record<'providerMetadata' | 'callProviderMetadata', A2aKept>>;

/** Returns the reader of one stream. */
export function createReader(stream: StreamContext): Reader<Event> {
  const { calls, messages, refuse } = stream;
  const writer = new ReplyWriter(stream, { isDenialAnOutput: true, stepEndsWithResults: true });
  /** The ids of the task, which every later message of the user needs. */
  let ids: Origin = {};
  /** The texts so far, by id. */
  const texts = new Map<string, string | undefined>();
  const ended = new Set<string | undefined>();
  let hasEvents = false;

  const addText = (id: string, text: string, isDelta: boolean, a2a: Origin): void => {
    if (typeof text !== 'string') throw new TypeError('`text` must be a string');
    const before = texts.get(id) ?? '';
    // A message or an artifact that is sent again, longer: only what is new is added.
    const delta = !isDelta && text.startsWith(before) ? text.slice(before.length) : text;
    texts.set(id, isDelta ? before + text : text);
    if (!delta) return;
    writer.textDelta(id, delta, 'text', { providerMetadata: { a2a } });
  };
  const addCall = ({ toolCallId, toolName, input }: Said, a2a: Origin): void => {
    writer.call(toolCallId, toolName, input, { providerExecuted: true, dynamic: true, providerMetadata: { a2a } });
  };
  const addRequest = (asked: Said, a2a: Origin): void => {
    const { toolCallId, approvalId = toolCallId, reason, via } = asked;
    if (typeof approvalId !== 'string') throw new TypeError('expected a request with an id');
    const known = calls().findLast((call) => call.toolCallId === toolCallId);
    // A task that is sent again has the requests that were answered.
    if (known?.approval?.id === approvalId && (known.outcome ?? known.approval.approved) !== undefined) return;
    if (known?.outcome !== undefined) addCall(asked, a2a);
    const envelope = {
      ...(typeof reason === 'string' && { requestReason: reason }),
      a2a: { ...a2a, ...(via && { via }) },
    };
    const more = { providerExecuted: true, dynamic: true, providerMetadata: { a2a } };
    writer.ask(approvalId, { toolCallId, toolName: asked.toolName, input: asked.input, more }, envelope);
  };
  const addResult = ({ toolCallId, output = null, error }: Said): void => {
    if (typeof toolCallId !== 'string') throw new TypeError('expected a result with the id of its call');
    writer.result(toolCallId, error ?? output, error !== undefined);
  };
  const addPart = (part: A2aPart, id: string, isDelta: boolean, mayAsk: boolean, a2a: Origin): void => {
    const said = conventionOf(part);
    if (part.text !== undefined) return addText(id, part.text, isDelta, a2a);
    writer.endText();
    const file = fileIn(part);
    if (file) writer.content({ type: 'file', ...file });
    else if (said?.type === 'tool-call') addCall(said, a2a);
    else if (said?.type === 'tool-result') addResult(said);
    else if (said?.type === 'tool-approval-request' && mayAsk) addRequest(said, a2a);
    else if (part.data === undefined) throw new TypeError('expected a part with content');
    else writer.content(customPart(part));
  };
  const addMessage = (message: A2aMessage, state?: string): void => {
    const { messageId: id } = message;
    if (typeof id !== 'string') throw new TypeError('expected a message with an id');
    const parts = partsOfAgent(message);
    const mayAsk = isWaiting(state);
    const asks = mayAsk && parts.some((part) => conventionOf(part)?.type === 'tool-approval-request');
    // Without a request it is a plain question, which the user's next message answers.
    const a2a = { ...ids, id, ...(mayAsk && !asks && { isQuestion: true }) };
    // Agents put their answer into an artifact, and some repeat it in the last message.
    const isRepeated = (part: A2aPart): boolean => isTerminal(state) && [...texts.values()].includes(part?.text);
    writer.each(parts, (part, place) => isRepeated(part) || addPart(part, `${id}-${place}`, false, mayAsk, a2a));
    writer.endText();
  };
  const addArtifact = (artifact: Artifact, isDelta: boolean, isLast: boolean): void => {
    const { artifactId: id } = artifact;
    if (typeof id !== 'string') throw new TypeError('expected an artifact with an id');
    writer.each(artifactParts(artifact), (part) => addPart(part, id, isDelta, false, { ...ids, id }));
    if (isLast) writer.endText(id);
  };
  const readStatus = ({ state, message }: Status, isNew = true): void => {
    if (message && isNew) addMessage(message, state);
    if (/_(FAILED|REJECTED)$/.test(state)) {
      // The message says why, to the user: it is a complete step.
      writer.endStep();
      writer.failReply(`The task has ended: ${state}`);
    } else if (isTerminal(state) || (isWaiting(state) && isNew)) writer.endReply();
    if (isTerminal(state)) ended.add(ids.taskId);
  };
  /** Whether something with this id is shown: a task has everything that it sent before. */
  const isShown = (id: string | undefined): boolean =>
    [...texts.keys()].some((text) => text === id || text.startsWith(`${id}-`)) ||
    messages().some(({ parts }) =>
      (parts as readonly Shown[]).some((part) => (part.providerMetadata ?? part.callProviderMetadata)?.a2a?.id === id),
    );
  /** Reads a task: the first event of most streams, and the only reply to a request without a stream. */
  const readTask = ({ status, artifacts, history }: Task): void => {
    const { state, message } = status;
    // What a page missed: the results of the calls that are open in it.
    writer.each(
      history?.flatMap(({ parts }) => parts ?? []),
      (part) => {
        const said = conventionOf(part);
        const { outcome } = calls().findLast((call) => call.toolCallId === said?.toolCallId) ?? { outcome: null };
        if (said?.type === 'tool-result' && (outcome === undefined || outcome?.mayHaveRun)) addResult(said);
      },
    );
    if (!isTerminal(state) && !isWaiting(state)) return;
    writer.each(artifacts, (artifact) => isShown(artifact.artifactId) || addArtifact(artifact, false, true));
    readStatus(status, message !== undefined && !isShown(message.messageId));
  };
  const identify = ({ taskId, contextId }: Origin): void => {
    ids = { ...(taskId && { taskId }), ...(contextId && { contextId }) };
  };

  return (event) => {
    const answer = event.result ?? event;
    const { task, statusUpdate, artifactUpdate, message } = answer;
    const isFirst = !hasEvents;
    hasEvents = true;
    if (event.error) {
      // Nothing came before it: the agent did not take the decisions.
      if (isFirst && calls().some(({ approval, outcome }) => approval?.approved !== undefined && !outcome)) refuse();
      else writer.failReply(event.error.message);
    } else if (task) {
      identify({ taskId: task.id, contextId: task.contextId });
      readTask(task);
    } else if (statusUpdate) {
      const { status } = statusUpdate;
      if (ended.has(statusUpdate.taskId)) return true;
      // Credentials are the app's business: this state requests no approval.
      if (!/_(SUBMITTED|WORKING|INPUT_REQUIRED|COMPLETED|FAILED|CANCELED|REJECTED)$/.test(status.state)) return false;
      identify(statusUpdate);
      readStatus(status);
    } else if (artifactUpdate) {
      identify(artifactUpdate);
      addArtifact(artifactUpdate.artifact, artifactUpdate.append === true, artifactUpdate.lastChunk === true);
    } else if (message) {
      identify(message);
      addMessage(message);
      writer.endReply();
    } else return typeof answer.id === 'string' && isTerminal(answer.status?.state);
    return true;
  };
}

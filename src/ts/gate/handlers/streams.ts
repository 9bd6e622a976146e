/**
 * Passes the events and the end of a reply's stream to the core.
 */
import { STREAM_END } from '../../../../target/bindgen/enums.js';
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { GateCore } from '../gate-core.js';
import { itemNumber } from '../delivery/numbered-ids.js';
import { isAsked, mayAsk, requestFor, type PageCall } from '../../protocols/shared/page-approvals.js';
import { isRawModel } from '../../protocols/shared/raw-model.js';
import { NONE } from '../../types/empty-list.js';
import { callsOfStep, toolNameOf } from '../../types/tool-part.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import type { ReplyTo, GateEvent, StreamEnd } from '../../types/index.js';
import { say } from '../../types/say.js';

// The bits that `Core::receive` returns, which src/wasm/commands.rs defines.
/** The two bits that contain the result for the event. */
const RESULT = 3;
/** `UNKNOWN`: the result for an event of an unknown type. */
const UNKNOWN_TYPE = 1;
/** `UNNAMED`: the event began a message that has no id yet. */
const NEEDS_MESSAGE_ID = 4;

/** The values of `ReplyTo.reconnect`: none, then those of the Rust enum `Reconnect` in its order. */
const RECONNECTS: readonly ReplyTo['reconnect'][] = [undefined, 'start', 'offset'];

/**
 * Handles one event of the protocol's stream. Never throws because of the event. Throws a `TypeError` for an invalid
 * `about.reconnect`.
 */
export function receive(gate: GateCore, event: unknown, about: ReplyTo | undefined): void {
  const { listeners, outbox, translator } = gate;
  if (RECONNECTS.indexOf(about?.reconnect) < 0)
    throw new TypeError(say`receive: invalid about.reconnect. Expected 'start', 'offset' or undefined.`);
  const read = translator ? translator.chunks(event, about) : [event];
  const chunks = withRequests(gate, read ?? NONE);
  gate.run((core, handles) => {
    const listed = core.hasReady ? outbox.outgoing() : [];
    const isKnown = takeChunks(gate, core, handles, chunks, about) && read !== undefined;
    // After the chunks, because the end of the turn is one of them.
    for (const id of translator?.unread ?? NONE) core.message_unread(itemNumber(id));
    outbox.storeTaken(listed);
    if (!isKnown) listeners.emit({ type: 'passthrough', event });
    if (listeners.hasEvents && isDataPart(event)) listeners.emit({ type: 'data', part: event });
  });
}

/** Passes chunks to the core. Returns whether all of them have a known type. */
function takeChunks(
  gate: GateCore,
  core: Core,
  handles: HandleTable,
  chunks: readonly unknown[],
  about?: ReplyTo,
): boolean {
  const { env, listeners } = gate;
  const now = env.now();
  const request = requestNumber(about);
  const reconnect = RECONNECTS.indexOf(about?.reconnect);
  let isKnown = true;
  for (const chunk of chunks) {
    const received = core.receive(handles.give(chunk), now, request, about?.attempt ?? 0, reconnect);
    if (received & NEEDS_MESSAGE_ID) core.name_message(handles.idOf(env.freshId()));
    if ((received & RESULT) === UNKNOWN_TYPE) isKnown = false;
    if (listeners.hasEvents) reportError(gate, errorOf(chunk), about);
  }
  return isKnown;
}

/** Adds this client's own approval requests to chunks, each after the call that it is about, or after its update. */
function withRequests(gate: GateCore, chunks: readonly unknown[]): readonly unknown[] {
  const { options } = gate.env;
  const rules = gate.translator?.codec;
  if (!mayAsk(options, rules)) return chunks;
  return chunks.flatMap((chunk) => {
    const call = callOf(gate, chunk);
    return call && isAsked(options, rules, call) ? [chunk, requestFor(call, !isRawModel(rules))] : [chunk];
  });
}

/** Returns the call whose input a chunk completes or changes. An update need not repeat the tool's name. */
function callOf(gate: GateCore, chunk: unknown): PageCall | undefined {
  const type = fieldOf(chunk, 'type');
  const input = fieldOf(chunk, 'input');
  if (type !== 'tool-input-available' && (type !== 'tool-input-update' || input === undefined)) return undefined;
  const toolCallId = fieldOf(chunk, 'toolCallId');
  const toolName = fieldOf(chunk, 'toolName') ?? knownName(gate, toolCallId);
  // `isAsked` also reads outside data.
  return { toolCallId, toolName, input, providerExecuted: fieldOf(chunk, 'providerExecuted') } as PageCall;
}

/** The tool's name of a call of the current step. */
function knownName(gate: GateCore, toolCallId: unknown): string | undefined {
  const known = callsOfStep(gate.view()).findLast((part) => part.toolCallId === toolCallId);
  return known && toolNameOf(known);
}

/** Handles the end of a stream. Throws a `TypeError` for an unknown status. */
export function endStream(gate: GateCore, how: StreamEnd, about: ReplyTo | undefined): void {
  let status = STREAM_END.indexOf(how.status);
  if (status < 0)
    throw new TypeError(say`streamEnded: invalid status "${how.status}". Expected one of: ${STREAM_END.join(', ')}.`);
  const read = gate.translator?.finish(about, how.status);
  const last = withRequests(gate, read ?? NONE);
  // The stream itself ended well, but the request did not succeed.
  if (gate.translator?.ended(about)) status = STREAM_END.indexOf('error');
  gate.run((core, handles) => {
    takeChunks(gate, core, handles, last, about);
    core.stream_ended(status, requestNumber(about), about?.attempt ?? 0);
    reportError(gate, how.error, about);
  });
}

/** Closes what the connection of an earlier page asked. */
export const leaveConnection = (gate: GateCore): unknown =>
  gate.run((core, handles) => takeChunks(gate, core, handles, gate.translator?.leave() ?? NONE));

/** Handles the start of a reconnection to a stream. */
export function reconnecting(gate: GateCore, about: ReplyTo | undefined): void {
  const now = gate.env.now();
  gate.run((core) => core.reconnecting(requestNumber(about), now));
  gate.updateClock();
}

/** The core's number of the request that a reply belongs to: 0 without an id, and an unused one for an invalid id. */
function requestNumber(about: ReplyTo | undefined): number {
  return about?.requestId === undefined ? 0 : itemNumber(about.requestId);
}

/** Emits an error of a reply, if there is one. */
function reportError({ listeners }: GateCore, error: unknown, about: ReplyTo | undefined): void {
  if (typeof error !== 'string' || error === '') return;
  const requestId = about?.requestId;
  listeners.emit({ type: 'reply-failed', error, ...(requestId !== undefined && { requestId }) });
}

/** The text of an error event; undefined for another event. */
function errorOf(event: unknown): unknown {
  return fieldOf(event, 'type') === 'error' ? fieldOf(event, 'errorText') : undefined;
}

function isDataPart(event: unknown): event is Extract<GateEvent, { type: 'data' }>['part'] {
  const type = fieldOf(event, 'type');
  return typeof type === 'string' && type.startsWith('data-');
}

/** A field of an event, which may be no object, or have a getter that throws: undefined then. */
function fieldOf(event: unknown, name: string): unknown {
  try {
    return (event as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

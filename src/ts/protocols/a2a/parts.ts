/** The parts of messages and artifacts of A2A: texts, files and data. Source: `Part` in `a2a.proto` of A2A 1.0. */
import { conventionOf, conventionPart, type A2aKept, type A2aMessage, type A2aPart, type Origin } from './approvals.js';
import type { Call, CallResult, Part } from '../shared/codec.js';
import { asList, fileOf, textOf } from '../shared/history.js';
import type { Fields } from '../shared/lane.js';
import type { Wire } from '../shared/wire.js';

/** The states in which a task has ended. */
const TERMINAL = /_(COMPLETED|FAILED|CANCELED|REJECTED)$/;

/** Whether a task with this state has ended: it takes no more messages. */
export const isTerminal = (state: string | undefined): boolean => TERMINAL.test(textOf(state));

/** Whether a task with this state waits for a message of the user. */
export const isWaiting = (state: string | undefined): boolean => state === 'TASK_STATE_INPUT_REQUIRED';

/** Returns the file of a part: its media type and its URL; undefined if the part is not a file. */
export function fileIn({ raw, url, mediaType = 'application/octet-stream' }: A2aPart) {
  const address = typeof raw === 'string' ? `data:${mediaType};base64,${raw}` : url;
  return address === undefined ? undefined : { mediaType, url: String(address) };
}

/** Returns the parts of an artifact. A server stores each piece of a text as a part: they are joined. */
export function artifactParts({ parts }: A2aMessage): readonly A2aPart[] {
  const joined: A2aPart[] = [];
  for (const part of asList(parts)) {
    const last = joined.at(-1);
    if (typeof part?.text === 'string' && typeof last?.text === 'string')
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** Makes custom content from a part that has no other meaning here. */
export const customPart = (part: A2aPart) => ({
  type: 'custom',
  kind: 'a2a.part',
  providerMetadata: { a2a: { part } },
});

/** Writes a part of a history; returns undefined for reasoning, and for content of another provider. */
export function writePart(part: Part): A2aPart | undefined {
  const { type, text, filename, providerOptions } = part;
  if (type === 'text') return text ? { text } : undefined;
  if (type === 'custom') return (providerOptions as A2aKept)?.a2a?.part;
  if (type !== 'file') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  const name = filename && { filename };
  if (base64 !== undefined) return { raw: base64, mediaType, ...name };
  return url ? { url, mediaType, ...name } : undefined;
}

/** Reads a part of a history that is not one of the convention. Throws for a part without content. */
export function parsePart(part: A2aPart, a2a: Origin): Wire<Part> {
  const { text, filename } = part;
  const providerOptions = { a2a };
  if (text !== undefined) return { type: 'text', text, providerOptions };
  const file = fileIn(part);
  if (file) return { type: 'file', mediaType: file.mediaType, data: file.url, filename, providerOptions };
  if (part.data === undefined) throw new TypeError('expected a part with content');
  return { type: 'custom', kind: 'a2a.part', providerOptions: { a2a: { ...a2a, part } } };
}

/** Returns the parts of a call: those of the agent's step, the user's answer, and the agent's result. */
export function writeCall(call: Call, result: CallResult | undefined, toolCallId: string): [A2aPart[], A2aPart[]] {
  const { toolName, input, request, response } = call;
  const approvalId = request?.approvalId ?? toolCallId;
  const named = { toolCallId, toolName, input };
  const said = request ? { type: 'tool-approval-request', approvalId, ...named } : { type: 'tool-call', ...named };
  const answers: Fields[] = [];
  if (response) {
    const { approved, reason = result?.kind === 'denied' ? undefined : result?.text } = response;
    const why = approved === false && reason !== undefined && { reason };
    answers.push({ type: 'tool-approval-response', approvalId, toolCallId, approved: approved === true, ...why });
  }
  if (result && call.result?.output.type !== 'execution-denied') {
    const failed = result.failed || result.kind !== 'executed';
    answers.push({ type: 'tool-result', toolCallId, ...(failed ? { error: result.text } : { output: result.value }) });
  }
  return [[conventionPart(said)], answers.map(conventionPart)];
}

/** Whether a part was sent by the user: an answer to a request. */
export const isAnswer = (part: A2aPart): boolean => conventionOf(part)?.type === 'tool-approval-response';

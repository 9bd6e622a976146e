/**
 * What reads the messages and chunks that the server writes: `ai` 6 and 7 and Effect, as published. `refusals` passes
 * messages on as a server does, and `shownBy` passes chunks to a page.
 */
import { Prompt } from 'effect/ai';
import { Schema } from 'effect';
import type { ResolveChunk } from 'toolgate/server';

import { peer6, peer7, peers, type Chunk, type Message, type Part } from '../interop/ai-sdk/peers';
import type { Form } from '../seeds/resolve-backends';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** Who refuses the messages, and why. Empty if they can be stored, and passed to the model. */
export async function refusals(form: Form, messages: readonly Data[]): Promise<string[]> {
  if (form === 'Effect prompt') {
    try {
      Schema.decodeUnknownSync(Prompt.Prompt)({ content: JSON.parse(JSON.stringify(messages)) });
      return [];
    } catch (error) {
      return [`effect: ${String(error)}`];
    }
  }
  const given = await Promise.all(
    peers.map(async (peer) => {
      // A server stores the messages, and passes them on at once.
      const isUi = form === 'UI messages';
      const refusal =
        (isUi ? await peer.refuses(messages) : undefined) ??
        (await peer.refusesPrompt(isUi ? await peer.toModelMessages(messages) : messages));
      return refusal === undefined ? [] : [`ai ${peer.version}: ${refusal}`];
    }),
  );
  return given.flat();
}

/** Reads a stream to its end, and adds its chunks to a list. */
export async function read<T>(stream: ReadableStream<T>, chunks: T[] = []): Promise<T[]> {
  for await (const chunk of stream as unknown as AsyncIterable<T>) chunks.push(chunk);
  return chunks;
}

/** The last message on a page of this version after it has read the chunks. Throws for a chunk that it refuses. */
export async function shownBy(version: 6 | 7, posted: readonly Message[], chunks: readonly ResolveChunk[]) {
  const peer = version === 6 ? peer6 : peer7;
  const received = JSON.parse(JSON.stringify(chunks)) as Chunk[];
  for (const chunk of received)
    if (!(await peer.parses(chunk))) throw new Error(`ai ${version} does not know ${JSON.stringify(chunk)}`);
  const last = posted.at(-1)!;
  const { last: shown = last, errors } = await peer.read(received, last.role === 'assistant' ? last : undefined);
  if (errors[0]) throw errors[0];
  if (!(await peer.validates([shown]))) throw new Error(`ai ${version} refuses ${JSON.stringify(shown)}`);
  return shown;
}

/** How a call is written: the verdicts and reasons of its approval, and its result. */
export interface WrittenCall {
  readonly verdicts: readonly (boolean | undefined)[];
  readonly reasons: readonly (string | undefined)[];
  /** `output`, `error` or `denied`; undefined without a result. */
  readonly result: 'output' | 'error' | 'denied' | undefined;
  /** The output, the text of the error, or the reason of the denial. */
  readonly value: unknown;
}

/** How the messages contain the only call with this id. */
export function writtenCall(messages: readonly Data[], toolCallId: string): WrittenCall {
  const parts: Data[] = messages.flatMap((message) => message.parts ?? message.content);
  const shown = parts.find((part) => part.state && part.toolCallId === toolCallId);
  if (shown) return uiCall(shown);
  const { approvalId } = parts.find((one) => one.type === 'tool-approval-request' && one.toolCallId === toolCallId);
  const answers = parts.filter((one) => one.type === 'tool-approval-response' && one.approvalId === approvalId);
  const results = parts.filter((one) => one.type === 'tool-result' && (one.toolCallId ?? one.id) === toolCallId);
  if (results.length > 1) throw new Error(`${results.length} results of ${toolCallId}`);
  const output = results[0]?.output ?? (results[0] && { type: effectType(results[0]), value: results[0].result });
  const result = { 'execution-denied': 'denied', 'error-text': 'error' }[output?.type as string];
  return {
    verdicts: answers.map(({ approved }) => approved),
    reasons: answers.map(({ reason }) => reason),
    result: (result ?? (output && 'output')) as WrittenCall['result'],
    value: result === 'denied' ? (output.reason ?? output.value.reason) : output?.value,
  };
}

const effectType = ({ isFailure, result }: Data): string =>
  isFailure ? (result?.type === 'execution-denied' ? 'execution-denied' : 'error-text') : 'json';

function uiCall({ state, approval, output, errorText }: Part & Data): WrittenCall {
  const result = { 'output-available': 'output', 'output-error': 'error', 'output-denied': 'denied' } as const;
  return {
    verdicts: [approval.approved],
    reasons: [approval.reason],
    result: result[state as keyof typeof result],
    value: state === 'output-denied' ? approval.reason : (output ?? errorText),
  };
}

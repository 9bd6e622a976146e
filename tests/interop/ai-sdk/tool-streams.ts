/**
 * Tool calls in generated streams: how the input arrives, how the call ends, and its chunks.
 */
import fc from 'fast-check';

import type { Chunk } from './peers';
import { json, jsonObject, maybe, providerMetadata, words } from './values';

/** How a call's input arrives. */
type InputWay = 'whole' | 'streamed' | 'refused' | 'streamed-refused' | 'text';

/** How a call ends within its own reply. */
type Fate = 'output' | 'preliminary' | 'error' | 'deferred' | 'open' | 'asked' | 'auto-approved' | 'auto-denied';

/** A call, before it has ids. */
export interface ToolPlan {
  readonly toolName: string;
  readonly dynamic: boolean;
  readonly way: InputWay;
  readonly fate: Fate;
  readonly input: unknown;
  /** The positions at which the input's text is cut into deltas. */
  readonly cuts: readonly number[];
  readonly output: unknown;
  readonly errorText: string;
  readonly preliminary: readonly unknown[];
  /** Optional fields, by the chunk that has them. */
  readonly onStart: Readonly<Record<string, unknown>>;
  readonly onInput: Readonly<Record<string, unknown>>;
  readonly onOutput: Readonly<Record<string, unknown>>;
  readonly onRequest: Readonly<Record<string, unknown>>;
  readonly onResponse: Readonly<Record<string, unknown>>;
}

const defined = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const callFields = fc
  .record({ title: maybe(words), toolMetadata: maybe(jsonObject), providerMetadata: maybe(providerMetadata) })
  .map(defined);

/** Calls that a step can contain. `isLast` adds calls that wait for the user or for a browser tool after the reply. */
export const toolArbitrary = (version: 6 | 7, isLast: boolean): fc.Arbitrary<ToolPlan> =>
  fc
    .record({
      toolName: fc.constantFrom('edit', 'send-mail', 'x'),
      dynamic: fc.boolean(),
      providerExecuted: fc.constantFrom(undefined, undefined, undefined, true, false),
      way: fc.constantFrom<InputWay[]>('whole', 'streamed', 'streamed', 'refused', 'streamed-refused', 'text'),
      fate: fc.constantFrom<Fate[]>(
        'output',
        'preliminary',
        'error',
        'deferred',
        ...(isLast ? (['open', 'asked', 'asked', 'asked'] as const) : []),
        ...(version === 7 ? (['auto-approved', 'auto-denied'] as const) : []),
      ),
      input: fc.oneof(jsonObject, json),
      cuts: fc.array(fc.nat(200), { maxLength: 12 }),
      output: json,
      errorText: words,
      preliminary: fc.array(json, { minLength: 1, maxLength: 2 }),
      onStart: callFields,
      onInput: callFields,
      onOutput: fc.record({ toolMetadata: maybe(jsonObject), providerMetadata: maybe(providerMetadata) }).map(defined),
      onRequest: fc
        .record({
          signature: maybe(words),
          approvalDescriptor: maybe(json),
          inputSchemaInput: maybe(json),
          reason: version === 7 ? maybe(words) : fc.constant(undefined),
        })
        .map(defined),
      onResponse: fc.record({ reason: maybe(words), providerMetadata: maybe(providerMetadata) }).map(defined),
    })
    .map(({ providerExecuted, ...plan }) => ({
      ...plan,
      // Only a tool of the provider returns its result in a later step. Such a call is generated without an approval.
      fate: plan.fate === 'deferred' && providerExecuted !== true ? 'output' : plan.fate,
      onStart: defined({ ...plan.onStart, providerExecuted }),
      onInput: defined({ ...plan.onInput, providerExecuted }),
    }));

function streamedInput(plan: ToolPlan, toolCallId: string): Chunk[] {
  const { toolName, dynamic, way, input, cuts } = plan;
  const text = JSON.stringify(input);
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const pieces = [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end));
  return [
    {
      type: 'tool-input-start',
      toolCallId,
      toolName,
      ...plan.onStart,
      ...(dynamic ? { dynamic } : {}),
      ...(way === 'text' ? { inputEncoding: 'text' } : {}),
    },
    ...pieces.map((inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta })),
  ];
}

/**
 * Writes a call. `deferred`: chunks for the next step. `asks`: the user must decide. `isOpen`: a browser tool must
 * return the result.
 */
export function writeTool(
  plan: ToolPlan,
  toolCallId: string,
  approvalId: string,
): { chunks: Chunk[]; deferred: Chunk[]; asks: boolean; isOpen: boolean } {
  const { toolName, dynamic, way, fate, input } = plan;
  const isRefused = way === 'refused' || way === 'streamed-refused';
  const head: Chunk[] = [
    ...(way === 'whole' || way === 'refused' ? [] : streamedInput(plan, toolCallId)),
    {
      type: isRefused ? 'tool-input-error' : 'tool-input-available',
      toolCallId,
      toolName,
      input: way === 'text' ? JSON.stringify(input) : input,
      ...plan.onInput,
      ...(dynamic ? { dynamic } : {}),
      ...(isRefused ? { errorText: plan.errorText } : {}),
    },
  ];
  const request: Chunk = { type: 'tool-approval-request', approvalId, toolCallId, ...plan.onRequest };
  const response = (approved: boolean): Chunk[] => [
    { ...request, isAutomatic: true },
    { type: 'tool-approval-response', approvalId, approved, ...plan.onResponse },
  ];
  const end = settles(plan, toolCallId);
  const preliminary = plan.preliminary.map((output) => ({
    type: 'tool-output-available',
    toolCallId,
    output,
    preliminary: true,
  }));
  const written = { chunks: head, deferred: [] as Chunk[], asks: false, isOpen: false };
  if (isRefused) return written;
  switch (fate) {
    case 'open':
      return { ...written, isOpen: plan.onInput['providerExecuted'] !== true };
    case 'asked':
      return { ...written, chunks: [...head, request], asks: true };
    case 'deferred':
      return { ...written, deferred: [end] };
    case 'auto-approved':
      return { ...written, chunks: [...head, ...response(true), end] };
    case 'auto-denied':
      return { ...written, chunks: [...head, ...response(false), { type: 'tool-output-denied', toolCallId }] };
    case 'preliminary':
      return { ...written, chunks: [...head, ...preliminary, end] };
    case 'output':
    case 'error':
      return { ...written, chunks: [...head, end] };
  }
}

const settles = (plan: ToolPlan, toolCallId: string): Chunk =>
  plan.fate === 'error'
    ? { type: 'tool-output-error', toolCallId, errorText: plan.errorText, ...plan.onOutput }
    : { type: 'tool-output-available', toolCallId, output: plan.output, ...plan.onOutput };

/** The chunks at the start of the next reply for a call that the user has decided. */
export const resolutionOf = (plan: ToolPlan, toolCallId: string, approved: boolean): Chunk[] =>
  approved
    ? [
        ...plan.preliminary
          .slice(1)
          .map((output) => ({ type: 'tool-output-available', toolCallId, output, preliminary: true })),
        plan.errorText === ''
          ? { type: 'tool-output-error', toolCallId, errorText: 'failed', ...plan.onOutput }
          : { type: 'tool-output-available', toolCallId, output: plan.output, ...plan.onOutput },
      ]
    : [{ type: 'tool-output-denied', toolCallId }];

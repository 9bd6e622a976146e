/**
 * Minimal backends: a server that resolves approvals with `toolgate/server` and then calls a scripted model, with the
 * AI SDK's `generateText` and `streamText` or Effect's `LanguageModel`, with and without streaming. The model's prompts
 * are recorded. The frameworks have the tools too, so they would run calls that were not resolved.
 */
import {
  createUIMessageStream,
  convertToModelMessages,
  generateText,
  streamText,
  tool,
  type ModelMessage,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { Effect, Schema, Stream } from 'effect';
import { LanguageModel, Prompt, Tool, Toolkit } from 'effect/ai';
import { resolveApprovals, resolveApprovalsStream, type ResolveChunk, type ResolveOptions } from 'toolgate/server';
import { z } from 'zod';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

/** One call of the history, with the answer to its approval, and its result if it has one. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
  readonly approved?: boolean;
  readonly reason?: string;
  readonly result?: unknown;
  /** Whether the history lacks the call, and only has its approval request. */
  readonly missing?: boolean;
}

/** The format of a history. */
export const forms = ['model messages', 'UI messages', 'Effect prompt'] as const;
export type Form = (typeof forms)[number];

/** How the reply is generated. */
export const modes = ['whole', 'streamed'] as const;
export type Mode = (typeof modes)[number];

/** A user message, and one step with these calls, their approval requests and decisions. */
export function historyOf(form: Form, calls: readonly Call[], text = 'Please.'): Data[] {
  if (form === 'UI messages') {
    const parts = calls.filter(({ missing }) => !missing).map(uiPart);
    const user = { id: 'u', role: 'user', parts: [{ type: 'text', text }] };
    return [user, ...(parts.length ? [{ id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] }] : [])];
  }
  const isModel = form === 'model messages';
  const asked = calls.flatMap(({ id, name, input = {}, missing }) => [
    ...(missing
      ? []
      : [
          isModel
            ? { type: 'tool-call', toolCallId: id, toolName: name, input }
            : { type: 'tool-call', id, name, params: input, providerExecuted: false },
        ]),
    { type: 'tool-approval-request', approvalId: approvalOf(id), toolCallId: id },
  ]);
  const answered = calls.flatMap(({ id, name, approved, reason, result }) => [
    ...(approved === undefined
      ? []
      : [{ type: 'tool-approval-response', approvalId: approvalOf(id), approved, ...(reason && { reason }) }]),
    ...(result === undefined
      ? []
      : [
          isModel
            ? { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'json', value: result } }
            : { type: 'tool-result', id, name, isFailure: false, result, providerExecuted: false },
        ]),
  ]);
  return [
    { role: 'user', content: text },
    ...(asked.length ? [{ role: 'assistant', content: asked }] : []),
    ...(answered.length ? [{ role: 'tool', content: answered }] : []),
  ];
}

/** The approval id of a call. */
export const approvalOf = (id: string): string => id.replace('call', 'appr');

/** The request of a call, for the record. */
export const requestOf = ({ id, name, input = {} }: Call) => ({
  approvalId: approvalOf(id),
  toolCallId: id,
  toolName: name,
  input,
});

function uiPart({ id, name, input = {}, approved, reason, result }: Call): Data {
  const approval = { id: approvalOf(id), ...(approved !== undefined && { approved }), ...(reason && { reason }) };
  const state =
    result !== undefined ? 'output-available' : approved === undefined ? 'approval-requested' : 'approval-responded';
  return {
    type: `tool-${name}`,
    toolCallId: id,
    state,
    input,
    approval,
    ...(result !== undefined && { output: result }),
  };
}

/** A result that the model received. */
export interface Told {
  readonly id: string;
  readonly name: string;
  readonly failed: boolean;
  readonly result: unknown;
}

/** The result of a request. */
export interface Reply {
  readonly text: string;
  /** The results that the model received, in order. */
  readonly told: readonly Told[];
  /** The chunks that the page got during the resolution. Empty without streaming. */
  readonly chunks: readonly ResolveChunk[];
  /** Calls that a framework ran, because they were not resolved. */
  readonly ranElsewhere: readonly string[];
}

/** The model's only reply. */
const ANSWER = 'Done.';

/** Resolves a history, and calls the model. Rejects with the error of resolving. */
export async function request(
  form: Form,
  mode: Mode,
  history: readonly Data[],
  options: ResolveOptions,
): Promise<Reply> {
  const ranElsewhere: string[] = [];
  if (form === 'Effect prompt') return effectReply(mode, history, options, ranElsewhere);
  const prompts: Data[] = [];
  const model = scripted(prompts);
  const tools = Object.fromEntries(
    Object.keys(options.toolkit ?? {}).map((name) => [
      name,
      tool({ inputSchema: z.looseObject({}), execute: () => void ranElsewhere.push(name) }),
    ]),
  );
  const toModel = async (messages: readonly Data[]): Promise<ModelMessage[]> =>
    form === 'UI messages' ? convertToModelMessages(messages as UIMessage[]) : (messages as ModelMessage[]);
  if (mode === 'whole') {
    const { messages } = await resolveApprovals(history, options);
    const { text } = await generateText({ model, tools, messages: await toModel(messages), maxRetries: 0 });
    return { text, told: toldByAi(prompts), chunks: [], ranElsewhere };
  }
  const { stream, resolved } = resolveApprovalsStream(history, options);
  const failures: unknown[] = [];
  const reply = createUIMessageStream({
    onError: (error) => String(failures.push(error)),
    execute: async ({ writer }) => {
      writer.merge(stream);
      const { messages } = await resolved;
      writer.merge(streamText({ model, tools, messages: await toModel(messages), maxRetries: 0 }).toUIMessageStream());
    },
  });
  const chunks: Data[] = [];
  for await (const chunk of reply as unknown as AsyncIterable<Data>) chunks.push(chunk);
  if (failures.length) throw failures[0];
  const text = chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('');
  return {
    text,
    told: toldByAi(prompts),
    chunks: chunks.filter(({ type }) => type.startsWith('tool-output')),
    ranElsewhere,
  };
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function scripted(prompts: Data[]): MockLanguageModelV4 {
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }: Data) => {
      prompts.push(prompt);
      return { content: [{ type: 'text', text: ANSWER }], finishReason, usage, warnings: [] } as Data;
    },
    doStream: async ({ prompt }: Data) => {
      prompts.push(prompt);
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: ANSWER },
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason, usage },
      ];
      return {
        stream: new ReadableStream({
          start: (controller) => (parts.forEach((part) => controller.enqueue(part)), controller.close()),
        }),
      } as Data;
    },
  });
}

/**
 * Returns the results in the prompt. Throws if the model was not called exactly once, or if its tool messages contain
 * anything else than results.
 */
function toldByAi(prompts: readonly Data[]): Told[] {
  if (prompts.length !== 1) throw new Error(`the model was asked ${prompts.length} times`);
  return prompts[0]
    .filter(({ role }: Data) => role === 'tool')
    .flatMap(({ content }: Data) => content)
    .map(({ type, toolCallId, toolName, output }: Data) => {
      if (type !== 'tool-result') throw new Error(`a ${type} reached the model`);
      const { type: kind, value, reason } = output;
      const result = kind === 'execution-denied' ? { type: kind, reason } : value;
      return { id: toolCallId, name: toolName, failed: kind !== 'json' && kind !== 'text', result };
    });
}

async function effectReply(
  mode: Mode,
  history: readonly Data[],
  options: ResolveOptions,
  ranElsewhere: string[],
): Promise<Reply> {
  const prompts: Data[] = [];
  const chunks: ResolveChunk[] = [];
  const names = Object.keys(options.toolkit ?? {});
  const toolkit = Toolkit.make(
    ...names.map((name) =>
      Tool.make(name, { parameters: Schema.Record(Schema.String, Schema.Unknown), success: Schema.Unknown }),
    ),
  ) as Data;
  const handlers = toolkit.toLayer(
    Object.fromEntries(names.map((name) => [name, () => Effect.sync(() => ranElsewhere.push(name))])),
  );
  const note = (prompt: Data): void =>
    void prompts.push(JSON.parse(JSON.stringify(Schema.encodeSync(Prompt.Prompt)(prompt))));
  const finish = { type: 'finish', reason: 'stop', usage: { inputTokens: {}, outputTokens: {} } };
  const model = LanguageModel.make({
    generateText: ({ prompt }) => Effect.sync(() => (note(prompt), [{ type: 'text', text: ANSWER }, finish] as Data)),
    streamText: ({ prompt }) => {
      note(prompt);
      return Stream.fromIterable([
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: ANSWER },
        { type: 'text-end', id: '1' },
        finish,
      ] as Data);
    },
  });
  let messages: readonly Data[];
  if (mode === 'whole') ({ messages } = await resolveApprovals(history, options));
  else {
    const { stream, resolved } = resolveApprovalsStream(history, options);
    for await (const chunk of stream as unknown as AsyncIterable<ResolveChunk>) chunks.push(chunk);
    ({ messages } = await resolved);
  }
  const prompt = Schema.decodeUnknownSync(Prompt.Prompt)({ content: messages });
  const run = (effect: Data): Promise<Data> => Effect.runPromise(effect.pipe(Effect.provide(handlers), Effect.orDie));
  const parts: Data[] =
    mode === 'whole'
      ? (await run(Effect.flatMap(model, (service) => service.generateText({ prompt, toolkit })))).content
      : Array.from(
          await run(
            Stream.unwrap(Effect.map(model, (service) => service.streamText({ prompt, toolkit }))).pipe(
              Stream.runCollect,
            ) as Data,
          ),
        );
  if (prompts.length !== 1) throw new Error(`the model was asked ${prompts.length} times`);
  const told = prompts[0].content
    .filter(({ role }: Data) => role === 'tool')
    .flatMap(({ content }: Data) => content)
    .map(({ id, name, isFailure, result }: Data) => ({ id, name, failed: isFailure, result }));
  return { text: parts.map(({ text, delta }) => text ?? delta ?? '').join(''), told, chunks, ranElsewhere };
}

/**
 * Effect's own `LanguageModel` with a scripted model, over HTTP on the loopback. The server decodes the gate's prompt
 * with Effect's schema, and sends encoded stream parts.
 */
import { Effect, Schema, Stream } from 'effect';
import { LanguageModel, Prompt, Response as Reply, Tool, Toolkit } from 'effect/ai';
import { IN_THE_CLIENT, type Line, type Reply as Scripted, type Rig, type Session } from './rig';
import { asks, done, events, exchange, gateFor, scripted, serve, TOOLS, type Data } from './support';

/** The content that the model receives, part by part. */
function linesOf(prompt: Data): Line[] {
  const calls = new Map<string, string>();
  return prompt.content.flatMap(({ role, content }: Data) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((part: Data): Line => {
      const { type, text, id, name, params, result } = part;
      if (type === 'text') return { kind: role === 'user' ? 'user' : 'text', text };
      if (type === 'tool-call') {
        calls.set(id, `${name} ${params.path}`);
        return { kind: 'call', call: `${name} ${params.path}` };
      }
      if (type !== 'tool-result') return { kind: 'other', text: type };
      const told = result?.type === 'execution-denied' ? `denied: ${result.reason}` : String(result);
      return { kind: 'result', call: calls.get(id) ?? `? ${id}`, text: told };
    }),
  );
}

const finish = (reason: string): Data => ({ type: 'finish', reason, usage: { inputTokens: {}, outputTokens: {} } });

/** A reply as the stream parts of a model. */
export function partsOf(reply: Exclude<Scripted, { error: string }>): Data[] {
  if ('text' in reply)
    return [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: reply.text },
      { type: 'text-end', id: '1' },
      finish('stop'),
    ];
  const calls = reply.calls.flatMap(({ id, tool: name, path }) => [
    { type: 'tool-params-start', id, name },
    { type: 'tool-params-delta', id, delta: JSON.stringify({ path }) },
    { type: 'tool-params-end', id },
    { type: 'tool-call', id, name, params: { path } },
  ]);
  return [...calls, finish('tool-calls')];
}

const toolkit = Toolkit.make(
  ...TOOLS.map((name) =>
    Tool.make(name, {
      parameters: Schema.Struct({ path: Schema.String }),
      success: Schema.String,
      needsApproval: asks(name),
    }),
  ),
);

const decode = Schema.decodeUnknownSync(Prompt.Prompt);
const encode = Schema.encodeSync(Reply.StreamPart(toolkit) as unknown as Schema.Codec<Data, Data>);

/** A chat with Effect's language model. Each request runs the approved calls of its prompt, and then one step. */
export interface EffectSession extends Session {
  /** The encoded prompts that the model received. */
  readonly raw: readonly Data[];
}

/** Opens a chat with a server that uses Effect. */
export async function openEffect(
  replies: readonly Scripted[],
  options: Parameters<Rig['open']>[1],
): Promise<EffectSession> {
  const ran: string[] = [];
  const prompts: Line[][] = [];
  const raw: Data[] = [];
  const next = scripted(replies);
  const model = LanguageModel.make({
    generateText: () => Effect.succeed([]),
    streamText: ({ prompt }) => {
      const told = JSON.parse(JSON.stringify(Schema.encodeSync(Prompt.Prompt)(prompt)));
      raw.push(told);
      prompts.push(linesOf(told));
      return Stream.suspend(() => Stream.fromIterable(partsOf(next())));
    },
  });
  const handlers = toolkit.toLayer(
    Object.fromEntries(
      TOOLS.map((name) => [
        name,
        ({ path }: Data) =>
          Effect.sync(() => {
            ran.push(`${name} ${path}`);
            return done(name, path);
          }),
      ]),
    ) as Data,
  );
  const server = await serve(async ({ prompt }) => {
    const content = decode({ content: prompt });
    const stream = Stream.unwrap(
      Effect.map(model, (service) => service.streamText({ prompt: content, toolkit } as Data)),
    );
    const parts = stream.pipe(
      Stream.map((part) => encode(part)),
      Stream.provide(handlers),
      // The app reports errors of the model's API with Effect's part for errors.
      Stream.catchCause((cause) => Stream.make({ type: 'error', error: String(cause) })),
    );
    return events(Stream.toAsyncIterable(parts as unknown as Stream.Stream<Data>));
  });
  const gate = gateFor('effect', options);
  return {
    gate,
    url: server.url,
    ran,
    prompts,
    raw,
    send: (item) => exchange(gate, item, server.url),
    close: server.close,
  };
}

/** Effect. */
export const effect: Rig = {
  name: 'Effect',
  protocol: 'effect',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  open: openEffect,
};

/**
 * Genkit with a scripted model, tools that interrupt, and a flow around `ai.generateStream`. It is served in the format
 * of Genkit's own servers (`@genkit-ai/express`: `data: {"message": chunk}`, `data: {"result": response}`, `error:
 * {"error": …}`).
 */
import { genkit as makeGenkit, z, type GenkitBeta } from 'genkit/beta';
import { logger } from 'genkit/logging';
import type { ToolGateOptions } from 'toolgate';
import { IN_THE_CLIENT, type Line, type Reply, type Rig, type Session } from './rig';
import { asks, done, exchange, gateFor, openCalls, scripted, serve, TOOLS, written, type Data } from './support';

logger.setLogLevel('error');

/** The options of the scripted model. */
export interface Manner {
  /** Whether replies are sent in chunks. Default: yes. */
  readonly streams?: boolean;
  /**
   * The refs of its tool requests: the calls' ids (default), none, or positions in the message, as with some of
   * Genkit's models.
   */
  readonly refs?: 'ids' | 'none' | 'places';
}

/** The content that the model receives, part by part. */
function linesOf(messages: readonly Data[]): Line[] {
  const calls = openCalls();
  return messages.flatMap(({ role, content }: Data) =>
    content.map(({ text, toolRequest: asked, toolResponse: answer }: Data): Line => {
      if (text !== undefined) return { kind: role === 'user' ? 'user' : 'text', text };
      if (asked) return { kind: 'call', call: calls.made(asked.name, asked.ref, asked.input.path) };
      if (!answer) return { kind: 'other' };
      const told = typeof answer.output === 'string' ? answer.output : JSON.stringify(answer.output);
      return { kind: 'result', call: calls.answered(answer.name, answer.ref), text: told };
    }),
  );
}

function partsOf(reply: Exclude<Reply, { error: string }>, refs: Manner['refs']): Data[] {
  if ('text' in reply) return [{ text: reply.text }];
  return reply.calls.map(({ id, tool: name, path }, place) => {
    const ref = refs === 'none' ? undefined : refs === 'places' ? String(place) : id;
    return { toolRequest: { name, ...(ref !== undefined && { ref }), input: { path } } };
  });
}

/** Genkit with a scripted model and the common tools of all rigs. */
export function backend(replies: readonly Reply[], { streams = true, refs = 'ids' }: Manner = {}) {
  const ran: string[] = [];
  const raw: Data[] = [];
  const next = scripted(replies);
  const ai: GenkitBeta = makeGenkit({});
  const model = ai.defineModel(
    { name: 'scripted', supports: { tools: true, multiturn: true } },
    async ({ messages }, chunk) => {
      raw.push(JSON.parse(JSON.stringify(messages)));
      const content = partsOf(next(), refs);
      if (streams) for (const part of content) chunk?.({ content: [part] });
      return { message: { role: 'model', content }, finishReason: 'stop' };
    },
  );
  const tools = TOOLS.map((name) =>
    ai.defineTool(
      { name, description: name, inputSchema: z.object({ path: z.string() }), outputSchema: z.string() },
      async ({ path }, { interrupt, resumed }) => {
        if (asks(name) && (resumed as Data)?.toolApproved !== true) interrupt({ path });
        ran.push(`${name} ${path}`);
        return done(name, path);
      },
    ),
  );
  const flow = ai.defineFlow(
    { name: 'chat', inputSchema: z.any(), streamSchema: z.any() },
    async ({ messages, resume }, { sendChunk }) => {
      const { stream, response } = ai.generateStream({ model, tools, messages, ...(resume && { resume }) });
      for await (const piece of stream) sendChunk(piece.toJSON());
      return (await response).toJSON();
    },
  );
  return { ran, raw, flow };
}

/** A Genkit server, and the prompts of its model. */
export async function openGenkit(
  replies: readonly Reply[],
  options: ToolGateOptions,
  manner?: Manner,
): Promise<Session & { readonly raw: readonly Data[] }> {
  const { ran, raw, flow } = backend(replies, manner);
  const server = await serve(async ({ data }) => {
    const { stream, output } = flow.stream(data);
    // The stream throws the same error.
    output.catch(() => {});
    const events = async function* (): AsyncGenerator<string> {
      try {
        for await (const message of stream) yield `data: ${JSON.stringify({ message })}\n\n`;
        yield `data: ${JSON.stringify({ result: await output })}\n\n`;
      } catch (error) {
        const { status = 'INTERNAL', message } = error as Data;
        yield `error: ${JSON.stringify({ error: { status, message } })}\n\n`;
      }
    };
    return written(events(), 'text/plain');
  });
  const gate = gateFor('genkit', options);
  return {
    gate,
    url: server.url,
    ran,
    raw,
    get prompts() {
      return raw.map(linesOf);
    },
    send: (item) => exchange(gate, { ...item, body: { data: item.body } }, server.url),
    close: server.close,
  };
}

/** Genkit. */
export const genkit = (title: string, manner: Manner): Rig => ({
  name: `Genkit, ${title}`,
  protocol: 'genkit',
  waiting: IN_THE_CLIENT,
  runsAgain: true,
  open: (replies, options) => openGenkit(replies, options, manner),
});

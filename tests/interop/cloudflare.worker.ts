/**
 * A chat agent of Cloudflare for the rig. It runs in workerd, and calls the model and tools of the test by HTTP.
 */
import { AIChatAgent } from '@cloudflare/ai-chat';
import { routeAgentRequest } from 'agents';
import { convertToModelMessages, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import { z } from 'zod';

interface Host {
  /** The address of the test's server. */
  readonly HOST: string;
}

const TOKENS = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A chat; its name is the test's session. */
export class Chat extends AIChatAgent<Host> {
  async #ask(kind: string, data: unknown): Promise<unknown> {
    const response = await fetch(`${(this as unknown as { env: Host }).env.HOST}/${this.name}/${kind}`, {
      method: 'POST',
      body: JSON.stringify(data),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  override async onChatMessage(): Promise<Response> {
    const doStream = async ({ prompt }: { prompt: unknown }): Promise<unknown> => {
      const reply = (await this.#ask('model', prompt)) as
        { text: string } | { calls: { id: string; tool: string; path: string }[] };
      const said =
        'text' in reply
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: reply.text },
              { type: 'text-end', id: 't' },
            ]
          : reply.calls.map(({ id, tool: toolName, path }) => ({
              type: 'tool-call',
              toolCallId: id,
              toolName,
              input: JSON.stringify({ path }),
            }));
      const finishReason = { unified: 'text' in reply ? 'stop' : 'tool-calls', raw: undefined };
      const parts = [{ type: 'stream-start', warnings: [] }, ...said, { type: 'finish', finishReason, usage: TOKENS }];
      return {
        stream: new ReadableStream({ start: (out) => (parts.forEach((part) => out.enqueue(part)), out.close()) }),
      };
    };
    const model = {
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'm',
      supportedUrls: {},
      doStream,
    } as unknown as LanguageModel;
    const inputSchema = z.object({ path: z.string() });
    const made = (name: string, needsApproval: boolean) =>
      tool({
        description: name,
        inputSchema,
        needsApproval,
        execute: async ({ path }) => String(await this.#ask('run', `${name} ${path}`)),
      });
    const result = streamText({
      model,
      maxRetries: 0,
      messages: await convertToModelMessages(this.messages),
      stopWhen: stepCountIs(5),
      tools: {
        read: made('read', false),
        remove: made('remove', true),
        send: made('send', true),
        locate: tool({ description: 'in the browser', inputSchema }),
      },
      onError: () => {},
    });
    return result.toUIMessageStreamResponse({ onError: String });
  }
}

export default {
  fetch: async (request: Request, env: Host): Promise<Response> =>
    (await routeAgentRequest(request, env)) ?? new Response('', { status: 404 }),
};

/**
 * Mastra's bridge to AG-UI, with an agent whose tools suspend to ask, its memory, and a scripted model, in this
 * process.
 */
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { agentFile } from '../../../pkg-scripts/lib/coding-agents.mjs';
import { linesOf } from '../../interop/ai-sdk.server';
import { partsOf } from '../../interop/mastra.rig';
import { asks, done, scripted, TOOLS, type Data } from '../../interop/support';
import type { Connect } from '../wire';
import { byRuns } from './ag-ui';

const { MastraAgent } = await import(agentFile('mastra-ag-ui', '@ag-ui/mastra/dist/index.mjs'));

const DECISION = z.object({ approved: z.boolean(), reason: z.string().optional() });

/** Opens a chat with an agent. The tool `send` with the path `/ask` asks where to. */
export const connect: Connect = async (replies, happen) => {
  const next = scripted(replies);
  const doStream = async ({ prompt }: Data): Promise<Data> => {
    happen({ prompt: linesOf(prompt.filter(({ role }: Data) => role !== 'system')) });
    const parts = partsOf(next());
    return {
      stream: new ReadableStream({ start: (out) => (parts.forEach((part) => out.enqueue(part)), out.close()) }),
    };
  };
  const model: Data = { specificationVersion: 'v2', provider: 'scripted', modelId: 'm', supportedUrls: {}, doStream };
  const run = (tool: string, path: string): string => (happen({ ran: `${tool} ${path}` }), done(tool, path));
  const make = (id: string, resumeSchema?: z.ZodObject): Data =>
    createTool({
      id,
      description: id,
      inputSchema: z.object({ path: z.string() }),
      ...(resumeSchema && { resumeSchema, suspendSchema: z.object({ message: z.string() }) }),
      execute: async ({ path }: Data, { agent }: Data) => {
        const { resumeData: answer, suspend }: Data = agent ?? {};
        if (!resumeSchema) return run(id, path);
        if (!answer) return suspend({ message: path === '/ask' ? 'Where to?' : `Run ${id} ${path}?` });
        if (answer.city) return run(id, answer.city);
        return answer.approved ? run(id, path) : `Not executed: ${answer.reason ?? 'denied'}`;
      },
    } as Data);
  const isAsking = replies.some((reply) => 'calls' in reply && reply.calls.some(({ path }) => path === '/ask'));
  const tools = Object.fromEntries(
    TOOLS.map((id) => [id, make(id, asks(id) ? (isAsking ? z.object({ city: z.string() }) : DECISION) : undefined)]),
  );
  const storage = new InMemoryStore();
  const agent = new Agent({
    id: 'a',
    name: 'a',
    instructions: 'Tidy.',
    model,
    memory: new MockMemory({ storage }),
    tools,
  });
  new Mastra({ agents: { a: agent }, storage, logger: false });
  const bridge = new MastraAgent({ agent, resourceId: 'user' });
  const events = (input: Data): AsyncIterable<Data> =>
    new ReadableStream({
      start(out) {
        bridge.run(JSON.parse(JSON.stringify(input))).subscribe({
          next: (event: Data) => out.enqueue(event),
          error: (error: unknown) => out.error(error),
          complete: () => out.close(),
        });
      },
    });
  return byRuns(events, happen, () => Promise.resolve());
};

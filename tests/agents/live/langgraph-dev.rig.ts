/** LangGraph's dev server, called by the SDK's own client. Its tools call `interrupt()`, several of a step at once. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@langchain/langgraph-sdk';
import { agentPython } from '../../../pkg-scripts/lib/coding-agents.mjs';
import { endProgram, NOWHERE } from '../../interop/program';
import type { Data } from '../../interop/support';
import type { Connect } from '../wire';
import { serveModel } from './served-model';

const APP = fileURLToPath(new URL('python/langgraph_app.py', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server with one thread of a graph in `langgraph_app.py`. */
export const connectTo =
  (graph: 'graph' | 'reviewed'): Connect =>
  async (replies, happen) => {
    const model = await serveModel(replies, happen);
    const home = mkdtempSync(join(tmpdir(), 'toolgate-langgraph-'));
    const graphs = { agent: `${APP}:${graph}` };
    writeFileSync(join(home, 'langgraph.json'), JSON.stringify({ dependencies: ['.'], graphs }));
    const port = await freePort();
    const server = spawn(
      agentPython('langgraph-dev', 'langgraph'),
      ['dev', '--no-browser', '--no-reload', '--host', '127.0.0.1', '--port', String(port)],
      {
        cwd: home,
        env: {
          ...process.env,
          ...NOWHERE,
          RIG_HOST: model.url,
          LANGSMITH_TRACING: 'false',
          LANGGRAPH_NO_VERSION_CHECK: 'true',
        },
        stdio: 'ignore',
      },
    );
    const client = new Client({ apiUrl: `http://127.0.0.1:${port}`, apiKey: null, callerOptions: { maxRetries: 0 } });
    let thread: string | undefined;
    for (let round = 0; !thread && round < 100; round++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      thread = await client.threads.create().then(
        ({ thread_id: id }) => id,
        () => undefined,
      );
    }
    let connection = new AbortController();
    return {
      cut() {
        connection.abort();
        connection = new AbortController();
      },
      async write(body: Data) {
        const { signal } = connection;
        const run = client.runs.stream(thread as string, 'agent', {
          ...body,
          config: {},
          streamMode: ['values', 'messages-tuple'],
          streamResumable: true,
          signal,
        });
        try {
          for await (const event of run) {
            happen({ in: JSON.parse(JSON.stringify(event)) });
          }
          if (!signal.aborted) happen({ in: { event: 'end' } });
        } catch (error) {
          if (!signal.aborted) happen({ in: { event: 'error', data: { message: String(error) } } });
        }
      },
      stored: () => Promise.reject(new Error('not used')),
      async close() {
        await endProgram(server);
        await model.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  };

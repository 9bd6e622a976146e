/** LlamaIndex's AG-UI server, with tools of the page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { agentPython } from '../../../pkg-scripts/lib/coding-agents.mjs';
import { endProgram } from '../../interop/program';
import { PYTHON_ENV } from '../../interop/python';
import { eventsOf, type Data } from '../../interop/support';
import type { Connect } from '../wire';
import { byRuns } from './ag-ui';
import { serveModel } from './served-model';

const SCRIPT = fileURLToPath(new URL('python/llama_index_app.py', import.meta.url));

/** Starts a server for one chat. */
export const connect: Connect = async (replies, happen) => {
  const model = await serveModel(replies, happen);
  const server = spawn(agentPython('llama-index'), ['-u', SCRIPT, model.url], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: PYTHON_ENV,
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  async function* run(input: Data): AsyncGenerator<Data> {
    const response = await fetch(`http://127.0.0.1:${String(port).trim()}/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    if (!response.ok) throw new Error(await response.text());
    for await (const data of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
      const event = JSON.parse(data);
      yield event;
    }
  }
  return byRuns(run, happen, async () => {
    await endProgram(server);
    await model.close();
  });
};

/** An MCP server on its standard streams, with the three tools of the rigs. It reports their runs to the rig. */
import { createInterface } from 'node:readline';

const host = process.env['RIG_HOST'];
const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = ['read', 'remove', 'send'].map((name) => ({ name, description: name, inputSchema }));

async function resultOf(method, params) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'rig', version: '1' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  const body = JSON.stringify({ tool: params.name, path: params.arguments.path });
  const text = await (await fetch(`${host}/run`, { method: 'POST', body })).text();
  return { content: [{ type: 'text', text }] };
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = await resultOf(method, params);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});

/** An MCP server over stdio with one tool, which asks the user for a day. Its result is the user's answer. */
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = {
  name: 'book',
  description: 'Books.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};
const question = {
  message: 'Which day?',
  requestedSchema: { type: 'object', properties: { day: { type: 'string', title: 'Day' } }, required: ['day'] },
};
let called;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize')
    write({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'bookings', version: '1' },
      },
    });
  else if (method === 'tools/list') write({ id, result: { tools: [tool] } });
  else if (method === 'tools/call') {
    called = id;
    write({ id: 'question', method: 'elicitation/create', params: question });
  } else if (id === 'question')
    write({ id: called, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } });
  else if (id !== undefined) write({ id, result: {} });
});

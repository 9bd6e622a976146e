/**
 * A server process of the record tests: the servers of docs/security.md, one with a `StoredRecord` and one with
 * `respondOnce` around a plain `streamText`. It writes each claim and each run of the tool to a log file, and may kill
 * itself at a point where a process that ends leaves a different state in the store.
 *
 * The test forks it. Arguments: the database's name and place, the log file, the point at which it kills itself, and
 * how often it passes that point before.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo } from './connect.mjs';

const [name, place, log, end, passes] = process.argv.slice(2);
const dist = process.env.TOOLGATE_DIST ?? join(import.meta.dirname, '../../../pkg/dist');
const { resolveApprovals, respondOnce, StoredRecord } = await import(join(dist, 'server/index.js'));
const { store } = await connectTo(/** @type {never} */ (name), place);

/** One line for each event. The operating system keeps it if the process dies. */
const note = (event, n) => appendFileSync(log, `${event} ${n} ${process.pid}\n`);

let left = Number(passes);

/** Approval `n` is at this point. Kills this process if it is the one at which it ends. */
function at(point, n) {
  if (point !== end || left-- > 0) return;
  note(point, n);
  process.kill(process.pid, 'SIGKILL');
}

/** The tool. Its output names the process that ran it. */
async function run({ n }) {
  note('run', n);
  await sleep(Math.random() * 10);
  at('running', n);
  return `run ${n} by ${process.pid}`;
}

const record = new StoredRecord(store, { user: 'ann', chat: 'chat' });

function claimed(n) {
  note('claim', n);
  at('claimed', n);
}

/** The record, which also logs claims. */
const logged = (n) => ({
  request: (call) => record.request(call),
  requested: (id) => record.requested(id),
  begin: async (key) => {
    const isFirst = await record.begin(key);
    if (isFirst) claimed(n);
    return isFirst;
  },
  finish: async (key, result) => {
    at('ran', n);
    await record.finish(key, result);
    at('stored', n);
  },
  result: (key) => record.result(key),
});

/** A request for approval `n`, with the user's approval. */
const history = (n) => [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
  {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-run',
        toolCallId: `call-${n}`,
        state: 'approval-responded',
        input: { n },
        approval: { id: `ask-${n}`, approved: true },
      },
    ],
  },
];

/** The routes: each takes the number of an approval. */
const routes = {
  '/ask': async (n) => {
    await record.request({ approvalId: `ask-${n}`, toolCallId: `call-${n}`, toolName: 'run', input: { n } });
    return new Response('asked');
  },
  '/record': async (n) => {
    const { results } = await resolveApprovals(history(n), { toolkit: { run }, record: logged(n) });
    return Response.json({ output: results[0].output ?? null });
  },
  '/once': (n, key) => {
    const answer = () => {
      claimed(n);
      return streamed(n);
    };
    const waitUntil = (work) => void work.then(() => at('stored', n));
    return respondOnce(store, { user: 'ann', key }, answer, { leaseMs: 1500, waitUntil });
  },
};

/** The reply of a plain `streamText` server, which runs the approved call itself. */
async function streamed(n) {
  const { convertToModelMessages, streamText, tool } = await import('ai');
  const { convertArrayToReadableStream, MockLanguageModelV4 } = await import('ai/test');
  const { z } = await import('zod');
  const usage = { inputTokens: {}, outputTokens: {} };
  const chunks = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: { unified: 'stop' }, usage },
  ];
  const tools = { run: tool({ inputSchema: z.object({ n: z.number() }), execute: run }) };
  const result = streamText({
    model: new MockLanguageModelV4({
      doStream: async () => {
        at('ran', n);
        return { stream: convertArrayToReadableStream(/** @type {never} */ (chunks)) };
      },
    }),
    tools,
    toolApproval: { run: 'user-approval' },
    messages: await convertToModelMessages(/** @type {never} */ (history(n)), { tools }),
  });
  void result.consumeStream(); // finishes also when the client is gone
  return result.toUIMessageStreamResponse();
}

const server = createServer(async (request, response) => {
  try {
    const { n, key } = JSON.parse(String(await buffer(request)));
    if (request.url !== '/ask') at('unclaimed', n);
    const reply = await routes[request.url](n, key);
    response.writeHead(reply.status).end(await reply.text());
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error));
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

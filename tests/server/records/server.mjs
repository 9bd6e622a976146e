/**
 * A server process of the record tests: the servers of docs/security.md, one with a `StoredRecord` and one with
 * `respondOnce` around a plain `streamText`. It writes each claim and each run of the tool to a log file, and sometimes
 * kills itself, at the points where a process that ends leaves a different state in the store.
 *
 * The test forks it. Arguments: the database's name and place, the log file, and the probability of dying at a point.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo } from './connect.mjs';

const [name, place, log, mortality] = process.argv.slice(2);
const dist = process.env.TOOLGATE_DIST ?? join(import.meta.dirname, '../../../pkg/dist');
const { resolveApprovals, respondOnce, StoredRecord } = await import(join(dist, 'server/index.js'));
const { store } = await connectTo(/** @type {never} */ (name), place);

/** Kills this process, with the given probability. */
function mayDie() {
  if (Math.random() < Number(mortality)) process.kill(process.pid, 'SIGKILL');
}

/** One line for each event. The operating system keeps it if the process dies. */
const note = (event, n) => appendFileSync(log, `${event} ${n} ${process.pid}\n`);

/** The tool. Its output names the process that ran it. */
async function run({ n }) {
  mayDie();
  note('run', n);
  mayDie();
  await sleep(Math.random() * 10);
  mayDie();
  return `run ${n} by ${process.pid}`;
}

const record = new StoredRecord(store, { user: 'ann', chat: 'chat' });

/** The record, which also logs claims. */
const logged = (n) => ({
  request: (call) => record.request(call),
  requested: (id) => record.requested(id),
  begin: async (key) => {
    const isFirst = await record.begin(key);
    if (isFirst) note('claim', n);
    return isFirst;
  },
  finish: (key, result) => record.finish(key, result),
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
    mayDie();
    return Response.json({ output: results[0].output ?? null });
  },
  '/once': (n, key) =>
    respondOnce(
      store,
      { user: 'ann', key },
      async () => {
        note('claim', n);
        return streamed(n);
      },
      { leaseMs: 1500 },
    ),
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
        mayDie();
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
    const reply = await routes[request.url](n, key);
    mayDie();
    response.writeHead(reply.status).end(await reply.text());
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error));
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

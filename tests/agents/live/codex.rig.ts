/**
 * Codex's app server with its real program, three commands, and a model on the loopback that speaks the Responses API.
 * Its home is a temporary folder. A rule of Codex says for which commands it must ask.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentProgram } from '../../../pkg-scripts/lib/coding-agents.mjs';
import type { Line, Reply } from '../../interop/rig';
import { asks, done, serve, TOOLS, written, type Data } from '../../interop/support';
import type { Connect } from '../wire';

/** The content that the model reads, without what Codex adds for its own purposes. */
function linesOf(input: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return input.flatMap(({ type, role, content, call_id: id, arguments: text, output }: Data): Line[] => {
    if (type === 'function_call') {
      calls.set(id, /(?:read|remove|send) \/\w+/.exec(text)?.[0] ?? text);
      return [{ kind: 'call', call: calls.get(id) as string }];
    }
    if (type === 'function_call_output')
      return [
        {
          kind: 'result',
          call: calls.get(id) ?? `? ${id}`,
          text: typeof output === 'string' ? output : JSON.stringify(output),
        },
      ];
    if (type !== 'message' || !/^(user|assistant)$/.test(role)) return [];
    return content
      .filter((part: Data) => !part.text.startsWith('<'))
      .map((part: Data): Line => ({ kind: role === 'user' ? 'user' : 'text', text: part.text }));
  });
}

/** Returns the call of the model for a call of a scenario. */
type CallOf = (
  tool: string,
  path: string,
) => { readonly name: string; readonly namespace?: string; readonly input: Data };

/** A reply in the stream format of the Responses API. */
async function* eventsOf(reply: Exclude<Reply, { error: string }>, id: string, callOf: CallOf): AsyncGenerator<string> {
  const event = (type: string, fields: Data): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const response = { id: `resp_${id}`, object: 'response', status: 'in_progress', output: [] };
  yield event('response.created', { response });
  const output: Data[] =
    'text' in reply
      ? [
          {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          },
        ]
      : reply.calls.map(({ id: call_id, tool, path }) => {
          const { input, ...call } = callOf(tool, path);
          return { type: 'function_call', id: `fc_${call_id}`, call_id, ...call, arguments: JSON.stringify(input) };
        });
  for (const [output_index, item] of output.entries()) {
    const empty = item.content ? { content: [] } : { arguments: '' };
    yield event('response.output_item.added', { output_index, item: { ...item, ...empty } });
    if ('text' in reply)
      yield event('response.output_text.delta', {
        item_id: item.id,
        output_index,
        content_index: 0,
        delta: reply.text,
      });
    yield event('response.output_item.done', { output_index, item });
  }
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details };
  yield event('response.completed', { response: { ...response, status: 'completed', output, usage } });
}

/** The shell command of a call: one of the commands, or with `files` a patch that adds a file. */
const shellOf = (tool: string, path: string, bin: string | undefined): string =>
  bin === undefined
    ? `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path.slice(1)}.txt\n+${tool}\n*** End Patch\nEOF`
    : `${join(bin, tool)} ${path}`;

/** A question of the model, or for other tools a call of the MCP server that asks one. */
const questionOf: CallOf = (tool, path) => {
  if (tool !== 'send') return { name: 'book', namespace: 'mcp__bookings', input: {} };
  const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `It is ${label}.` }));
  const isSecret = path === '/secret';
  const question = { id: path.slice(1), header: 'Database', question: 'Which database?', options, isSecret };
  return { name: 'request_user_input', input: { questions: [question] } };
};

const SERVER = fileURLToPath(new URL('bookings-server.mjs', import.meta.url));

/** A home for Codex: its configuration, its rules, and the commands, which write their runs to a log. */
function prepare(url: string, sandbox: string, asksUser: boolean) {
  const home = mkdtempSync(join(tmpdir(), 'toolgate-codex-'));
  const [project, bin, codex, log] = ['project', 'bin', 'codex', 'log'].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [project, bin, join(codex, 'rules')]) mkdirSync(folder, { recursive: true });
  for (const tool of TOOLS) {
    const file = join(bin, tool);
    const wait = '[ "$1" != /slow ] || sleep 0.4';
    writeFileSync(file, `#!/bin/sh\necho "${tool} $1" >> ${log}\n${wait}\necho "${done(tool, '$1')}"\n`);
    chmodSync(file, 0o755);
  }
  const rules = TOOLS.map(
    (tool) =>
      `prefix_rule(pattern=[${JSON.stringify(join(bin, tool))}], decision="${asks(tool) ? 'prompt' : 'allow'}")\n`,
  );
  writeFileSync(join(codex, 'rules', 'default.rules'), rules.join(''));
  const lines = [
    'model = "scripted"',
    'model_provider = "scripted"',
    'approval_policy = "on-request"',
    `sandbox_mode = "${sandbox}"`,
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[features]',
    'plugins = false',
    `default_mode_request_user_input = ${asksUser}`,
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    `[projects."${project}"]`,
    'trust_level = "trusted"',
    ...(asksUser ? ['[mcp_servers.bookings]', `command = "${process.execPath}"`, `args = ["${SERVER}"]`] : []),
  ];
  writeFileSync(join(codex, 'config.toml'), `${lines.join('\n')}\n`);
  return { home, project, bin, codex, log };
}

/** Starts the app server for one thread, whose model runs commands, asks the user, or in a sandbox adds files. */
export const connectTo =
  (what: 'commands' | 'files' | 'questions'): Connect =>
  async (replies, happen) => {
    let next = 0;
    let bin: string | undefined;
    let logged = 0;
    const model = await serve(async (body: Data, request) => {
      if (!request.url.endsWith('/responses')) return Response.json({}, { status: 404 });
      tellRuns();
      happen({ prompt: linesOf(body.input) });
      const reply = replies[next++];
      if (!reply || 'error' in reply)
        return Response.json(
          { error: { message: 'The scripted model fails.', type: 'invalid_request_error' } },
          { status: 400 },
        );
      return written(eventsOf(reply, String(next), callOf));
    });
    const places = prepare(model.url, what === 'files' ? 'read-only' : 'danger-full-access', what === 'questions');
    const { home, project, codex, log } = places;
    if (what === 'commands') bin = places.bin;
    const callOf: CallOf =
      what === 'questions'
        ? questionOf
        : (tool, path) => ({ name: 'exec_command', input: { cmd: shellOf(tool, path, bin), login: false } });
    /** Tells which commands ran since the last time. */
    function tellRuns(): void {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
      for (const ran of lines.slice(logged)) happen({ ran });
      logged = lines.length;
    }

    const telling = setInterval(tellRuns, 20);
    const server = spawn(agentProgram('codex'), ['app-server'], {
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        CODEX_HOME: codex,
        HTTP_PROXY: 'http://127.0.0.1:9',
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost',
      },
    });
    const write = (message: Data): void => void server.stdin.write(`${JSON.stringify(message)}\n`);
    const calls = new Map<unknown, (message: Data) => void>();
    const call = (method: string, params: Data): Promise<Data> =>
      new Promise((resolve, reject) => {
        const id = `rig-${calls.size}`;
        calls.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
        write({ id, method, params });
      });
    /** The items that started, and the requests that wait. */
    const started = new Map<string, Data>();
    const waiting = new Map<unknown, Data>();
    let thread = '';
    const take = (message: Data): void => {
      const { method, id, params } = message;
      if (method === undefined && calls.has(id)) return calls.get(id)?.(message);
      // The other notifications are about the account, the model and the use of tokens.
      if (id === undefined && (params?.threadId !== thread || !/^(turn|item|serverRequest)\//.test(method))) return;
      if (method === 'item/started') started.set(params.item.id, message);
      if (method !== undefined && id !== undefined) waiting.set(id, message);
      if (method === 'serverRequest/resolved') waiting.delete(params.requestId);
      tellRuns();
      happen({ in: message });
    };
    let rest = '';
    server.stdout.on('data', (piece) => {
      const lines = (rest + String(piece)).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) if (line) take(JSON.parse(line));
    });
    await call('initialize', {
      clientInfo: { name: 'toolgate', title: 'Toolgate', version: '1' },
      capabilities: { experimentalApi: true },
    });
    write({ method: 'initialized' });
    thread = (await call('thread/start', { cwd: project })).thread.id;
    return {
      write(body) {
        write(body.method ? { ...body, params: { ...body.params, threadId: thread } } : body);
      },
      async stored() {
        const { thread: read } = await call('thread/read', { threadId: thread, includeTurns: true });
        return {
          history: read.turns.flatMap((turn: Data) => turn.items),
          requests: [...waiting.values()].flatMap((request) => [started.get(request.params.itemId), request]),
        };
      },
      idle: () => new Promise((resolve) => setTimeout(resolve, 500)),
      async close() {
        clearInterval(telling);
        server.kill();
        if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
        await model.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  };

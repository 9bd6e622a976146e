/**
 * The Claude Agent SDK with its real program, three tools of an MCP server in this process, and a model on the loopback
 * that speaks the Messages API. Its home is a temporary folder. Claude Code runs tools that are marked as read-only
 * side by side, and asks about all of them at once.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFile } from '../../../pkg-scripts/lib/coding-agents.mjs';
import type { Line, Reply } from '../../interop/rig';
import { asks, done, serve, slowly, TOOLS, written, type Data } from '../../interop/support';
import type { Connect } from '../wire';

const { createSdkMcpServer, getSessionMessages, query, tool } = await import(
  agentFile('claude-agent-sdk', '@anthropic-ai/claude-agent-sdk/sdk.mjs')
);
const { z } = await import(agentFile('claude-agent-sdk', 'zod/index.js'));

/** What Claude Code writes around a message that arrived during the turn. It adds it to a result. */
const MESSAGE =
  /<system-reminder>\s*The user sent a new message while you were working:\n([^]*?)\n\nThis is how [^]*?<\/system-reminder>/;

/** The content that the model reads, without what Claude Code adds for its own purposes. */
function linesOf(messages: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  const clean = (text: string): string => text.replaceAll(/<system-reminder>[^]*?<\/system-reminder>\s*/g, '').trim();
  return messages.flatMap(({ role, content }: Data): Line[] =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).flatMap((block: Data): Line[] => {
      if (block.type === 'text') {
        const passed = MESSAGE.exec(block.text)?.[1];
        if (passed !== undefined) return [{ kind: 'user', text: passed }];
        const text = clean(block.text);
        const isOwn = !text || /^\[Request interrupted by user/.test(text);
        return isOwn ? [] : [{ kind: role === 'user' ? 'user' : 'text', text }];
      }
      if (block.type === 'tool_use') {
        calls.set(block.id, `${block.name} ${block.input.path}`);
        return [{ kind: 'call', call: calls.get(block.id) as string }];
      }
      const parts = typeof block.content === 'string' ? [{ text: block.content }] : block.content;
      const whole: string = parts.map((part: Data) => part.text).join('');
      const said = MESSAGE.exec(whole)?.[1];
      const call = calls.get(block.tool_use_id) ?? `? ${block.tool_use_id}`;
      return [
        { kind: 'result', call, text: clean(whole) },
        ...(said === undefined ? [] : [{ kind: 'user' as const, text: said }]),
      ];
    }),
  );
}

/** The question of the model, whose text is the path of a call. */
const questionsAbout = (path: string): Data => {
  const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `It is ${label}.` }));
  return { questions: [{ question: path, header: 'Database', options, multiSelect: false }] };
};

/** A reply in the stream format of the Messages API. With `asksUser`, its calls are questions. */
async function* eventsOf(
  reply: Exclude<Reply, { error: string }>,
  id: string,
  asksUser: boolean,
): AsyncGenerator<string> {
  const event = (type: string, fields: Data): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  yield event('message_start', { message: { ...head, usage } });
  const blocks: [Data, Data][] =
    'text' in reply
      ? [
          [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ],
        ]
      : reply.calls.map(({ id: call, tool: name, path }) => [
          { type: 'tool_use', id: call, name: asksUser ? 'AskUserQuestion' : name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(asksUser ? questionsAbout(path) : { path }) },
        ]);
  for (const [index, [block, delta]] of blocks.entries()) {
    yield event('content_block_start', { index, content_block: block });
    yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const stop = 'text' in reply ? 'end_turn' : 'tool_use';
  yield event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage });
  yield event('message_stop', {});
}

/** Starts the SDK's program for one session, whose model calls tools or asks the user. */
export const connectTo =
  (what: 'tools' | 'questions'): Connect =>
  async (replies, happen) => {
    const home = mkdtempSync(join(tmpdir(), 'toolgate-claude-'));
    const project = join(home, 'project');
    mkdirSync(project);
    let next = 0;
    const model = await serve(async (body: Data, request) => {
      if (!/\/v1\/messages\?/.test(request.url)) return Response.json({}, { status: 404 });
      const reply = replies[next];
      const isNew = !(reply && 'error' in reply && isFailing);
      if (isNew) happen({ prompt: linesOf(body.messages) });
      isFailing = reply === undefined || 'error' in reply;
      // The program repeats a failed request, so a failing reply is used until the next message.
      if (!reply || 'error' in reply)
        return Response.json(
          { type: 'error', error: { type: 'invalid_request_error', message: 'The scripted model fails.' } },
          { status: 400 },
        );
      next++;
      return written(eventsOf(reply, `msg_${next}`, what === 'questions'));
    });
    let isFailing = false;

    const input: Data[] = [];
    let wake = (): void => {};
    let isClosed = false;
    async function* prompts(): AsyncGenerator<Data> {
      while (!isClosed) {
        for (let message; (message = input.shift());) yield message;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    /** The requests that wait for an answer. */
    const waiting = new Map<string, { readonly request: Data; readonly answer: (result: Data) => void }>();
    const tools = TOOLS.map((name) =>
      tool(
        name,
        name,
        { path: z.string() },
        async ({ path }: { path: string }) => {
          happen({ ran: `${name} ${path}` });
          await slowly(path);
          return { content: [{ type: 'text', text: done(name, path) }] };
        },
        { annotations: { readOnlyHint: true } },
      ),
    );
    let session = '';
    const config = join(home, 'config');
    process.env['CLAUDE_CONFIG_DIR'] = config;
    const run = query({
      prompt: prompts(),
      options: {
        cwd: project,
        model: 'claude-sonnet-4-5',
        systemPrompt: 'Tidy up.',
        mcpServers: { rig: createSdkMcpServer({ name: 'rig', version: '1', tools }) },
        tools: what === 'questions' ? ['AskUserQuestion'] : [],
        settingSources: [],
        includePartialMessages: true,
        allowedTools: TOOLS.filter((name) => !asks(name)).map((name) => `mcp__rig__${name}`),
        canUseTool: (name: string, given: Data, { signal, suggestions, toolUseID, requestId: id, ...more }: Data) =>
          new Promise((resolve) => {
            const request = { subtype: 'can_use_tool', tool_name: name, input: given, tool_use_id: toolUseID };
            const message = {
              type: 'control_request',
              request_id: id,
              request: { ...request, permission_suggestions: suggestions, display_name: more.displayName },
            };
            waiting.set(id, { request: message, answer: resolve });
            signal.addEventListener('abort', () => {
              if (waiting.delete(id)) happen({ in: { type: 'control_cancel_request', request_id: id } });
            });
            happen({ in: message });
          }),
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          CLAUDE_CONFIG_DIR: config,
          CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          CLAUDE_CODE_MAX_RETRIES: '0',
          DISABLE_AUTOUPDATER: '1',
          DISABLE_TELEMETRY: '1',
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'none',
          HTTP_PROXY: 'http://127.0.0.1:9',
          HTTPS_PROXY: 'http://127.0.0.1:9',
          NO_PROXY: '127.0.0.1,localhost',
        },
      },
    });
    const reading = (async () => {
      for await (const message of run) {
        session = message.session_id;
        happen({ in: message });
      }
    })().catch((error: unknown) =>
      happen({ in: { type: 'result', subtype: 'error_during_execution', is_error: true, errors: [String(error)] } }),
    );
    return {
      write(body) {
        if (body.type !== 'control_response') {
          if (isFailing) next++;
          isFailing = false;
          input.push(body);
          return wake();
        }
        const { request_id: id, response } = body.response;
        const { answer } = waiting.get(id) ?? {};
        waiting.delete(id);
        answer?.(response);
      },
      stored: async () => ({
        history: await getSessionMessages(session),
        requests: [...waiting.values()].map(({ request }) => request),
      }),
      idle: () => new Promise((resolve) => setTimeout(resolve, 500)),
      async close() {
        isClosed = true;
        wake();
        run.close?.();
        await reading;
        await model.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  };

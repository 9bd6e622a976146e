/** `gemini --acp` with three tools of an MCP server, and a scripted model that speaks Gemini's API on the loopback. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentProgram } from '../../../pkg-scripts/lib/coding-agents.mjs';
import { NOWHERE } from '../../interop/program';
import type { Line, Reply } from '../../interop/rig';
import { serve, type Data } from '../../interop/support';
import type { Connect } from '../wire';
import { connectAcp } from './acp';
import { runTool } from './served-model';

const SERVER = fileURLToPath(new URL('tools-server.mjs', import.meta.url));

/** Gemini CLI's names of the server's tools. */
const PREFIX = 'mcp_rig_';

/** The content that the model reads, without what Gemini CLI adds for its own purposes. */
function linesOf(contents: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return contents.flatMap(({ role, parts }: Data): Line[] =>
    parts.flatMap(({ text, functionCall: call, functionResponse: result }: Data): Line[] => {
      if (call) {
        calls.set(call.id, `${call.name.replace(PREFIX, '')} ${call.args.path}`);
        return [{ kind: 'call', call: calls.get(call.id) as string }];
      }
      if (result) {
        const { output, error } = result.response;
        return [{ kind: 'result', call: calls.get(result.id) ?? `? ${result.id}`, text: String(error ?? output) }];
      }
      if (typeof text !== 'string' || text.startsWith('<session_context>')) return [];
      return [{ kind: role === 'user' ? 'user' : 'text', text }];
    }),
  );
}

/** A reply of Gemini's API, as its only event; an error if the model fails. */
function replyOf(reply: Reply | undefined): Response {
  if (!reply || 'error' in reply)
    return Response.json(
      { error: { code: 400, message: 'The scripted model fails.', status: 'INVALID_ARGUMENT' } },
      { status: 400 },
    );
  const parts =
    'text' in reply
      ? [{ text: reply.text }]
      : reply.calls.map(({ id, tool, path }) => ({ functionCall: { id, name: PREFIX + tool, args: { path } } }));
  const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }];
  return new Response(`data: ${JSON.stringify({ candidates })}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

/** Starts the program with one session. */
export const connect: Connect = async (replies, happen) => {
  let next = 0;
  const model = await serve(async (body, { url }) => {
    if (url.endsWith('/run')) return runTool(body, happen);
    if (!url.includes(':streamGenerateContent')) return Response.json({}, { status: 404 });
    happen({ prompt: linesOf(body.contents) });
    return replyOf(replies[next++]);
  });
  const home = mkdtempSync(join(tmpdir(), 'toolgate-gemini-'));
  const [cwd, settings] = [join(home, 'project'), join(home, '.gemini')];
  for (const folder of [cwd, settings]) mkdirSync(folder);
  const config = {
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
    model: { name: 'gemini-2.5-flash' },
    privacy: { usageStatisticsEnabled: false },
    security: { auth: { selectedType: 'gemini-api-key' } },
    tools: { allowed: [`${PREFIX}read`] },
    mcpServers: { rig: { command: process.execPath, args: [SERVER], env: { RIG_HOST: model.url } } },
  };
  writeFileSync(join(settings, 'settings.json'), JSON.stringify(config));
  return connectAcp(
    {
      command: agentProgram('gemini-cli', 'gemini'),
      args: ['--acp'],
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: model.url,
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        ...NOWHERE,
      },
      async close() {
        await model.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      },
    },
    happen,
  );
};

/** The tested servers: `streamText` by itself, and the servers of docs/security.md. */
import { block } from '../../docs/support/pages.js';
import { run } from '../../docs/support/run.js';
import type { Data } from '../../interop/support';
import { ClockedStore } from '../../server/records/clocked-store';
import { versionOf } from '../adapters/versions';
import { demo } from './demo';
import { serveChat, worldOf, type TestedServer, type World } from './world';

const SECRET = 'a secret of the tests';

/** The route handler of the AI SDK's documentation. */
async function route({ ai, model, tools, version }: World, request: Request, secret?: string): Promise<Response> {
  const { messages } = (await request.json()) as Data;
  const result = ai.streamText({
    model,
    tools,
    messages: await ai.convertToModelMessages(messages, { tools }),
    maxRetries: 0,
    onError: () => {},
    ...(version === 7 && { toolApproval: { remove_file: 'user-approval' } }),
    ...(secret !== undefined && { experimental_toolApprovalSecret: secret }),
  } as Data);
  return result.toUIMessageStreamResponse({ originalMessages: messages });
}

const plain = (version: 6 | 7, secret?: string): TestedServer => ({
  name: `\`streamText\` of \`ai\` ${versionOf(version === 7 ? 'ai' : 'ai6')}${secret ? ', signed' : ''}`,
  baseline: `server-ai-${version}${secret ? '-signed' : ''}`,
  start: () => {
    const world = worldOf(version);
    return serveChat(world, (request) => route(world, request, secret));
  },
});

/** The first server of docs/security.md: signatures, and one reply for each key. Its database is in memory. */
const keyed: TestedServer = {
  name: '`respondOnce` of `toolgate/server` (docs/security.md)',
  baseline: 'server-toolgate-keys',
  start: async () => {
    process.env['TOOL_APPROVAL_SECRET'] = SECRET;
    const world = worldOf(7);
    const code = block('security', 'export async function POST').replace("'toolgate.db'", "':memory:'");
    const { POST } = await run('security', code, { model: world.model, tools: world.tools, userOf: async () => 'ann' });
    return serveChat(world, POST);
  },
};

/** The second server of docs/security.md: a record of what was asked, in place of `streamText`'s own execution. */
const recorded: TestedServer = {
  name: '`resolveApprovals` of `toolgate/server` with a record (docs/security.md)',
  baseline: 'server-toolgate-record',
  start: async () => {
    const world = worldOf(7);
    const given = { model: world.model, tools: world.tools, secret: SECRET, store: new ClockedStore() };
    const { answer } = await run('security', block('security', 'resolveApprovalsStream(checked'), given);
    return serveChat(world, async (request) => {
      const { id, messages } = (await request.json()) as Data;
      return answer(messages, { user: 'ann', chat: id });
    });
  },
};

/** All servers. */
export const servers: readonly TestedServer[] = [plain(6), plain(7), plain(7, SECRET), demo, keyed, recorded];

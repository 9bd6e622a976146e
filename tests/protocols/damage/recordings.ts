/**
 * Conversations to damage: recordings of real backends (tests/interop/recorder.ts), and replies of the models' own APIs
 * and of VS Code, which cannot run in tests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Act, Recording } from '../../interop/recorder';
import { outputOf, replies, streamOf, type Raw } from '../replies';
import type { Data } from '../support';
import { type ProtocolName } from '../all.js';

const FOLDER = new URL('../../fixtures/recordings/', import.meta.url);

const recorded = readdirSync(FOLDER)
  .sort()
  .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Recording);

const CALLS = [
  { id: 'call-1', name: 'remove', input: { path: '/a' } },
  { id: 'call-2', name: 'send', input: { path: '/b', to: ['ann', 'bob'] } },
];

/** The actions around the replies: of two calls, one is approved and runs in the page, and one is denied. */
function conversation(
  protocol: ProtocolName,
  source: string,
  first: readonly Data[],
  last: readonly Data[],
  options = {},
): Recording {
  const reply = (requestId: string, events: readonly Data[]): Act[] => [
    ['claim', requestId],
    ['markSent', requestId],
    ...events.map((event): Act => ['receive', JSON.parse(JSON.stringify(event)), { requestId }]),
    ['streamEnded', { status: 'finished' }, { requestId }],
  ];
  const acts: Act[] = [
    ['sendUserMessage', { text: 'Tidy up.' }],
    ...reply('out-1', first),
    ['respond', 'call-1', { approved: true }],
    ['respond', 'call-2', { approved: false, reason: 'Not him.' }],
    ['addToolOutput', 'call-1', { output: 'gone' }],
    ...reply('out-2', last),
    ['sendUserMessage', { text: 'Thanks.' }],
  ];
  return { protocol, source, options, acts };
}

const apis = (Object.keys(replies) as Raw[]).map((protocol) =>
  conversation(
    protocol,
    `${protocol}: replies.ts`,
    replies[protocol]({ thought: 'Two of them.', text: 'I will tidy up.', calls: CALLS }),
    replies[protocol]({ text: 'It is done.' }),
  ),
);

const MCP = {
  type: 'mcp_approval_request',
  id: 'mcpr_1',
  server_label: 'files',
  name: 'remove',
  arguments: '{"path":"/c"}',
} as const;

/**
 * A hosted MCP server at OpenAI requests an approval. The replies also contain items that the AI SDK's format cannot
 * express.
 */
const hosted: Recording = {
  protocol: 'openai-responses',
  source: 'openai-responses: an MCP server that requests approvals',
  options: {},
  acts: [
    ['sendUserMessage', { text: 'Tidy up.' }],
    ...streamOf([
      ...outputOf({ thought: 'One.', text: 'I ask.' }),
      { type: 'web_search_call', id: 'ws_1', status: 'completed' } as Data,
      MCP as Data,
    ]).map((event): Act => ['receive', event]),
    ['streamEnded', { status: 'finished' }],
    ['respond', 'mcpr_1', { approved: true }],
    ['claim', 'out-2'],
    ...streamOf([
      { ...MCP, type: 'mcp_call', id: 'mcp_1', approval_request_id: 'mcpr_1', output: 'gone', error: null } as Data,
      ...outputOf({ text: 'Done.' }),
    ]).map((event): Act => ['receive', event]),
    ['streamEnded', { status: 'finished' }],
  ],
};

const parts = CALLS.map(({ id: callId, name, input }) => ({ callId, name, input }));
const vscode = conversation(
  'vscode',
  'vscode: its types',
  [{ value: 'I will ' }, { value: 'tidy up.' }, ...parts],
  [{ value: 'It is ' }, { value: 'done.' }],
  {
    needsApproval: () => true,
  },
);

/** All recordings. */
export const recordings: readonly Recording[] = [...recorded, ...apis, hosted, vscode];

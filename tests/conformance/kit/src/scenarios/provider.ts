/** Tools that the model's provider runs, such as those of a remote MCP server. */
import type { Chunk, Group } from '../scenario.js';
import { asks, DONE, reply, says, step } from './words.js';

const remote = (chunk: Chunk): Chunk =>
  chunk.type.startsWith('tool-input') || chunk.type.startsWith('tool-output')
    ? { ...chunk, providerExecuted: true }
    : chunk;

const OUTPUT: Chunk = { type: 'tool-output-available', toolCallId: 'c1', output: 'found', providerExecuted: true };

export const provider: Group = {
  name: 'Tools that the provider runs',
  scenarios: [
    {
      id: 'provider-approval',
      title: 'The user approves a call that the provider runs',
      rule: 'The decision is sent once; the provider runs the call, and the app’s server does not.',
      source: 'https://github.com/vercel/ai/pull/14289',
      server: [reply(...asks('c1', 'search').map(remote)), { lines: [OUTPUT, ...step(...says('Done.'))] }],
      user: [{ send: 'Search' }, { approve: 'c1' }],
      expect: { requests: 2, ran: [], shows: { c1: 'executed' }, copies: { c1: 1 } },
    },
    {
      id: 'provider-denial',
      title: 'The user denies a call that the provider runs, and later writes a message',
      rule: 'A denied call of the provider has its denial in the next requests, and no output.',
      server: [reply(...asks('c1', 'search').map(remote)), DONE, DONE],
      user: [{ send: 'Search' }, { deny: 'c1', reason: 'no' }, { send: 'Thanks' }],
      expect: { requests: 3, ran: [], modelNever: ['result c1: output *'], shows: { c1: 'denied' } },
    },
    {
      id: 'provider-call-holds-nothing',
      title: 'A call of the provider still runs when the step ends, beside one that the user approves',
      rule: 'A call that the provider runs without approval holds no decision back.',
      server: [
        reply(
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: {}, providerExecuted: true },
          ...asks('c2'),
        ),
        { lines: [OUTPUT, ...step(...says('Done.'))] },
      ],
      user: [{ send: 'Search and tidy up' }, { approve: 'c2' }],
      expect: { requests: 2, ran: ['c2'], shows: { c1: 'executed', c2: 'executed' } },
    },
  ],
};

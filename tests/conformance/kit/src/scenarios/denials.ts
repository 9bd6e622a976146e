/** What a denial must do, and what it must not do. */
import type { Group } from '../scenario.js';
import { asks, DONE, FOUR_CALLS, reply, says, step } from './words.js';

export const denials: Group = {
  name: 'Denials',
  scenarios: [
    {
      id: 'denial-is-a-decision',
      title: 'The user denies a call and gives a reason',
      rule: 'A denial is sent as a decision with its reason, never as an output that the tool did not give.',
      source: 'https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling#tool-execution-approval',
      server: [reply(...asks('c1')), DONE],
      user: [{ send: 'Tidy up' }, { deny: 'c1', reason: 'keep it' }],
      expect: {
        requests: 2,
        ran: [],
        model: ['user: Tidy up', 'call c1: remove {"path":"/c1"}', 'result c1: denied "keep it"'],
        modelNever: ['result c1: output *'],
        shows: { c1: 'denied' },
      },
    },
    {
      id: 'denial-keeps-the-others',
      title: 'The user denies one of three calls, approves the other two, then writes a message',
      rule: 'A denied call takes nothing from its siblings: each call is decided on its own, and each has its result.',
      source: 'https://github.com/vercel/ai/issues/13670',
      server: [FOUR_CALLS, DONE, DONE],
      user: [
        { send: 'Tidy up.' },
        { deny: 'c3', reason: 'Keep that one, please.' },
        { approve: 'c2' },
        { approve: 'c4' },
        { send: 'Thanks.' },
      ],
      expect: {
        requests: 3,
        ran: ['c2', 'c4'],
        model: [
          'user: Tidy up.',
          'result c1: output "read done"',
          'result c2: output "remove done"',
          'result c3: denied "Keep that one, please."',
          'result c4: output "send done"',
          'user: Thanks.',
        ],
        shows: { c1: 'executed', c2: 'executed', c3: 'denied', c4: 'executed' },
      },
    },
    {
      id: 'denial-of-all',
      title: 'The user denies all calls, then writes another message',
      rule: 'On later turns too, each denied call has exactly one result, and it is the denial.',
      source: 'https://github.com/vercel/ai/issues/17136',
      server: [FOUR_CALLS, DONE, DONE],
      user: [{ send: 'Tidy up.' }, { deny: 'c2' }, { deny: 'c3' }, { deny: 'c4' }, { send: 'Thanks.' }],
      expect: {
        requests: 3,
        ran: [],
        model: [
          'user: Tidy up.',
          'result c2: denied*',
          'result c3: denied*',
          'result c4: denied*',
          'assistant: Done.',
          'user: Thanks.',
        ],
        shows: { c2: 'denied', c3: 'denied', c4: 'denied' },
      },
    },
    {
      id: 'denial-before-app-output',
      title: 'The user denies a call, then the app adds an output for it',
      rule: 'A denied call stays denied: an output that the app adds later is refused, and the model reads the denial.',
      source: 'https://github.com/assistant-ui/assistant-ui/issues/4195',
      server: [reply(...asks('c1'), ...asks('c2', 'send')), DONE],
      user: [
        { send: 'Tidy up' },
        { deny: 'c1', reason: 'not now' },
        { output: 'c1', tool: 'remove', value: 'removed' },
        { approve: 'c2' },
      ],
      expect: { ran: ['c2'], model: ['result c1: denied "not now"'], modelNever: ['result c1: output *'] },
      needs: ['output'],
    },
    {
      id: 'denial-before-late-output',
      title: 'An output arrives for a call that the user has denied',
      rule: 'A denied call never carries an output, so the stored history stays valid.',
      server: [
        reply(...asks('c1')),
        {
          lines: [
            { type: 'tool-output-denied', toolCallId: 'c1' },
            { type: 'tool-output-available', toolCallId: 'c1', output: 'removed' },
            ...step(...says('Done.')),
          ],
          settles: false,
        },
        DONE,
      ],
      user: [{ send: 'Tidy up' }, { deny: 'c1', reason: 'not now' }, { send: 'And now?' }],
      expect: { ran: [], model: ['result c1: denied*', 'user: And now?'], shows: { c1: 'denied' } },
    },
    {
      id: 'denial-before-repeated-request',
      title: 'The server repeats its approval request after the user has denied',
      rule: 'A decision is final: a repeated request does not ask again, and the denied call never runs.',
      source: 'https://github.com/assistant-ui/assistant-ui/issues/7645',
      server: [
        reply(
          ...asks('c1'),
          ...asks('c2', 'send'),
          { until: 'denied' },
          { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
        ),
        DONE,
      ],
      user: [
        { send: 'Tidy up' },
        { deny: 'c1', reason: 'not now' },
        { release: 'denied' },
        { approve: 'c1', ifOffered: true },
        { approve: 'c2' },
      ],
      expect: { neverRan: ['c1'], ran: ['c2'], shows: { c1: 'denied', c2: 'executed' } },
    },
  ],
};

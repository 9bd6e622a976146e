/** Replies that are empty, fail, or come twice. */
import type { Group } from '../scenario.js';
import { asks, calls, DONE, reply, result, says, step } from './words.js';

export const replies: Group = {
  name: 'Replies',
  scenarios: [
    {
      id: 'empty-reply',
      title: 'The reply to an approval is empty',
      rule: 'An empty reply ends the turn: the decision is not sent again without an act of the user.',
      source: 'https://github.com/vercel/ai/issues/8043',
      server: [reply(...asks('c1')), ...Array.from({ length: 12 }, () => ({ lines: [], settles: false }))],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }],
      expect: { requests: 2 },
    },
    {
      id: 'reply-without-result',
      title: 'The reply to an approval has a text, and no result of the call',
      rule: 'A decision is not sent again only because its call has no result yet.',
      server: [
        reply(...asks('c1')),
        ...Array.from({ length: 12 }, () => ({ lines: says('Working on it.'), settles: false })),
      ],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }],
      expect: { requests: 2 },
    },
    {
      id: 'error-after-approval',
      title: 'The server runs the approved call, then the model fails; the user writes “Go on”',
      rule: 'A failed reply loses no finished work: the model reads the result of the call once, then the message.',
      source: 'Proposal “Single-turn reliability via pending tool state” (tests/seeds/3)',
      server: [reply(...asks('c1')), { lines: [{ type: 'error', errorText: 'overloaded' }], fails: true }, DONE],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }, { send: 'Go on' }],
      expect: {
        requests: 3,
        ran: ['c1'],
        model: ['call c1: *', 'result c1: output "remove done"', 'user: Go on'],
        shows: { c1: 'executed' },
      },
    },
    {
      id: 'error-in-a-later-step',
      title: 'Two steps are complete when the third fails; the user writes “Go on”',
      rule: 'The completed steps of a failed reply are in the next request, once and in order.',
      server: [
        {
          lines: [
            ...step(...calls('c1'), result('c1')),
            ...step(...calls('c2', 'edit'), result('c2', 'edit')),
            { type: 'start-step' },
            { type: 'error', errorText: 'overloaded' },
          ],
          fails: true,
        },
        DONE,
      ],
      user: [{ send: 'Tidy up' }, { send: 'Go on' }],
      expect: {
        requests: 2,
        model: ['call c1: *', 'result c1: *', 'result c2: output "edit done"', 'user: Go on'],
      },
    },
    {
      id: 'cut-while-a-tool-runs',
      title: 'The connection breaks while the server runs a call; the user writes “Go on”',
      rule: 'No request holds a call without a result: a call whose result was lost is closed before the next message.',
      source: 'https://github.com/vercel/ai/issues/10980',
      server: [reply(...calls('c1'), { until: 'never' }), DONE],
      network: { 1: { cutAfter: 3 } },
      user: [{ send: 'Tidy up' }, { send: 'Go on' }],
      expect: { requests: 2, model: ['user: Tidy up', 'user: Go on'], texts: ['Done.'] },
    },
    {
      id: 'refused-by-a-proxy',
      title: 'A proxy refuses the request with the approval (503); then the user writes a message',
      rule: 'A refused request is not repeated by itself, and the next message is accepted.',
      server: [reply(...asks('c1')), DONE, DONE],
      network: { 2: { status: 503 } },
      user: [{ send: 'Tidy up' }, { approve: 'c1' }, { send: 'Go on' }],
      expect: { ranAtMostOnce: ['c1'] },
    },
    {
      id: 'doubled-chunks',
      title: 'The connection delivers every chunk of a reply twice',
      rule: 'A chunk that arrives twice changes nothing: the call is asked for once, and runs once.',
      server: [reply(...asks('c1')), DONE],
      network: { 1: 'doubled chunks' },
      user: [{ send: 'Tidy up' }, { approve: 'c1' }],
      expect: { requests: 2, ran: ['c1'], copies: { c1: 1 } },
    },
    {
      id: 'repeated-input',
      title: 'The server repeats the input of an approved call before its result',
      rule: 'A repeated input takes no decision back, and the call is shown once.',
      source: 'https://github.com/pydantic/pydantic-ai/pull/3772',
      server: [
        reply(...asks('c1')),
        { lines: [...calls('c1', 'remove'), result('c1', 'remove'), ...step(...says('Done.'))], settles: false },
      ],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }],
      expect: { requests: 2, copies: { c1: 1 }, shows: { c1: 'executed' } },
    },
    {
      id: 'later-step-asks-again',
      title: 'The reply to an approval asks for another one',
      rule: 'Each step has its own decisions: an earlier decision is not sent as a decision again, and nothing runs twice.',
      server: [reply(...asks('c1')), reply(...asks('c2', 'send')), DONE],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }, { approve: 'c2' }],
      expect: {
        requests: 3,
        ran: ['c1', 'c2'],
        model: ['result c1: output "remove done"', 'call c2: *', 'result c2: output "send done"'],
      },
    },
  ],
};

/** The user writes a message at a bad time. */
import type { Group } from '../scenario.js';
import { asks, calls, DONE, FOUR_CALLS, reply } from './words.js';

export const messages: Group = {
  name: 'Messages',
  scenarios: [
    {
      id: 'message-while-asked',
      title: 'The user writes a message instead of deciding',
      rule: 'A message that is written instead of a decision is sent at once or after it, and no request holds an open call.',
      source: 'https://github.com/vercel/ai/issues/12709',
      server: [reply(...asks('c1')), DONE],
      user: [{ send: 'Tidy up' }, { send: 'Wait' }, { deny: 'c1', ifOffered: true }],
      expect: { ran: [], model: ['user: Tidy up', 'user: Wait'], texts: ['Done.'] },
    },
    {
      id: 'message-after-half-a-step',
      title: 'The user approves one of three calls, then writes a message',
      rule: 'A message loses no approval: the approved call runs once, or the model reads that it did not.',
      source: 'https://github.com/vercel/ai/issues/12709',
      server: [FOUR_CALLS, DONE, DONE],
      user: [
        { send: 'Tidy up.' },
        { approve: 'c2' },
        { send: 'Wait.' },
        { deny: 'c3', ifOffered: true },
        { deny: 'c4', ifOffered: true },
      ],
      expect: {
        neverRan: ['c3', 'c4'],
        ranAtMostOnce: ['c2'],
        model: ['user: Tidy up.', 'call c2: *', 'result c2: *', 'user: Wait.'],
      },
    },
    {
      id: 'message-right-after-approval',
      title: 'The user approves, and writes a message at once',
      rule: 'A message never overtakes a decision: requests are sent one at a time, and the call runs once.',
      source: 'https://github.com/vercel/ai/issues/14428',
      server: [reply(...asks('c1')), DONE, DONE],
      network: { 2: { delayMs: 20 } },
      user: [{ send: 'Tidy up' }, { approve: 'c1', atOnce: true }, { send: 'And then rest' }],
      expect: { requests: 3, ran: ['c1'], model: ['call c1: *', 'result c1: *', 'user: And then rest'] },
    },
    {
      id: 'double-send',
      title: 'The user sends two messages at once',
      rule: 'Requests are sent one at a time, and no message is lost.',
      server: [DONE, DONE],
      network: { 1: { delayMs: 20 } },
      user: [{ send: 'One', atOnce: true }, { send: 'Two' }],
      expect: { model: ['user: One', 'user: Two'] },
    },
    {
      id: 'message-after-stop',
      title: 'The user presses Stop while a call runs, then writes a message',
      rule: 'No request holds a call without a result, after Stop too.',
      source: 'https://github.com/vercel/ai/issues/10980',
      server: [reply(...calls('c1'), { until: 'never' }), DONE],
      user: [{ send: 'Tidy up' }, { stop: true }, { send: 'Something else' }],
      expect: { model: ['user: Something else'], texts: ['Done.'] },
      needs: ['stop'],
    },
    {
      id: 'approval-then-stop-then-message',
      title: 'The user approves during the reply, presses Stop, then writes a message',
      rule: 'After Stop, an approval is either sent with the next message or reported to the model: it is not forgotten.',
      server: [reply(...asks('c1'), { until: 'never' }), DONE, DONE],
      user: [{ send: 'Tidy up' }, { approve: 'c1' }, { stop: true }, { send: 'Go on' }],
      expect: { ranAtMostOnce: ['c1'], model: ['call c1: *', 'result c1: *', 'user: Go on'] },
      needs: ['stop'],
    },
  ],
};

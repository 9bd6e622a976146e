/**
 * Scenarios with lost requests, lost replies and reloads, for every backend. As in scenarios.ts, each says what must be
 * true of the backend afterwards.
 */
import { expect } from 'vitest';
import {
  answer,
  type Answers,
  askedAbout,
  BYE,
  CALLS,
  decide,
  deliver,
  DENIED,
  DONE,
  REASON,
  type Scenario,
  say,
} from './acts';
import { pageOf } from './page';
import type { ScenarioName, Session } from './rig';

/** The user's decisions. */
const MIXED: Answers = [
  ['remove /a', true],
  ['remove /b', false, REASON],
  ['send /c', true],
];
const DENIALS: Answers = MIXED.map(([call]) => [call, false]);

/** Decides what is pending. Backends that ask one after the other have one pending approval. */
function decidePending(session: Session, answers: Answers): void {
  const pending = session.gate.pending().length;
  expect(pending).toBeGreaterThan(0);
  const about = answers.filter(([call]) => askedAbout(session, call));
  expect(about).toHaveLength(pending);
  for (const one of about) decide(session, ...one);
}

/** Every request fails: none reaches the server. */
const failAll = ({ gate }: Session): Promise<void> => gate.deliver(() => Promise.reject(new Error('no network')));

/** Sends again what failed, as a user does who clicks “Send again”, and decides what is asked meanwhile. */
async function sendAgain(session: Session, answers: Answers): Promise<void> {
  const { gate } = session;
  for (let round = 0; round < 6 && gate.undelivered().length; round++) {
    for (const { id } of gate.undelivered()) gate.retry(id);
    await deliver(session);
    if (gate.pending().length) await answer(session, answers);
  }
}

/** The page sends what is ready and is closed at once: the server receives it, and its reply is lost. */
async function sendWithoutReply({ gate, send }: Session): Promise<void> {
  pageOf(gate).close();
  for (let [item] = gate.outgoing(); item; [item] = gate.outgoing()) {
    gate.claim(item.id);
    await send(item).catch(() => {});
  }
}

/** The names of the scenarios of this file. */
type OutageName =
  | 'answers request fails, then a message'
  | 'denials fail, then a message'
  | 'unconfirmed resume, then a message'
  | 'reload of a waiting thread';

/** By name. */
export const OUTAGES: Readonly<Record<Extract<ScenarioName, OutageName>, Scenario>> = {
  'answers request fails, then a message': {
    replies: [{ calls: CALLS }, DONE, BYE],
    async act(session) {
      decidePending(session, MIXED);
      await failAll(session);
      expect(session.gate.undelivered().map(({ delivery }) => delivery)).toContain('failed');
      await say(session, 'Wait.');
      await sendAgain(session, MIXED);
    },
    ran: ['read /r', 'remove /a', 'send /c'],
    told: { 'remove /b': new RegExp(REASON) },
    said: ['Tidy up.', 'Wait.'],
  },
  'denials fail, then a message': {
    replies: [{ calls: CALLS }, DONE, BYE],
    async act(session) {
      decidePending(session, DENIALS);
      await failAll(session);
      await say(session, 'Wait.');
      await sendAgain(session, DENIALS);
    },
    ran: ['read /r'],
    told: { 'remove /a': DENIED, 'remove /b': DENIED, 'send /c': DENIED },
    said: ['Tidy up.', 'Wait.'],
  },
  'unconfirmed resume, then a message': {
    replies: [{ calls: CALLS }, DONE, BYE, BYE],
    async act(session) {
      decidePending(session, MIXED);
      await sendWithoutReply(session);
      pageOf(session.gate).open('saved');
      expect(session.gate.undelivered().map(({ delivery }) => delivery)).toContain('unconfirmed');
      await say(session, 'Wait.');
      // A message waits for what may have arrived, if a repetition could run tools again. The user gives that up.
      for (let round = 0; round < 3 && session.gate.undelivered().length; round++) {
        session.gate.cancel();
        await deliver(session);
      }
    },
    ran: ['read /r', 'remove /a', 'send /c'],
    said: ['Tidy up.', 'Wait.'],
    isReplyLost: true,
  },
  'reload of a waiting thread': {
    replies: [{ calls: CALLS }, DONE, BYE],
    async act(session) {
      const asked = session.gate.pending().map(({ toolCallId, input }) => [toolCallId, input]);
      const page = pageOf(session.gate);
      page.close();
      page.open(session.refill ? 'empty' : 'saved');
      await session.refill?.();
      expect(session.gate.pending().map(({ toolCallId, input }) => [toolCallId, input])).toEqual(asked);
      await answer(session, MIXED);
      await say(session, 'Thanks.');
    },
    ran: ['read /r', 'remove /a', 'send /c'],
    told: { 'remove /b': new RegExp(REASON) },
    said: ['Tidy up.', 'Thanks.'],
  },
};

/**
 * What interrupts a step whose calls wait for the user, or run: its request or reply is lost, the page is reloaded, the
 * user stops it, or writes a message instead. The backend's record must show that nothing ran twice, that nothing ran
 * after “No”, that no request of the backend has no answer, and that the model reads each message and what ran.
 */
import { expect, test } from 'vitest';
import { capabilitiesOf } from '../protocols/all.js';
import { answer, type Answers, asked, BYE, decide, deliver, DONE, say } from './acts';
import { decidePending, failAll } from './outages';
import { pageOf } from './page';
import type { Rig, ScriptedCall, Session } from './rig';

const CALLS: readonly ScriptedCall[] = [
  { id: 'call-1', tool: 'read', path: '/r' },
  { id: 'call-2', tool: 'remove', path: '/slow' },
  { id: 'call-3', tool: 'send', path: '/c' },
];
const [READ, SLOW, SEND] = ['read /r', 'remove /slow', 'send /c'] as const;
const YES: Answers = [
  [SLOW, true],
  [SEND, true],
];
const NO = 'No, stop, keep it!';

/** What the model reads about a call whose result was lost. */
const MAY_HAVE_RUN = /interrupted.*unknown/i;

const isAnswering = ({ protocol }: Rig): boolean => capabilitiesOf(protocol).kind === 'answering';

/** Rejects after 10 s: nobody acts any more. */
const inTime = (done: Promise<void> = Promise.resolve()): Promise<void> =>
  Promise.race([
    done,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('the backend waits')), 10_000).unref()),
  ]);

/** Sends until the backend has nothing left to do. */
async function quiet(session: Session): Promise<void> {
  for (let round = 0; round < 9; round++) {
    await deliver(session);
    // The agent may wait for an answer that failed, until the user sends it again or gives it up.
    if (session.gate.undelivered().every(({ delivery }) => delivery !== 'failed')) await inTime(session.settled?.());
    await session.look?.();
    if (session.gate.outgoing().length === 0) return;
  }
  throw new Error('the gate sends without an end');
}

/** Writes a message, whose reply may have to wait. */
async function write(session: Session, text: string): Promise<void> {
  session.gate.sendUserMessage({ text });
  await quiet(session);
}

/** Approves what is pending, and returns it. */
function approve(session: Session): string[] {
  const names = asked(session);
  decidePending(session, YES);
  return names;
}

/** Opens the page again as it was saved. The host of a JSON-RPC connection lists the requests that are open. */
function reopen({ gate, open }: Session): void {
  pageOf(gate).open('saved');
  for (const request of open?.() ?? []) gate.receive(request);
}

function reload(session: Session): void {
  pageOf(session.gate).close();
  reopen(session);
}

/**
 * The page sends what is ready, and is closed before it reads a reply. Over a connection that its host keeps, the new
 * page reads what follows; otherwise its requests end while a tool runs.
 */
async function loseReply(session: Session, rig: Rig): Promise<void> {
  const { gate, send, look, ran } = session;
  pageOf(gate).close();
  const sending = gate.outgoing().map((item) => (gate.claim(item.id), send(item).catch(() => {})));
  if (isAnswering(rig)) return reopen(session);
  for (let round = 0; !ran.includes(SLOW) && round < 200; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await look?.();
  }
  pageOf(gate).cut();
  await Promise.all(sending);
  reopen(session);
  expect(gate.undelivered().map(({ delivery }) => delivery)).toContain('unconfirmed');
}

/** Waits until the backend has ended what it does without a page. */
async function ended(session: Session): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await inTime(session.settled?.());
}

/** Waits until a server that is busy with the first request, and refused another one, has ended it. */
async function untilReady(session: Session): Promise<void> {
  if (session.gate.undelivered().some(({ delivery }) => delivery === 'failed')) await ended(session);
}

/** Sends again what may not have arrived, and approves what is asked meanwhile. */
async function again(session: Session): Promise<void> {
  const { gate } = session;
  for (let round = 0; round < 4; round++) {
    for (const { id, approvalIds } of gate.undelivered()) if (approvalIds.length) gate.retry(id);
    await quiet(session);
    await untilReady(session);
    if (gate.pending().length) await answer(session, YES);
  }
}

/** The user stops the reply, and the host ends its stream. */
function stop({ gate }: Session): void {
  gate.stop();
  gate.streamEnded({ status: 'aborted' });
}

/** What happens after the first request for an approval. Returns the calls with an approval that run. */
type Act = (session: Session, rig: Rig) => Promise<readonly string[]>;

const ALL = [SLOW, SEND];

const INTERRUPTIONS = {
  async 'a lost reply, then again'(session, rig) {
    approve(session);
    await loseReply(session, rig);
    await ended(session);
    await again(session);
    return ALL;
  },
  async 'a lost reply, then again at once'(session, rig) {
    approve(session);
    await loseReply(session, rig);
    await again(session);
    return ALL;
  },
  async 'a lost reply, then a message'(session, rig) {
    const approved = approve(session);
    await loseReply(session, rig);
    await write(session, NO);
    return approved;
  },
  async 'a lost reply, when it has ended, then a message'(session, rig) {
    const approved = approve(session);
    await loseReply(session, rig);
    await ended(session);
    await write(session, NO);
    return approved;
  },
  async 'a failed request, then a message'(session) {
    approve(session);
    await failAll(session);
    await write(session, NO);
    return [];
  },
  async 'a failed request, then two messages'(session) {
    approve(session);
    await failAll(session);
    session.gate.sendUserMessage({ text: NO });
    await write(session, 'Really.');
    return [];
  },
  async 'a failed request and a reload, then a message'(session) {
    approve(session);
    await failAll(session);
    reload(session);
    await write(session, NO);
    return [];
  },
  async 'a reload, then a message'(session) {
    reload(session);
    await write(session, NO);
    return [];
  },
  async 'a reload, then approvals'(session) {
    reload(session);
    await answer(session, YES);
    return ALL;
  },
  async 'an approval and a reload, then a message'(session, rig) {
    const [first = ''] = asked(session);
    decide(session, first, true);
    const sending = deliver(session);
    reload(session);
    await write(session, NO);
    if (isAnswering(rig)) await sending;
    return [first];
  },
  async 'stop, then a message'(session) {
    stop(session);
    await write(session, NO);
    return [];
  },
  async 'stop, then denials'(session) {
    stop(session);
    session.gate.respondAll({ approved: false });
    await quiet(session);
    return [];
  },
  async 'stop, then approvals'(session) {
    stop(session);
    await answer(session, YES);
    return ALL;
  },
  async 'stop and a reload, then approvals'(session) {
    stop(session);
    reload(session);
    await answer(session, YES);
    return ALL;
  },
  async 'an approval and stop, then a message'(session, rig) {
    const [first = ''] = asked(session);
    decide(session, first, true);
    const sending = deliver(session);
    stop(session);
    await write(session, NO);
    await sending;
    return isAnswering(rig) ? [first] : [];
  },
  async 'an approval and stop, then a denial'(session, rig) {
    const [first = ''] = asked(session);
    decide(session, first, true);
    const sending = deliver(session);
    stop(session);
    session.gate.respondAll({ approved: false });
    await quiet(session);
    await sending;
    return isAnswering(rig) ? [first] : [];
  },
} satisfies Readonly<Record<string, Act>>;

export type InterruptionName = keyof typeof INTERRUPTIONS;

/** The tests of one backend. */
export function runInterruptions(rig: Rig, isReplayed = false): void {
  for (const [name, act] of Object.entries(INTERRUPTIONS) as [InterruptionName, Act][]) {
    const quirk = rig.quirks?.[name];
    const fault = rig.faults?.[name];
    // A fault leaves no recording.
    if (fault !== undefined && isReplayed) continue;
    const isCut = rig.cutsTurns === true && name.endsWith('stop, then a message');
    const why = fault ?? quirk?.why;
    const run = fault === undefined ? test : test.fails;
    run(`${rig.name}: ${name}${why === undefined ? '' : ` (${why})`}`, async () => {
      const session = await rig.open([{ calls: CALLS }, DONE, BYE, BYE, BYE], {});
      const { gate, ran } = session;
      try {
        await say(session, 'Tidy up.');
        const approved = await act(session, rig);
        // The user who wrote “No” denies what is asked since.
        for (let round = 0; round < 4 && gate.pending().length; round++) {
          gate.respondAll({ approved: false });
          await quiet(session);
        }
        // A message that waits for a request that may have arrived: the user gives that up.
        for (let round = 0; round < 3 && gate.getSnapshot().queued.length; round++) {
          gate.cancel();
          await quiet(session);
        }
        await untilReady(session);
        for (const { id, delivery } of gate.undelivered()) if (delivery === 'failed') gate.retry(id);
        await quiet(session);
        await write(session, 'Thanks.');
        const expected = quirk?.ran ?? [READ, ...approved];
        if (isCut) expect(expected).toEqual(expect.arrayContaining([...ran]));
        else expect([...ran].sort()).toEqual([...expected].sort());
        if (new Set(ran).size < ran.length) expect(capabilitiesOf(rig.protocol).repeat).not.toBe('ignored');
        expect([session.open?.() ?? [], gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], [], []]);
        expect([gate.getSnapshot().status, gate.getSnapshot().queued]).toEqual(['idle', []]);
        const last = session.prompts.at(-1) ?? [];
        // Two messages may be one prompt.
        const texts = last.filter(({ kind }) => kind === 'user').map(({ text }) => text);
        const instead = name.endsWith('two messages') ? `${NO}Really.` : name.endsWith('message') ? NO : '';
        expect(texts.join('')).toBe(`Tidy up.${instead}Thanks.`);
        const isKnown = (call: string): boolean =>
          last.some(
            (line) =>
              line.call === call &&
              line.kind === 'result' &&
              (line.text?.includes(`${call}: done`) || MAY_HAVE_RUN.test(line.text ?? '')),
          );
        if (!isCut) expect(ran.filter((call) => !isKnown(call) && !quirk?.untold?.includes(call))).toEqual([]);
      } finally {
        await session.close?.();
      }
    });
  }
}

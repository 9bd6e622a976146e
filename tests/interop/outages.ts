/** What happens to the requests of a rig: the network fails, the page is closed, and the user sends them again. */
import { expect } from 'vitest';
import { answer, type Answers, askedAbout, decide, deliver } from './acts';
import { pageOf } from './page';
import type { Session } from './rig';

/** Decides what is pending. Backends that ask one after the other have one pending approval. */
export function decidePending(session: Session, answers: Answers): void {
  const pending = session.gate.pending().length;
  expect(pending).toBeGreaterThan(0);
  const about = answers.filter(([call]) => askedAbout(session, call));
  expect(about).toHaveLength(pending);
  for (const one of about) decide(session, ...one);
}

/** Every request fails: none reaches the server. */
export async function failAll({ gate }: Session): Promise<void> {
  await gate.deliver(() => Promise.reject(new Error('no network')));
  expect(gate.undelivered().map(({ delivery }) => delivery)).toContain('failed');
}

/** Sends again what failed, as a user does who clicks “Send again”, and decides what is asked meanwhile. */
export async function sendAgain(session: Session, answers: Answers): Promise<void> {
  const { gate } = session;
  for (let round = 0; round < 6 && gate.undelivered().length; round++) {
    for (const { id } of gate.undelivered()) gate.retry(id);
    await deliver(session);
    if (gate.pending().length) await answer(session, answers);
  }
}

/** The page sends what is ready and is closed at once: the server receives it, and its reply is lost. */
export async function sendWithoutReply({ gate, send }: Session): Promise<void> {
  pageOf(gate).close();
  for (let [item] = gate.outgoing(); item; [item] = gate.outgoing()) {
    gate.claim(item.id);
    await send(item).catch(() => {});
  }
}

/**
 * Cancels what may have arrived. A message waits for it, if a repetition could run tools again, until the user gives
 * that up.
 */
export async function giveUp(session: Session): Promise<void> {
  for (let round = 0; round < 3 && session.gate.undelivered().length; round++) {
    session.gate.cancel();
    await deliver(session);
  }
}

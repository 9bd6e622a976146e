/**
 * A message of the user while approvals are pending, with the policy `pass`: what the agent does with it. The model
 * reads it once, the approvals stay pending, and each approved call runs once.
 */
import { expect, test, vi } from 'vitest';
import { asked, BYE, CALLS, decide, deliver, DONE, say } from '../interop/acts';
import type { Session } from '../interop/rig';
import type { Data } from '../interop/support';
import { openWith, type AgentKind, type Connect } from './wire';

const TEXTS = ['Tidy up.', 'And the tests.', 'Thanks.'];
const ASKED = ['remove /a', 'remove /b', 'send /c'];

/** Opens a session whose approvals are pending, and sends a message meanwhile. */
async function openAndPass(kind: AgentKind, connect: Connect): Promise<Session> {
  const session = await openWith(kind, connect, { onUserMessage: 'pass' }, [{ calls: CALLS }, DONE, BYE]);
  await say(session, TEXTS[0]!);
  expect(session.gate.sendUserMessage({ text: TEXTS[1]! })).toBe('sent');
  await deliver(session);
  expect([...asked(session)].sort()).toEqual(ASKED);
  expect(session.prompts).toHaveLength(1);
  return session;
}

/** The last message is answered, and everything that the user said was read once, in order. */
async function expectAllRead(session: Session, ran: readonly string[]): Promise<void> {
  const { gate, prompts } = session;
  const last = (): Data => gate.getSnapshot().messages.at(-1);
  const replies = (text: string): void =>
    expect([...gate.getSnapshot().messages].flatMap(({ parts }) => parts as Data[]).map((part) => part.text)).toContain(
      text,
    );
  // The text is there before the turn has ended: a message that is written in between is sent when it ends.
  await vi.waitFor(() => {
    replies('Done.');
    expect(gate.getSnapshot().status).toBe('idle');
  }, 10_000);
  await say(session, TEXTS[2]!);
  await vi.waitFor(() => expect(last().parts.at(-1)).toMatchObject({ text: 'Bye.' }), 10_000);
  const read = prompts.at(-1) ?? [];
  expect(read.filter(({ kind }) => kind === 'user').map(({ text }) => text)).toEqual(TEXTS);
  expect(read.filter(({ kind }) => kind === 'result')).toHaveLength(CALLS.length);
  expect(prompts).toHaveLength(3);
  expect([...session.ran].sort()).toEqual(ran);
  const { messages, queued, turn } = gate.getSnapshot();
  const said = messages.filter(({ role }) => role === 'user').map(({ parts: [part] }) => (part as Data).text);
  expect([said, queued, turn.status]).toEqual([TEXTS, [], 'done']);
  expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
}

/** The tests of one agent. */
export function testPassing(name: string, kind: AgentKind, connect: Connect): void {
  const run = async (act: (session: Session) => void, ran: readonly string[]): Promise<void> => {
    const session = await openAndPass(kind, connect);
    const anomalies: string[] = [];
    session.gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event.error.message));
    try {
      act(session);
      await deliver(session);
      await expectAllRead(session, ran);
      expect(anomalies).toEqual([]);
    } finally {
      await session.close?.();
    }
  };

  test(`${name}: a message that passes pending approvals`, () =>
    run(
      (session) => {
        decide(session, 'remove /a', true);
        decide(session, 'remove /b', false);
        decide(session, 'send /c', true);
      },
      ['read /r', 'remove /a', 'send /c'],
    ));

  test(`${name}: a message that passes approvals that are then cancelled`, () =>
    run(({ gate }) => gate.cancel(), ['read /r']));
}

/**
 * What the user does in the scenarios of scenarios.ts, and what a scenario is.
 */
import { expect } from 'vitest';
import type { Reply, Rig, ScriptedCall, Session } from './rig';

/** One step: a call that needs no approval, and three that do. */
export const CALLS: readonly ScriptedCall[] = [
  { id: 'call-1', tool: 'read', path: '/r' },
  { id: 'call-2', tool: 'remove', path: '/a' },
  { id: 'call-3', tool: 'remove', path: '/b' },
  { id: 'call-4', tool: 'send', path: '/c' },
];

export const NAMES = CALLS.map(({ tool, path }) => `${tool} ${path}`);
export const REASON = 'Keep that one, please.';

/** A scenario: the replies of the model, what the user does, and what must then be true of the backend. */
export interface Scenario {
  readonly replies: readonly Reply[];
  /** What follows the first message. */
  act(session: Session, rig: Rig): Promise<void>;
  /** The calls that ran, each once. */
  readonly ran: readonly string[];
  /** What the model's last request says about calls that did not run, by call. */
  readonly told?: Readonly<Record<string, RegExp>>;
  /** The user's messages, in order: all are in the model's last request. */
  readonly said: readonly string[];
  /** Whether the reply to the decisions was lost. A client that stores the history does not know its results. */
  readonly isReplyLost?: boolean;
}

/** The pending approval of a call. */
function approvalOf(session: Session, call: string): string {
  const found = askedAbout(session, call);
  if (!found) throw new Error(`${call} has no pending approval: ${JSON.stringify(session.gate.pending())}`);
  return found.approvalId;
}

/** The calls with a pending approval. */
export const asked = ({ gate, nameOf }: Session): string[] =>
  gate.pending().map((one) => nameOf?.(one) ?? `${one.toolName} ${String((one.input as { path?: unknown }).path)}`);

export const askedAbout = (session: Session, call: string) => session.gate.pending()[asked(session).indexOf(call)];

export const deliver = ({ gate, send }: Session): Promise<void> => gate.deliver(send);
export const decide = (session: Session, call: string, approved: boolean, reason?: string): unknown =>
  session.gate.respond(approvalOf(session, call), { approved, ...(reason !== undefined && { reason }) });

/** The user's decisions: call, approved, reason. */
export type Answers = readonly (readonly [call: string, approved: boolean, reason?: string])[];

/**
 * Decides pending approvals in this order until none is left: some backends request one after the other. With
 * `isOneRequest`, checks that nothing is ready to be sent before the last decision of a step.
 */
export async function answer(session: Session, answers: Answers, isOneRequest = false): Promise<void> {
  expect(session.gate.pending()).not.toEqual([]);
  for (let round = 0; round <= answers.length && session.gate.pending().length; round++) {
    for (const [call, approved, reason] of answers) {
      const asked = askedAbout(session, call);
      if (!asked) continue;
      decide(session, call, approved, reason);
      // The second click must change nothing.
      expect(session.gate.respond(asked.approvalId, { approved })).toBe('duplicate');
      if (isOneRequest && session.gate.pending().length > 0) expect(session.gate.outgoing()).toEqual([]);
    }
    await deliver(session);
  }
}

export const APPROVED: Answers = [
  ['remove /a', true],
  ['remove /b', true],
  ['send /c', true],
];

export async function say(session: Session, text: string): Promise<void> {
  session.gate.sendUserMessage({ text });
  await deliver(session);
}

export const DONE: Reply = { text: 'Done.' };
export const BYE: Reply = { text: 'Bye.' };
export const DENIED = /denied|declin|reject|not (been )?(approved|executed|run)|refus/i;

/** Sessions with programs that speak ACP: what their recordings omit, and what each does differently. */
import { expect, test } from 'vitest';
import { asked, askedAbout, deliver, DONE, say } from '../interop/acts';
import type { Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { openWith, rigOf, type AgentKind, type Connect } from './wire';

/** Fields that no client reads, and that differ between runs. */
const OMITTED = /^(_meta|usage|locations)$/;

/** The sessions of all programs. */
const kindOf = (folder: string): AgentKind => ({
  protocol: 'acp',
  folder,
  endOf: ({ result, error, method }) => {
    if (error && method === undefined) return { status: 'error', error: error.message };
    if (!result?.stopReason) return undefined;
    return { status: result.stopReason === 'max_turn_requests' ? 'step-limit' : 'finished' };
  },
  isLate: ({ id, method }, prompt) => method === undefined && id !== prompt.id,
  isAnswer: ({ method }) => method === undefined,
  trim: (message) =>
    JSON.parse(JSON.stringify(message, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data,
});

/** The scenarios of programs that take seconds to start: one of each kind of decision. */
const ACTS = ['approve all', 'deny one with a reason', 'mixed'] as const;

/** The rejection of the second of three requests. */
const REJECTED = { why: 'one rejection rejects all pending requests', ran: ['read /r', 'remove /a'] };

/** `opencode acp`. */
export const opencodeKind: AgentKind = {
  ...kindOf('opencode-acp'),
  asksAbout: 1,
  areResultsLate: true,
  isShown: ({ input }) => 'path' in (input as object),
  nameOf: ({ input }, title) => `${title} ${(input as Data).path}`,
};

export const opencodeAcp = (connect: Connect): Rig =>
  rigOf(opencodeKind, connect, {
    name: 'opencode by ACP',
    quirks: { 'deny one with a reason': REJECTED, mixed: REJECTED },
    only: ACTS,
    losesReasons: true,
    deniedWords: /rejected permission/,
  });

/** `gemini --acp`. */
export const geminiKind: AgentKind = {
  ...kindOf('gemini-cli'),
  asksAbout: 1,
  // It sends no inputs: the request shows the input as its content.
  nameOf: ({ input }, title) => `${title?.split(' ')[0]} ${JSON.parse((input as Data).content[0].content.text).path}`,
};

export const geminiCli = (connect: Connect): Rig =>
  rigOf(geminiKind, connect, {
    name: 'Gemini CLI',
    only: ACTS,
    cutsTurns: true,
    losesReasons: true,
    deniedWords: /canceled by the user/,
  });

/**
 * An approval for all calls of one tool allows no call of another tool. The agents send the kinds of tools, not names.
 */
export function testRemembered(name: string, kind: AgentKind, connect: Connect): void {
  test(`${name}: a remembered approval`, async () => {
    const calls = [
      { id: 'call-1', tool: 'remove', path: '/a' },
      { id: 'call-2', tool: 'send', path: '/c' },
    ] as const;
    const session = await openWith(kind, connect, {}, [{ calls }, DONE]);
    const { gate } = session;
    try {
      await say(session, 'Tidy up.');
      const first = askedAbout(session, 'remove /a');
      gate.respond(first!.approvalId, { approved: true, remember: { for: 'chat', scope: 'tool' } });
      await deliver(session);
      expect([asked(session), session.ran]).toEqual([['send /c'], ['remove /a']]);
      gate.respondAll({ approved: false });
      await deliver(session);
      expect([gate.pending(), session.ran]).toEqual([[], ['remove /a']]);
    } finally {
      await session.close?.();
    }
  });
}

/** Sessions of the Claude Agent SDK: what their recordings omit, and what they do differently. */
import { expect, test } from 'vitest';
import { askedAbout, CALLS, deliver, DONE, say } from '../interop/acts';
import type { Reply, Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { openWith, rigOf, type AgentKind, type Connect } from './wire';

/** The fields that no client reads, and that differ between runs. */
const OMITTED =
  /^(uuid|timestamp|usage|modelUsage|model_usage_\w+|\w+_ms|total_cost_usd|subagent_stats|fast_mode_\w+|context_management|api_message_id|thinking_display|safety_stops|service_tier|tool_use_meta|\w+_display_name|parent_agent_id|begun_message_ids|model)$/;

/** The sessions of the SDK. */
export const kind: AgentKind = {
  protocol: 'claude-agent-sdk',
  endOf: ({ type, is_error: failed, terminal_reason: why, subtype }) => {
    if (type !== 'result') return undefined;
    if (subtype === 'error_max_turns') return { status: 'step-limit' };
    return { status: failed && !/^aborted/.test(why) ? 'error' : 'finished' };
  },
  isAnswer: ({ type }) => type === 'control_response',
  requestOf: ({ type, request_id: id }) =>
    /^control_(cancel_)?request$/.test(type) ? [id, type === 'control_request'] : undefined,
  answeredBy: ({ response }) => response.request_id,
  trim: (message) =>
    // The rest describes the machine.
    message.subtype === 'init'
      ? { type: 'system', subtype: 'init', session_id: message.session_id }
      : (JSON.parse(JSON.stringify(message, (key, value: unknown) => (OMITTED.test(key) ? undefined : value))) as Data),
};

/** The rig: with the real SDK, or with a replay. */
export const claudeAgentSdk = (connect: Connect): Rig =>
  rigOf(kind, connect, {
    name: 'Claude Agent SDK',
    deniedWords: /denied|rejected|doesn't want to proceed/,
  });

/** An edited input is what runs, and the rule of a remembered approval allows later calls of the tool. */
export function testEdits(connect: Connect): void {
  test('Claude Agent SDK: an edited input and a remembered approval', async () => {
    const later = { calls: [{ id: 'call-5', tool: 'send', path: '/e' } as const] };
    const session = await openWith(kind, connect, {}, [{ calls: CALLS }, later, DONE]);
    const { gate } = session;
    try {
      await say(session, 'Tidy up.');
      const idOf = (call: string): string => askedAbout(session, call)?.approvalId as string;
      gate.respond(idOf('remove /a'), { approved: true, input: { path: '/x' } });
      gate.respond(idOf('remove /b'), { approved: false });
      gate.respond(idOf('send /c'), { approved: true, remember: { for: 'chat', scope: 'tool' } });
      await deliver(session);
      expect([...session.ran].sort()).toEqual(['read /r', 'remove /x', 'send /c', 'send /e']);
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
    } finally {
      await session.close?.();
    }
  });
}

/** Claude asks the user. One question is answered with an edited input, and one is denied. */
export function testQuestions(connect: Connect): void {
  test('Claude Agent SDK: questions', async () => {
    const ask = (id: string, path: string): Reply => ({ calls: [{ id, tool: 'send', path }] });
    const replies = [ask('call-1', 'Which one?'), ask('call-2', 'Which next?'), DONE];
    const session = await openWith(kind, connect, {}, replies);
    const { gate, prompts } = session;
    try {
      await say(session, 'Choose.');
      const [first] = gate.pending();
      expect(first).toMatchObject({ toolName: 'AskUserQuestion', editable: true });
      const answers = { 'Which one?': 'SQLite' };
      gate.respond(first!, { approved: true, input: { ...(first!.input as object), answers } });
      await deliver(session);
      gate.respond(gate.pending()[0]!, { approved: false });
      await deliver(session);
      const calls = gate.getSnapshot().messages.flatMap(({ parts }) => parts as Data[]);
      expect(calls.filter(({ toolCallId }) => toolCallId).map(({ state }) => state)).toEqual([
        'output-available',
        'output-denied',
      ]);
      const read =
        prompts
          .at(-1)
          ?.filter(({ kind: what }) => what === 'result')
          .map(({ text }) => text) ?? [];
      expect(read).toEqual([expect.stringContaining('SQLite'), expect.stringMatching(/denied|doesn't want/)]);
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
    } finally {
      await session.close?.();
    }
  });
}

/** Threads of Codex: what their recordings omit, and what they do differently. */
import type { GateEvent } from 'toolgate';
import { expect, test } from 'vitest';
import { deliver, say } from '../interop/acts';
import type { Reply, Rig } from '../interop/rig';
import type { Data } from '../interop/support';
import { openWith, rigOf, type AgentKind, type Connect } from './wire';

/** The fields that no client reads, and that differ between runs. */
const OMITTED =
  /^(\w+AtMs|\w+At|durationMs|processId|pluginId|scriptPath|contentTokenCount|rootTurnId|environmentId|moderation|memoryCitation|delivery|phase|gitInfo|cliVersion|originator)$/;

/** The threads of Codex. */
export const kind: AgentKind = {
  protocol: 'codex',
  endOf: ({ method, params }) => {
    if (method !== 'turn/completed') return undefined;
    return { status: params.turn.status === 'failed' ? 'error' : 'finished' };
  },
  isAnswer: ({ result }) => result !== undefined,
  requestOf: ({ id, method, params }) => {
    if (method === 'serverRequest/resolved') return [params.requestId, false];
    return id !== undefined && method ? [id, true] : undefined;
  },
  trim: (message) => {
    // A message of the model has no questions; a request for answers has.
    const isOmitted = (key: string, value: unknown): boolean => OMITTED.test(key) || (key === 'questions' && !value);
    return JSON.parse(
      JSON.stringify(message, (key, value: unknown) => (isOmitted(key, value) ? undefined : value)),
    ) as Data;
  },
  areResultsLate: true,
  // The tools are commands.
  nameOf: ({ input }) => /(?:read|remove|send) \/\w+/.exec((input as Data).command)?.[0] ?? '',
};

/** A cancelled approval cancels its turn. */
const CANCELLED = {
  why: 'the model reads “aborted by user” about every call of a cancelled step, also about one that ran',
  untold: ['read /r'],
};

/** The rig: with the real program, or with a replay. */
export const codex = (connect: Connect): Rig =>
  rigOf(kind, connect, {
    name: 'Codex',
    losesReasons: true,
    deniedWords: /rejected by user/,
    quirks: {
      cancel: CANCELLED,
      // The message waits for the answers, until the user gives them up.
      'a failed request, then a message': CANCELLED,
      'a failed request and a reload, then a message': CANCELLED,
    },
  });

/** Three changes of files: one is made, one is declined, and one is made with all later ones of the session. */
export function testFiles(connect: Connect): void {
  test('Codex: changes of files', async () => {
    const calls = ['/a', '/b', '/c'].map((path) => ({ id: `call-${path.slice(1)}`, tool: 'send', path }) as const);
    const session = await openWith(kind, connect, {}, [{ calls }, { text: 'Done.' }]);
    const { gate } = session;
    try {
      await say(session, 'Add files.');
      const asked = new Map(gate.pending().map(({ approvalId, input }) => [pathOf(input), approvalId]));
      expect([...asked.keys()].sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
      gate.respond(asked.get('a.txt') as string, { approved: true });
      gate.respond(asked.get('b.txt') as string, { approved: false });
      gate.respond(asked.get('c.txt') as string, { approved: true, remember: 'chat' });
      await deliver(session);
      const ends = callsOf(gate.getSnapshot().messages.at(-1)).map((part) => [pathOf(part.input), part.state]);
      expect(ends.sort()).toEqual([
        ['a.txt', 'output-available'],
        ['b.txt', 'output-denied'],
        ['c.txt', 'output-available'],
      ]);
      const read = session.prompts[1]?.filter(({ kind: what }) => what === 'result').map(({ text }) => text) ?? [];
      expect(read.map((text) => /Success|rejected by user/.exec(text ?? '')?.[0]).sort()).toEqual([
        'Success',
        'Success',
        'rejected by user',
      ]);
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
    } finally {
      await session.close?.();
    }
  });
}

/**
 * The model asks for a secret. The app answers the request itself, beside the gate, which never has the answer: it is
 * in no part, event, snapshot or audit log.
 */
export function testSecret(connect: Connect): void {
  test('Codex: a question for a secret', async () => {
    const replies: Reply[] = [{ calls: [{ id: 'call-1', tool: 'send', path: '/secret' }] }, { text: 'Done.' }];
    const session = await openWith(kind, connect, { browserTools: ['request_user_input'] }, replies);
    const { gate, prompts } = session;
    const events: GateEvent[] = [];
    gate.onEvent((event) => {
      events.push(event);
      if (event.type !== 'passthrough') return;
      const { id, params } = event.event as Data;
      const [question] = params.questions;
      expect(question).toMatchObject({ id: 'secret', isSecret: true });
      session.write({ id, result: { answers: { secret: { answers: [SECRET] } } } });
    });
    try {
      await say(session, 'Deploy.');
      expect(JSON.stringify(prompts.at(-1))).toContain(SECRET);
      const seen = [gate.getSnapshot(), gate.toJSON(), gate.auditLog(), gate.assemble(), events];
      expect(JSON.stringify(seen)).not.toContain(SECRET);
      expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', waitingFor: [] });
      await session.refill?.();
      expect(JSON.stringify(gate.getSnapshot())).not.toContain(SECRET);
    } finally {
      await session.close?.();
    }
  });
}

const SECRET = 'correct horse';

/** The model and an MCP server ask the user. One question of each is answered, and one declined. */
export function testQuestions(connect: Connect): void {
  test('Codex: questions', async () => {
    const call = (id: string, tool: 'send' | 'remove'): Reply => ({ calls: [{ id, tool, path: '/db' }] });
    const replies = [
      call('call-1', 'send'),
      call('call-2', 'remove'),
      call('call-3', 'send'),
      call('call-4', 'remove'),
    ];
    const browserTools = ['request_user_input', 'mcp_elicitation'];
    const session = await openWith(kind, connect, { browserTools }, [...replies, { text: 'Done.' }]);
    const { gate, prompts } = session;
    const answers: Data[] = [
      { action: 'accept', content: { db: 'SQLite' } },
      { action: 'accept', content: { day: 'Monday' } },
      { action: 'decline' },
      { action: 'decline' },
    ];
    try {
      await say(session, 'Book a day.');
      for (const output of answers) {
        const [waiting] = gate.getSnapshot().turn.waitingFor.filter((entry) => entry.kind === 'tool');
        expect(waiting?.toolCallIds).toHaveLength(1);
        gate.addToolOutput(waiting!.toolCallIds[0] as string, { output });
        await deliver(session);
      }
      const parts = gate.getSnapshot().messages.at(-1)?.parts as Data[];
      expect(parts.filter(({ toolCallId }) => toolCallId).map(({ type, state }) => `${type} ${state}`)).toEqual([
        'tool-request_user_input output-available',
        'tool-book output-available',
        'tool-mcp_elicitation output-available',
        'tool-request_user_input output-available',
        'tool-book output-available',
        'tool-mcp_elicitation output-available',
      ]);
      const read =
        prompts
          .at(-1)
          ?.filter(({ kind: what }) => what === 'result')
          .map(({ text }) => text) ?? [];
      expect(read.map((text) => /SQLite|Monday|decline|"answers":\{\}/.exec(text ?? '')?.[0])).toEqual([
        'SQLite',
        'Monday',
        '"answers":{}',
        'decline',
      ]);
      expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
    } finally {
      await session.close?.();
    }
  });
}

const callsOf = (message: Data): Data[] => message.parts.filter(({ toolCallId }: Data) => toolCallId);

/** The name of the file of a change. */
const pathOf = (input: Data): string => input.changes[0].path.split('/').at(-1);

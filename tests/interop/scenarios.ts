/**
 * The scenarios for every backend, most of them those of the conformance kit, and the expected record of the backend:
 * which tools ran, how often, and the model's prompts. `runScenarios(rig)` makes the tests.
 */
import { type Outgoing, type ToolGateError } from 'toolgate';
import { expect, test } from 'vitest';
import {
  answer,
  APPROVED,
  asked,
  BYE,
  CALLS,
  decide,
  deliver,
  DENIED,
  DONE,
  NAMES,
  REASON,
  say,
  type Scenario,
} from './acts';
import { failAll, giveUp } from './outages';
import { fromKit } from './play';
import type { Line, Rig, ScenarioName, ScriptedCall, Session } from './rig';
import { capabilitiesOf } from '../protocols/all.js';

/** What the model reads about a call whose result was lost. */
const MAY_HAVE_RUN = /interrupted.*unknown/i;

/** The scenarios, by the names of their tests. All but two are the kit's. */
const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  'approve all': fromKit('approval-of-all'),
  'deny one with a reason': fromKit('denial-keeps-the-others'),
  'deny all': fromKit('denial-of-all'),
  mixed: fromKit('one-request-for-a-step'),
  // `cancel` and `retry` are acts of a gate: the kit has no act that every chat's page offers for them.
  cancel: {
    replies: [{ calls: CALLS }, DONE, BYE],
    async act(session) {
      session.gate.cancel();
      await deliver(session);
      await say(session, 'Something else.');
    },
    ran: ['read /r'],
    said: ['Tidy up.', 'Something else.'],
  },
  'a message while approvals are pending': fromKit('message-after-half-a-step', { ran: ['read /r', 'remove /a'] }),
  'resume after a request that failed': {
    replies: [{ calls: CALLS }, DONE, BYE],
    async act(session) {
      session.gate.respondAll({ approved: true });
      await failAll(session);
      for (const { id } of session.gate.undelivered()) session.gate.retry(id);
      await deliver(session);
      if (session.gate.pending().length) await answer(session, APPROVED);
      await say(session, 'Thanks.');
    },
    ran: NAMES,
    said: ['Tidy up.', 'Thanks.'],
  },
  'resume after a turn that failed': fromKit('error-after-approval'),
  'answers request fails, then a message': fromKit('lost-decisions', {
    ran: ['read /r', 'remove /a', 'send /c'],
    told: { 'remove /b': new RegExp(REASON) },
  }),
  'denials fail, then a message': fromKit('lost-denials'),
  'unconfirmed resume, then a message': fromKit('message-after-lost-reply'),
  'reload of a waiting thread': fromKit('reload-while-asked'),
};

/**
 * Checks that each call, except those in `gone`, occurs once; that it has one result, unless it is in `open`; that no
 * other results occur; and that all results precede the next text of the user or the model.
 */
function expectComplete(prompt: readonly Line[], gone: readonly string[], open: readonly string[] = []): void {
  const calls = prompt.filter(({ kind }) => kind === 'call').map(({ call }) => call);
  const results = prompt.filter(({ kind }) => kind === 'result').map(({ call }) => call);
  expect([...calls].sort()).toEqual(NAMES.filter((name) => !gone.includes(name)).sort());
  expect([...results].sort()).toEqual(calls.filter((call) => !open.includes(call as string)).sort());
  const lastCall = prompt.findLastIndex(({ kind }) => kind === 'call');
  const next = prompt.findIndex(({ kind }, at) => at > lastCall && (kind === 'user' || kind === 'text'));
  const late = prompt.filter(({ kind }, at) => kind === 'result' && next >= 0 && at > next);
  expect(late).toEqual([]);
}

/**
 * Sends a request with decisions twice, the second time when another approval is already pending. Checks that approved
 * tools run again only if the `capabilities` of the protocol declare it.
 */
function testRepetition(rig: Rig): void {
  const { repeat } = capabilitiesOf(rig.protocol);

  test(`${rig.name}: a request with decisions that arrives twice`, async () => {
    const later: ScriptedCall = { id: 'call-5', tool: 'remove', path: '/d' };
    const opened = await rig.open([{ calls: CALLS }, { calls: [later] }, DONE, DONE, DONE, DONE], {});
    const items: Outgoing[] = [];
    const session: Session = { ...opened, send: (item) => (items.push(item), opened.send(item)) };
    try {
      await say(session, 'Tidy up.');
      await answer(session, APPROVED);
      expect(asked(session)).toEqual(['remove /d']);
      // Some backends answer this with an error, and some rigs would wait for more events than arrive.
      const again = opened.send(items.at(-1) as Outgoing).catch(() => undefined);
      await Promise.race([again, new Promise((resolve) => setTimeout(resolve, 500))]);
      const ran = (call: string): number => session.ran.filter((one) => one === call).length;
      expect([ran('send /c'), ran('remove /d')]).toEqual([rig.runsAgain ? 2 : 1, 0]);
      if (rig.runsAgain) return expect(repeat).toBe('runs-again');
      decide(session, 'remove /d', true);
      await deliver(session);
      await say(session, 'Thanks.');
      const later = rig.closesLater ? [] : ['remove /d'];
      expect([...session.ran].sort()).toEqual(['read /r', 'remove /a', 'remove /b', ...later, 'send /c']);
      if (rig.closesLater) expect(repeat).not.toBe('ignored');
    } finally {
      await opened.close?.();
    }
  });
}

/** The tests of one backend. */
export function runScenarios(rig: Rig): void {
  if (!rig.only) testRepetition(rig);
  for (const [name, scenario] of Object.entries(SCENARIOS) as [ScenarioName, Scenario][]) {
    if (rig.only && !rig.only.includes(name)) continue;
    const quirk = rig.quirks?.[name];
    const { waiting } = rig;
    const savedOnly =
      name === 'reload of a waiting thread' && typeof waiting === 'object' ? waiting.savedOnly : undefined;
    const why = [quirk?.why, savedOnly].filter((one) => one !== undefined).join('; ');
    test(`${rig.name}: ${name}${why && ` (${why})`}`, async () => {
      const session = await rig.open(scenario.replies, { onUserMessage: 'deny-pending' });
      const anomalies: ToolGateError[] = [];
      session.gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event.error));
      expect(session.refill !== undefined || rig.only !== undefined).toBe(
        waiting === 'with the server' || rig.only !== undefined,
      );
      try {
        await say(session, scenario.said[0]!);
        const status = session.gate.getSnapshot().status;
        expect(status).toBe(rig.streams ? 'streaming' : 'awaiting-approval');
        await scenario.act(session, rig);
        if (rig.refusesMixed) await giveUp(session);
        const { ran, prompts, gate } = session;
        expect([...ran].sort()).toEqual([...(quirk?.ran ?? scenario.ran)].sort());
        // A backend that confirms a denial or a cancellation causes no anomaly. (The first call needed no approval.)
        expect(
          anomalies
            .filter(({ code, toolCallId }) => code === 'already-settled' && toolCallId !== CALLS[0]?.id)
            .map(({ message }) => message),
        ).toEqual([]);
        expect(prompts.length).toBeLessThanOrEqual(scenario.replies.length);
        // No item is ready, and no approval is pending.
        expect([gate.outgoing(), gate.undelivered(), gate.pending()]).toEqual([[], [], []]);
        const gone = quirk?.gone ?? [];
        expect(prompts.length).toBeGreaterThan(1);
        const last = prompts.at(-1) ?? [];
        const forgotten = quirk?.forgets ? NAMES : gone;
        const untold = [...forgotten, ...(quirk?.untold ?? [])];
        for (const prompt of prompts.slice(1)) expectComplete(prompt, prompt === last ? forgotten : gone, quirk?.open);
        // The model reads results of the calls that ran, and of no other calls.
        const returned = last
          .filter(({ kind, call, text }) => kind === 'result' && text?.includes(`${call}: done`))
          .map(({ call }) => call);
        const unknown = last
          .filter(({ kind, text }) => scenario.isReplyLost && kind === 'result' && MAY_HAVE_RUN.test(text ?? ''))
          .map(({ call }) => call)
          .filter((call) => !quirk?.unknown?.includes(call as string));
        expect([...returned, ...unknown].sort()).toEqual(ran.filter((call) => !untold.includes(call)).sort());
        expect(last.filter(({ kind }) => kind === 'user').map(({ text }) => text)).toEqual(
          quirk?.forgets ? scenario.said.slice(-1) : scenario.said,
        );
        for (const [call, words] of Object.entries(quirk?.told ?? scenario.told ?? {})) {
          if (forgotten.includes(call)) continue;
          const result = last.find((line) => line.kind === 'result' && line.call === call)?.text ?? '';
          expect(result).toMatch(rig.losesReasons || words === DENIED ? (rig.deniedWords ?? DENIED) : words);
        }
      } finally {
        await session.close?.();
      }
    });
  }
}

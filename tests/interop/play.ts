/**
 * Plays a scenario of the conformance kit with a rig: what the model says, what the user does, what the network does
 * and what must follow is the kit's data. The calls `c1` to `c4` of the kit are those of `CALLS`. A rig's server is the
 * real framework, so the kit's own server is not used.
 */
import { expect } from 'vitest';
import type { Act, Reply as KitReply, Scenario as KitScenario } from '../conformance/kit/src/scenario';
import { scenarios } from '../conformance/kit/src/scenarios/index';
import { capabilitiesOf, type ProtocolName } from '../protocols/all.js';
import { answer, type Answers, askedAbout, CALLS, DENIED, deliver, NAMES, say, type Scenario } from './acts';
import { decidePending, failAll, giveUp, sendAgain, sendWithoutReply } from './outages';
import { pageOf } from './page';
import type { Reply, Rig, Session } from './rig';

/** What must be true of a rig beyond the kit's scenario, after the user has sent again what was not delivered. */
type More = Partial<Pick<Scenario, 'ran' | 'told'>>;

/** The kit's scenario with this id. Throws if there is none, or if it has calls that the rigs' models don't make. */
export function fromKit(id: string, more: More = {}): Scenario {
  const scenario = scenarios.find((one) => one.id === id);
  if (!scenario) throw new Error(`The kit has no scenario ${id}.`);
  const { server, network = {}, user, expect: expected } = scenario;
  const isReplyLost = Object.values(network).includes('lost reply');
  return {
    // A message that was held back, because the reply may have been lost, is answered too.
    replies: [...server.map(replyOf), ...(isReplyLost ? [{ text: 'ok' }] : [])],
    act: (session, rig) => play(scenario, session, rig),
    ran: [NAMES[0]!, ...(expected.ran ?? []).map(nameOf)],
    told: Object.fromEntries((expected.model ?? []).flatMap(toldIn)),
    said: user.flatMap((act) => ('send' in act ? act.send : [])),
    isReplyLost,
    ...more,
  };
}

/** The call of a rig that stands for a call of the kit. */
function nameOf(id: string): string {
  const name = NAMES[Number(id.slice(1)) - 1];
  if (name === undefined) throw new Error(`The rigs have no call ${id}.`);
  return name;
}

/** What the rig's model says. */
function replyOf({ lines }: KitReply): Reply {
  const chunks = lines.map((line) => {
    if ('until' in line) throw new Error('The servers of the rigs do not wait.');
    return line as { type: string; [key: string]: unknown };
  });
  const failed = chunks.find(({ type }) => type === 'error');
  if (failed) return { error: String(failed['errorText']) };
  const made = chunks.filter(({ type }) => type === 'tool-input-available');
  if (made.length === 0)
    return { text: chunks.flatMap(({ type, delta }) => (type === 'text-delta' ? String(delta) : [])).join('') };
  return { calls: made.map(({ toolCallId }) => CALLS[NAMES.indexOf(nameOf(String(toolCallId)))]!) };
}

/** The call and the text of a denial that the kit expects in the model's prompt. */
function toldIn(line: string): [call: string, text: RegExp][] {
  const [, id, reason] = /^result (c\d+): denied(?: "(.*)"|\*)?$/.exec(line) ?? [];
  if (id === undefined) return [];
  return [[nameOf(id), reason === undefined ? DENIED : new RegExp(reason.replace(/[.?]/g, '\\$&'))]];
}

type Decision = Extract<Act, { approve: string } | { deny: string }>;

const isDecision = (act: Act | undefined): act is Decision => act !== undefined && ('approve' in act || 'deny' in act);

function answerOf(act: Decision): Answers[number] {
  if ('approve' in act) return [nameOf(act.approve), true];
  return act.reason === undefined ? [nameOf(act.deny), false] : [nameOf(act.deny), false, act.reason];
}

/** Performs what follows the first message. Decisions that follow each other are made as one step. */
async function play({ user, network = {} }: KitScenario, session: Session, { protocol }: Rig): Promise<void> {
  const acts = user.slice(1);
  // The first message was the first request.
  let requests = 1;
  let decided: Answers = [];
  for (let act = acts.shift(); act; act = acts.shift()) {
    if ('send' in act) {
      requests++;
      await say(session, act.send);
    } else if ('reload' in act) {
      await reload(session, network[requests] === 'lost reply', protocol);
    } else if (isDecision(act)) {
      const step = [act];
      while (isDecision(acts[0])) step.push(acts.shift() as Decision);
      decided = step.filter((one) => !one.ifOffered || askedAbout(session, answerOf(one)[0])).map(answerOf);
      if (decided.length === 0) continue;
      const fault = network[++requests];
      if (fault === undefined) await answer(session, decided, capabilitiesOf(protocol).kind === 'resubmitting');
      else {
        decidePending(session, decided);
        await (fault === 'lost reply' ? sendWithoutReply(session) : failAll(session));
      }
    } else throw new Error(`The rigs have no act ${Object.keys(act).join()}.`);
  }
  const faults = Object.values(network);
  if (faults.includes('lost request')) await sendAgain(session, decided);
  if (!faults.includes('lost reply')) return;
  await giveUp(session);
  if (session.gate.getSnapshot().queued.length === 0) return;
  // The turn ended while the page was closed, and nothing says so: the user stops waiting for its reply.
  expect(session.gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'reply' }]);
  session.gate.stop();
  await deliver(session);
}

/** The protocols whose connections count their requests. */
const COUNTS_REQUESTS = /^(acp|codex|claude-agent-sdk)$/;

/** Reloads the page. If it was closed when it sent its decisions, it knows what it had saved, and nothing else. */
async function reload(session: Session, wasClosed: boolean, protocol: ProtocolName): Promise<void> {
  const { gate } = session;
  const page = pageOf(gate);
  if (wasClosed) {
    page.open('saved');
    // The requests of a connection are those that it lists: the others had their answers.
    if (COUNTS_REQUESTS.test(protocol)) return;
    return expect(gate.undelivered().map(({ delivery }) => delivery)).toContain('unconfirmed');
  }
  const pending = (): unknown[] => gate.pending().map(({ toolCallId, input }) => [toolCallId, input]);
  const before = pending();
  page.close();
  page.open(session.refill ? 'empty' : 'saved');
  await session.refill?.();
  if (!session.refill) for (const request of session.open?.() ?? []) gate.receive(request);
  expect(pending()).toEqual(before);
  await deliver(session);
}

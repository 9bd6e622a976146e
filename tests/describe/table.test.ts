/**
 * `describeCall` for every state × outcome × delivery × decider, also for combinations that no gate produces: a part
 * can come from an app's own storage. The expected status is read from three tables.
 */
import { expect, test } from 'vitest';
import { describeCall, type CallDescription, type DeliveryState, type Outcome, type ToolState } from 'toolgate';

/** The deliveries that decide the status. */
const BY_DELIVERY: Readonly<Record<DeliveryState, string | undefined>> = {
  held: undefined,
  forwarded: 'forwarded',
  ready: undefined,
  'in-flight': undefined,
  acknowledged: undefined,
  failed: 'undelivered',
  unconfirmed: 'unconfirmed',
};

const BY_OUTCOME: Readonly<Record<Outcome['kind'], string>> = {
  executed: 'done',
  failed: 'failed',
  denied: 'denied',
  skipped: 'skipped',
  cancelled: 'cancelled',
  expired: 'expired',
  interrupted: 'interrupted',
};

/** Without an outcome: for an approved call the status also depends on the delivery. */
const BY_STATE: Readonly<Record<ToolState, string>> = {
  'input-streaming': 'drafting',
  'input-available': 'running',
  'approval-requested': 'waiting',
  'approval-responded': 'approved',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
};
const WORKS: Readonly<Partial<Record<DeliveryState, string>>> = { 'in-flight': 'sending', acknowledged: 'working' };

const TONES: Readonly<Record<string, string>> = {
  wait: 'waiting forwarded expired',
  busy: 'drafting running checking sending working',
  yes: 'approved done',
  no: 'undelivered unconfirmed unknown failed denied',
  quiet: 'skipped cancelled interrupted',
};

/** Every text that Toolgate writes for the model. */
const FOR_MODEL = 'FOR THE MODEL';

interface Case {
  readonly state: ToolState;
  readonly outcome: Outcome | undefined;
  readonly delivery: DeliveryState | undefined;
  readonly decidedBy: 'remembered' | 'policy' | undefined;
}

function* cases(): Generator<Case> {
  const outcomes = (Object.keys(BY_OUTCOME) as Outcome['kind'][]).flatMap((kind) => [
    { kind },
    { kind, mayHaveRun: true },
  ]);
  for (const state of Object.keys(BY_STATE) as ToolState[])
    for (const outcome of [undefined, ...outcomes])
      for (const delivery of [undefined, ...(Object.keys(BY_DELIVERY) as DeliveryState[])])
        for (const decidedBy of [undefined, 'remembered', 'policy'] as const)
          yield { state, outcome, delivery, decidedBy };
}

/** A part in this state. What a gate writes for the model is in its reason and its error. */
function partOf({ state, outcome, delivery, decidedBy }: Case) {
  const isDenied = state === 'output-denied' || ['denied', 'skipped', 'expired'].includes(outcome?.kind ?? '');
  const approval =
    state === 'approval-requested' || state.startsWith('input')
      ? { id: 'ask' }
      : { id: 'ask', approved: !isDenied, ...(isDenied && outcome && { reason: FOR_MODEL }) };
  const closed = outcome && outcome.kind !== 'failed' && outcome.kind !== 'executed';
  return {
    type: 'tool-delete_file',
    toolCallId: 'a',
    state,
    input: {},
    approval,
    ...(state === 'output-available' && { output: closed ? FOR_MODEL : 'gone' }),
    ...(state === 'output-error' && { errorText: closed ? FOR_MODEL : 'EACCES' }),
    ...(outcome && { outcome }),
    ...(delivery && { delivery }),
    ...(decidedBy && { decidedBy }),
  };
}

function expectedStatus({ state, outcome, delivery }: Case): string {
  const first = delivery && BY_DELIVERY[delivery];
  if (first) return first;
  if (outcome) return BY_OUTCOME[outcome.kind];
  return (state === 'approval-responded' && delivery && WORKS[delivery]) || BY_STATE[state];
}

const all = [...cases()].map((given) => ({ given, part: partOf(given), call: describeCall(partOf(given)) }));
const wrong = (isRight: (entry: (typeof all)[number]) => boolean): unknown[] =>
  all.filter((entry) => !isRight(entry)).map(({ given, call }) => ({ given, call }));
const says = (call: CallDescription): string => JSON.stringify([call.label, call.note, call.result, call.reason]);

test('the status follows delivery, then outcome, then state', () => {
  expect(all.length).toBe(7 * 15 * 8 * 3);
  expect(wrong(({ given, call }) => call.status === expectedStatus(given))).toEqual([]);
  expect(wrong(({ call }) => (TONES[call.tone] ?? '').split(' ').includes(call.status))).toEqual([]);
});

test('no description contains a text for the model', () => {
  expect(all.some(({ part }) => JSON.stringify(part).includes(FOR_MODEL))).toBe(true);
  expect(wrong(({ call }) => !says(call).includes(FOR_MODEL))).toEqual([]);
});

test('only calls that the user denied say so', () => {
  expect(wrong(({ call }) => !/you (denied|rejected)/i.test(says(call)))).toEqual([]);
  const isDenial = ({ call }: (typeof all)[number]): boolean => call.label === 'Denied';
  expect(wrong((entry) => isDenial(entry) === (entry.call.status === 'denied'))).toEqual([]);
  expect(
    wrong(({ given, call }) => call.decidedBy !== 'user' || (given.delivery !== undefined && !given.decidedBy)),
  ).toEqual([]);
});

test('an answer whose delivery is uncertain says what was answered', () => {
  const answers = [
    [true, 'Approved · '],
    [false, 'Denied · '],
    [undefined, ''],
  ] as const;
  const uncertain = all.filter(({ call }) => ['forwarded', 'undelivered', 'unconfirmed'].includes(call.status));
  for (const [approved, answer] of answers) {
    const labels = uncertain
      .filter(
        ({ part: { approval } }) => (approval && 'approved' in approval ? approval.approved : undefined) === approved,
      )
      .map(({ call }) => call.label);
    expect(new Set(labels)).toEqual(
      new Set(['Forwarded', 'No reply', 'Unconfirmed'].map((delivery) => `${answer}${delivery}`)),
    );
  }
});

test('only a call that waits can be decided; nothing else is possible without a view', () => {
  const possible = ({ can }: CallDescription): string =>
    Object.entries(can)
      .flatMap(([name, is]) => (is ? [name] : []))
      .join(' ');
  expect(wrong(({ call }) => possible(call) === (call.status === 'waiting' ? 'approve deny' : ''))).toEqual([]);
});

test('what may have run says so', () => {
  expect(
    wrong(({ given, call }) => !given.outcome?.mayHaveRun || (call.mayHaveRun && /may have run/.test(call.note))),
  ).toEqual([]);
});

test('each text can be replaced', () => {
  const keys = ['waiting', 'waitingNote', 'deniedNote', 'deniedByMessage', 'skippedNote', 'mayHaveRun', 'remembered'];
  const german = Object.fromEntries(keys.map((key) => [key, `<${key}>`]));
  const note = (given: Partial<Case>): string =>
    describeCall(
      partOf({ state: 'output-denied', outcome: undefined, delivery: undefined, decidedBy: undefined, ...given }),
      {
        texts: german,
      },
    ).note;
  expect(note({})).toBe('<deniedNote>');
  expect(note({ decidedBy: 'policy' })).toBe('<deniedByMessage>');
  expect(note({ decidedBy: 'remembered', outcome: { kind: 'skipped', mayHaveRun: true } })).toBe(
    '<remembered> <skippedNote> <mayHaveRun>',
  );
});

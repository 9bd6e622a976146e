// @vitest-environment happy-dom
/** What a card and the list offer in each state in which `waitingFor` names the user's next act. */
import { expect, test } from 'vitest';
import { langgraph } from 'toolgate/protocols/langgraph';
import type { ToolApprovalsElement } from 'toolgate/element';
import { describeCall } from 'toolgate';
import type { ToolGate } from 'toolgate/slim';
import { asking, asks, callOf, card, list, part, parts, sendNext, settle, streaming, textOf } from './support';

const ACTS = ['send-now', 'do-not-run', 'retry', 'give-up'];

/** The visible acts of an element. */
const actsOf = (element: HTMLElement): string[] =>
  ACTS.filter((name) =>
    parts(element, name).some((one) => !one.hidden && one.closest<HTMLElement>('[hidden]') === null),
  );

const approved = (): ToolGate => {
  const gate = asking([{ id: 'c1' }]);
  gate.respond('ask-c1', { approved: true });
  return gate;
};

const sent = (): ToolGate => {
  const gate = approved();
  sendNext(gate);
  return gate;
};

/** Each state: its gate, the acts of the card of `c1`, and the note about it. */
const STATES: Readonly<Record<string, readonly [create: () => ToolGate, acts: string, note: RegExp]>> = {
  'approved, then stopped': [
    () => {
      const gate = approved();
      gate.stop();
      return gate;
    },
    'send-now do-not-run',
    /was not sent/,
  ],
  'approved, then stopped, while another call is undecided': [
    () => {
      const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
      gate.respond('ask-c1', { approved: true });
      gate.stop();
      return gate;
    },
    'send-now do-not-run',
    /was not sent/,
  ],
  'approved, and the reply broke off': [
    () => {
      const gate = streaming(asks([{ id: 'c1' }]));
      gate.respond('ask-c1', { approved: true });
      gate.streamEnded({ status: 'disconnected' });
      return gate;
    },
    'send-now do-not-run',
    /was not sent/,
  ],
  'denied, and another approval is held': [
    () => {
      const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
      gate.respond('ask-c2', { approved: true });
      gate.stop();
      gate.respond('ask-c1', { approved: false });
      return gate;
    },
    'send-now',
    /will not run/,
  ],
  failed: [
    () => {
      const gate = approved();
      gate.markFailed(sendNext(gate), 'offline');
      return gate;
    },
    'retry give-up',
    /may have arrived/,
  ],
  'failed, and a message is queued': [
    () => {
      const gate = approved();
      gate.markFailed(sendNext(gate), 'offline');
      gate.sendUserMessage({ text: 'go on' });
      return gate;
    },
    'retry give-up',
    /may have arrived/,
  ],
  unconfirmed: [
    () => {
      const gate = sent();
      gate.streamEnded({ status: 'disconnected' });
      return gate;
    },
    'retry give-up',
    /don’t know/,
  ],
  stalled: [
    () => {
      const gate = sent();
      gate.streamEnded({ status: 'finished' });
      return gate;
    },
    'retry give-up',
    /may have run/,
  ],
  'approved, waiting for another call': [
    () => {
      const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
      gate.respond('ask-c1', { approved: true });
      return gate;
    },
    '',
    /other calls/,
  ],
  'in flight': [sent, '', /being sent/],
  undecided: [() => asking([{ id: 'c1' }]), '', /^/],
};

test.each(Object.entries(STATES))('%s: the card and `describeCall` offer the same acts', async (_, state) => {
  const [create, acts, note] = state;
  const gate = create();
  const element = card(gate);
  await settle();
  expect(actsOf(element).join(' ')).toBe(acts);
  expect(textOf(element)).toMatch(note);
  const { can } = describeCall(callOf(gate, 'c1'), { view: gate.getSnapshot() });
  const named = { 'send-now': can.resume, 'do-not-run': can.doNotRun, retry: can.retry, 'give-up': can.giveUp };
  expect(ACTS.filter((name) => named[name as keyof typeof named]).join(' ')).toBe(acts);
});

/** What each act does. */
const DOES: Readonly<Record<string, (gate: ToolGate) => void>> = {
  'send-now': (gate) => expect(gate.getSnapshot().turn.waitingFor.some(({ kind }) => kind === 'resume')).toBe(false),
  retry: (gate) => expect(gate.outgoing()).toMatchObject([{ attempt: 2 }]),
  'do-not-run'(gate) {
    const { outcome } = callOf(gate, 'c1');
    expect(outcome).toMatchObject({ kind: 'cancelled' });
    expect(outcome?.mayHaveRun).toBeFalsy();
    expect(gate.outgoing()).toEqual([]);
  },
  'give-up'(gate) {
    expect(callOf(gate, 'c1').outcome).toMatchObject({ kind: 'cancelled', mayHaveRun: true });
    expect(gate.undelivered()).toEqual([]);
    expect(gate.outgoing()).toHaveLength(gate.getSnapshot().messages.at(-1)?.role === 'user' ? 1 : 0);
  },
};

const PRESSES = Object.entries(STATES).flatMap(([name, [create, acts]]) =>
  acts
    .split(' ')
    .filter(Boolean)
    .map((act) => [name, act, create] as const),
);

test.each(PRESSES)('%s: %s', async (_, act, create) => {
  const gate = create();
  const element = card(gate);
  await settle();
  const others = gate.pending().length;
  // The second click of a double click was meant for what was here before.
  part(element, act).dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
  expect(gate.getSnapshot().turn.waitingFor.map(({ kind }) => kind)).toContain(
    act[0] === 's' || act[0] === 'd' ? 'resume' : 'retry',
  );
  part(element, act).focus();
  part(element, act).click();
  await settle();
  DOES[act]!(gate);
  expect(gate.pending()).toHaveLength(others);
  expect(actsOf(element)).toEqual([]);
  expect(element.shadowRoot!.activeElement?.getAttribute('part')).toMatch(/^card/);
});

test('an answer that cannot be repeated safely is only given up', async () => {
  const gate = asking([], { protocol: langgraph });
  gate.sendUserMessage({ text: 'go' });
  sendNext(gate);
  gate.receive({
    event: 'updates',
    data: {
      __interrupt__: [
        {
          value: {
            action_requests: [{ name: 'wipe', args: {} }],
            review_configs: [{ action_name: 'wipe', allowed_decisions: ['approve', 'reject'] }],
          },
        },
      ],
    },
  });
  gate.streamEnded({ status: 'finished' });
  const [asked] = gate.pending();
  gate.respond(asked!, { approved: true });
  gate.markFailed(sendNext(gate), 'offline');
  expect(gate.getSnapshot().turn.waitingFor).toMatchObject([{ kind: 'cancel' }]);
  const element = card(gate, { approvalId: asked!.approvalId });
  await settle();
  expect(actsOf(element)).toEqual(['give-up']);
});

const bar = (element: ToolApprovalsElement): [string[], string] => [
  actsOf(element),
  part(element, 'send-now').textContent!,
];

/** Presses a button of the list, which disappears: the list gets the focus. */
function press(element: ToolApprovalsElement, act: string): void {
  part(element, act).click();
  const active = element.shadowRoot!.activeElement as HTMLElement;
  expect(active.getAttribute('part')).toBe('list');
  // The DOM of this test cannot say that a card has no focus while another shadow root has it.
  active.blur();
}

test('the list sends several held approvals, or runs none of them', async () => {
  const create = (): ToolGate => {
    const gate = asking([{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }]);
    for (const id of ['c1', 'c2']) gate.respond(`ask-${id}`, { approved: true });
    gate.stop();
    gate.respond('ask-c3', { approved: false });
    return gate;
  };
  const gate = create();
  const element = list(gate);
  await settle();
  expect(bar(element)).toEqual([['send-now', 'do-not-run'], 'Send']);
  press(element, 'do-not-run');
  await settle();
  expect(['c1', 'c2', 'c3'].map((id) => callOf(gate, id).outcome?.kind)).toEqual(['cancelled', 'cancelled', 'denied']);
  expect([gate.outgoing(), actsOf(element)]).toEqual([[], []]);

  const other = create();
  const second = list(other);
  await settle();
  press(second, 'send-now');
  await settle();
  expect(other.outgoing()).toMatchObject([{ approvalIds: ['ask-c1', 'ask-c2', 'ask-c3'] }]);
  expect(actsOf(second)).toEqual([]);
});

test.each(['send-now', 'do-not-run'])('%s that the gate refuses: the list says why', async (act) => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  gate.respondAll({ approved: true });
  gate.stop();
  const element = list(gate);
  await settle();
  gate.free();
  part(element, act).click();
  await settle();
  expect(part(element, 'error').textContent).toBe('Your answer was not accepted: crashed');
});

test('with one held approval, its card has the buttons', async () => {
  const element = list(STATES['approved, then stopped']![0]());
  await settle();
  expect(actsOf(element)).toEqual([]);
  expect(actsOf(element.querySelector('tool-approval')!)).toEqual(['send-now', 'do-not-run']);
});

test('after a step limit the list offers to continue', async () => {
  const gate = streaming([
    ...asks([]),
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'read', input: {} },
    { type: 'tool-output-available', toolCallId: 'c1', output: 1 },
  ]);
  gate.streamEnded({ status: 'step-limit' });
  const element = list(gate);
  await settle();
  expect(bar(element)).toEqual([['send-now'], 'Continue']);
  press(element, 'send-now');
  await settle();
  expect([gate.outgoing().length, actsOf(element)]).toEqual([1, []]);
});

test('a limit without an id cancels nothing', () => {
  const gate = approved();
  gate.stop();
  expect(() => gate.cancel(undefined, { id: undefined })).toThrow('Unknown item id');
  expect(() => gate.cancel(undefined, { id: 'out-99' })).toThrow('Unknown item id');
  expect(() => gate.cancel(undefined, { approvalId: 'none' })).toThrow('none');
  expect(callOf(gate, 'c1').outcome).toBeUndefined();
});

// @vitest-environment happy-dom
/** `toolgate/react` with React in StrictMode: only components with changed content render. */
import { memo, StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { isToolPart, type GateSource, type PendingApproval, type ToolGate, type ToolPart } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import {
  GateProvider,
  useApproval,
  useApprovals,
  useGate,
  useGateActions,
  useGateView,
  useMessages,
  useToolPart,
  useUndelivered,
  type GateActions,
} from 'toolgate/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { act } from '../lib/act';
import { reactChats, stage } from '../ai-sdk/support/chats';
import { until } from '../lib/waiting';
import { asks, goesOn } from '../ai-sdk/support/transport';
import { asking, countListeners, Counts, delta, failToSend, initFromFile, streaming, thousand } from './support/gates';

const errors: unknown[][] = [];
const counts = new Counts();

beforeAll(initFromFile);
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  errors.length = 0;
  counts.take();
  vi.spyOn(console, 'error').mockImplementation((...args) => void errors.push(args));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Renders in StrictMode. The renders of mounting are not counted. */
async function mount(content: ReactNode) {
  const element = document.createElement('div');
  const root = createRoot(element);
  const render = (next: ReactNode): Promise<void> => act(async () => root.render(<StrictMode>{next}</StrictMode>));
  await render(content);
  counts.take();
  return { element, render, unmount: () => act(async () => root.unmount()), text: () => element.textContent };
}

/** The counts of a change. StrictMode renders everything twice. */
async function rendered(change: () => void): Promise<Record<string, number>> {
  await act(async () => change());
  return Object.fromEntries(Object.entries(counts.take()).map(([name, count]) => [name, count / 2]));
}

const PartCard = memo(function PartCard({ id }: { id: string }) {
  counts.add(`part ${id}`);
  const part = useToolPart(id);
  return (
    <i>
      {part ? `${part.state}${part.state === 'input-streaming' ? JSON.stringify(part.input ?? null) : ''};` : 'none;'}
    </i>
  );
});

const ApprovalCard = memo(function ApprovalCard({ approval }: { approval: PendingApproval }) {
  counts.add(`card ${approval.toolCallId}`);
  const { respond } = useGateActions();
  return <button onClick={() => respond(approval, { approved: true })}>{approval.toolCallId}</button>;
});

function Approvals() {
  counts.add('list');
  const approvals = useApprovals();
  return approvals.map((approval) => <ApprovalCard key={approval.approvalId} approval={approval} />);
}

function Transcript() {
  return useMessages().map((message) =>
    message.parts.map((part, n) => <Row key={`${message.id} ${n}`} name={`${message.id} ${n}`} part={part} />),
  );
}

const Row = memo(function Row({ name, part }: { name: string; part: { type: string } }) {
  counts.add(`row ${name}`);
  return <u>{part.type}</u>;
});

function Status() {
  counts.add('status');
  return <b>{useGateView((view) => view.status)}</b>;
}

test('a delta renders one part, a decision renders one card', async () => {
  const gate = streaming();
  const { text, unmount } = await mount(
    <GateProvider gate={gate}>
      <PartCard id="c1" />
      <PartCard id="c2" />
      <Approvals />
      <Status />
    </GateProvider>,
  );
  expect(text()).toBe('input-streamingnull;approval-requested;c2streaming');
  expect(await rendered(() => delta(gate, '{"file":"a'))).toEqual({ 'part c1': 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-requested;c2streaming');
  expect(await rendered(() => gate.receive({ type: 'text-delta', id: 't', delta: ', yes' }))).toEqual({});
  expect(await rendered(() => void gate.respond('ask-c2', { approved: true }))).toEqual({ 'part c2': 1, list: 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-responded;streaming');
  expect(errors).toEqual([]);
  await unmount();
});

test('in a component that renders all messages with memo, only the changed part renders again', async () => {
  const gate = streaming();
  const { text, unmount } = await mount(
    <GateProvider gate={gate}>
      <Transcript />
    </GateProvider>,
  );
  expect(text()).toBe('textstep-starttexttool-edittool-edit');
  expect(await rendered(() => delta(gate, '{'))).toEqual({ 'row a1 3': 1 });
  expect(await rendered(() => void gate.respond('ask-c2', { approved: false }))).toEqual({ 'row a1 2': 1 });
  await unmount();
});

test('with 1,000 pending approvals, a decision renders one card', async () => {
  const gate = asking(thousand);
  const { element, unmount } = await mount(
    <GateProvider gate={gate}>
      <Approvals />
      {thousand.map((id) => (
        <PartCard key={id} id={id} />
      ))}
    </GateProvider>,
  );
  const click = (n: number): void => element.querySelectorAll('button')[n]!.click();
  expect(await rendered(() => click(500))).toEqual({ list: 1, 'part c500': 1 });
  expect(element.querySelectorAll('button')).toHaveLength(999);
  expect(await rendered(() => click(998))).toEqual({ list: 1, 'part c999': 1 });
  expect(gate.pending()).toHaveLength(998);
  await unmount();
});

test('a card that receives its part does not subscribe to the gate, and renders when its part changes', async () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const actions = new Set<GateActions>();
  const Card = memo(function Card({ part }: { part: ToolPart }) {
    counts.add(part.toolCallId);
    const approval = useApproval(part);
    const { respond } = useGateActions();
    actions.add(useGateActions());
    return approval ? <button onClick={() => respond(approval, { approved: false })}>{part.toolCallId}</button> : null;
  });
  function List() {
    return useMessages().flatMap(({ parts }) =>
      parts.filter(isToolPart).map((part) => <Card key={part.toolCallId} part={part} />),
    );
  }
  const { element, text, unmount } = await mount(
    <GateProvider gate={gate}>
      <List />
    </GateProvider>,
  );
  expect([text(), listeners(), actions.size]).toEqual(['c1c2', 1, 1]);
  expect(await rendered(() => element.querySelector('button')!.click())).toEqual({ c1: 1 });
  expect([text(), gate.getSnapshot().pending.map(({ toolCallId }) => toolCallId)]).toEqual(['c2', ['c2']]);
  await unmount();
});

test('a card that receives its part reads its approval once for each render', async () => {
  const gate = asking(thousand);
  const read = vi.spyOn(gate, 'approval');
  let renders = 0;
  const Card = memo(function Card({ part }: { part: ToolPart }) {
    renders++;
    return <i>{useApproval(part)?.approvalId}</i>;
  });
  const Cards = (): ReactNode =>
    useMessages().flatMap(({ parts }) =>
      parts.filter(isToolPart).map((part) => <Card key={part.toolCallId} part={part} />),
    );
  const { element, unmount } = await mount(
    <GateProvider gate={gate}>
      <Cards />
    </GateProvider>,
  );
  expect([...element.querySelectorAll('i')].map((card) => card.textContent)).toEqual(
    gate.pending().map(({ approvalId }) => approvalId),
  );
  expect(renders).toBeGreaterThanOrEqual(thousand.length);
  expect(read).toHaveBeenCalledTimes(renders);
  await unmount();
});

test('each hook subscribes once in StrictMode, and unsubscribes when unmounted', async () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const { unmount } = await mount(
    <GateProvider gate={gate}>
      <PartCard id="c1" />
      <PartCard id="c2" />
      <Approvals />
      <Status />
    </GateProvider>,
  );
  expect(listeners()).toBe(4);
  await unmount();
  expect(listeners()).toBe(0);
  expect(errors).toEqual([]);
});

test('a change before effects run, or during suspense, is not missed', async () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  let isHeld = true;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  function Slow() {
    const approval = useApproval('c1');
    if (isHeld) throw held;
    return <i>{approval ? 'waits' : 'answered'}</i>;
  }
  const { text, unmount } = await mount(
    <GateProvider gate={gate}>
      <Suspense fallback="…">
        <Slow />
        <Approvals />
      </Suspense>
    </GateProvider>,
  );
  expect(text()).toBe('…');
  gate.respond('ask-c1', { approved: true });
  isHeld = false;
  await act(async () => release());
  expect(text()).toBe('answeredc2');
  await unmount();
  expect(listeners()).toBe(0);

  const early = asking(['c1']);
  let isFirst = true;
  function Hasty() {
    const part = useToolPart('c1');
    if (isFirst) queueMicrotask(() => early.cancel());
    isFirst = false;
    return part?.outcome?.kind ?? part?.state;
  }
  const second = await mount(
    <GateProvider gate={early}>
      <Hasty />
    </GateProvider>,
  );
  expect(second.text()).toBe('cancelled');
  await second.unmount();
});

test('the gate is set, replaced and removed', async () => {
  const [one, two] = [asking(['c1']), asking(['c1', 'c2'])];
  const [first, second] = [countListeners(one), countListeners(two)];
  const app = (gate: GateSource): ReactNode => (
    <GateProvider gate={gate}>
      <PartCard id="c1" />
      <PartCard id="c2" />
    </GateProvider>
  );
  const { text, render, unmount } = await mount(app(null));
  expect(text()).toBe('none;none;');
  await render(app(one));
  expect([text(), first(), second()]).toEqual(['approval-requested;none;', 2, 0]);
  await render(app(two));
  expect([text(), first(), second()]).toEqual(['approval-requested;approval-requested;', 0, 2]);
  await render(app(undefined));
  expect([text(), first(), second()]).toEqual(['none;none;', 0, 0]);
  expect(errors).toEqual([]);
  await unmount();
});

test('a decision applies only to the shown input and the shown approvals', async () => {
  const gate = asking(['c1', 'c2', 'c3', 'c4']);
  const respond = vi.spyOn(gate, 'respond');
  let actions!: GateActions;
  let shown!: readonly PendingApproval[];
  function Grab() {
    actions = useGateActions();
    shown = useApprovals();
    return null;
  }
  const { unmount } = await mount(
    <GateProvider gate={gate}>
      <Grab />
    </GateProvider>,
  );
  const before = actions;
  const [c1, c2, c3] = shown as [PendingApproval, PendingApproval, PendingApproval];
  await act(async () => void actions.respond(c1, { approved: false, reason: 'no' }));
  expect(respond).toHaveBeenLastCalledWith(c1, { approved: false, reason: 'no' });
  expect(c1.inputDigest).toMatch(/^[0-9a-f]{64}$/);
  expect(() => actions.respond({ ...c2, inputDigest: c3.inputDigest }, { approved: true })).toThrow(
    expect.objectContaining({ code: 'stale-input' }),
  );
  const list = [c1, c2, { ...c3, inputDigest: c2.inputDigest }];
  let answered = 0;
  await act(async () => void (answered = actions.respondAll(list, { approved: true })));
  expect(answered).toBe(1);
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c3', 'c4']);
  await act(async () => actions.cancel('enough'));
  expect(shown).toEqual([]);
  expect(actions).toBe(before);
  await unmount();
});

test('shows undelivered items until they are sent again', async () => {
  const gate = asking(['c1']);
  let retry!: GateActions['retry'];
  function Trouble() {
    counts.add('trouble');
    ({ retry } = useGateActions(gate));
    return useUndelivered(gate).map(({ id, delivery, error }) => `${id} ${delivery} ${error}`);
  }
  const { text, unmount } = await mount(<Trouble />);
  expect(await rendered(() => void gate.respond('ask-c1', { approved: true }))).toEqual({});
  let id = '';
  expect(await rendered(() => void (id = failToSend(gate)))).toEqual({ trouble: 1 });
  expect(text()).toBe(`${id} failed no network`);
  await act(async () => retry(id));
  expect([text(), gate.outgoing()[0]?.attempt]).toEqual(['', 2]);
  await unmount();
});

test('what is held is sent or closed, and a failed request is given up', async () => {
  let actions!: GateActions;
  const gate = asking(['c1', 'c2']);
  function Trouble() {
    actions = useGateActions(gate);
    return null;
  }
  const { unmount } = await mount(<Trouble />);
  const { cancel, resume } = actions;
  gate.respondAll({ approved: true });
  gate.stop();
  cancel(undefined, { approvalId: 'ask-c1' });
  expect([gate.outgoing(), gate.part('c1')?.outcome?.kind]).toEqual([[], 'cancelled']);
  resume();
  const id = failToSend(gate);
  cancel(undefined, { id });
  expect([gate.undelivered(), gate.part('c2')?.outcome?.mayHaveRun]).toEqual([[], true]);
  await unmount();
});

test('a selector may be inline and return new objects', async () => {
  const gate = asking(['c1', 'c2']);
  function Turn() {
    counts.add('turn');
    const { undecided } = useGateView(({ turn }) => ({ undecided: turn.undecided }), gate);
    return <>{undecided}</>;
  }
  const { text, unmount } = await mount(<Turn />);
  expect(text()).toBe('2');
  expect(await rendered(() => void gate.respond('ask-c1', { approved: true }))).toEqual({ turn: 1 });
  expect(text()).toBe('1');
  expect(errors).toEqual([]);
  await unmount();
});

test('a crashed gate keeps its last content, without pending approvals', async () => {
  const gate = asking(['c1']);
  function All() {
    return `${useGateView((view) => view.status, gate)} ${useApprovals(gate).length} ${useUndelivered(gate).length} ${useToolPart('c1', gate)?.state}`;
  }
  const { text, render, unmount } = await mount(<All />);
  gate.free();
  await render(<All key="again" />);
  expect(text()).toBe('crashed 0 0 approval-requested');
  await unmount();
});

test('throws without a provider, and for a value that is not a gate', async () => {
  const found: string[] = [];
  function Try({ source }: { source?: unknown }) {
    try {
      useGate(source as ToolGate);
    } catch (error) {
      found.push((error as Error).message);
    }
    return null;
  }
  const chat = reactChats[0]!.create({});
  const { unmount } = await mount([undefined, {}, chat, 5].map((source, n) => <Try key={n} source={source} />));
  expect(found.filter((_, n) => n % 2 === 0)).toEqual([
    expect.stringContaining('Render a <GateProvider> above'),
    expect.stringContaining('a chat that guard() returned'),
    expect.stringContaining('a chat that guard() returned'),
    expect.stringContaining('a chat that guard() returned'),
  ]);
  await unmount();
});

test.each(reactChats)('accepts a guarded chat: $name', async (kind) => {
  const { chat, transport } = await stage(kind, { replies: [asks(['c1', 'c2']), goesOn({ c1: 1, c2: 'denied' })] });
  const { element, text, unmount } = await mount(
    <GateProvider gate={chat}>
      <Approvals />
      <PartCard id="c1" />
    </GateProvider>,
  );
  await act(() => chat.sendMessage({ text: 'hi' }));
  expect(text()).toBe('c1c2approval-requested;');
  await act(async () => {
    element.querySelector('button')!.click();
    gateOf(chat).respond('ask-c2', { approved: false });
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
  });
  expect(text()).toBe('output-available;');
  await unmount();
});

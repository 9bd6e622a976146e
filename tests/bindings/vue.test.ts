// @vitest-environment happy-dom
/** `toolgate/vue` with Vue: only changed content is rendered. */
import { guard } from 'toolgate/ai-sdk';
import { isToolPart, type GateSource, type PendingApproval, type ToolGate, type ToolPart } from 'toolgate';
import {
  provideGate,
  useApproval,
  useApprovals,
  useGate,
  useGateActions,
  useGateView,
  useGuardedChat,
  useMessages,
  useToolPart,
  useUndelivered,
  type GateActions,
} from 'toolgate/vue';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createApp,
  defineComponent,
  effectScope,
  h,
  nextTick,
  reactive,
  ref,
  shallowRef,
  watchEffect,
  type PropType,
  type VNode,
  type MaybeRefOrGetter,
  version,
} from 'vue';

import { type AnyChat, chats, stage } from '../ai-sdk/support/chats';
import { until } from '../lib/waiting';
import { asks, goesOn } from '../ai-sdk/support/transport';
import { asking, countListeners, Counts, delta, failToSend, initFromFile, streaming, thousand } from './support/gates';

const counts = new Counts();
const warnings: string[] = [];

beforeAll(initFromFile);
beforeEach(() => {
  counts.take();
  warnings.length = 0;
});

/** Mounts `content` below a component that provides the gate. The renders of mounting are not counted. */
function mount(gate: MaybeRefOrGetter<GateSource>, content: () => VNode[]) {
  const Content = defineComponent({ render: content });
  const app = createApp({
    setup: () => provideGate(gate),
    render: () => h(Content),
  });
  app.config.warnHandler = (message) => void warnings.push(message);
  app.config.errorHandler = (error) => {
    throw error;
  };
  const element = document.createElement('div');
  app.mount(element);
  counts.take();
  return { element, unmount: () => app.unmount(), text: () => element.textContent };
}

async function rendered(change: () => unknown): Promise<Record<string, number>> {
  change();
  await nextTick();
  return counts.take();
}

const PartCard = defineComponent({
  props: { id: { type: String, required: true } },
  setup(props) {
    const part = useToolPart(() => props.id);
    return () => {
      counts.add(`part ${props.id}`);
      const { value } = part;
      return h(
        'i',
        value
          ? `${value.state}${value.state === 'input-streaming' ? JSON.stringify(value.input ?? null) : ''};`
          : 'none;',
      );
    };
  },
});

const ApprovalCard = defineComponent({
  props: { approval: { type: Object as PropType<PendingApproval>, required: true } },
  setup(props) {
    const { respond } = useGateActions();
    return () => {
      counts.add(`card ${props.approval.toolCallId}`);
      return h('button', { onClick: () => respond(props.approval, { approved: true }) }, props.approval.toolCallId);
    };
  },
});

const Approvals = defineComponent({
  setup() {
    const approvals = useApprovals();
    return () => {
      counts.add('list');
      return approvals.value.map((approval) => h(ApprovalCard, { key: approval.approvalId, approval }));
    };
  },
});

const Status = defineComponent({
  setup() {
    const status = useGateView((view) => view.status);
    return () => {
      counts.add('status');
      return h('b', status.value);
    };
  },
});

const Row = defineComponent({
  props: {
    name: { type: String, required: true },
    part: { type: Object as PropType<{ type: string }>, required: true },
  },
  render() {
    counts.add(`row ${this.name}`);
    return h('u', this.part.type);
  },
});

const Transcript = defineComponent({
  setup() {
    const messages = useMessages();
    return () =>
      messages.value.map(({ id, parts }) =>
        parts.map((part, n) => h(Row, { key: `${id} ${n}`, name: `${id} ${n}`, part })),
      );
  },
});

test('a card that receives its part does not subscribe to the gate, and renders when its part changes', async () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const actions = new Set<GateActions>();
  const Card = defineComponent({
    props: { part: { type: Object as PropType<ToolPart>, required: true } },
    setup(props) {
      const approval = useApproval(() => props.part);
      const { respond } = useGateActions();
      actions.add(useGateActions());
      return () => {
        counts.add(props.part.toolCallId);
        const { value } = approval;
        return value
          ? h('button', { onClick: () => respond(value, { approved: false }) }, props.part.toolCallId)
          : undefined;
      };
    },
  });
  const List = defineComponent({
    setup() {
      const messages = useMessages();
      return () =>
        messages.value.flatMap(({ parts }) =>
          parts.filter(isToolPart).map((part) => h(Card, { key: part.toolCallId, part })),
        );
    },
  });
  const { element, text, unmount } = mount(gate, () => [h(List)]);
  expect([text(), listeners(), actions.size]).toEqual(['c1c2', 1, 1]);
  expect(await rendered(() => element.querySelector('button')!.click())).toEqual({ c1: 1 });
  expect([text(), gate.getSnapshot().pending.map(({ toolCallId }) => toolCallId)]).toEqual(['c2', ['c2']]);
  unmount();
  expect(warnings).toEqual([]);
});

test('a delta renders one part, a decision renders one card', async () => {
  const gate = streaming();
  const { text, unmount } = mount(gate, () => [
    h(PartCard, { id: 'c1' }),
    h(PartCard, { id: 'c2' }),
    h(Approvals),
    h(Status),
  ]);
  expect(text()).toBe('input-streamingnull;approval-requested;c2streaming');
  expect(await rendered(() => delta(gate, '{"file":"a'))).toEqual({ 'part c1': 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-requested;c2streaming');
  expect(await rendered(() => gate.receive({ type: 'text-delta', id: 't', delta: ', yes' }))).toEqual({});
  expect(await rendered(() => gate.respond('ask-c2', { approved: true }))).toEqual({ 'part c2': 1, list: 1 });
  expect(text()).toBe('input-streaming{"file":"a"};approval-responded;streaming');
  expect(warnings).toEqual([]);
  unmount();
});

test('in a component that renders all messages, only the changed part renders again', async () => {
  const gate = streaming();
  const { text, unmount } = mount(gate, () => [h(Transcript)]);
  expect(text()).toBe('textstep-starttexttool-edittool-edit');
  expect(await rendered(() => delta(gate, '{'))).toEqual({ 'row a1 3': 1 });
  expect(await rendered(() => gate.respond('ask-c2', { approved: false }))).toEqual({ 'row a1 2': 1 });
  unmount();
});

test('with 1,000 pending approvals, a decision renders one card', async () => {
  const gate = asking(thousand);
  const { element, unmount } = mount(gate, () => [h(Approvals), ...thousand.map((id) => h(PartCard, { id }))]);
  const click = (n: number): void => element.querySelectorAll('button')[n]!.click();
  expect(await rendered(() => click(500))).toEqual({ list: 1, 'part c500': 1 });
  expect(element.querySelectorAll('button')).toHaveLength(999);
  expect(await rendered(() => click(998))).toEqual({ list: 1, 'part c999': 1 });
  expect(gate.pending()).toHaveLength(998);
  unmount();
});

test('finds each of many calls by its id only', () => {
  const odd = ['', '__proto__', 'constructor', ...thousand.slice(0, 40)];
  const gate = asking(odd);
  const scope = effectScope();
  const found = scope.run(() => [...odd, 'c40', 'toString'].map((id) => useToolPart(id, gate).value?.toolCallId));
  expect(found).toEqual([...odd, undefined, undefined]);
  scope.stop();
});

test('subscribes until the component is unmounted or the scope is stopped', () => {
  const gate = asking(['c1', 'c2']);
  const listeners = countListeners(gate);
  const { unmount } = mount(gate, () => [
    h(PartCard, { id: 'c1' }),
    h(PartCard, { id: 'c2' }),
    h(Approvals),
    h(Status),
  ]);
  expect(listeners()).toBe(4);
  unmount();
  expect(listeners()).toBe(0);

  const scope = effectScope();
  const approval = scope.run(() => useApproval('c1', gate))!;
  expect([approval.value?.approvalId, listeners()]).toEqual(['ask-c1', 1]);
  gate.respond('ask-c1', { approved: true });
  expect(approval.value).toBe(undefined);
  scope.stop();
  expect(listeners()).toBe(0);
});

test('the gate and the call are set, replaced and removed', async () => {
  const [one, two] = [asking(['c1']), asking(['c1', 'c2'])];
  const [first, second] = [countListeners(one), countListeners(two)];
  const gate = shallowRef<ToolGate | null>(null);
  const id = ref('c1');
  const { text, unmount } = mount(gate, () => [h(PartCard, { id: id.value }), h(Status)]);
  const after = async (change: () => void): Promise<unknown[]> => {
    change();
    await nextTick();
    return [text(), first(), second()];
  };
  expect(text()).toBe('none;idle');
  expect(await after(() => (gate.value = one))).toEqual(['approval-requested;awaiting-approval', 2, 0]);
  expect(await after(() => (id.value = 'c2'))).toEqual(['none;awaiting-approval', 2, 0]);
  expect(await after(() => (gate.value = two))).toEqual(['approval-requested;awaiting-approval', 0, 2]);
  expect(await after(() => (gate.value = null))).toEqual(['none;idle', 0, 0]);
  expect(warnings).toEqual([]);
  unmount();
});

test('a read after replacing the gate or the call returns the new value', () => {
  const gate = shallowRef<ToolGate | null>(null);
  const id = ref('c1');
  const scope = effectScope();
  scope.run(() => {
    const [approvals, part] = [useApprovals(gate), useToolPart(id, gate)];
    gate.value = asking(['c1', 'c2']);
    expect([approvals.value.length, part.value?.toolCallId]).toEqual([2, 'c1']);
    id.value = 'c2';
    expect(part.value?.toolCallId).toBe('c2');
    gate.value = null;
    expect([approvals.value.length, part.value]).toEqual([0, undefined]);
  });
  scope.stop();
});

test('reads a gate in a ref or reactive object without its proxy', () => {
  const gate = asking(['c1']);
  for (const source of [ref(gate), () => reactive({ gate }).gate]) {
    const scope = effectScope();
    scope.run(() => {
      expect(useGate(source as MaybeRefOrGetter<GateSource>).value).toBe(gate);
      expect(useApprovals(source as MaybeRefOrGetter<GateSource>).value).toHaveLength(1);
    });
    scope.stop();
  }
});

test('a decision applies only to the shown input and the shown approvals', () => {
  const gate = asking(['c1', 'c2', 'c3', 'c4']);
  const respond = vi.spyOn(gate, 'respond');
  const scope = effectScope();
  scope.run(() => {
    const approvals = useApprovals(gate);
    const actions = useGateActions(gate);
    const [c1, c2, c3] = approvals.value as [PendingApproval, PendingApproval, PendingApproval];
    actions.respond(reactive(c1), { approved: false, reason: 'no' });
    expect(respond).toHaveBeenLastCalledWith(c1, { approved: false, reason: 'no' });
    expect(() => actions.respond({ ...c2, inputDigest: c3.inputDigest }, { approved: true })).toThrow(
      expect.objectContaining({ code: 'stale-input' }),
    );
    expect(actions.respondAll([c1, c2, { ...c3, inputDigest: c2.inputDigest }], { approved: true })).toBe(1);
    expect(approvals.value.map(({ toolCallId }) => toolCallId)).toEqual(['c3', 'c4']);
    actions.cancel();
    expect(approvals.value).toEqual([]);
    expect(() => useGateActions(null).cancel()).toThrow(/no gate yet/);
  });
  scope.stop();
});

test('what is held is sent or closed, and a failed request is given up', () => {
  const gate = asking(['c1', 'c2']);
  const { cancel, resume } = useGateActions(gate);
  gate.respondAll({ approved: true });
  gate.stop();
  cancel(undefined, { approvalId: 'ask-c1' });
  expect([gate.outgoing(), gate.part('c1')?.outcome?.kind]).toEqual([[], 'cancelled']);
  resume();
  const id = failToSend(gate);
  cancel(undefined, { id });
  expect([gate.undelivered(), gate.part('c2')?.outcome?.mayHaveRun]).toEqual([[], true]);
});

test('shows undelivered items until they are sent again', () => {
  const gate = asking(['c1']);
  const scope = effectScope();
  scope.run(() => {
    const undelivered = useUndelivered(gate);
    let runs = 0;
    watchEffect(() => void (undelivered.value, runs++), { flush: 'sync' });
    gate.respond('ask-c1', { approved: true });
    expect(runs).toBe(1);
    const id = failToSend(gate);
    expect(undelivered.value).toMatchObject([{ id, delivery: 'failed', error: 'no network' }]);
    useGateActions(gate).retry(id);
    expect([undelivered.value.length, runs]).toEqual([0, 3]);
  });
  scope.stop();
});

test('throws without provideGate, and for a value that is not a gate', () => {
  const mountWith = (setup: () => unknown): void => {
    const app = createApp({ setup: () => void setup(), render: () => null });
    app.config.warnHandler = () => {};
    app.mount(document.createElement('div'));
  };
  expect(() => mountWith(() => useApprovals())).toThrow(/Call provideGate in a parent component/);
  expect(() => mountWith(() => useApprovals({} as ToolGate))).toThrow(/a chat that guard\(\) returned/);
});

for (const kind of chats.filter(({ framework }) => framework === 'vue')) {
  test(`accepts a guarded chat, and returns the members of useChat: ${kind.name}`, async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1']), goesOn({ c1: 1 }), new Error('R')] });
    const current = shallowRef<AnyChat | null>(null);
    const statuses: string[] = [];
    const Chat = defineComponent({
      setup() {
        const { id, messages, status, error, sendMessage, clearError } = useGuardedChat(current);
        watchEffect(() => void statuses.push(status.value), { flush: 'sync' });
        return { id, messages, status, error, sendMessage, clearError };
      },
      render() {
        counts.add('chat');
        return h('p', `${this.id}:${this.status}:${this.messages.length}:${this.error?.message ?? ''};`);
      },
    });
    let helpers!: InstanceType<typeof Chat>;
    const { element, text, unmount } = mount(current, () => [
      h(Chat, { ref: (instance) => void (helpers = instance as never) }),
      h(Approvals),
      h(PartCard, { id: 'c1' }),
    ]);
    expect(text()).toBe(':ready:0:;none;');
    expect(() => helpers.sendMessage({ text: 'hi' })).toThrow(/no chat yet/);

    current.value = chat;
    await helpers.sendMessage({ text: 'hi' });
    await nextTick();
    expect(text()).toBe('chat-1:ready:2:;c1approval-requested;');
    // Before Vue 3.4, an effect also runs if a computed value that it reads has not changed.
    const shown = version.startsWith('3.3.') ? statuses.filter((one, i) => one !== statuses[i - 1]) : statuses;
    expect(shown).toEqual(['ready', 'submitted', 'streaming', 'ready']);

    element.querySelector('button')!.click();
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    await nextTick();
    expect(text()).toBe('chat-1:ready:2:;output-available;');
    expect(helpers.messages).toBe(chat.messages);

    await helpers.sendMessage({ text: 'more' });
    await nextTick();
    expect(text()).toBe('chat-1:error:3:R;output-available;');
    helpers.clearError();
    helpers.messages = chat.messages.slice(0, 1);
    await nextTick();
    expect(text()).toBe('chat-1:ready:1:;none;');
    expect(chat.messages).toHaveLength(1);
    expect(warnings).toEqual([]);
    unmount();
  });

  test(`refuses a chat that is not guarded: ${kind.name}`, () => {
    const chat = kind.create({});
    expect(() => useGuardedChat(chat).status.value).toThrow(/a chat that guard\(\) returned/);
    expect(useGuardedChat(guard(chat)).status.value).toBe('ready');
  });
}

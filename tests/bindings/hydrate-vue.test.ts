// @vitest-environment happy-dom
/**
 * Vue hydrates pages that a server rendered. One is rendered without the core and gets its gate later; the other has a
 * gate on the server and in the browser.
 */
import { ToolGate, ToolGateError, type GateSource } from 'toolgate';
import { provideGate, useApprovals, useGateActions, useGateView, useToolPart } from 'toolgate/vue';
import { expect, test } from 'vitest';
import { createSSRApp, defineComponent, h, nextTick, shallowRef, type MaybeRefOrGetter } from 'vue';
import { renderToString } from 'vue/server-renderer';

import { asking, countListeners, initFromFile } from './support/gates';

const complaints: string[] = [];

const Content = defineComponent({
  setup() {
    const [approvals, part, status] = [useApprovals(), useToolPart('c1'), useGateView((view) => view.status)];
    const { respond } = useGateActions();
    return () => [
      h('b', status.value),
      h('i', part.value?.state ?? 'none'),
      ...approvals.value.map((approval) =>
        h('button', { onClick: () => respond(approval, { approved: true }) }, approval.toolCallId),
      ),
    ];
  },
});

/** The app, for the server and the browser. */
function app(gate: MaybeRefOrGetter<GateSource>) {
  const made = createSSRApp({ setup: () => provideGate(gate), render: () => h(Content) });
  made.config.warnHandler = (message) => void complaints.push(message);
  return made;
}

/** Hydrates the server's HTML. `element` is an element of that HTML. */
function takeOver(html: string, gate: MaybeRefOrGetter<GateSource>) {
  const target = document.createElement('div');
  target.innerHTML = html;
  const element = target.querySelector('i');
  const taking = app(gate);
  taking.mount(target);
  return { target, element, end: () => taking.unmount(), text: () => target.textContent };
}

test('hydrates a page that was rendered before init(), and gets a gate later', async () => {
  expect(() => new ToolGate()).toThrow(ToolGateError);
  const html = await renderToString(app(null));
  expect(html).toContain('<b>idle</b><i>none</i>');

  await initFromFile();
  const gate = asking(['c1']);
  const listeners = countListeners(gate);
  const source = shallowRef<ToolGate | null>(null);
  const { target, element, end, text } = takeOver(html, source);
  expect(text()).toBe('idlenone');
  source.value = gate;
  await nextTick();
  expect(text()).toBe('awaiting-approvalapproval-requestedc1');
  expect(target.querySelector('i')).toBe(element);
  target.querySelector('button')?.click();
  expect(gate.pending()).toEqual([]);
  end();
  expect([listeners(), complaints]).toEqual([0, []]);
});

test('an equal gate hydrates a page that was rendered with a gate', async () => {
  await initFromFile();
  const gate = asking(['c1']);
  const listeners = countListeners(gate);
  const html = await renderToString(app(gate));
  expect([html.includes('<button>c1</button>'), listeners()]).toEqual([true, 0]);
  const { target, element, end, text } = takeOver(html, gate);
  expect(text()).toBe('awaiting-approvalapproval-requestedc1');
  expect(target.querySelector('i')).toBe(element);
  target.querySelector('button')?.click();
  await nextTick();
  expect(text()).toContain('approval-responded');
  end();
  expect([listeners(), complaints]).toEqual([0, []]);
});

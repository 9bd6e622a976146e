/** A gate in Vue state: Vue makes no proxy of it, because private fields cannot be read through one. */
import { expect, it } from 'vitest';
import { computed, isReactive, reactive, readonly, ref, shallowRef, watchEffect } from 'vue';
import { ToolGate } from 'toolgate';

import { asking } from './support.js';

it.each<[string, (gate: ToolGate) => ToolGate]>([
  ['ref', (gate) => ref(gate).value as ToolGate],
  ['reactive', (gate) => reactive({ gate }).gate as ToolGate],
  ['reactive, of the gate', (gate) => reactive(gate) as ToolGate],
  ['a list', (gate) => ref([gate]).value[0] as ToolGate],
  ['readonly', (gate) => readonly({ gate }).gate as ToolGate],
  ['shallowRef', (gate) => shallowRef(gate).value],
  ['computed', (gate) => computed(() => gate).value],
])('%s contains the gate itself, not a proxy', (_, hold) => {
  const { gate } = asking(['c1']);
  const held = hold(gate);
  expect(held).toBe(gate);
  expect(held.getSnapshot()).toBe(gate.getSnapshot());
  expect(held.respond('approve-c1', { approved: true })).toBe('accepted');
});

it('a view in a ref may be reactive; the inputs of open calls stay the frozen objects', () => {
  const { gate } = asking(['c1']);
  const view = ref(gate.getSnapshot());
  gate.subscribe(() => (view.value = gate.getSnapshot()));
  const seen: number[] = [];
  watchEffect(() => seen.push(view.value.pending.length));
  const [approval] = view.value.pending;
  expect(isReactive(approval?.input)).toBe(false);
  expect(approval?.input).toBe(gate.pending()[0]?.input);
  expect(gate.respond(approval as never, { approved: true })).toBe('accepted');
  expect(seen[0]).toBe(1);
});

it('the Vue marker is not enumerable', () => {
  const gate = new ToolGate();
  expect(Object.keys(gate)).toEqual([]);
  expect([
    ...(function* names() {
      for (const name in gate) yield name;
    })(),
  ]).toEqual([]);
});

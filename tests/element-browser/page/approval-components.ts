/**
 * A page with `<ToolApprovals>` of each binding, in Arabic and from right to left with `?scenario=ar`, and as a review
 * with `?scenario=review`.
 */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { mount } from 'svelte';
import { init, ToolGate } from 'toolgate';
import { ar } from 'toolgate/element/texts/ar';
import * as react from 'toolgate/react';
import * as svelte from 'toolgate/svelte';
import * as vue from 'toolgate/vue';
import { createApp, h } from 'vue';

/** A gate with three calls that wait. Their ids begin with `name`. */
function ask(name: string): ToolGate {
  const gate = new ToolGate({ chatId: name, approvalTimeoutMs: 3_600_000 });
  gate.sendUserMessage({ text: 'tidy up' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (const [at, toolName] of ['delete_file', 'delete_everything_'.repeat(20), 'delete_file'].entries()) {
    const toolCallId = `${name}-${at + 1}`;
    const input = { path: `${toolCallId}.md`, מקור: `${'a-long-name-'.repeat(12)}\u202efdp.exe` };
    gate.receive({ type: 'tool-input-available', toolCallId, toolName, input });
    gate.receive({ type: 'tool-approval-request', toolCallId, approvalId: `ask-${toolCallId}` });
  }
  gate.receive({ type: 'finish', finishReason: 'tool-calls' });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

async function start(): Promise<Record<string, ToolGate>> {
  await init('/toolgate.wasm');
  const scenario = new URLSearchParams(location.search).get('scenario');
  const isArabic = scenario === 'ar';
  if (isArabic) document.documentElement.dir = 'rtl';
  const gates = { react: ask('react'), vue: ask('vue'), svelte: ask('svelte') };
  const target = (): HTMLElement => document.querySelector('main')!.appendChild(document.createElement('section'));
  const props = (name: keyof typeof gates) => ({
    gate: gates[name],
    theme: 'auto' as const,
    ...(isArabic && { texts: ar }),
    ...(scenario === 'review' && { view: 'review' as const }),
  });
  createRoot(target()).render(createElement(react.ToolApprovals, props('react')));
  createApp(() => h(vue.ToolApprovals, props('vue'))).mount(target());
  mount(svelte.ToolApprovals, { target: target(), props: props('svelte') });
  return gates;
}

declare global {
  interface Window {
    gates: Record<string, ToolGate>;
  }
}
window.gates = await start();
document.title = 'ready';

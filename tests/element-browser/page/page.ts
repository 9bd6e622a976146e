/**
 * The page that the tests open: `<tool-approvals>` with a gate, between two fields of an app. The tests pass events to
 * the gate through `window.page`, and use the cards as a user would. The address selects the scenario: `?scenario=…`,
 * and `&view=review` the review.
 */
import { init, ToolGate } from 'toolgate';
import { defineToolApproval, loadToolApproval } from 'toolgate/element';
import { scenarios } from './scenarios';

const query = new URLSearchParams(location.search);

const decisions: unknown[] = [];

/** Shows the scenario. */
function show() {
  const { calls, options, theme, texts, tools, ends = true } = scenarios[query.get('scenario') ?? 'plain']!();
  const gate = new ToolGate({ chatId: 'chat', ...options });
  if (options?.protocol) {
    gate.load([
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
      {
        id: 'a1',
        role: 'assistant',
        parts: calls.map(({ id, tool, input, request }) => ({
          type: `tool-${tool}`,
          toolCallId: id,
          state: 'approval-requested',
          input,
          approval: { id: `ask-${id}`, ...request },
        })),
      },
    ]);
  } else {
    gate.sendUserMessage({ text: 'tidy up' });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive({ type: 'start-step' });
    for (const { id, tool, input, why, title, request } of calls) {
      gate.receive({ type: 'tool-input-available', toolCallId: id, toolName: tool, input, ...(title && { title }) });
      gate.receive({
        type: 'tool-approval-request',
        toolCallId: id,
        approvalId: `ask-${id}`,
        ...(why && { requestReason: why }),
        ...request,
      });
    }
    if (ends) {
      gate.receive({ type: 'finish', finishReason: 'tool-calls' });
      gate.streamEnded({ status: 'finished' });
    }
  }
  const list = document.createElement('tool-approvals');
  list.setAttribute('theme', theme ?? 'auto');
  list.remember = 'always';
  if (query.get('view') === 'review') list.view = 'review';
  Object.assign(list, { gate, texts, tools });
  document.querySelector('main')?.append(list);
  /** Shows the scenario from the beginning. */
  const again = (): void => {
    list.remove();
    decisions.length = 0;
    window.page = show();
  };
  return { gate, list, decisions, again };
}

declare global {
  interface Window {
    page: ReturnType<typeof show>;
    /** Hostile content would set this if it ran. */
    hit?: unknown;
  }
}

await init('/toolgate.wasm');
defineToolApproval();
await loadToolApproval();
document.addEventListener('decision', (event) => decisions.push((event as CustomEvent).detail));
window.page = show();
document.title = 'ready';

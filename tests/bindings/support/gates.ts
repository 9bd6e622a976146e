/** Gates for tests of the bindings, and the number of their listeners. */
import { ToolGate } from 'toolgate';

import { initFromFile } from '../../ai-sdk/support/init';

export { initFromFile };

/** A gate whose reply has ended with pending approvals of these calls. The approval of `c1` is `ask-c1`. */
export function asking(calls: readonly string[], chatId = 'chat'): ToolGate {
  const gate = opened(chatId);
  for (const id of calls) {
    gate.receive({ type: 'tool-input-available', toolCallId: id, toolName: 'edit', input: { file: id } });
    gate.receive({ type: 'tool-approval-request', toolCallId: id, approvalId: `ask-${id}` });
  }
  gate.receive({ type: 'finish-step' });
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** A gate during a reply: a text, `c1` with a streaming input, and `c2` with a pending approval. */
export function streaming(): ToolGate {
  const gate = opened('chat');
  gate.receive({ type: 'text-start', id: 't' });
  gate.receive({ type: 'text-delta', id: 't', delta: 'Well' });
  gate.receive({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'edit', input: { file: 'c2' } });
  gate.receive({ type: 'tool-approval-request', toolCallId: 'c2', approvalId: 'ask-c2' });
  gate.receive({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' });
  return gate;
}

/** Receives the next delta of the input of `c1`. */
export function delta(gate: ToolGate, text: string): void {
  gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: text });
}

/** Marks the first outgoing request as failed, and returns its id. */
export function failToSend(gate: ToolGate): string {
  const [item] = gate.outgoing();
  if (!item) throw new Error('nothing to send');
  gate.markFailed(item.id, 'no network');
  return item.id;
}

/** Returns a function for the number of current listeners that were added after this call. */
export function countListeners(gate: ToolGate): () => number {
  let count = 0;
  const subscribe = gate.subscribe.bind(gate);
  gate.subscribe = (listener) => {
    const end = subscribe(listener);
    let isOpen = true;
    count++;
    return () => {
      if (isOpen) count--;
      isOpen = false;
      end();
    };
  };
  return () => count;
}

/** The ids `c0` to `c999`. */
export const thousand = Array.from({ length: 1000 }, (_, n) => `c${n}`);

/** The number of renders by name. */
export class Counts {
  #counts = new Map<string, number>();

  /** Counts one render. */
  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Returns the counts since the last call, and resets them. */
  take(): Record<string, number> {
    const taken = Object.fromEntries(this.#counts);
    this.#counts.clear();
    return taken;
  }
}

function opened(chatId: string): ToolGate {
  const gate = new ToolGate({ chatId });
  gate.sendUserMessage({ text: 'tidy up' });
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('nothing to send');
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  return gate;
}

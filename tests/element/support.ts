/** Renders the elements with real gates. For test files that run in happy-dom. */
import { afterEach, vi } from 'vitest';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { defineToolApproval, loadToolApproval, ToolApprovalElement, ToolApprovalsElement } from 'toolgate/element';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from 'toolgate/slim';

await init(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm')));
defineToolApproval();
// After this, cards render at once.
await loadToolApproval();

/** The elements that the page observes, each of which is in view at once. happy-dom has no layout. */
vi.stubGlobal(
  'IntersectionObserver',
  class {
    readonly #tell: (entries: object[]) => void;
    constructor(tell: (entries: object[]) => void) {
      this.#tell = tell;
    }
    observe(target: Element): void {
      this.#tell([{ target, isIntersecting: true }]);
    }
    unobserve(): void {}
  },
);

afterEach(() => document.body.replaceChildren());

/** A call that needs an approval. */
export interface Asked {
  readonly id: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly title?: string;
}

/** The chunks of a reply with approvals for these calls, without its end. */
export const asks = (calls: readonly Asked[]): object[] => [
  { type: 'start', messageId: 'a1' },
  { type: 'start-step' },
  ...calls.flatMap(({ id, tool = 'delete_file', input = { path: `${id}.md` }, title }) => [
    { type: 'tool-input-available', toolCallId: id, toolName: tool, input, ...(title === undefined ? {} : { title }) },
    { type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id },
  ]),
];

/** A gate whose last reply contains approvals for these calls. */
export function asking(calls: readonly Asked[], options: ToolGateOptions = {}): ToolGate {
  const gate = streaming(asks(calls), options);
  gate.receive({ type: 'finish', finishReason: 'tool-calls' });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** A gate that has received these chunks of a reply that is still open. */
export function streaming(chunks: readonly object[], options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ text: 'tidy up' });
  sendNext(gate);
  chunks.forEach((chunk) => gate.receive(chunk));
  return gate;
}

/** Claims the next request and returns its id. */
export function sendNext(gate: ToolGate): string {
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('no request is ready');
  return item.id;
}

/** Adds a card to the document. */
export function card(
  gate: ToolGate | null,
  set: Partial<ToolApprovalElement> = { approvalId: 'ask-c1' },
): ToolApprovalElement {
  const element = new ToolApprovalElement();
  Object.assign(element, { gate, ...set });
  document.body.append(element);
  return element;
}

/** Adds a list of cards to the document. */
export function list(gate: ToolGate): ToolApprovalsElement {
  const element = new ToolApprovalsElement();
  element.gate = gate;
  document.body.append(element);
  return element;
}

/** Waits until the elements have rendered. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The element of a card with this part; throws if there is none. */
export function part<ELEMENT extends HTMLElement = HTMLElement>(element: HTMLElement, name: string): ELEMENT {
  const found = parts(element, name)[0];
  if (!found) throw new Error(`the card has no part ${name}`);
  return found as ELEMENT;
}

/** All elements of a card with this part. */
export const parts = (element: HTMLElement, name: string): HTMLElement[] => [
  ...(element.shadowRoot?.querySelectorAll<HTMLElement>(`[part~="${name}"]`) ?? []),
];

/** The visible text of a card. */
export const textOf = (element: HTMLElement): string => part(element, 'card').textContent ?? '';

/** The heading of a card, with single blanks. */
export const headingOf = (element: HTMLElement): string =>
  part(element, 'title').textContent!.replace(/\s+/g, ' ').trim();

/** Enters a text into a field. */
export function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Chooses an entry of a menu. */
export function choose(element: HTMLElement, name: string, value: string): void {
  const menu = part<HTMLSelectElement>(element, name);
  menu.value = value;
  menu.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The part of a call. Throws if the gate has no such call. */
export function callOf(gate: ToolGate, toolCallId: string) {
  for (const message of gate.getSnapshot().messages) {
    for (const part of message.parts) if ('toolCallId' in part && part.toolCallId === toolCallId) return part;
  }
  throw new Error(`no call has the id ${toolCallId}`);
}

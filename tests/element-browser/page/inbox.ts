/**
 * A page with an inbox over three chats and the notifications of docs/inbox.md. It records the notifications; the
 * headless browser shows none.
 */
import { init, ToolGate } from 'toolgate';
import { defineToolApproval, loadToolApproval, type ToolApprovalElement } from 'toolgate/element';
import { Inbox, type InboxEntry } from 'toolgate/inbox';
// The block of the documentation, which page-files.ts inserts.
import { notify } from 'docs:inbox/src/notify.ts';

const inbox = new Inbox();

/** A gate whose reply requests approvals of these calls. */
function chat(chatId: string, calls: readonly (readonly [id: string, tool: string, input: unknown])[]): ToolGate {
  const gate = new ToolGate({ chatId });
  gate.sendUserMessage({ text: 'go' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (const [toolCallId, toolName, input] of calls) request(gate, toolCallId, toolName, input);
  return gate;
}

function request(gate: ToolGate, toolCallId: string, toolName: string, input: unknown): void {
  gate.receive({ type: 'tool-input-available', toolCallId, toolName, input });
  gate.receive({ type: 'tool-approval-request', toolCallId, approvalId: `ask-${toolCallId}` });
}

const [section, heading] = [document.createElement('section'), document.createElement('h2')];
heading.tabIndex = -1;
section.append(heading);
const rows = new Map<string, HTMLElement>();

/** A row of the list: a link to the chat, and the card. */
function row(entry: InboxEntry): HTMLElement {
  const [article, link] = [document.createElement('article'), document.createElement('a')];
  link.href = entry.href ?? '#';
  link.textContent = entry.title ?? entry.chatId;
  article.append(link);
  if (entry.kind === 'approval') {
    const card = document.createElement('tool-approval') as HTMLElement as ToolApprovalElement;
    Object.assign(card, { gate: inbox.gateOf(entry), approvalId: entry.approval.approvalId });
    article.append(card);
  } else {
    const note = document.createElement('p');
    note.textContent = entry.kind === 'closed' ? `${entry.approval.toolName} waits there.` : 'Not sent.';
    article.append(note);
  }
  return article;
}

function render(): void {
  const { entries, count } = inbox;
  heading.textContent = `Inbox (${count})`;
  const hadFocus = section.contains(document.activeElement);
  const keys = new Set(entries.map(({ key }) => key));
  for (const [key, element] of rows) {
    if (keys.has(key)) continue;
    element.remove();
    rows.delete(key);
  }
  for (const entry of entries) {
    let element = rows.get(entry.key);
    if (!element) rows.set(entry.key, (element = row(entry)));
    section.append(element);
  }
  if (hadFocus && !section.contains(document.activeElement)) heading.focus();
}

/** The notifications that are shown, by tag. */
const shown = new Map<string, { title: string; body: string; click(): void }>();
class Recorded {
  static readonly permission = 'granted';
  onclick: (() => void) | undefined;
  readonly #tag: string;
  constructor(title: string, { body, tag }: { body: string; tag: string }) {
    this.#tag = tag;
    shown.set(tag, { title, body, click: () => this.onclick?.() });
  }
  close(): void {
    shown.delete(this.#tag);
  }
}
Object.assign(globalThis, { Notification: Recorded });
const badges: number[] = [];
navigator.setAppBadge = async (count = 0) => void badges.push(count);

let isHidden = false;
Object.defineProperty(document, 'hidden', { get: () => isHidden });
function hide(hidden: boolean): void {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

async function start() {
  await init('/toolgate.wasm');
  defineToolApproval();
  await loadToolApproval();
  const mail = chat('mail', [['call_0', 'send_mail', { to: 'ana@example.org', subject: 'Menu' }]]);
  const files = chat('files', [
    ['call_0', 'delete_file', { path: 'notes/menu-2019.md' }],
    ['call_1', 'edit_file', { path: 'menu.md', old_text: 'Soup\n', new_text: 'Soup of the day\n' }],
  ]);
  const deploy = chat('deploy', []);
  inbox.add(mail, { id: 'mail', title: 'Invitation', href: '#/mail' });
  inbox.add(files, {
    id: 'files',
    title: 'Tidy up the folder of a customer with a long name',
    href: (id) => `#/files/${id}`,
  });
  inbox.add(deploy, { id: 'deploy', title: 'Deploy', href: '#/deploy' });
  inbox.setClosed([
    {
      id: 'old',
      title: 'Yesterday',
      approvals: [{ approvalId: 'a', toolCallId: 'c', toolName: 'pay_invoice', requestedAt: 1, href: '#/old' }],
    },
  ]);
  document.querySelector('main')?.append(section);
  inbox.subscribe(render);
  render();
  document.title = 'ready';
  const opened: string[] = [];
  const end = notify(inbox, (entry) => opened.push(entry.chatId));
  return { inbox, mail, files, deploy, request, shown: () => [...shown.values()], badges, hide, opened, end };
}

declare global {
  interface Window {
    inboxPage: Awaited<ReturnType<typeof start>>;
  }
}
window.inboxPage = await start();
document.body.dataset['ready'] = 'true';

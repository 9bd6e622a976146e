/** The chats of an inbox that are not open in this page: their approvals, as they were last known. */
import type { ApprovalEntry, ClosedApproval, ClosedChat, ClosedEntry, InboxEntry } from './inbox-types.js';

/** A chat with its entries, which are made once. */
interface Closed {
  readonly chat: ClosedChat;
  readonly entries: readonly ClosedEntry[];
}

/** The closed chats of one inbox, by id. */
export class ClosedChats {
  readonly #chats = new Map<string, Closed>();

  /** Adds a chat, and replaces an earlier one with its id. Keeps the entries of an equal chat. */
  set(chat: ClosedChat): void {
    const before = this.#chats.get(chat.id);
    if (before && JSON.stringify(before.chat) === JSON.stringify(chat)) return;
    if (chat.approvals.length === 0) this.#chats.delete(chat.id);
    else this.#chats.set(chat.id, { chat, entries: chat.approvals.map((approval) => entryOf(chat, approval)) });
  }

  /** Removes a chat. Returns whether there was one. */
  delete(id: string): boolean {
    return this.#chats.delete(id);
  }

  /** The ids of all chats. */
  ids(): readonly string[] {
    return [...this.#chats.keys()];
  }

  /** All chats, without approvals that expired before `now`. */
  list(now: number): readonly ClosedChat[] {
    return [...this.#chats.values()].map(({ chat }) => ({
      ...chat,
      approvals: chat.approvals.filter(isOpen(now)),
    }));
  }

  /** The entries of all chats, without those that expired before `now`. */
  entries(now: number): readonly ClosedEntry[] {
    const isEntryOpen = isOpen(now);
    return [...this.#chats.values()].flatMap(({ entries }) => entries.filter(({ approval }) => isEntryOpen(approval)));
  }
}

/** Returns a filter that omits approvals that expired before `now`. */
const isOpen =
  (now: number) =>
  ({ expiresAt = Infinity }: ClosedApproval): boolean =>
    expiresAt > now;

/** Makes a closed chat of the entries of an open one. */
export function closedChat(id: string, title: string | undefined, entries: readonly InboxEntry[]): ClosedChat {
  const approvals = entries.filter((entry): entry is ApprovalEntry => entry.kind === 'approval');
  return {
    id,
    ...(title !== undefined && { title }),
    approvals: approvals.map(({ approval: { approvalId, toolCallId, toolName, requestedAt, expiresAt }, href }) => ({
      approvalId,
      toolCallId,
      toolName,
      requestedAt,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(href !== undefined && { href }),
    })),
  };
}

/** Reads a closed chat from storage or a server. Undefined for anything else; omits approvals that are not valid. */
export function readClosed(value: unknown): ClosedChat | undefined {
  const { id, title, approvals } = Object(value) as Partial<Record<keyof ClosedChat, unknown>>;
  if (typeof id !== 'string' || !Array.isArray(approvals)) return undefined;
  return {
    id,
    ...(typeof title === 'string' && { title }),
    approvals: approvals.map(readApproval).filter((approval) => approval !== undefined),
  };
}

function readApproval(value: unknown): ClosedApproval | undefined {
  const given = Object(value) as Partial<Record<keyof ClosedApproval, unknown>>;
  const { approvalId, toolCallId, toolName, requestedAt, expiresAt, href } = given;
  if (typeof approvalId !== 'string' || typeof toolCallId !== 'string' || typeof toolName !== 'string')
    return undefined;
  if (!Number.isFinite(requestedAt)) return undefined;
  return {
    approvalId,
    toolCallId,
    toolName,
    requestedAt: requestedAt as number,
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof href === 'string' && LINK.test(href) && { href }),
  };
}

/** A relative link, or one to a page. Links of other schemes may run scripts. */
const LINK = /^(https?:|[/?]|[^:]*$)/i;

function entryOf({ id, title }: ClosedChat, approval: ClosedApproval): ClosedEntry {
  return Object.freeze({
    kind: 'closed',
    key: JSON.stringify(['closed', id, approval.approvalId]),
    chatId: id,
    ...(title !== undefined && { title }),
    ...(approval.href !== undefined && { href: approval.href }),
    since: approval.requestedAt,
    approval,
  });
}

/** The chats of an inbox that are not open in this page: their approvals, as they were last known. */
import { guarded } from '../types/report-uncaught.js';
import type { ApprovalEntry, ClosedApproval, ClosedChat, ClosedEntry, ClosedHref, InboxEntry } from './inbox-types.js';

/** A chat with its entries, which are made once. */
interface Closed {
  readonly chat: ClosedChat;
  readonly entries: readonly ClosedEntry[];
}

/** The closed chats of one inbox, by id. */
export class ClosedChats {
  #chats = new Map<string, Closed>();

  /** Replaces all chats. */
  replace(chats: readonly ClosedChat[]): void {
    const before = this.#chats;
    this.#chats = new Map();
    for (const chat of chats) this.set(chat, before.get(chat.id));
  }

  /** Adds a chat, and replaces an earlier one with its id. Keeps the entries of an equal chat. */
  set(chat: ClosedChat, before = this.#chats.get(chat.id)): void {
    const isEqual = before && JSON.stringify(before.chat) === JSON.stringify(chat);
    const closed = isEqual ? before : { chat, entries: chat.approvals.map((approval) => entryOf(chat, approval)) };
    this.#chats.set(chat.id, closed);
  }

  /** Removes a chat. */
  delete(id: string): void {
    this.#chats.delete(id);
  }

  /** All chats, without approvals that expired before `now`. */
  list(now: number): readonly ClosedChat[] {
    return this.#open(now).map(({ chat, entries }) => ({
      ...chat,
      approvals: entries.map(({ approval }) => approval),
    }));
  }

  /** The entries of all chats, without those that expired before `now`. */
  entries(now: number): readonly ClosedEntry[] {
    return this.#open(now).flatMap(({ entries }) => entries);
  }

  #open(now: number): readonly Closed[] {
    const isOpen = ({ approval: { expiresAt = Infinity } }: ClosedEntry): boolean => expiresAt > now;
    return [...this.#chats.values()].map(({ chat, entries }) => ({ chat, entries: entries.filter(isOpen) }));
  }
}

/** Makes a closed chat of the entries of an open one. */
export function closedChat(id: string, title: string | undefined, entries: readonly InboxEntry[]): ClosedChat {
  const approvals = entries.filter((entry): entry is ApprovalEntry => entry.kind === 'approval');
  return {
    id,
    ...(title !== undefined && { title }),
    approvals: approvals.map(({ approval, href }) => closedApproval(approval, href)),
  };
}

function closedApproval(of: Omit<ClosedApproval, 'href'>, href: string | undefined): ClosedApproval {
  const { approvalId, toolCallId, toolName, requestedAt, expiresAt } = of;
  return {
    ...{ approvalId, toolCallId, toolName, requestedAt },
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(href !== undefined && { href }),
  };
}

/** Reads a closed chat from storage or a server. Undefined for anything else; omits approvals that are not valid. */
export function readClosed(value: unknown, hrefOf?: ClosedHref): ClosedChat | undefined {
  const { id, title, approvals } = Object(value) as Partial<Record<keyof ClosedChat, unknown>>;
  if (typeof id !== 'string' || !Array.isArray(approvals)) return undefined;
  return {
    id,
    ...(typeof title === 'string' && { title }),
    approvals: approvals.map((approval) => readApproval(id, approval, hrefOf)).filter((read) => read !== undefined),
  };
}

function readApproval(chatId: string, value: unknown, hrefOf?: ClosedHref): ClosedApproval | undefined {
  const given = Object(value) as Partial<Record<keyof ClosedApproval, unknown>>;
  const { approvalId, toolCallId, toolName, requestedAt, href } = given;
  if ([approvalId, toolCallId, toolName].some((text) => typeof text !== 'string')) return undefined;
  if (!Number.isFinite(requestedAt)) return undefined;
  let link = typeof href === 'string' && RELATIVE.test(href) ? href : undefined;
  if (hrefOf) guarded(() => (link = hrefOf(chatId, approvalId as string)));
  return closedApproval(given as unknown as ClosedApproval, link);
}

/**
 * A relative link. Others may run scripts, or lead where an attacker waits. Browsers read a backslash as a slash, and
 * leave out control characters.
 */
const RELATIVE = /^\/?([^\0- \\:/?#][^\0- \\:?#]*)?([?#].*)?$/;

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

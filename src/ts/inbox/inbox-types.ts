/** The public types of `toolgate/inbox`. */
import type { PendingApproval, Undelivered } from '../types/index.js';

/** What an app says about a chat that it adds to an inbox. */
export interface InboxChat {
  /** The chat's id in the app: two chats of one inbox need different ids. */
  readonly id: string;
  /** The chat's title, for the list. */
  readonly title?: string | undefined;
  /**
   * The address where the user can answer, or a function that returns it for an approval id, such as `/chats/7#ask-1`.
   * It is shown as a link: do not build it from text that a model wrote.
   */
  readonly href?: string | ((approvalId: string) => string) | undefined;
  /**
   * `true`: when the chat is removed or disposed, its approvals stay in the inbox as `closed` entries, until the chat
   * is added again. Default: they leave with the chat.
   */
  readonly keep?: boolean | undefined;
}

/** The properties of all entries. */
interface EntryBase {
  /** A key for lists: different for any two entries of an inbox. */
  readonly key: string;
  /** The `id` with which the chat was added. */
  readonly chatId: string;
  /** The `title` with which the chat was added. */
  readonly title?: string;
  /** The address where the user can answer. */
  readonly href?: string;
  /**
   * When the approval was requested, or when the inbox first saw that a decision was not delivered, in ms since 1970.
   */
  readonly since: number;
}

/** An approval that can be decided now. */
export interface ApprovalEntry extends EntryBase {
  readonly kind: 'approval';
  /** The approval, as its gate shows it. */
  readonly approval: PendingApproval;
}

/** Decisions that may not have reached the backend. */
export interface UndeliveredEntry extends EntryBase {
  readonly kind: 'undelivered';
  /** The item to send again: `inbox.retry(entry)`. */
  readonly item: Undelivered;
}

/** An approval of a chat that is not open in this page. Only the chat itself can answer it. */
export interface ClosedEntry extends EntryBase {
  readonly kind: 'closed';
  readonly approval: ClosedApproval;
}

/** An entry of an inbox: the same object until something about it changes. Later versions may add kinds. */
export type InboxEntry = ApprovalEntry | UndeliveredEntry | ClosedEntry;

/** What an inbox stores about an approval: no input. */
export interface ClosedApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** In ms since 1970. */
  readonly requestedAt: number;
  /** In ms since 1970. Absent: never. */
  readonly expiresAt?: number;
  /** The address of this approval. */
  readonly href?: string;
}

/** A chat that is not open in this page, as plain JSON. */
export interface ClosedChat {
  readonly id: string;
  readonly title?: string;
  readonly approvals: readonly ClosedApproval[];
}

/** Returns the address of a chat that is not open, or undefined. The ids may come from storage: encode them. */
export type ClosedHref = (chatId: string, approvalId: string) => string | undefined;

/** What an inbox shows. The same object until an entry changes. */
export interface InboxView {
  /** The entries of all chats, the oldest first. */
  readonly entries: readonly InboxEntry[];
  /** The number of entries, for a badge. */
  readonly count: number;
}

/** What an inbox without chats shows, and what the bindings show on a server. */
import { NONE } from '../types/empty-list.js';
import type { InboxView } from './inbox-types.js';

/** A view without entries. */
export const EMPTY_INBOX: InboxView = Object.freeze({ entries: NONE, count: 0 });

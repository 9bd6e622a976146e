/** `useInbox`: the entries of an inbox. */
import { useCallback, useSyncExternalStore } from 'react';
import type { Inbox } from '../../inbox/inbox.js';
import type { InboxView } from '../../inbox/inbox-types.js';

/**
 * Returns the entries of an inbox of `toolgate/inbox`, and their number for a badge: `const { entries, count } =
 * useInbox(inbox)`. Causes a render when an entry changes; unchanged entries are the same objects as before. On a
 * server and during hydration the inbox is empty.
 */
export function useInbox(inbox: Inbox): InboxView {
  const subscribe = useCallback((listener: () => void) => inbox.subscribe(listener), [inbox]);
  return useSyncExternalStore(
    subscribe,
    () => inbox.getSnapshot(),
    () => inbox.getServerSnapshot(),
  );
}

/** `useInbox`: the entries of an inbox. */
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { Inbox } from '../../inbox/inbox.js';
import type { InboxView } from '../../inbox/inbox-types.js';

/**
 * Returns the entries of an inbox of `toolgate/inbox`, and their number for a badge, as a shallow ref: `list.entries`
 * and `list.count` in templates. Unchanged entries are the same objects as before. Unsubscribes with the component or
 * effect scope that called it.
 */
export function useInbox(inbox: Inbox): Readonly<ShallowRef<InboxView>> {
  const view = shallowRef(inbox.getSnapshot());
  // On a server nothing would end the subscription, and nothing renders again.
  if (typeof document === 'object') onScopeDispose(inbox.subscribe(() => void (view.value = inbox.getSnapshot())));
  return view;
}

/** `useInbox`: the entries of an inbox. */
import { createSubscriber } from 'svelte/reactivity';
import type { Inbox } from '../../inbox/inbox.js';
import type { InboxView } from '../../inbox/inbox-types.js';

/** The reactive view of each inbox, so that all components share one subscription. */
const views = new WeakMap<Inbox, InboxView>();

/**
 * Reads an inbox of `toolgate/inbox` in templates, `$derived` and `$effect`: `const list = useInbox(inbox)`, then
 * `list.entries` and `list.count`. Unchanged entries are the same objects as before. Do not destructure the return
 * value: the copies are not reactive.
 */
export function useInbox(inbox: Inbox): InboxView {
  let view = views.get(inbox);
  if (view) return view;
  const track = createSubscriber((update) => inbox.subscribe(update));
  view = {
    get entries() {
      track();
      return inbox.entries;
    },
    get count() {
      track();
      return inbox.count;
    },
  };
  views.set(inbox, view);
  return view;
}

/** The option `resume` of `useGuardedChat`. */
import type { OwnChat } from '../ai-sdk/own-chat/own-chat.js';

/** The resumed chats, with the number of their components that have the option `resume`. */
const resumed = new WeakMap<OwnChat, { count: number; end: () => void }>();

/**
 * Reconnects to a running reply, once for all components of the chat, and again when the page becomes visible after a
 * network error. Returns a function that ends this.
 */
export function resumeChat(chat: OwnChat): () => void {
  const entry = resumed.get(chat) ?? { count: 0, end: followVisibility(chat) };
  resumed.set(chat, entry);
  // `onError` of the app gets the errors.
  if (entry.count++ === 0 && !isReplying(chat)) chat.resumeStream().catch(() => {});
  return () => {
    if (--entry.count > 0) return;
    entry.end();
    resumed.delete(chat);
  };
}

function followVisibility(chat: OwnChat): () => void {
  const isVisible = (): boolean => document.visibilityState === 'visible';
  const shouldResume = (): boolean => resumed.has(chat) && isVisible();
  const changed = (): void => {
    if (isVisible()) chat['~resumeStreamIfDisconnected']({ shouldResume }).catch(() => {});
  };
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

function isReplying({ status }: OwnChat): boolean {
  return status === 'submitted' || status === 'streaming';
}

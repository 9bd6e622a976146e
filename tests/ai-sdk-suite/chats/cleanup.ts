/** Ends what a test has made. Chats of `useGuardedChat` are shared by id, and the tests use the same ids. */
import { dispose } from 'toolgate/ai-sdk';
import { afterEach } from 'vitest';

const made = new Set<() => unknown>();

/** Calls `end` after the present test. */
export function afterTest(end: () => unknown): void {
  made.add(end);
}

/** Disposes a chat of `useGuardedChat` after the present test. */
export function disposeAfterTest(chat: object): void {
  // The next test may use the same id at once, so nothing waits for the end of the disposal.
  afterTest(() => void dispose(chat));
}

afterEach(() => {
  for (const end of made) end();
  made.clear();
});

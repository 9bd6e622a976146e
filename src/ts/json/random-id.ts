/**
 * Ids for what has none: messages, chats, tabs.
 */

/** A random id of 16 letters, digits, `-` and `_`, fit for a URL. */
export function randomId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => letters.charAt(byte % letters.length)).join('');
}

/** Random ids for messages, chats and tabs. */

/** Returns a random id of 16 letters, digits, `-` and `_`, safe in URLs. */
export function randomId(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => letters[byte & 63]).join('');
}

/** Base64url without padding, as JOSE writes bytes (RFC 7515, section 2). */

/** Returns bytes as base64url. */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Returns the bytes of a text that {@link toBase64url} wrote. Throws for another encoding of the same bytes: padding,
 * whitespace, another alphabet, or unused bits in the last letter.
 */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  if (toBase64url(bytes) !== text) throw new TypeError('Not base64url.');
  return bytes;
}

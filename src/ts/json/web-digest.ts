/** SHA-256 by WebCrypto, which does not block a server. json/sha256.ts is for what a page cannot wait for. */

const encoder = new TextEncoder();

/** Resolves to the SHA-256 of the UTF-8 of a text. */
export const sha256Bytes = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

/** Resolves to the same as `hexDigest` of json/sha256.ts: 64 lower-case hex digits. */
export const sha256Hex = async (text: string): Promise<string> =>
  Array.from(await sha256Bytes(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Signatures of approval requests: HMAC-SHA-256 by WebCrypto. The scheme is that of `ai` 7
 * (`src/generate-text/tool-approval-signature.ts`, `ai-sdk-tool-approval-v1`), so what either signs, the other verifies. A
 * signature binds a request to its call, tool and input; it does not say that a user agreed, does not expire, and does not
 * stop a repetition.
 */
import { asSent, canonicalJson } from './canonical-json.js';
import type { RequestedCall } from './resolve-types.js';

const encoder = new TextEncoder();

/**
 * Signs a request: put it into the `tool-approval-request` as `signature`. 43 letters, digits, `-` and `_`. The input
 * is signed as JSON takes it to the page. Throws a `TypeError` for an empty secret.
 */
export async function signApproval(call: RequestedCall, secret: string | Uint8Array): Promise<string> {
  const key = await importKey(secret, 'sign');
  return base64url(await crypto.subtle.sign('HMAC', key, await payload({ ...call, input: asSent(call.input) })));
}

/**
 * Whether this secret signed exactly this call. A signature has one form: another alphabet, padding or blanks are
 * refused. Never rejects for what a client sent; a `TypeError` for an empty secret.
 */
export async function verifyApproval(
  call: RequestedCall,
  signature: unknown,
  secret: string | Uint8Array,
): Promise<boolean> {
  const key = await importKey(secret, 'verify');
  if (typeof signature !== 'string') return false;
  try {
    const bytes = Uint8Array.from(atob(signature.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    // Padding, blanks, another alphabet, or bits of the last letter that belong to no byte.
    if (base64url(bytes.buffer) !== signature) return false;
    // In constant time, as WebCrypto does it.
    return await crypto.subtle.verify('HMAC', key, bytes, await payload(call));
  } catch {
    return false;
  }
}

/** A digest of a list of texts: 43 letters, digits, `-` and `_`. */
export async function digestOf(texts: readonly string[]): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', encoder.encode(JSON.stringify(texts))));
}

async function payload({ approvalId, toolCallId, toolName, input }: RequestedCall): Promise<Uint8Array<ArrayBuffer>> {
  const inputDigest = base64url(await crypto.subtle.digest('SHA-256', encoder.encode(canonicalJson(input))));
  return encoder.encode(JSON.stringify(['ai-sdk-tool-approval-v1', approvalId, toolCallId, toolName, inputDigest]));
}

function importKey(secret: string | Uint8Array, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  if (!secret?.length) throw new TypeError('the secret is empty: with it anybody could sign');
  const raw = typeof secret === 'string' ? encoder.encode(secret) : new Uint8Array(secret);
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Signatures of approval requests: HMAC-SHA-256 by WebCrypto. The scheme is that of `ai` 7
 * (`src/generate-text/tool-approval-signature.ts`, `ai-sdk-tool-approval-v1`), so both libraries verify each other's
 * signatures. Those of `ai` 6 are verified too: they sign the same texts, each on a line. A signature binds a request
 * to its call, tool and input. It does not prove that a user approved, does not expire, and does not prevent replays.
 */
import { canonicalText } from '../../json/canonical-text.js';
import { fromBase64url, toBase64url } from '../../json/base64url.js';
import { sha256Bytes } from '../../json/web-digest.js';
import { asSent, isSent } from './canonical-json.js';
import type { RequestedCall } from './resolve-types.js';

const encoder = new TextEncoder();

/**
 * Signs a request. Returns the `signature` of the `tool-approval-request`: 43 letters, digits, `-` and `_`. Signs the
 * input as the page receives it, after JSON encoding. Throws a `TypeError` for an empty secret.
 */
export async function signApproval(call: RequestedCall, secret: string | Uint8Array): Promise<string> {
  const key = await importKey(secret, 'sign');
  const texts = await signedTexts(call);
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(payload(texts)))));
}

/**
 * Whether this secret signed exactly this call. False for a signature in another encoding, such as another alphabet,
 * padding or whitespace. Rejects with a `TypeError` for an empty secret; invalid data of a client resolves to false.
 */
export async function verifyApproval(
  call: RequestedCall,
  signature: unknown,
  secret: string | Uint8Array,
): Promise<boolean> {
  const key = await importKey(secret, 'verify');
  if (typeof signature !== 'string') return false;
  try {
    const bytes = fromBase64url(signature);
    // -0, which `JSON.stringify` does not write: it was not signed.
    if (!isSent(call.input, call.input)) return false;
    const texts = await signedTexts(call);
    // WebCrypto compares in constant time.
    const isSigned = (text: string): Promise<boolean> => crypto.subtle.verify('HMAC', key, bytes, encoder.encode(text));
    if (await isSigned(payload(texts))) return true;
    // A name with a newline could be read as two, so that one signature would be for two different calls.
    return !texts.some((text) => text.includes('\n')) && (await isSigned(texts.join('\n')));
  } catch {
    return false;
  }
}

/** Returns a digest of a list of texts: 43 letters, digits, `-` and `_`. */
export async function digestOf(texts: readonly string[]): Promise<string> {
  return toBase64url(await sha256Bytes(JSON.stringify(texts)));
}

/** The approval id, the call id, the tool's name and the digest of the input. */
async function signedTexts({ approvalId, toolCallId, toolName, input }: RequestedCall): Promise<string[]> {
  return [approvalId, toolCallId, toolName, toBase64url(await sha256Bytes(canonicalText(asSent(input))))];
}

const payload = (texts: readonly string[]): string => JSON.stringify(['ai-sdk-tool-approval-v1', ...texts]);

function importKey(secret: string | Uint8Array, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  if (!secret?.length) throw new TypeError('The secret is empty. Pass a non-empty string or byte array.');
  const raw = typeof secret === 'string' ? encoder.encode(secret) : new Uint8Array(secret);
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

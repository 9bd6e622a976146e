/** Signatures of receipts and seals: ECDSA with P-256 and SHA-256 by WebCrypto, so that anybody can verify them. */
import { digest } from '../json/digest.js';
import type { EvidenceSeal, Receipt, WebCryptoKey } from './evidence-types.js';

const ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** What a signature is about. The first text prevents that a receipt's signature is used for a seal. */
type Statement = readonly ['toolgate-receipt' | 'toolgate-seal', ...unknown[]];

/** The statement of a receipt. */
export const receiptStatement = ({
  signature: _,
  ...fields
}: Receipt | (Omit<Receipt, 'signature'> & { signature?: string })): Statement => ['toolgate-receipt', fields];

/** The statement of a seal. */
export const sealStatement = (chatId: string, { count, head, at }: Omit<EvidenceSeal, 'signature'>): Statement => [
  'toolgate-seal',
  { chatId, count, head, at },
];

/**
 * Signs a statement with an ECDSA P-256 private key: 128 hex digits. Rejects with WebCrypto's error for another key.
 */
export async function sign(statement: Statement, privateKey: WebCryptoKey): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.sign(ALGORITHM, privateKey as CryptoKey, encoder.encode(digest(statement))),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the owner of this public key signed exactly this statement. */
export async function isSigned(statement: Statement, signature: unknown, publicKey: WebCryptoKey): Promise<boolean> {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify(ALGORITHM, publicKey as CryptoKey, bytes, encoder.encode(digest(statement)));
}

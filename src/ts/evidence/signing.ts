/**
 * Signatures of receipts and seals, so that anybody can verify them: JWS with ES256 (RFC 7515, 7518), whose payload is
 * the canonical JSON of the other fields (RFC 8785). The payload is detached (RFC 7515, appendix F), because the fields
 * are beside it.
 */
import { fromBase64url, toBase64url } from '../json/base64url.js';
import { canonicalText } from '../json/canonical-text.js';
import type { EvidenceSeal, Receipt, WebCryptoKey } from './evidence-types.js';

/** The type of a part with a receipt: a data part of the AI SDK, which clients keep and the model does not read. */
export const RECEIPT_PART = 'data-toolgate-receipt';
const ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** What a signature is about. Without the type, one of a receipt could be used for a seal (RFC 8725, 3.11). */
interface Statement {
  readonly typ: 'toolgate-receipt' | 'toolgate-seal';
  readonly text: string;
}

/** The statement of a receipt. */
export const receiptStatement = ({ signature: _, ...fields }: Partial<Receipt>): Statement => ({
  typ: 'toolgate-receipt',
  text: canonicalText(fields),
});

/** The statement of a seal. */
export const sealStatement = (chatId: string, { count, head, at }: Omit<EvidenceSeal, 'signature'>): Statement => ({
  typ: 'toolgate-seal',
  text: canonicalText({ chatId, count, head, at }),
});

const encoded = (text: string): string => toBase64url(encoder.encode(text));
/** The only header: a verifier that reads the algorithm from it can be made to use another one (RFC 8725, 2.1). */
const headerOf = ({ typ }: Statement): string => encoded(`{"alg":"ES256","typ":"${typ}"}`);
const bytesOf = (statement: Statement): Uint8Array<ArrayBuffer> =>
  encoder.encode(`${headerOf(statement)}.${encoded(statement.text)}`);

/** Signs a statement with an ECDSA P-256 private key. Rejects with WebCrypto's error for another key. */
export async function sign(statement: Statement, privateKey: WebCryptoKey): Promise<string> {
  const signed = await crypto.subtle.sign(ALGORITHM, privateKey as CryptoKey, bytesOf(statement));
  return `${headerOf(statement)}..${toBase64url(new Uint8Array(signed))}`;
}

/** Whether the owner of this public key signed exactly this statement. */
export async function isSigned(statement: Statement, signature: string, publicKey: WebCryptoKey): Promise<boolean> {
  const [header, , last = ''] = signature.split('.');
  if (header !== headerOf(statement)) return false;
  return crypto.subtle.verify(ALGORITHM, publicKey as CryptoKey, fromBase64url(last), bytesOf(statement));
}

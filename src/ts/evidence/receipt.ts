/** Receipts of a server, and the part of a message that carries one to the page. */
import { digest, digestOf } from '../json/digest.js';
import type { Receipt, WebCryptoKey } from './evidence-types.js';
import { receiptStatement, sign } from './signing.js';

/**
 * The type of the part. It is a data part of the AI SDK: every client keeps it in the message, and the model does not
 * read it.
 */
export const RECEIPT_PART = 'data-toolgate-receipt';

/** A call that has run. */
export interface RanCall {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly outcome: 'executed' | 'failed';
  /** The output of an executed call. */
  readonly output?: unknown;
}

/** How a server signs receipts. */
export interface ReceiptOptions {
  /** The private key: ECDSA, P-256. */
  readonly key: WebCryptoKey;
  /** The id of the chat. The server takes it from its own data, not from what the page says. */
  readonly chatId: string;
}

/** What a receipt says, apart from its signature. ECDSA has several valid signatures of the same statement. */
export const contentOf = (receipt: Receipt): string => digest(receiptStatement(receipt));

/** Signs a receipt. `at`: the time in ms since 1970. */
export async function signReceipt(
  call: RanCall,
  { key, chatId }: ReceiptOptions,
  at: number = Date.now(),
): Promise<Receipt> {
  const { approvalId, toolCallId, toolName, input, outcome, output } = call;
  const outputDigest = outcome === 'executed' ? digestOf(output) : '';
  const fields = {
    ...{ chatId, approvalId, toolCallId, toolName, inputDigest: digestOf(input), outcome },
    ...(outputDigest && { outputDigest }),
    at,
  };
  return { ...fields, signature: await sign(receiptStatement(fields), key) };
}

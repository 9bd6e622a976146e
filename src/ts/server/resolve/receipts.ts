/** Receipts: a server's signed statements that it ran a call. The page adds them to the evidence of its chat. */
import { wellFormed } from '../../evidence/evidence-form.js';
import type { Receipt } from '../../evidence/evidence-types.js';
import { receiptStatement, sign } from '../../evidence/signing.js';
import { sha256Hex } from '../../json/web-digest.js';
import { canonical } from './canonical-json.js';
import type { ReceiptOptions, RequestedCall } from './resolve-types.js';

/** A call that has run, with the output of an executed one. */
type RanCall = RequestedCall & Pick<Receipt, 'outcome'> & { readonly output?: unknown };

/** Signs a receipt. `at`: the time in ms since 1970. */
export async function signReceipt(
  call: RanCall,
  { key, chatId }: ReceiptOptions,
  at: number = Date.now(),
): Promise<Receipt> {
  const { approvalId, toolCallId, toolName, input, outcome, output } = call;
  const outputDigest = outcome === 'executed' ? await digestOf(output) : '';
  const fields = wellFormed({
    ...{ chatId, approvalId, toolCallId, toolName, inputDigest: await digestOf(input), outcome },
    ...(outputDigest && { outputDigest }),
    at,
  });
  return { ...fields, signature: await sign(receiptStatement(fields), key) };
}

/** The digest of JSON, as the page computes it. Empty for a value that is nested too deeply. */
async function digestOf(value: unknown): Promise<string> {
  try {
    return await sha256Hex(canonical(value));
  } catch {
    return '';
  }
}

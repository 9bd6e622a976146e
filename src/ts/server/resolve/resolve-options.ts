/** The checks of the options of `resolveApprovals`. */
import { aFunction, anObject, aText, checkOptions, oneOf, type Check, type Checks } from '../../types/option-checks.js';
import { aCount, anything } from '../option-values.js';
import type { ResolveOptions } from './resolve-types.js';

const aLimit: Check = (value, options) => (value === Infinity ? undefined : aCount(value, options));

const OPTIONS: Checks<ResolveOptions> = {
  toolkit: anObject,
  concurrency: aLimit,
  failureMode: oneOf(['result', 'throw']),
  onUserMessage: oneOf(['supersede', 'run']),
  maxParts: aLimit,
  onError: aFunction,
  abortSignal: anything,
  secret: anything,
  verify: aFunction,
  record: anObject,
  receipts: anything,
  toolsContext: anObject,
  deniedText: aText,
  errorText: aFunction,
  strip: anything,
  aiSdk: (value) => (value === 6 || value === 7 ? undefined : '6 or 7'),
};

/** Throws a `TypeError` for unknown options and invalid values. The text has no value of a key or a secret. */
export function checkResolveOptions(options: ResolveOptions): void {
  checkOptions('resolveApprovals', options, OPTIONS);
  if (options.receipts && !isReceiptOptions(options.receipts))
    throw new TypeError(
      'resolveApprovals: invalid option `receipts`. Expected { key, chatId }, with a private ECDSA key (P-256) that can sign.',
    );
  // A missing environment variable must not turn the check off.
  if ('secret' in options && !options.secret?.length)
    throw new TypeError(
      'resolveApprovals: option `secret` is empty. Set a secret, or omit the option to skip the check.',
    );
}

/** Whether receipts can be signed. Checked before any tool runs, because a call that has run must have its receipt. */
function isReceiptOptions(value: unknown): boolean {
  const { key, chatId } = Object(value) as { key?: Partial<CryptoKey>; chatId?: unknown };
  const { name, namedCurve } = Object(key?.algorithm) as Partial<EcKeyAlgorithm>;
  return (
    typeof chatId === 'string' &&
    key?.type === 'private' &&
    key.usages?.includes('sign') === true &&
    name === 'ECDSA' &&
    namedCurve === 'P-256'
  );
}

/**
 * The checks of the options of `ToolGate` and `ToolGate.restore`. types/option-checks.ts applies them.
 */
import type * as enums from '../../../target/bindgen/enums.js';
import { AI_SDK, aProtocol, partsOf, protocolOf } from '../protocols/shared/protocol-value.js';
import { isRawModel } from '../protocols/shared/raw-model.js';
import { aFunction, aListOf, anObject, aText, oneOf, type Checks } from '../types/option-checks.js';
import type { GateTexts, RestoreOptions, ToolGateOptions } from '../types/index.js';
import { say } from '../types/say.js';

// Copies of the core's lists, so that a page can check options without loading those of the core. The compiler compares
// them. The first one is the default.
export const ON_DENY: typeof enums.ON_DENY = ['continue', 'skip-rest', 'end-turn', 'by-reason'];
export const ON_USER_MESSAGE: typeof enums.ON_USER_MESSAGE = [
  'deny-pending',
  'cancel-pending',
  'queue',
  'block',
  'pass',
];

const TOOL_NAMES = aListOf('tool names', (name) => !aText(name, {}));

const TEXTS: Checks<GateTexts> = {
  denied: aText,
  skipped: aText,
  cancelled: aText,
  expired: aText,
  interrupted: aText,
  mayHaveRun: aText,
  denyPending: aText,
};

/** The options of a gate. */
export const GATE_OPTIONS: Checks<ToolGateOptions> = {
  protocol: (value) => (protocolOf(value) ? undefined : aProtocol()),
  chatId: aText,
  onDeny: oneOf(ON_DENY),
  onUserMessage: (value, { protocol }) => {
    const { messageWhilePending } = (protocolOf(protocol) ?? AI_SDK).capabilities;
    return oneOf(ON_USER_MESSAGE.filter((policy) => policy !== 'pass' || messageWhilePending))(value, {});
  },
  approvalTimeoutMs: (value) =>
    typeof value === 'number' && value > 0 && value < Number.MAX_SAFE_INTEGER ? undefined : say`a number of ms above 0`,
  needsApproval: (value, { protocol, browserTools }) =>
    isRawModel(partsOf(protocol)?.codec) || (browserTools as readonly unknown[] | undefined)?.length
      ? aFunction(value, {})
      : '`browserTools` too',
  browserTools: TOOL_NAMES,
  texts: TEXTS,
  rewriteResult: aFunction,
  remembered: aListOf('decisions from remembered()', (entry) => !anObject(entry, {})),
  neverRemember: TOOL_NAMES,
  now: aFunction,
  history: (value, { protocol }) => oneOf((protocolOf(protocol) ?? AI_SDK).capabilities.historyChoices)(value, {}),
  logLimit: (value) => (Number.isInteger(value) && (value as number) >= 0 ? undefined : say`an integer, 0 or above`),
  generateId: aFunction,
};

/** The options of `ToolGate.restore`. */
export const RESTORE_OPTIONS: Checks<RestoreOptions> = { ...GATE_OPTIONS, incompleteTurn: oneOf(['keep', 'drop']) };

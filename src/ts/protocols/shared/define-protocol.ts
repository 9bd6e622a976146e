/** `defineProtocol`: checks a definition, so that a misspelt member is not mistaken for a missing one. */
import type { Protocol } from '../../types/index.js';
import { refuseUnknown, type KnownOptions } from '../../types/option-checks.js';
import type { ProtocolCapabilities, ProtocolDefinition } from '../../types/protocol-definition.js';
import type { Codec } from './codec.js';
import { makeProtocol } from './make-protocol.js';
import { DEFAULTS } from './protocol-value.js';

const MEMBERS: KnownOptions<ProtocolDefinition> = {
  name: true,
  capabilities: true,
  asksItself: true,
  answersBeforeMessages: true,
  repliesToDenials: true,
  resultImpliesApproval: true,
  denialCloses: true,
  createReader: true,
  write: true,
  read: true,
  body: true,
  answer: true,
  acceptsEdit: true,
  lacksChoice: true,
};

const CAPABILITIES: KnownOptions<ProtocolCapabilities> = {
  kind: true,
  reason: true,
  editedInput: true,
  cancel: true,
  remember: true,
  history: true,
  historyChoices: true,
  denialVisible: true,
  lost: true,
  repeat: true,
  messageWhilePending: true,
};

/**
 * Makes a protocol: `const mine = defineProtocol({ name: 'mine', … }); new ToolGate({ protocol: mine })`. The
 * documentation page *Writing a protocol* has a complete example.
 *
 * Throws a `TypeError` for a definition with a missing, unknown or invalid member.
 */
export function defineProtocol<BODY, EVENT, MESSAGE, ANSWER = never>(
  definition: ProtocolDefinition<BODY, EVENT, MESSAGE, ANSWER>,
): Protocol<BODY | ANSWER, EVENT, MESSAGE> {
  check(definition as ProtocolDefinition);
  return makeProtocol(definition as Codec<EVENT, MESSAGE, MESSAGE, BODY | ANSWER>);
}

/** Throws a `TypeError` for an invalid definition; the message says what is wrong, and what would be right. */
function check(definition: ProtocolDefinition): void {
  const refuse = (problem: string): never => {
    throw new TypeError(`defineProtocol: ${problem}`);
  };
  if (typeof definition !== 'object' || definition === null)
    refuse('expected the definition of a protocol, which is an object');
  refuseUnknown('defineProtocol', definition, MEMBERS);
  const { name, capabilities, answer, answersBeforeMessages } = definition;
  if (typeof name !== 'string' || !name || name === 'ai-sdk') {
    refuse("`name` must be a non-empty string other than 'ai-sdk', which is built in");
  }
  if (typeof capabilities !== 'object' || capabilities === null) refuse('`capabilities` must be an object with `kind`');
  refuseUnknown('defineProtocol: capabilities', capabilities, CAPABILITIES);
  const { kind, history, historyChoices, messageWhilePending } = capabilities;
  if (!/^(raw-model|resubmitting|answering)$/.test(kind)) {
    refuse("`capabilities.kind` must be 'raw-model', 'resubmitting' or 'answering'");
  }
  if (historyChoices && !historyChoices.includes(history ?? DEFAULTS.history)) {
    refuse('`capabilities.historyChoices` must include `capabilities.history`');
  }
  if (messageWhilePending && (kind !== 'answering' || answersBeforeMessages)) {
    refuse("`capabilities.messageWhilePending` needs `kind: 'answering'`, without `answersBeforeMessages`");
  }
  for (const member of ['createReader', 'write', 'body'] as const) {
    if (typeof definition[member] !== 'function') refuse(`\`${member}\` must be a function`);
  }
  if (kind === 'answering' && typeof answer !== 'function') {
    refuse("`answer` must be a function, because `capabilities.kind` is 'answering'");
  }
}

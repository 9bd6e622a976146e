/**
 * `defineProtocol`: checks what an app gives, so that a misspelt member is not taken for one that was left out.
 */
import type { Protocol } from '../types/index.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import type { ProtocolCapabilities, ProtocolDefinition } from '../types/protocol-definition.js';
import type { Codec } from './shared/codec.js';
import { makeProtocol } from './shared/make-protocol.js';
import { DEFAULTS } from './shared/protocol-value.js';

const MEMBERS: KnownOptions<ProtocolDefinition> = {
  name: true,
  capabilities: true,
  clientRunsTools: true,
  clientAsks: true,
  uniqueCallIds: true,
  answersBeforeMessages: true,
  repliesToDenials: true,
  resultImpliesApproval: true,
  createReader: true,
  write: true,
  read: true,
  body: true,
  answer: true,
  acceptsEdit: true,
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
};

/**
 * Makes a protocol: `const mine = defineProtocol({ name: 'mine', … }); new ToolGate({ protocol: mine })`. The page
 * *Writing a protocol* of the documentation has a complete one.
 *
 * Throws a `TypeError` for a definition that lacks something, or that has a member which does not exist.
 */
export function defineProtocol(definition: ProtocolDefinition): Protocol {
  check(definition);
  return makeProtocol(definition as Codec);
}

/** Throws a `TypeError` for what is not a definition: what is wrong, and what would be right. */
function check(definition: ProtocolDefinition): void {
  const refuse = (problem: string): never => {
    throw new TypeError(`defineProtocol: ${problem}`);
  };
  if (typeof definition !== 'object' || definition === null) refuse('expected an object, the definition of a protocol');
  refuseUnknown('defineProtocol', definition, MEMBERS);
  const { name, capabilities, answer } = definition;
  if (typeof name !== 'string' || !name || name === 'ai-sdk') {
    refuse("`name` must be a non-empty string other than 'ai-sdk', which is built in");
  }
  if (typeof capabilities !== 'object' || capabilities === null) refuse('`capabilities` must be an object with `kind`');
  refuseUnknown('defineProtocol: capabilities', capabilities, CAPABILITIES);
  const { kind, history, historyChoices } = capabilities;
  if (kind !== 'resubmitting' && kind !== 'answering') {
    refuse("`capabilities.kind` must be 'resubmitting' or 'answering'");
  }
  if (historyChoices && !historyChoices.includes(history ?? DEFAULTS.history)) {
    refuse('`capabilities.historyChoices` must include `capabilities.history`');
  }
  for (const member of ['createReader', 'write', 'body'] as const) {
    if (typeof definition[member] !== 'function') refuse(`\`${member}\` must be a function`);
  }
  if (kind === 'answering' && typeof answer !== 'function') {
    refuse("`answer` must be a function, because `capabilities.kind` is 'answering'");
  }
}

/** The values of the option `onUserMessage`, and a protocol that accepts all of them. */
import { defineProtocol, type ProtocolDefinition } from 'toolgate/protocols';
import { ON_USER_MESSAGE } from '../../target/bindgen/enums.js';

/** The values that every protocol accepts. */
export const ON_ANY_MESSAGE = ON_USER_MESSAGE.filter((policy) => policy !== 'pass');

/**
 * The protocol of an app whose backend stores the history, and takes messages while its reply waits for answers. Its
 * stream has the AI SDK's chunks.
 */
export const lineDefinition: ProtocolDefinition = {
  name: 'line',
  capabilities: { kind: 'answering', history: 'server', messageWhilePending: true },
  createReader: (stream) => (event) => {
    stream.emit(event as { type: string });
    return true;
  },
  write: (history) => [...history],
  body: (history, { newMessages, request }) => ({
    says: newMessages.flatMap(({ content }) => content.map(({ text }) => text)),
    history: history.length,
    messages: request.messages.length,
  }),
  answer: ({ approvalId, outcome }) => ({ approvalId, outcome }),
};

/** The protocol of `lineDefinition`. */
export const line = defineProtocol(lineDefinition);

/**
 * Writes entries in the AI SDK's format: `ModelMessage`s. A page that uses only the AI SDK's protocol loads this too.
 */
import type { Call, Entry, Part } from './codec.js';

interface ModelMessage {
  readonly role: Entry['role'] | 'tool';
  readonly content: string | readonly object[];
}

/** Returns the messages of one entry: a step is followed by the decisions and the results of its calls. */
export function modelMessagesOf({ role, content }: Entry): ModelMessage[] {
  if (role === 'user') {
    // The AI SDK has no other content of a user.
    const shown = content.filter(({ type }) => type !== 'custom');
    return shown.length ? [{ role, content: shown }] : [];
  }
  const said: { text?: string | undefined; [field: string]: unknown }[] = [];
  const answers: object[] = [];
  for (const { request, response, result, ...part } of content as readonly Call[]) {
    const { toolCallId, toolName, providerExecuted } = part;
    said.push(part);
    if (request) {
      const { approvalId } = request;
      said.push({ ...request, type: 'tool-approval-request', toolCallId });
      if (response) answers.push({ ...response, type: 'tool-approval-response', approvalId });
    }
    if (result)
      (providerExecuted && result.output.type !== 'execution-denied' ? said : answers).push(
        // The fields of the AI SDK, in its order.
        Object.assign({ type: '', toolCallId, toolName }, result, { type: 'tool-result' }),
      );
  }
  if (role === 'system') {
    const { providerOptions } = Object.assign({}, ...said) as Part;
    return [{ role, content: said.map(({ text }) => text).join(''), ...(providerOptions && { providerOptions }) }];
  }
  const messages: ModelMessage[] = [{ role, content: said }];
  if (answers.length > 0) messages.push({ role: 'tool', content: answers });
  return messages;
}

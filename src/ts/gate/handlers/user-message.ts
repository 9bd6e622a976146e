/**
 * Checks the argument of `sendUserMessage`. Model APIs refuse a message without content, and a tool part in a user
 * message would be a call that no backend made.
 */
import { isArray, own } from '../../json/safe-reading.js';
import { isToolPart } from '../../types/tool-part.js';
import { say } from '../../types/say.js';

/** The error for an invalid message. `problem` says what is wrong with it. */
const invalid = (problem: string): TypeError =>
  new TypeError(
    `${problem} ${say`Expected { text }, or an AI SDK user message whose \`parts\` have text, files or data.`}`,
  );

/** Throws a `TypeError` for a value that is not a message, has no content, or has tool parts. */
export function checkUserMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || isArray(message)) {
    throw invalid(say`sendUserMessage: the message must be an object.`);
  }
  const [text, parts, role] = [own(message, 'text'), own(message, 'parts'), own(message, 'role')];
  // Only the backend writes the assistant's messages. The gate would take one from the app for a reply.
  if (role !== undefined && role !== 'user' && role !== 'system')
    throw invalid(
      say`sendUserMessage: \`role\` must be 'user' or 'system', not ${typeof role === 'string' ? JSON.stringify(role) : typeof role}.`,
    );
  if (text !== undefined && typeof text !== 'string') throw invalid(say`sendUserMessage: \`text\` must be a string.`);
  if (parts !== undefined && !isArray(parts)) throw invalid(say`sendUserMessage: \`parts\` must be an array.`);
  const tool = parts?.find(isCall);
  if (tool)
    throw invalid(say`sendUserMessage: a user message cannot have tool parts ("${String(own(tool, 'type'))}").`);
  if (!text && !parts?.some(hasContent)) throw invalid(say`sendUserMessage: the message has no content.`);
}

function isCall(part: unknown): boolean {
  const type = own(part, 'type');
  return typeof type === 'string' && isToolPart({ type });
}

function hasContent(part: unknown): boolean {
  const type = own(part, 'type');
  return typeof type === 'string' && type !== 'step-start' && !(type === 'text' && !own(part, 'text'));
}

/**
 * What a message of the user must look like. One that says nothing would be sent as an empty entry of the history,
 * which model APIs refuse; a tool part in one would be a call that no backend made.
 */
import { isArray, own } from '../json/safe-reading.js';

const RIGHT = 'pass { text }, or an AI SDK user message whose `parts` have text, files or data';

/** Throws a `TypeError` for what is not a message, for one without content, and for one with tool parts. */
export function checkUserMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || isArray(message)) {
    throw new TypeError(`sendUserMessage: a message is an object; ${RIGHT}`);
  }
  const [text, parts] = [own(message, 'text'), own(message, 'parts')];
  if (text !== undefined && typeof text !== 'string')
    throw new TypeError(`sendUserMessage: \`text\` must be a string; ${RIGHT}`);
  if (parts !== undefined && !isArray(parts))
    throw new TypeError(`sendUserMessage: \`parts\` must be an array; ${RIGHT}`);
  const tool = parts?.find(isToolPart);
  if (tool)
    throw new TypeError(`sendUserMessage: a user message has no tool parts ("${String(own(tool, 'type'))}"); ${RIGHT}`);
  if (!text && !parts?.some(hasContent)) throw new TypeError(`sendUserMessage: the message has no content; ${RIGHT}`);
}

function isToolPart(part: unknown): boolean {
  const type = own(part, 'type');
  return typeof type === 'string' && (type.startsWith('tool-') || type === 'dynamic-tool');
}

function hasContent(part: unknown): boolean {
  const type = own(part, 'type');
  return typeof type === 'string' && type !== 'step-start' && !(type === 'text' && !own(part, 'text'));
}

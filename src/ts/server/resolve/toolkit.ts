/** Looks up tools by own keys only, because names come from a model or a client. */
import { own } from '../../json/own-property.js';
import type { ResolvableTool, Toolkit } from './resolve-types.js';

/** Returns the tool with this name. A function becomes `{ execute }`. Undefined if the entry is not a tool. */
export function toolOf(toolkit: Toolkit | undefined, name: string): ResolvableTool | undefined {
  const tool = own(toolkit, name);
  if (typeof tool === 'function') return { execute: tool };
  return typeof tool === 'object' && /^(undefined|function)$/.test(typeof tool?.execute) ? tool : undefined;
}

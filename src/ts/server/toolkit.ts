/** Looks up tools by own keys only, because names come from a model or a client. */
import { own } from '../json/own-property.js';
import type { ResolvableTool, Toolkit } from './resolve-types.js';

/** Returns the tool with this name, or undefined. A function becomes `{ execute }`. */
export function toolOf(toolkit: Toolkit | undefined, name: string): ResolvableTool | undefined {
  const tool = own(toolkit, name);
  return typeof tool === 'function' ? { execute: tool } : tool;
}

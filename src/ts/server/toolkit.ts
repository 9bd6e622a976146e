/**
 * Looks tools up. Names come from a model or a client, so what an object inherits is no tool.
 */
import { own } from '../json/own-property.js';
import type { ResolvableTool, Toolkit } from './resolve-types.js';

/** The tool of a name, a function as one; nothing if there is none. */
export function toolOf(toolkit: Toolkit | undefined, name: string): ResolvableTool | undefined {
  const tool = own(toolkit, name);
  return typeof tool === 'function' ? { execute: tool } : tool;
}

/**
 * Looks tools up. Names come from a model or a client, so what an object inherits is no tool.
 */
import type { ResolvableTool, Toolkit } from './types.js';

/** The value under an own key. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The tool of a name, a function as one; nothing if there is none. */
export function toolOf(toolkit: Toolkit | undefined, name: string): ResolvableTool | undefined {
  const tool = own(toolkit, name);
  return typeof tool === 'function' ? { execute: tool } : tool;
}

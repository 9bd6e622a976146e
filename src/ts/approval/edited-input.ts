/** The input of a call as JSON, and what the user has made of it. */
import { brief } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import type { CardTexts } from './texts.js';

/** An app's validation of an edited input. Returns the problem as a text for the user, or undefined. */
export type InputCheck = (input: unknown) => string | undefined;

/** The result of an edit: the new input, if it has changed, or what is wrong with it. */
export type Edited = { readonly problem: string } | { readonly input?: unknown };

/** The value as JSON, or `[…]` if it cannot be encoded. Never throws. */
export function jsonOf(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner), 2) ??
      String(value)
    );
  } catch {
    return '[…]';
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses and validates an edit of an input. */
export function readEdit(text: string, original: unknown, texts: CardTexts, check?: InputCheck): Edited {
  const before = jsonOf(original);
  if (text === before) return {};
  try {
    const input: unknown = JSON.parse(text);
    const problem = isRecord(original) && !isRecord(input) ? texts.notAnObject : (check?.(input) ?? '');
    return problem ? { problem } : jsonOf(input) === before ? {} : { input };
  } catch (error) {
    return {
      problem: fill(texts.badJson, { problem: brief(error instanceof Error ? error.message : String(error), 120) }),
    };
  }
}

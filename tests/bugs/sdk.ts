/**
 * The two versions of the AI SDK, each with the `Chat` of its React package, which `useChat` uses. They are loaded when
 * a scenario needs them, because a page shows one version at a time.
 */
import type * as ai7 from 'ai';

/** One version of the AI SDK. The types are those of version 7; the scenarios use what both have. */
export interface Sdk {
  readonly version: 6 | 7;
  readonly ai: typeof ai7;
  readonly Chat: new (options: object) => object;
}

/** Loads a version. */
export async function sdkOf(version: 6 | 7): Promise<Sdk> {
  const [ai, react] =
    version === 7
      ? await Promise.all([import('ai'), import('@ai-sdk/react')])
      : await Promise.all([import('ai6'), import('ai-sdk-react6')]);
  return { version, ai: ai as typeof ai7, Chat: react.Chat as unknown as Sdk['Chat'] };
}

/**
 * The public types of `toolgate/ai-sdk`: what `guard` takes. What it knows of the inside of a chat is in
 * `internals.ts`. Nothing is imported from `ai`, not even types.
 */
import type { ToolGateOptions } from '../types.js';

/** What {@link guard} can be told beside the chat. */
export interface GuardOptions {
  /**
   * How the gate behaves: `onUserMessage`, `browserTools`, `texts` and the rest. The protocol, the chat's id and the
   * source of new ids come from the chat itself.
   */
  readonly gate?: Omit<ToolGateOptions, 'protocol' | 'chatId' | 'generateId'>;
}

/**
 * A chat that {@link guard} can take: any `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue`, 6 or 7. Its members
 * are the AI SDK's own, and are described there; what a guarded chat does otherwise is in docs/ai-sdk-differences.md.
 */
export interface GuardableChat {
  readonly id: string;
  readonly status: string;
  messages: readonly unknown[];
  sendMessage: AnyMethod;
  regenerate: AnyMethod;
  stop: AnyMethod;
  resumeStream: AnyMethod;
  clearError: AnyMethod;
  addToolApprovalResponse: AnyMethod;
  addToolOutput: AnyMethod;
}

/** A method of whatever signature. */
type AnyMethod = (...args: never[]) => unknown;

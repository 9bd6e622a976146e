/**
 * Structural types of the members of an AI SDK chat that `guard` uses besides those of `ChatHost`. They are private to
 * the AI SDK; a test pins their names for each version and framework.
 */
import type { GateMessage } from '../types/index.js';
import type { ChatHost, ChatStatus } from './chat-host.js';

/** The chat's own state object: the framework's store. In a guarded chat it is only written to, to signal changes. */
export interface FrameworkState {
  messages: readonly unknown[];
  status: ChatStatus;
  error: Error | undefined;
  /** Only if the framework's package supports message queues. */
  experimental_queuedMessages?: readonly unknown[];
}

/** Replaces the chat's state object. The chat's getters read it. */
export interface Facade {
  readonly messages: GateMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
  readonly experimental_queuedMessages?: GateMessage[];
}

/** An `AbstractChat`, as a guard sees it. */
export interface ChatInternals extends ChatHost {
  state: FrameworkState;
}

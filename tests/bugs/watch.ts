/** What a watcher of a scenario sees, step by step. The bug museum shows it; the tests of the table don't watch. */
import type { Message } from '../interop/ai-sdk/peers';

/** Who did something: the user, the app's own code, the chat, the network, the server or its model. */
export type Actor = 'user' | 'app' | 'chat' | 'network' | 'server' | 'model';

/** One line of the chat as the user sees it: a text, or a call with its state. */
export interface ScreenLine {
  readonly role: 'user' | 'assistant' | 'call';
  readonly text: string;
  /** The state of a call. */
  readonly state?: string;
}

/** One step of a scenario, with the counters after it. */
export interface Step {
  readonly by: Actor;
  readonly text: string;
  /** The number of requests that the server has received. */
  readonly requests: number;
  /** The tools that ran, as `tool#callId`. */
  readonly ran: readonly string[];
  /** The last prompt of the model, one line for each message or part; `undefined` before its first call. */
  readonly prompt: readonly string[] | undefined;
  /** The chat after the step. */
  readonly screen: readonly ScreenLine[];
}

/** Receives each step when it happens. */
export type Watch = (step: Step) => void;

/** What the chat shows. */
export function screenOf(messages: readonly Message[]): ScreenLine[] {
  return messages.flatMap(({ role, parts }) =>
    parts.flatMap((part): ScreenLine[] => {
      if (part.type === 'text') return [{ role: role === 'user' ? 'user' : 'assistant', text: String(part['text']) }];
      if (typeof part['toolCallId'] !== 'string') return [];
      return [{ role: 'call', text: callName(part), state: String(part['state']) }];
    }),
  );
}

/** The name of the call of a tool part: `edit#c1`. */
export function callName(part: { readonly type: string; readonly [key: string]: unknown }): string {
  return `${part.type.replace(/^tool-/, '')}#${String(part['toolCallId'])}`;
}

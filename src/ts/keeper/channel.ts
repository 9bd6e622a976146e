/**
 * What the tabs of one chat tell each other. Plain JSON goes over the channel, with a version: tabs of different releases
 * may be open at once, and do not listen to each other then.
 */
import type { ErrorCode } from '../errors.js';
import type { JSONValue } from '../types.js';
import type { KeptRecord } from './record.js';

const VERSION = 1;

/** An act on its way: its number in its tab, and itself, encoded. */
export type SentAct = readonly [number: number, act: JSONValue];

/** A message. `tab`: who sends it, or whom it is about. */
export type Message =
  /** A tab that follows wants to be told the state. */
  | { readonly type: 'hello' }
  /** A tab that follows has heard of the one that leads now. */
  | { readonly type: 'here' }
  /** The state, from the tab that leads. */
  | { readonly type: 'state'; readonly record: KeptRecord }
  /** What the user did in a tab that follows: everything that is not stored yet, oldest first. */
  | { readonly type: 'acts'; readonly tab: string; readonly acts: readonly SentAct[] }
  /** The acts that are stored: these need not be told again. */
  | { readonly type: 'saved'; readonly applied: KeptRecord['applied'] }
  /** An act that the gate refused where it counts. */
  | {
      readonly type: 'refused';
      readonly tab: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly toolCallId: string | undefined;
      readonly approvalId: string | undefined;
    };

/** The channel of one name. */
export interface Channel {
  post(message: Message): void;
  close(): void;
}

/** Opens the channel of a name. Without BroadcastChannel nothing is ever heard. */
export function openChannel(name: string, listener: (message: Message) => void): Channel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, close: () => {} };
  const channel = new BroadcastChannel(`toolgate:${name}`);
  channel.onmessage = ({ data }: MessageEvent<{ version?: unknown; message?: Message } | null>) => {
    if (data?.version === VERSION && data.message) listener(data.message);
  };
  // Node would wait for messages for ever.
  (channel as { unref?: () => void }).unref?.();
  return {
    post: message => channel.postMessage({ version: VERSION, message }),
    close: () => channel.close(),
  };
}

/**
 * What the tabs of one chat say to each other. Plain JSON, with a version: tabs of different releases may be open at once, and
 * do not listen to each other then. Whatever else comes over the channel is ignored.
 */
import type { ToolGateErrorCode } from '../types/errors.js';
import { areActs, areApplied, isCount, type KeptRecord, type SentAct } from './kept-record.js';

const VERSION = 2;

/** A message. */
export type TabMessage =
  /** A follower wants to know the state. */
  | { readonly type: 'hello' }
  /** A follower knows the tab that leads now, and that tab should publish what changes. */
  | { readonly type: 'here' }
  /** A follower wants to know whether the tab that leads still answers. */
  | { readonly type: 'ping' }
  /** The tab that leads, or is about to, answers. */
  | { readonly type: 'alive' }
  /** A tab that is about to lead cannot read what is stored, and wants to know the state that another one shows. */
  | { readonly type: 'want' }
  /** The state, from the tab that leads; or the newest one that is known, for a tab that wants it. */
  | { readonly type: 'state'; readonly record: KeptRecord }
  /** Acts that are stored and not confirmed, oldest first. */
  | { readonly type: 'acts'; readonly acts: readonly SentAct[] }
  /** The acts that are part of what is stored: these are confirmed. */
  | { readonly type: 'saved'; readonly epoch: number; readonly applied: KeptRecord['applied'] }
  /** An act that the gate refused where it counts. */
  | {
      readonly type: 'refused';
      readonly tab: string;
      readonly number: number;
      readonly code: ToolGateErrorCode;
      readonly message: string;
      readonly toolCallId?: string | undefined;
      readonly approvalId?: string | undefined;
    };

type MessageCheck = (message: Record<string, unknown>) => boolean;

/** What each message has to hold. The record is checked where it is read. */
const CHECKS: { readonly [TYPE in TabMessage['type']]: MessageCheck } = {
  hello: () => true,
  here: () => true,
  ping: () => true,
  alive: () => true,
  want: () => true,
  state: ({ record }) => typeof record === 'object' && record !== null,
  acts: ({ acts }) => areActs(acts),
  saved: ({ epoch, applied }) => isCount(epoch) && areApplied(applied),
  refused: ({ tab, number, code, message }) =>
    typeof tab === 'string' && isCount(number) && typeof code === 'string' && typeof message === 'string',
};

/** A message as it is posted. */
export function toPosted(message: TabMessage): unknown {
  return { version: VERSION, message };
}

/** The message in what was posted; undefined for anything else. */
export function readPosted(data: unknown): TabMessage | undefined {
  if (typeof data !== 'object' || data === null || (data as { version?: unknown }).version !== VERSION)
    return undefined;
  const { message } = data as { message?: unknown };
  if (typeof message !== 'object' || message === null) return undefined;
  const { type } = message as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(CHECKS, type)) return undefined;
  return CHECKS[type as TabMessage['type']](message as Record<string, unknown>) ? (message as TabMessage) : undefined;
}

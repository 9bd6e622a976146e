/**
 * The channels between the tabs of a chat, and between all tabs of the site for `logOut`. Messages are plain JSON with
 * a version, because tabs of different releases may be open at once.
 */
import type { ToolGateErrorCode } from '../../types/errors.js';
import { loggedOut } from '../persist-error.js';
import { headOf, isChangeRecord, type ChangeRecord, type ChatState } from '../storage/change-record.js';
import {
  areActions,
  areApplied,
  isCount,
  isObject,
  type ChatRecord,
  type Counters,
  type SentAction,
} from '../storage/chat-record.js';
import type { Platform, RawChannel } from './platform.js';
import type { TabBase } from './tab-base.js';

/** The version of the messages, which is also in the name of a tab's own lock. */
export const RELEASE = 3;

/** A message. */
export type TabMessage =
  /**
   * A follower requests the state (`hello`), or asks whether the leader still answers (`ping`). The leader, or a tab
   * that is taking over, answers (`alive`).
   */
  | { readonly type: 'hello' | 'ping' | 'alive' }
  /** The leader's state; or a newer one that another tab knows. */
  | { readonly type: 'state'; readonly state: ChatState }
  /** What changed in the leader's state since the state that the change follows. */
  | { readonly type: 'change'; readonly change: ChangeRecord }
  /** Actions that are stored and not confirmed, oldest first. */
  | { readonly type: 'actions'; readonly actions: readonly SentAction[] }
  /** Confirms the actions that are part of the stored state. */
  | { readonly type: 'saved'; readonly epoch: number; readonly applied: ChatRecord['applied'] }
  /** The leader's gate refused an action. */
  | {
      readonly type: 'refused';
      readonly tab: string;
      readonly number: number;
      readonly code: ToolGateErrorCode;
      readonly message: string;
      readonly toolCallId?: string | undefined;
      readonly approvalId?: string | undefined;
    };

/** A message with what the leader shows. */
export type PublishedMessage = Extract<TabMessage, { type: 'state' | 'change' }>;

/** The counters of the state that a message leads to. */
export const headOfMessage = (message: PublishedMessage): Counters =>
  message.type === 'state' ? headOf(message.state) : message.change;

type MessageCheck = (message: Record<string, unknown>) => boolean;

/** Checks the fields of each message. A snapshot is checked when it is read. */
const CHECKS: { readonly [TYPE in TabMessage['type']]: MessageCheck } = {
  hello: () => true,
  ping: () => true,
  alive: () => true,
  state: ({ state }) => isState(state),
  change: ({ change }) => isChangeRecord(change),
  actions: ({ actions }) => areActions(actions),
  saved: ({ epoch, applied }) => isCount(epoch) && areApplied(applied),
  refused: ({ tab, number, code, message }) =>
    typeof tab === 'string' && isCount(number) && typeof code === 'string' && typeof message === 'string',
};

function isState(value: unknown): boolean {
  const { record, changes } = Object(value) as Partial<ChatState>;
  return isObject(record) && Array.isArray(changes) && changes.every(isChangeRecord);
}

/** Reads a message from the channel; undefined for anything else, and `newer` for one of a newer release. */
function readPosted(data: unknown): TabMessage | 'newer' | undefined {
  const { version, message } = Object(data) as { version?: unknown; message?: unknown };
  if (version !== RELEASE) return isCount(version) && version > RELEASE ? 'newer' : undefined;
  if (!isObject(message)) return undefined;
  const { type } = message as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(CHECKS, type)) return undefined;
  return CHECKS[type as TabMessage['type']](message as Record<string, unknown>) ? (message as TabMessage) : undefined;
}

/** The channel of all tabs. The channels of chats have other names. */
const LOG_OUT = 'toolgate';

export class TabChannel {
  #raw: readonly RawChannel[] = [];

  /** Opens the channels. Messages that Toolgate did not send are ignored. */
  open({ platform, name, onOtherRelease, onEnd }: TabBase, onMessage: (message: TabMessage) => void): void {
    this.#raw = [
      platform.openChannel(`toolgate:${name}`, (data) => {
        const message = readPosted(data);
        if (message === 'newer') onOtherRelease(true);
        else if (message) onMessage(message);
      }),
      platform.openChannel(LOG_OUT, (data) => {
        const { ended } = Object(data) as { ended?: unknown };
        if (ended === 'all' || (Array.isArray(ended) && ended.includes(name))) onEnd(loggedOut());
      }),
    ];
  }

  /** Sends a message to the other tabs. Does nothing while the channel is closed. */
  post(message: TabMessage): void {
    this.#raw[0]?.post({ version: RELEASE, message });
  }

  close(): void {
    for (const raw of this.#raw) raw.close();
    this.#raw = [];
  }
}

/** Tells all tabs that the user has logged out of these chats. */
export function postLogOut(platform: Platform, names: readonly string[] | undefined): void {
  const raw = platform.openChannel(LOG_OUT, () => {});
  raw.post({ ended: names ?? 'all' });
  raw.close();
}

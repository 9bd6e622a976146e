/** The channels between the tabs of a chat, and between all tabs of the site for `logOut`. */
import type { Platform, RawChannel } from './platform.js';
import { readPosted, toPosted, type TabMessage } from './tab-messages.js';

/** The channel of all tabs. The channels of chats have other names. */
const LOG_OUT = 'toolgate';

/** What a tab does with what it hears. */
interface Listeners {
  /** Called with each message that a tab of this release sent. */
  readonly onMessage: (message: TabMessage) => void;
  /** Called with each message of another release. */
  readonly onOtherRelease: () => void;
  /** Called when the user has logged out of this chat. */
  readonly onLogOut: () => void;
}

/** The channels of one tab. */
export class TabChannel {
  #raw: readonly RawChannel[] = [];

  /** Opens the channels. Messages that Toolgate did not send are ignored. */
  open(platform: Platform, name: string, { onMessage, onOtherRelease, onLogOut }: Listeners): void {
    this.#raw = [
      platform.openChannel(`toolgate:${name}`, (data) => {
        const message = readPosted(data);
        if (message === 'other') onOtherRelease();
        else if (message) onMessage(message);
      }),
      platform.openChannel(LOG_OUT, (data) => {
        const { ended } = Object(data) as { ended?: unknown };
        if (ended === 'all' || (Array.isArray(ended) && ended.includes(name))) onLogOut();
      }),
    ];
  }

  /** Sends a message to the other tabs. Does nothing while the channel is closed. */
  post(message: TabMessage): void {
    this.#raw[0]?.post(toPosted(message));
  }

  /** Closes the channels. */
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

/** The channel between the tabs of a chat. */
import type { Platform, RawChannel } from './platform.js';
import { readPosted, toPosted, type TabMessage } from './tab-messages.js';

/** The channel of one tab. */
export class TabChannel {
  #raw: RawChannel | undefined;

  /** Opens the channel. Messages that Toolgate did not send are ignored. */
  open(platform: Platform, name: string, receive: (message: TabMessage) => void): void {
    this.#raw = platform.openChannel(`toolgate:${name}`, (data) => {
      const message = readPosted(data);
      if (message) receive(message);
    });
  }

  /** Sends a message to the other tabs. Does nothing while the channel is closed. */
  post(message: TabMessage): void {
    this.#raw?.post(toPosted(message));
  }

  /** Closes the channel. */
  close(): void {
    this.#raw?.close();
    this.#raw = undefined;
  }
}

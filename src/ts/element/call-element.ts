/** An element that shows one call of a gate. */
import type { CallStatus } from '../describe/call-status.js';
import { GateElement } from './base.js';

export abstract class CallElement extends GateElement {
  /**
   * The tool call to show: attribute `tool-call-id`. An approval card needs it only without an approval id, and shows
   * calls without an approval too.
   */
  get toolCallId(): string | undefined {
    return this.getAttribute('tool-call-id') ?? undefined;
  }

  set toolCallId(id: string | undefined | null) {
    this.setOrRemove('tool-call-id', id);
  }

  /**
   * The message that contains the call: attribute `message-id`. Needed only if call ids repeat; the default is the
   * newest call.
   */
  get messageId(): string | undefined {
    return this.getAttribute('message-id') ?? undefined;
  }

  set messageId(id: string | undefined | null) {
    this.setOrRemove('message-id', id);
  }

  /** The status of the call; undefined while there is none. */
  get status(): CallStatus | undefined {
    return this.drawn?.status;
  }
}

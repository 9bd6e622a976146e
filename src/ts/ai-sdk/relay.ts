/**
 * A guarded chat in several tabs: what the user did in one of them, with what the app attached to it, done by the driver of
 * the tab that sends. Which tab that is, and how acts get there, is the keeper's.
 */
import type { Act, Companion } from '../keeping.js';
import type { GateMessage } from '../types.js';
import type { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import type { Envelope } from './request-options.js';

/** The driver as a keeper sees it. `stop` is the chat's own. */
export function companionOf({ gate }: Ports, driver: Driver, stop: () => Promise<void>): Companion {
  function perform({ method, args, note }: Act): void {
    const envelope = note as Envelope | undefined;
    const options = envelope?.options;
    const call = (): unknown => (gate[method as 'respond'] as (...args: unknown[]) => unknown)(...args);
    switch (method) {
      case 'sendUserMessage':
        driver.submit(args[0] as GateMessage, options, (args[1] as { replace?: string } | undefined)?.replace);
        return;
      case 'stop':
        // The gate cannot refuse it, and nobody here waits for it.
        void stop().catch(() => {});
        return;
      case 'regenerate':
      case 'resume':
      case 'retry':
        driver.ask(call, envelope);
        return;
      default:
        driver.act(() => {
          call();
          if (method === 'respond') driver.memory.forApproval(args[0] as string, options);
          if (method === 'addToolOutput') driver.memory.forOutput(options);
        });
    }
  }

  return {
    get note() {
      return plain(driver.note);
    },
    perform,
    together: call => driver.act(call),
    asked: call => driver.ask(call),
  };
}

/** The envelope without what is no plain data. */
function plain(envelope: Envelope | undefined): unknown {
  const headers = envelope?.options?.headers;
  if (!(headers instanceof Headers)) return envelope;
  return { ...envelope, options: { ...envelope?.options, headers: Object.fromEntries(headers.entries()) } };
}

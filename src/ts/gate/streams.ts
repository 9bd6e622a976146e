/**
 * A reply's stream into the core: its events, one by one, and its ending.
 */
import type { GateCore } from './gate-core.js';
import { NO_ITEM, numberIn, OUTGOING } from './numbered-ids.js';
import type { ReplyTo, GateEvent, StreamEnd } from '../types/index.js';

/** In the order of the numbers in `src/wasm/commands.rs`. */
const ENDINGS: readonly StreamEnd['status'][] = ['finished', 'error', 'aborted', 'disconnected', 'step-limit'];

/** In the order of the Rust enum `Reconnect`, after none. */
const RECONNECTS: readonly ReplyTo['reconnect'][] = [undefined, 'start', 'offset'];

/**
 * Takes one event of the protocol's stream. Never throws on content, but a `TypeError` for an `about.reconnect` that
 * does not exist.
 */
export function receive(gate: GateCore, event: unknown, about: ReplyTo | undefined): void {
  const { env, listeners, outbox, translator } = gate;
  const now = env.now();
  const reconnect = RECONNECTS.indexOf(about?.reconnect);
  if (reconnect < 0) throw new TypeError(`receive: about.reconnect is 'start', 'offset' or left out`);
  const chunks = translator ? translator.chunks(event, about) : [event];
  gate.run((core, host) => {
    const listed = core.has_ready() ? outbox.outgoing() : [];
    let isKnown = chunks !== undefined;
    for (const chunk of chunks ?? []) {
      // Two bits say what became of the event, and a third one that a message needs an id: see `receive` in
      // `src/wasm/commands.rs`.
      const code = core.receive(host.give(chunk), now, requestNumber(about), about?.attempt ?? 0, reconnect);
      if (code & 4) core.name_message(host.idOf(env.freshId()));
      if ((code & 3) === 1) isKnown = false;
    }
    outbox.freezeTaken(listed);
    if (!isKnown) listeners.emit({ type: 'passthrough', event });
    if (listeners.hasEvents && isDataPart(event)) listeners.emit({ type: 'data', part: event });
  });
}

/** The stream ended. Throws a `TypeError` for a status that does not exist. */
export function endStream(gate: GateCore, how: StreamEnd, about: ReplyTo | undefined): void {
  const status = ENDINGS.indexOf(how.status);
  if (status < 0) throw new TypeError(`streamEnded: status "${how.status}" is none of ${ENDINGS.join(', ')}`);
  gate.translator?.ended(about);
  gate.run((core) => core.stream_ended(status, requestNumber(about), about?.attempt ?? 0));
}

/** The host begins to reconnect to a stream. */
export function reconnecting(gate: GateCore, about: ReplyTo | undefined): void {
  const now = gate.env.now();
  gate.run((core) => core.reconnecting(requestNumber(about), now));
  gate.watch();
}

/** The number of the request that a reply belongs to: 0 if nobody says, and one that there never is for an id that is none. */
function requestNumber(about: ReplyTo | undefined): number {
  return about?.requestId === undefined ? 0 : (numberIn(OUTGOING, about.requestId) ?? NO_ITEM);
}

function isDataPart(event: unknown): event is Extract<GateEvent, { type: 'data' }>['part'] {
  try {
    const type: unknown = (event as { type?: unknown } | null | undefined)?.type;
    return typeof type === 'string' && type.startsWith('data-');
  } catch {
    return false;
  }
}

/**
 * What each command does with the core: it checks the arguments, gives them to the core in the core's numbers, and says
 * the answer in the package's words. Every rule about approvals and deliveries is the core's.
 */
import type { Command, CommandName, CommandTypes } from './commands.js';
import type { GateCore } from './gate-core.js';
import { load } from './load-history.js';
import { numberIn, REMEMBERED } from './numbered-ids.js';
import { messageNumber, noCall } from './refusals.js';
import { respond, respondAll } from './responses.js';
import { endStream, receive, reconnecting } from './streams.js';
import { checkUserMessage } from './user-message.js';

type Handler<N extends CommandName> = (
  gate: GateCore,
  ...args: Parameters<CommandTypes[N]>
) => ReturnType<CommandTypes[N]>;

const HANDLERS: { readonly [N in CommandName]: Handler<N> } = {
  receive,
  streamEnded: endStream,
  reconnecting,
  load,
  respond,
  respondAll,

  sendUserMessage(gate, message, options) {
    checkUserMessage(message);
    const { id } = message as { id?: unknown };
    const isSent = gate.ask((core, host) => {
      const replace = messageNumber(host, options?.replace);
      return core.send_user_message(host.give(message), host.idOf(String(id)), replace);
    });
    return isSent ? 'sent' : 'queued';
  },

  regenerate(gate, options) {
    gate.ask((core, host) => core.regenerate(messageNumber(host, options?.messageId)));
  },

  cancel(gate, reason) {
    gate.run((core, host) => core.cancel(host.give(reason)));
  },

  stop(gate) {
    gate.run((core) => core.stop());
    gate.listeners.emit({ type: 'stopped' });
  },

  resume(gate) {
    gate.run((core) => core.resume());
  },

  addToolOutput(gate, toolCallId, result) {
    const failed = 'errorText' in result;
    const value = failed ? result.errorText : result.output;
    gate.ask((core, host) => {
      const id = host.find(toolCallId);
      if (id === undefined) throw noCall(toolCallId);
      return core.add_output(id, host.give(value), failed);
    });
  },

  claim(gate, id) {
    return !gate.isCrashed && !gate.isSilent && gate.run(() => gate.outbox.claim(id));
  },

  markSent(gate, id) {
    gate.ask((core) => core.mark_sent(gate.outbox.take(id)));
  },

  markFailed(gate, id, error) {
    gate.ask((core, host) => core.mark_failed(gate.outbox.take(id), host.give(String(error))));
  },

  retry(gate, id) {
    gate.ask((core) => core.retry(gate.outbox.number(id)));
  },

  tick(gate, nowMs) {
    if (!Number.isFinite(nowMs)) throw new TypeError('tick: a time is a number of ms since 1970');
    gate.env.setTime(nowMs);
    gate.run((core) => core.tick(nowMs));
  },

  forget(gate, id) {
    const number = numberIn(REMEMBERED, id);
    if (number !== undefined) gate.run((core) => core.forget(number));
  },

  adopt(gate, snapshot, follows, then) {
    gate.generation++;
    gate.adopt(snapshot, follows, then);
  },

  free(gate) {
    gate.free();
  },
};

/** Does what a command says. Throws what the core refuses. */
export function handle(gate: GateCore, { name, args }: Command): unknown {
  return (HANDLERS[name] as (gate: GateCore, ...args: readonly unknown[]) => unknown)(gate, ...args);
}

/**
 * The handler of each command: checks the arguments, converts them for the core, and converts the core's return value.
 * The core has every rule about approvals and deliveries.
 */
import type { Command, CommandName, CommandTypes } from '../commands.js';
import type { GateCore } from '../gate-core.js';
import { load } from '../saved/load-history.js';
import { itemNumber, numberIn, REMEMBERED } from '../delivery/numbered-ids.js';
import { messageNumber, unknownApproval } from '../error-messages.js';
import { respond, respondAll } from './decisions.js';
import { endStream, leaveConnection, receive, reconnecting } from './streams.js';
import { requestApprovals } from './request-approvals.js';
import { addToolOutput } from './tool-output.js';
import { checkUserMessage } from './user-message.js';
import { say } from '../../types/say.js';

type Handler<N extends CommandName> = (
  gate: GateCore,
  ...args: Parameters<CommandTypes[N]>
) => ReturnType<CommandTypes[N]>;

function checkTime(method: string, time: number): void {
  if (!Number.isFinite(time)) throw new TypeError(say`${method}: invalid time. Expected a number of ms since 1970.`);
}

const HANDLERS: { readonly [N in CommandName]: Handler<N> } = {
  receive,
  streamEnded: endStream,
  reconnecting,
  load,
  ask: requestApprovals,
  respond,
  respondAll,
  addToolOutput,

  extend(gate, approvalId, expiresAt) {
    checkTime('extend', expiresAt);
    return gate.ask((core, handles) => {
      const id = handles.find(approvalId);
      if (id === undefined) throw unknownApproval(approvalId);
      return core.extend(id, Math.max(0, expiresAt));
    });
  },

  sendUserMessage(gate, message, options) {
    checkUserMessage(message);
    const { id } = message as { id?: unknown };
    const isSent = gate.ask((core, handles) => {
      const replace = messageNumber(handles, options?.replace);
      const answer = core.send_user_message(handles.give(message), handles.idOf(String(id)), replace);
      return gate.outbox.askedAgain(answer, options?.key);
    });
    gate.updateClock();
    return isSent ? 'sent' : 'queued';
  },

  regenerate(gate, options) {
    gate.ask((core, handles) =>
      gate.outbox.askedAgain(core.regenerate(messageNumber(handles, options?.messageId)), options?.key),
    );
  },

  cancel(gate, reason, only) {
    gate.ask((core, handles) => {
      const approval = only?.approvalId === undefined ? -1 : handles.find(only.approvalId);
      if (approval === undefined) throw unknownApproval(only!.approvalId!);
      // A limit without an id must not cancel everything: the core refuses this number.
      return core.cancel(handles.give(reason), approval + 1, only ? itemNumber(only.id ?? '') : 0);
    });
  },

  stop(gate) {
    gate.run((core) => core.stop());
    gate.listeners.emit({ type: 'stopped' });
  },

  resume(gate) {
    gate.run((core) => core.resume());
  },

  claim(gate, id) {
    return !gate.isCrashed && !gate.isPaused && gate.run(() => gate.outbox.claim(id));
  },

  markSent(gate, id) {
    gate.ask((core) => core.mark_sent(gate.outbox.ensureClaimed(id)));
  },

  markFailed(gate, id, error) {
    gate.ask((core, handles) => core.mark_failed(gate.outbox.ensureClaimed(id), handles.give(String(error))));
  },

  retry(gate, id) {
    gate.ask((core) => core.retry(itemNumber(id)));
  },

  tick(gate, nowMs) {
    checkTime('tick', nowMs);
    gate.env.setTime(nowMs);
    gate.run((core) => core.tick(nowMs));
  },

  forget(gate, id) {
    const number = numberIn(REMEMBERED, id);
    if (number !== undefined) gate.run((core) => core.forget(number));
  },

  adopt(gate, ...args) {
    gate.generation++;
    gate.adopt(...args);
    if (!args[1]) leaveConnection(gate);
  },

  free(gate) {
    gate.free();
  },
};

/** Executes a command. Throws if the core refuses it. */
export function handle(gate: GateCore, { name, args }: Command): unknown {
  return (HANDLERS[name] as (gate: GateCore, ...args: readonly unknown[]) => unknown)(gate, ...args);
}

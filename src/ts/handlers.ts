/**
 * What each command does with the core: it checks the arguments, gives them to the core in the core's numbers, and says the
 * answer in the package's words. Every rule about approvals and deliveries is the core's.
 */
import type { Command, CommandName, CommandTypes } from './commands.js';
import { digestOf } from './digest.js';
import { ToolGateError } from './errors.js';
import type { GateCore } from './gate-core.js';
import { listMemories } from './memories.js';
import { numberIn, REMEMBERED } from './numbered-ids.js';
import { toRepair } from './refusals.js';
import { checkResponse, toRemember } from './responses.js';
import { endStream, receive } from './streams.js';

type Handler<N extends CommandName> = (
  gate: GateCore,
  ...args: Parameters<CommandTypes[N]>
) => ReturnType<CommandTypes[N]>;

const HANDLERS: { readonly [N in CommandName]: Handler<N> } = {
  receive,
  streamEnded: endStream,

  load(gate, messages) {
    const history = gate.translator?.load(messages) ?? messages;
    return gate.runNow((core, host) => {
      const repairs = host.take(core.load(host.give(history))) as Parameters<typeof toRepair>[0][];
      gate.projection.clear();
      gate.outbox.note();
      return { repairs: repairs.map(toRepair) };
    });
  },

  sendUserMessage(gate, message, options) {
    if (typeof message !== 'object' || message === null) {
      throw new TypeError('sendUserMessage: a message is { text } or an AI SDK user message');
    }
    const { id } = message as { id?: unknown };
    const isSent = gate.ask((core, host) => {
      const replace = host.idOrNone(options?.replace);
      return core.send_user_message(host.give(message), host.idOf(String(id)), replace);
    });
    return isSent ? 'sent' : 'queued';
  },

  regenerate(gate, options) {
    gate.ask((core, host) => core.regenerate(host.idOrNone(options?.messageId)));
  },

  respond(gate, approvalId, response) {
    const { approved, reason, inputDigest } = checkResponse(response);
    const remember = toRemember(response.remember);
    if (response.input !== undefined && !gate.translator?.takesEdit(approvalId)) {
      throw new ToolGateError('edit-unsupported', 'the backend takes no edited input here: deny with a reason that says what to change', {
        approvalId,
      });
    }
    const isAccepted = gate.ask((core, host) => {
      const id = host.idOf(approvalId);
      const asShown = inputDigest === undefined || inputDigest === digestOf(host.take(core.approval_input(id)));
      core.set_now(gate.env.now());
      const answer = core.respond(id, approved, host.give(reason), asShown, host.give(response.input));
      if (remember && answer === 1) core.remember(id, remember.scope === 'input', remember.for === 'always', remember.expiresAt ?? 0);
      return answer;
    });
    return isAccepted ? 'accepted' : 'duplicate';
  },

  respondAll(gate, response) {
    const { approved, reason, where, inputDigests } = checkResponse(response);
    const wanted = where && new Map(where.map((id, at) => [id, inputDigests?.[at]]));
    const chosen = gate.view().pending.filter(({ approvalId }) => wanted?.has(approvalId) ?? true);
    for (const { approvalId, toolCallId, inputDigest } of inputDigests ? chosen : []) {
      if (wanted?.get(approvalId) === inputDigest) continue;
      throw new ToolGateError('stale-input', 'the call has another input than the one that was shown: show it, and ask again', {
        approvalId,
        toolCallId,
      });
    }
    const ids = chosen.map((entry) => entry.approvalId);
    return gate.run((core, host) => core.respond_all(host.give(ids), approved, host.give(reason)));
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
    gate.ask((core, host) => core.add_output(host.idOf(toolCallId), host.give(value), failed));
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

  remembered(gate) {
    return gate.runNow(listMemories);
  },

  forget(gate, id) {
    const number = numberIn(REMEMBERED, id);
    if (number !== undefined) gate.run((core) => core.forget(number));
  },

  adopt(gate, snapshot, live, then) {
    gate.generation++;
    gate.adopt(snapshot, live, then);
  },

  free(gate) {
    gate.free();
  },
};

/** Does what a command says. Throws what the core refuses. */
export function handle(gate: GateCore, { name, args }: Command): unknown {
  return (HANDLERS[name] as (gate: GateCore, ...args: readonly unknown[]) => unknown)(gate, ...args);
}

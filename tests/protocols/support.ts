/** Histories and gates for the tests of the codecs, and the facts about calls that a history contains. */
import { init, ToolGate, type GateEvent, type Loss, type ToolGateOptions } from 'toolgate';
import { type ProtocolName, named } from './all.js';

await init();

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

/** A gate with the same ids in every run. */
export function gateFor(protocol: ProtocolName, options: ToolGateOptions = {}): ToolGate {
  let ids = 0;
  return new ToolGate({ protocol: named(protocol), chatId: 'chat', generateId: () => `made-${ids++}`, ...options });
}

/** A gate with a loaded history. */
export function loaded(protocol: ProtocolName, history: readonly unknown[], options?: ToolGateOptions): ToolGate {
  const gate = gateFor(protocol, options);
  gate.load(history);
  return gate;
}

/** The facts about one call. */
export interface Fact {
  id: string;
  name: string;
  input: unknown;
  /** How it settled; undefined for an approved call that has not run. */
  outcome: string | undefined;
  approved: boolean | undefined;
  reason: unknown;
  output: unknown;
}

/** Returns the facts about the calls in the AI SDK's model messages. */
export function factsOf(messages: readonly Data[]): Fact[] {
  const parts: Data[] = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolCallId: id, toolName: name, input }) => {
      const request = parts.find((part) => part.type === 'tool-approval-request' && part.toolCallId === id);
      const response =
        request &&
        parts.find((part) => part.type === 'tool-approval-response' && part.approvalId === request.approvalId);
      const result = parts.find((part) => part.type === 'tool-result' && part.toolCallId === id);
      const kept = result?.providerOptions?.toolgate;
      const type = result?.output.type as string | undefined;
      const outcome =
        type &&
        (kept?.outcome ?? (type === 'execution-denied' ? 'denied' : type.startsWith('error') ? 'failed' : 'executed'));
      const reason = kept ? kept.reason : response?.approved === false ? response.reason || undefined : undefined;
      return {
        id,
        name,
        input,
        outcome,
        approved: response?.approved,
        reason,
        output: type === 'execution-denied' ? undefined : result?.output.value,
      };
    });
}

/** Returns the facts that a protocol with losses can preserve. `gone`: the calls that were reported as omitted. */
export function without(lost: readonly Loss[], facts: readonly Fact[], gone: readonly (string | undefined)[]): Fact[] {
  const loses = (loss: Loss): boolean => lost.includes(loss);
  return facts
    .filter(({ id }) => !gone.includes(id))
    .map((fact) => {
      const preserved = { ...fact };
      if (loses('approval') && fact.approved) preserved.approved = undefined;
      if (loses('failed') && fact.outcome === 'failed') preserved.outcome = 'executed';
      if (loses('json') && fact.output !== undefined && typeof fact.output !== 'string')
        preserved.output = JSON.stringify(fact.output);
      const isObject = typeof fact.input === 'object' && fact.input !== null && !Array.isArray(fact.input);
      if (loses('input') && !isObject) preserved.input = { input: fact.input };
      return preserved;
    });
}

/** Returns the losses that a gate reports during an action. */
export function losses(gate: ToolGate, act: () => unknown): { loss: Loss; toolCallId?: string }[] {
  const found: { loss: Loss; toolCallId?: string }[] = [];
  const stop = gate.onEvent((event: GateEvent) => {
    if (event.type === 'lossy')
      found.push({ loss: event.loss, ...(event.toolCallId !== undefined && { toolCallId: event.toolCallId }) });
  });
  act();
  stop();
  return found;
}

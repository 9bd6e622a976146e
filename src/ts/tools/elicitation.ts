/**
 * `elicitationHandler`: the questions of MCP servers as calls of a gate. A question that an MCP server sends as a
 * request (`elicitation/create`) and one of a result that requires input reach the client's handler in the same form.
 * MCP's client sends the answers: as responses, or with the result's opaque state in a repetition of the request.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import type { Question, QuestionAnswer } from '../types/question.js';
import { say } from '../types/say.js';

/** The options of `elicitationHandler`. */
export interface ElicitationOptions {
  /** The name of the questions' calls, which the card shows. Name the server in it. Default: `ask_user`. */
  readonly toolName?: string;
}

/** The request of an MCP server, as far as a handler reads it. */
export interface ElicitationRequest {
  readonly params: Question & {
    /** Absent for `form`. Questions of the mode `url` are declined. */
    readonly mode?: string | undefined;
  };
}

/** The context that MCP's client passes to a handler, as far as the handler reads it. */
export interface ElicitationContext {
  readonly mcpReq?: {
    /** Aborted when the server cancels its request. */
    readonly signal?: AbortSignal;
  };
}

/** The answer, as MCP's client sends it. */
export type ElicitationAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

const OPTIONS: KnownOptions<ElicitationOptions> = { toolName: true };

/** By gate: resolves when its last question is closed. */
const lastQuestions = new WeakMap<ToolGate, Promise<unknown>>();

/**
 * Returns a handler of `elicitation/create` for an MCP client. Each question becomes a call of the gate, which
 * `<tool-question>` shows, and the output of the call is the answer. Questions are asked one after the other. A
 * question that is closed without an output, by `gate.cancel()` or by the server, is answered `cancel`. Use a gate of
 * its own for questions, with the default protocol: they are not calls of the model. Throws a `TypeError` for a gate
 * with another protocol, an unknown option or an invalid value.
 */
export function elicitationHandler(
  gate: ToolGate,
  options: ElicitationOptions = {},
): (request: ElicitationRequest, context?: ElicitationContext) => Promise<ElicitationAnswer> {
  refuseUnknown('elicitationHandler', options, OPTIONS);
  const { toolName = 'ask_user' } = options;
  if (typeof toolName !== 'string' || !toolName)
    throw new TypeError(say`elicitationHandler: invalid option \`toolName\`. Expected a text.`);
  if (gate.protocol.name !== 'ai-sdk')
    throw new TypeError(say`elicitationHandler: expected a gate with the protocol "ai-sdk".`);
  return ({ params: { mode = 'form', message, requestedSchema } }, context) => {
    if (mode !== 'form') return Promise.resolve({ action: 'decline' });
    const signal = context?.mcpReq?.signal;
    const before = lastQuestions.get(gate) ?? Promise.resolve();
    const answer = before.then(() => ask(gate, toolName, { message, requestedSchema }, signal));
    lastQuestions.set(
      gate,
      answer.catch(() => {}),
    );
    return answer;
  };
}

/** Adds the call of a question to the gate. Resolves with its output. */
async function ask(
  gate: ToolGate,
  toolName: string,
  input: Question,
  signal: AbortSignal | undefined,
): Promise<ElicitationAnswer> {
  if (signal?.aborted) return { action: 'cancel' };
  const toolCallId = `question-${gate.getSnapshot().messages.length}`;
  for (const event of [
    { type: 'start', messageId: toolCallId },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId, toolName, input },
    { type: 'finish' },
  ])
    gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  const cancel = (): void => gate.cancel();
  let unsubscribe = (): void => {};
  signal?.addEventListener('abort', cancel);
  try {
    return await new Promise<ElicitationAnswer>((resolve) => {
      const look = (): void => {
        const { outcome, output } = (gate.part(toolCallId) ?? {}) as {
          outcome?: { kind: string };
          output?: QuestionAnswer;
        };
        if (outcome?.kind === 'executed') resolve(output as ElicitationAnswer);
        else if (outcome || gate.getSnapshot().status === 'crashed') resolve({ action: 'cancel' });
      };
      unsubscribe = gate.subscribe(look);
      look();
    });
  } finally {
    unsubscribe();
    signal?.removeEventListener('abort', cancel);
    acknowledge(gate);
  }
}

/** Ends the turn of a question. MCP's client takes the answer, so the gate's own request has a reply at once. */
function acknowledge(gate: ToolGate): void {
  for (const { id: requestId } of gate.outgoing()) {
    if (!gate.claim(requestId)) continue;
    gate.receive({ type: 'data-answered', data: {} }, { requestId });
    gate.streamEnded({ status: 'finished' }, { requestId });
  }
}

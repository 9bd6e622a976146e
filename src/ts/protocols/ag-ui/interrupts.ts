/**
 * The approvals that an interrupt requests, and the calls and results that some servers add to ask for them. Sources:
 * `_run_common.py` of agent-framework-ag-ui 1.7, `event_translator.py` of ag-ui-adk 0.11, `interrupts.py` of
 * ag-ui-langgraph 0.0.47 with the human-in-the-loop middleware of langchain 1.4.
 */
import type { GraphInterrupt, Request } from '../langgraph/interrupts.js';
import type { Needed } from '../langgraph/decision.js';
import type { Event, Interrupt } from './types.js';
import type { Question } from '../../types/question.js';
import { textOf, valueOf } from '../shared/history.js';
import type { Wire } from '../shared/wire.js';
import type { ToolCall } from '@ag-ui/core';
import { questionFor, type AskedQuestion } from '../shared/questions.js';
import { hasField } from './answers.js';

/**
 * Whether a call only asks for the approval of another call: Microsoft Agent Framework and ADK add such a call to each
 * approval that they request by an interrupt.
 */
export const isRequest = (toolName: unknown): boolean =>
  toolName === 'confirm_changes' || toolName === 'adk_request_confirmation';

/** Whether a result says that the call waits for its approval: ADK sends one before it requests the approval. */
export const isPlaceholder = (content: unknown): boolean =>
  typeof content === 'string' && content.includes('"This tool call requires confirmation');

/** What an interrupt asks for: an approval, or with `question` the answer to a question. */
interface Asked {
  readonly approvalId: string;
  /** The call; undefined for a question of the agent. */
  readonly toolCallId: string | undefined;
  /** The tool and the input of the call, as far as the interrupt has them. */
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly question?: Question;
  /** What the answer needs: of LangGraph's interrupts, and of questions. Stored with the interrupt. */
  readonly action?: Needed;
}

/**
 * The interrupt that `@ag-ui/langgraph` and `ag-ui-langgraph` report by default, as a custom event before the run
 * finishes as usual: LangGraph's own interrupt. `otherId`: its id if the server hides its own.
 */
export const customInterrupt = (
  { value, rawEvent: { id, value: raw = valueOf(value as string) } = {} }: Event,
  otherId: string,
): Interrupt => ({
  id: id ?? otherId,
  hasId: id !== undefined,
  isCommand: true,
  metadata: { langgraph: { raw } },
});

/** Reads LangGraph's own interrupts. */
export type NativeReader = (interrupt: GraphInterrupt) => Request;

/** A call that an interrupt may be about. */
type OpenCall = { readonly toolCallId: string; readonly toolName: string; readonly input?: unknown };

/**
 * Returns what an interrupt asks for. `calls`: the open calls of the run. `native`: reads an interrupt of LangGraph
 * that an adapter has wrapped. Throws for a damaged one.
 */
export function requestsOf(interrupt: Interrupt, calls: readonly OpenCall[], native?: NativeReader): readonly Asked[] {
  const { id, toolCallId, metadata, message, responseSchema, expiresAt, subagentRunId: agent } = interrupt;
  if (typeof id !== 'string') throw new TypeError('expected a request with an id');
  const { adk, mastra, langgraph: { raw } = {} } = metadata ?? {};
  const original = adk?.originalFunctionCall?.id;
  if (typeof original === 'string') return [{ approvalId: id, toolCallId: original }];
  const { actions, asked }: Request =
    raw === undefined || !native
      ? { actions: [] }
      : native({ id, value: raw, response_schema: (raw as GraphInterrupt | null)?.response_schema });
  if (!actions.length) {
    // Mastra names a suspended call only here: no event announces it.
    const { toolName, args: input } = mastra ?? {};
    // A question is not shown with its deadline, nor with who asks. A yes or no is an approval. Mastra's tools suspend
    // with questions of their own.
    const isField = responseSchema && responseSchema.type !== 'boolean' && !hasField(responseSchema, 'approved');
    const isQuestion = (toolCallId === undefined || mastra) && !expiresAt && !agent && (asked || isField);
    const found: (AskedQuestion & { own?: Needed }) | false | undefined =
      isQuestion && (asked ?? questionFor(mastra?.suspendPayload ?? { message }, responseSchema));
    return [
      {
        approvalId: id,
        toolCallId: toolCallId === id ? undefined : toolCallId,
        toolName,
        input,
        ...(found && { question: found.question, action: { ...found.own, form: found.form } }),
      },
    ];
  }
  const free = [...calls];
  return actions.map(({ name, args, named, own }, position) => {
    const at = free.findIndex(
      ({ toolCallId: one, toolName, input }) =>
        one === named || (!named && toolName === name && textOf(input) === textOf(args)),
    );
    const [call] = at < 0 ? [] : free.splice(at, 1);
    return {
      approvalId: own.shape === 'single' ? id : `${id}:${position}`,
      toolCallId: call?.toolCallId ?? named,
      toolName: name,
      input: args,
      action: own,
    };
  });
}

/**
 * Returns the calls that requested the approvals of decisions, as AG-UI writes calls. ADK finds the decisions of a step
 * only if these calls are in the message with the calls that they are about.
 */
export const requestCalls = (approvals: readonly (Interrupt | undefined)[]): Wire<ToolCall>[] =>
  approvals.flatMap((asked) => {
    const adk = asked?.metadata?.adk;
    if (!adk?.originalFunctionCall) return [];
    return [
      { id: asked?.id, type: 'function', function: { name: 'adk_request_confirmation', arguments: textOf(adk) } },
    ];
  });

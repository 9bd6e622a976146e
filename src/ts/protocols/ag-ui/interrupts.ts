/**
 * The approvals that an interrupt requests, and the calls and results that some servers add to ask for them. Sources:
 * `_run_common.py` of agent-framework-ag-ui 1.7, `event_translator.py` of ag-ui-adk 0.11, `interrupts.py` of
 * ag-ui-langgraph 0.0.47 with the human-in-the-loop middleware of langchain 1.4.
 */
import { allowedBy } from '../langgraph/decision.js';
import type { Data } from '../shared/codec.js';
import { asList, textOf } from '../shared/history.js';

/**
 * Whether a call only asks for the approval of another call: Microsoft Agent Framework and ADK add such a call to each
 * approval that they request by an interrupt.
 */
export const isRequest = (toolName: unknown): boolean =>
  toolName === 'confirm_changes' || toolName === 'adk_request_confirmation';

/** Whether a result says that the call waits for its approval: ADK sends one before it requests the approval. */
export const isPlaceholder = (content: unknown): boolean =>
  typeof content === 'string' && content.includes('"This tool call requires confirmation');

/** One approval that an interrupt requests. */
interface Asked {
  readonly approvalId: string;
  /** The call; undefined for a question of the agent. */
  readonly toolCallId: string | undefined;
  /** The tool and the input of the call, as far as the interrupt has them. */
  readonly toolName?: string;
  readonly input?: unknown;
  /** For LangChain's middleware: the action, and the decisions that it allows. Stored with the interrupt. */
  readonly action?: Data;
}

/** Returns the approvals that an interrupt requests. `calls`: the open calls of the run. Throws for a damaged one. */
export function approvalsOf({ id, toolCallId, metadata }: Data, calls: readonly Data[]): readonly Asked[] {
  if (typeof id !== 'string') throw new TypeError('expected an interrupt with an id');
  const { adk, mastra, langgraph: { raw } = {} as Data } = metadata ?? {};
  const original: unknown = adk?.originalFunctionCall?.id;
  if (typeof original === 'string') return [{ approvalId: id, toolCallId: original }];
  const single = raw?.type === 'tool_approval';
  const actions = single ? [raw] : asList(raw?.action_requests);
  if (!actions.length) {
    // Mastra names a suspended call only here: no event announces it.
    const { toolName, args: input }: Data = mastra ?? {};
    return [{ approvalId: id, toolCallId: toolCallId === id ? undefined : toolCallId, toolName, input }];
  }
  const free = [...calls];
  return actions.map(({ name, args, tool_call_id: named }: Data, position: number) => {
    const at = free.findIndex(
      ({ toolCallId: one, toolName, input }) =>
        one === named || (!named && toolName === name && textOf(input) === textOf(args)),
    );
    const [call] = at < 0 ? [] : free.splice(at, 1);
    const config = asList(raw.review_configs).find((one) => one?.action_name === name);
    return {
      approvalId: single ? id : `${id}:${position}`,
      toolCallId: call?.toolCallId ?? named,
      toolName: name,
      input: args,
      action: {
        position,
        count: actions.length,
        single,
        allowed: allowedBy(config, raw.response_schema),
        edit: ['edited_action'],
      },
    };
  });
}

/**
 * Returns the calls that requested the approvals of decisions, as AG-UI writes calls. ADK finds the decisions of a step
 * only if these calls are in the message with the calls that they are about.
 */
export const requestCalls = (approvals: readonly Data[]): Data[] =>
  approvals.flatMap((asked) => {
    const adk = asked?.metadata?.adk;
    if (!adk?.originalFunctionCall) return [];
    return [{ id: asked.id, type: 'function', function: { name: 'adk_request_confirmation', arguments: textOf(adk) } }];
  });

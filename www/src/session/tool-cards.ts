/** The cards of all pages: what they say about a call, which calls are dangerous, and which ones the list shows. */
import { callsOfStep, type GateView } from 'toolgate';
import type { ToolCard, ToolCards } from 'toolgate/element';
import { callTitle } from './message-types';

const card = (toolName: string): ToolCard => ({
  summary: (input: Readonly<Record<string, unknown>> | null | undefined) => callTitle({ toolName, input: input ?? {} }),
});

/** The tools of the backend. */
export const TOOL_CARDS: ToolCards = {
  list_files: card('list_files'),
  read_file: card('read_file'),
  edit_file: card('edit_file'),
  write_file: card('write_file'),
  delete_file: { ...card('delete_file'), isDangerous: true },
};

/**
 * Returns a function for one chat. It returns the ids of the calls that `<tool-approvals>` shows at the end of the
 * conversation: those of the current step that need an approval, also after they were cancelled. Every other call has a
 * card in its message.
 */
export function listedCalls(): (view: GateView) => ReadonlySet<string> {
  const known = new Set<string>();
  return (view) => {
    const calls = callsOfStep(view).filter(
      ({ approval, toolCallId }) => (approval && !approval.isAutomatic) || known.has(toolCallId),
    );
    for (const { toolCallId } of calls) known.add(toolCallId);
    return new Set(calls.map(({ toolCallId }) => toolCallId));
  };
}

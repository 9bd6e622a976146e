/**
 * Recognizes tool parts, reads their tool's name, and lists those of the step. Imports only types, so that every part
 * of the package can use it.
 */
import type { ToolPart } from './message.js';
import type { AnyTools } from './typed-tools.js';
import type { GateView } from './view.js';

/** Whether a message part is a tool call: its type is `dynamic-tool` or begins with `tool-`. */
export function isToolPart(part: { readonly type: string }): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** The name of a tool part's tool, such as `delete_file` for the type `tool-delete_file`. */
export function toolNameOf(part: { readonly type: string; readonly toolName?: string | undefined }): string {
  return part.type === 'dynamic-tool' ? (part.toolName ?? '') : part.type.slice('tool-'.length);
}

/** The calls of the current step, in call order: those that can still be decided or run, and the others. */
export function callsOfStep<T extends AnyTools = AnyTools>(
  view: Pick<GateView<T>, 'messages' | 'turn'>,
): ToolPart<T>[] {
  const parts = view.messages.at(-1)?.parts.slice(view.turn.stepStart) ?? [];
  return parts.filter((part): part is ToolPart<T> => isToolPart(part));
}

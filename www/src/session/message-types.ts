/** The types that the pages use beside the cards: the AI SDK's messages, and a tool part as one flat object. */
import { getToolName, isToolUIPart, type UIMessage } from 'ai';
import type { Outcome, ToolPart } from 'toolgate';

/** A message of this chat. */
export type ChatMessage = UIMessage;

/** A tool call, as the panels beside the chat and the remembered decisions name it. */
export interface CallView {
  toolCallId: string;
  toolName: string;
  /** Partial while it streams. */
  input: Readonly<Record<string, unknown>>;
  approvalId?: string;
  approved?: boolean;
  reason?: string;
  outcome?: Outcome;
  delivery?: ToolPart['delivery'];
  /** Set if the decision did not come from the user just now: `remembered` or `policy`. */
  decidedBy?: string;
}

/** The tool call in a message part, or `undefined` for other parts. */
function callOf(part: ChatMessage['parts'][number]): CallView | undefined {
  if (!isToolUIPart(part)) return undefined;
  const { approval } = part;
  // `outcome`, `delivery` and `decidedBy` are Toolgate's additions to the AI SDK's part.
  const { outcome, delivery, decidedBy } = part as Pick<CallView, 'outcome' | 'delivery' | 'decidedBy'>;
  return {
    toolCallId: part.toolCallId,
    toolName: getToolName(part),
    input: part.input !== null && typeof part.input === 'object' ? (part.input as Record<string, unknown>) : {},
    ...(approval ? { approvalId: approval.id } : {}),
    ...(approval?.approved === undefined ? {} : { approved: approval.approved }),
    ...(approval?.reason === undefined ? {} : { reason: approval.reason }),
    ...(outcome ? { outcome } : {}),
    ...(delivery ? { delivery } : {}),
    ...(decidedBy ? { decidedBy } : {}),
  };
}

/** The calls of one message, in order. */
export function callsOf(message: ChatMessage | undefined): CallView[] {
  return (message?.parts ?? []).flatMap((part) => callOf(part) ?? []);
}

const VERBS: Readonly<Record<string, string>> = {
  edit_file: 'Edit',
  write_file: 'Write',
  delete_file: 'Delete',
  read_file: 'Read',
  list_files: 'List',
};

const NOUNS: Readonly<Record<string, string>> = {
  edit_file: 'edit of',
  write_file: 'writing of',
  delete_file: 'deletion of',
};

/** A noun for a call: `edit of menu.md`. */
export function callNoun(call: Pick<CallView, 'toolName' | 'input'>): string {
  const path = call.input['path'];
  const noun = NOUNS[call.toolName];
  return noun && typeof path === 'string' ? `${noun} ${path}` : callTitle(call);
}

/** A title for a call: `Edit menu.md`. The model may not have written the path yet. */
export function callTitle(call: Pick<CallView, 'toolName' | 'input'>): string {
  const path = call.input['path'];
  const subject = typeof path === 'string' && path !== '' ? path : call.toolName === 'list_files' ? 'the files' : '';
  return `${VERBS[call.toolName] ?? call.toolName} ${subject}`.trim();
}

/** All text of a message. */
export function textOf(message: ChatMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The suggested messages of a scenario that were not sent yet. */
export function openNext(texts: readonly string[], messages: readonly ChatMessage[]): string[] {
  if (messages.length === 0) return [];
  const sent = new Set(messages.filter(({ role }) => role === 'user').map(textOf));
  return texts.filter((text) => !sent.has(text));
}

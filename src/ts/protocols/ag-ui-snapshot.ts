/**
 * A snapshot of the messages against what is shown of the turn. Ids of calls and messages may come again, so they are matched by
 * position: texts and calls after the user's last message, one after the other. What the snapshot has beyond the last known one is
 * added. It never changes what is known, and never settles a call that waits.
 */
import type { Data } from './shared/codec.js';
import type { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, valueOf } from './shared/history.js';

const isText = ({ type, text }: Data): boolean => type === 'text' && text !== '';

/** Adds what a snapshot has of the turn beyond what is shown. */
export function compareWith(writer: ReplyWriter, shown: readonly Data[], snapshot: Data): void {
  const list = asList(snapshot);
  const isUser = (message: Data): boolean => message?.role === 'user';
  // Of another conversation, or of one that goes on elsewhere, nothing is known here.
  if (list.filter(isUser).length !== shown.filter(isUser).length) return;
  const known: Data[] = shown
    .slice(shown.findLastIndex(isUser) + 1)
    .flatMap(({ parts }) => parts.filter((part: Data) => isText(part) || part.toolCallId !== undefined));
  /** How many of the known parts the snapshot has had. */
  let place = 0;
  /** Calls of the snapshot that have no result yet in it, and what is shown of them. */
  const calls: { id: string; part: Data }[] = [];

  const isToolCall = (part: Data): boolean => part.toolCallId !== undefined;
  const text = (id: string, content: string): void => {
    if (place < known.length) {
      if (isText(known[place])) place++;
      return;
    }
    writer.textDelta(id, content);
    writer.endText(id);
  };
  const call = ({ id, function: called }: Data): void => {
    const at = known.findIndex((part, position) => position >= place && isToolCall(part));
    const part = known[at];
    if (part && part.toolCallId !== id) throw new TypeError('a snapshot of other calls');
    if (!part) writer.toolCall(id, called.name, valueOf(called.arguments));
    place = part ? at + 1 : known.length;
    calls.push({ id, part });
  };
  const result = ({ toolCallId, content, error }: Data): void => {
    const at = calls.findIndex(({ id }) => id === toolCallId);
    const { part } = calls.splice(at, at < 0 ? 0 : 1)[0] ?? {};
    const runs = part === undefined || (part.approval?.approved === true && part.outcome === undefined);
    if (at >= 0 && runs) writer.toolResult(toolCallId, error ?? content, error != null);
  };

  for (const message of list.slice(list.findLastIndex(isUser) + 1)) {
    const { id, role, content, toolCalls } = message ?? {};
    if (role === 'tool') result(message);
    if (role !== 'assistant') continue;
    const said = asParts(content)
      .map((part) => part?.text ?? '')
      .join('');
    if (said) text(id, said);
    // What follows a call that is not where it should be cannot be placed either.
    asList(toolCalls).forEach(call);
  }
}

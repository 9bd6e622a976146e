/** AG-UI: calls of the server whose result was lost. */
import type { Call, Context, Entry, Part } from '../shared/codec.js';
import { isToolCall, setResult } from '../shared/history.js';
import { resultText } from '../shared/result-texts.js';

const mayHaveRun = (part: Part): boolean =>
  isToolCall(part) && [part, part.result].some((given) => given?.providerOptions?.['toolgate']?.mayHaveRun === true);

/**
 * Closes the calls of the server that may have run and whose result never arrived. The server runs them with the
 * answers of their step: so they may have run if another call of the step may have, and they are over once a message of
 * the user follows. Without a result, the server would run them again.
 */
export function closeLostCalls(entries: readonly Entry[], { texts }: Pick<Context, 'texts'>): readonly Entry[] {
  const text = resultText({ kind: 'interrupted', mayHaveRun: true }, texts);
  const lastMessage = entries.findLastIndex(({ role }) => role === 'user');
  return entries.map((entry, at) => {
    if (at > lastMessage && !entry.content.some(mayHaveRun)) return entry;
    const content = entry.content.map((part) => {
      if (!isToolCall(part) || !part.providerExecuted || part.result) return part;
      const closed: Call = { ...part };
      setResult(closed, text, true, texts);
      return closed;
    });
    return { ...entry, content };
  });
}

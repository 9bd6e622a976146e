/**
 * Converts stored messages of AI SDK 4: parts of type `tool-invocation` and `source`, and messages whose calls,
 * reasoning and files are fields beside a text. Source: `UIMessage` and `Message` of `@ai-sdk/ui-utils` 1.2. What is
 * damaged stays so, and the core names it in a repair.
 */
import { isArray } from '../../json/safe-reading.js';

/** A message or a part. */
interface Fields {
  readonly [field: string]: unknown;
  readonly toolInvocation?: Fields;
  readonly source?: Fields;
  readonly toolInvocations?: readonly Fields[];
  readonly experimental_attachments?: readonly Fields[];
}
/** A part of an older type. Converting one without the value of its type throws. */
type OlderPart = Required<Pick<Fields, 'toolInvocation' | 'source'>> & Fields;

/** Today's form of each part of AI SDK 4 that has another form now. */
const PARTS: Readonly<Record<string, (part: OlderPart) => Fields>> = {
  'tool-invocation': ({ toolInvocation: { state, toolCallId, toolName, args: input, result: output } }) => ({
    type: `tool-${toolName}`,
    toolCallId,
    input,
    ...(state === 'result'
      ? { state: 'output-available', output }
      : { state: state === 'call' ? 'input-available' : 'input-streaming' }),
  }),
  // One without an id or an address is no part at all.
  source: ({ source: { sourceType: _, id: sourceId, url, ...source } }) =>
    sourceId && url ? { type: 'source-url', sourceId, url, ...source } : {},
  reasoning: ({ reasoning: text, ...part }) => ({ text, ...part }),
  file: ({ mimeType: mediaType, data, ...part }) => ({ mediaType, url: `data:${mediaType};base64,${data}`, ...part }),
};

/** Converts the messages of a history that have the older form. */
export const convertOlder = (history: readonly unknown[]): readonly unknown[] =>
  history.map((message) => {
    try {
      return isOlder(message) ? convert(message) : message;
    } catch {
      // A proxy threw, or the message is damaged. The core reads such values safely, and reports them.
      return message;
    }
  });

const isOlder = (message: unknown): message is Fields => {
  const { role, parts, content, toolInvocations, experimental_attachments: files } = Object(message) as Fields;
  const isBeside = typeof content === 'string' && (isArray(toolInvocations) || isArray(files));
  return typeof role === 'string' && (isBeside || (isArray(parts) && parts.some(isOlderPart)));
};

const isOlderPart = (part: unknown): boolean => {
  const { type, text, url, toolInvocation, source, reasoning, mimeType } = Object(part) as Fields;
  return type === 'reasoning'
    ? text === undefined && !!reasoning
    : !!(toolInvocation ?? source) || (!url && !!mimeType);
};

/**
 * The message with today's parts, also for the calls and files that are only beside them. Open calls come after the
 * text, and others before it.
 */
function convert({
  parts,
  content,
  reasoning,
  toolInvocations,
  experimental_attachments: files,
  ...rest
}: Fields): object {
  const said: Fields[] = isArray(parts)
    ? [...(parts as Fields[])]
    : [...(reasoning ? [{ type: 'reasoning', reasoning }] : []), ...(content ? [{ type: 'text', text: content }] : [])];
  const calls: readonly Fields[] = said.some((part) => part['toolInvocation']) ? [] : (toolInvocations ?? []);
  const steps = calls.flatMap((toolInvocation, at) => [
    ...(at > 0 && toolInvocation['step'] !== calls[at - 1]?.['step'] ? [{ type: 'step-start' }] : []),
    { type: 'tool-invocation', toolInvocation },
  ]);
  const isOver = steps.length > 0 && calls.every(({ state }) => state === 'result');
  const attached = (files ?? []).map(({ name: filename, contentType: mediaType, url }: Fields) => ({
    type: 'file',
    mediaType,
    url,
    ...(!!filename && { filename }),
  }));
  const all: Fields[] = isOver ? [...steps, { type: 'step-start' }, ...said] : [...said, ...steps];
  const current = all.map((part) =>
    isOlderPart(part) ? (PARTS[part['type'] as string]?.(part as OlderPart) ?? part) : part,
  );
  return { ...rest, parts: [...current, ...attached] };
}

/**
 * Converts stored messages of AI SDK 4: parts of type `tool-invocation` and `source`, and messages whose calls,
 * reasoning and files are fields beside a text. Source: `UIMessage` and `Message` of `@ai-sdk/ui-utils` 1.2.
 */
import { isArray } from '../json/safe-reading.js';
import type { Repair } from '../types/index.js';

/** A message or a part, of any shape. */
type Fields = Readonly<Record<string, unknown>>;

/** A converted history, and what could not be kept. */
interface Converted {
  readonly history: readonly unknown[];
  readonly repairs: readonly Repair[];
}

/** Converts a history if a message has the older form; returns any other history unchanged. */
export function convertOlder(history: readonly unknown[]): Converted {
  try {
    if (history.some(isOlder)) return convert(history);
  } catch {
    // A proxy or getter threw. The core reads such values safely and reports them.
  }
  return { history, repairs: [] };
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const listOf = (value: unknown): readonly unknown[] => (isArray(value) ? value : []);

function isOlder(message: unknown): boolean {
  if (!isObject(message) || typeof message['role'] !== 'string') return false;
  const { parts, toolInvocations, experimental_attachments: attachments } = message;
  return listOf(toolInvocations).length + listOf(attachments).length > 0 || listOf(parts).some(isOlderPart);
}

function isOlderPart(part: unknown): part is Fields {
  if (!isObject(part)) return false;
  const { type, text, reasoning, mimeType } = part;
  return (
    type === 'tool-invocation' ||
    type === 'source' ||
    (type === 'reasoning' && typeof reasoning === 'string' && text === undefined) ||
    (type === 'file' && typeof mimeType === 'string')
  );
}

function convert(history: readonly unknown[]): Converted {
  const repairs: Repair[] = [];
  const report = (code: Repair['code'], detail: string): undefined => void repairs.push({ code, detail });
  const omit = (place: string, why: string): undefined => report('malformed', `Omitted ${place}: ${why}.`);

  const convertPart = (part: unknown, place: string): unknown => {
    if (!isOlderPart(part)) return part;
    const { type, mimeType, data, reasoning } = part;
    if (type === 'file') return { type, mediaType: mimeType, url: `data:${String(mimeType)};base64,${String(data)}` };
    if (type === 'reasoning') {
      if (listOf(part['details']).some((detail) => isObject(detail) && ('signature' in detail || 'data' in detail)))
        report('invalid-value', `Omitted the signed or encrypted form of ${place}.`);
      return { type, text: reasoning };
    }
    if (type === 'source') {
      const { id, url, title, providerMetadata } = (part['source'] ?? {}) as Fields;
      if (typeof id !== 'string' || typeof url !== 'string') return omit(place, 'it has no id and URL');
      return { type: 'source-url', sourceId: id, url, ...(title ? { title } : {}), ...metadata(providerMetadata) };
    }
    const { state, toolCallId, toolName, args, result } = (part['toolInvocation'] ?? {}) as Fields;
    if (typeof toolCallId !== 'string' || typeof toolName !== 'string')
      return omit(place, 'it has no call id and tool name');
    const head = { type: `tool-${toolName}`, toolCallId, input: args };
    if (state === 'result') return { ...head, state: 'output-available', output: result };
    return { ...head, state: state === 'partial-call' ? 'input-streaming' : 'input-available' };
  };

  const converted = history.flatMap((message, at): unknown => {
    if (!isObject(message)) return message;
    const place = `messages[${at}]`;
    if (message['role'] === 'data') return omit(place, 'its role "data" has no form in this version') ?? [];
    const { content, toolInvocations: _, reasoning: __, experimental_attachments: ___, ...rest } = message;
    if (!isArray(message['parts']) && typeof content !== 'string') return message;
    const parts = partsOf(message).flatMap((part, index) => convertPart(part, `${place}.parts[${index}]`) ?? []);
    return { ...rest, parts };
  });
  return { history: converted, repairs };
}

const metadata = (providerMetadata: unknown): object => (isObject(providerMetadata) ? { providerMetadata } : {});

/**
 * The parts of a message, with the calls and files that are only beside them. Open calls come after the text, and
 * others before it.
 */
function partsOf({ parts, content, reasoning, toolInvocations, experimental_attachments: attachments }: Fields) {
  const text = content ? [{ type: 'text', text: content }] : [];
  const said = isArray(parts) ? parts : [...(reasoning ? [{ type: 'reasoning', reasoning }] : []), ...text];
  const files = listOf(attachments).map((file) => {
    const { name, contentType, url } = (file ?? {}) as Fields;
    return { type: 'file', mediaType: contentType, url, ...(name ? { filename: name } : {}) };
  });
  const hasCalls = said.some((part) => isObject(part) && ('toolInvocation' in part || 'toolCallId' in part));
  const calls = (hasCalls ? [] : listOf(toolInvocations)) as readonly (Fields | undefined)[];
  const step = { type: 'step-start' };
  const steps = calls.flatMap((toolInvocation, place) => {
    const isNext = place > 0 && toolInvocation?.['step'] !== calls[place - 1]?.['step'];
    return [...(isNext ? [step] : []), { type: 'tool-invocation', toolInvocation }];
  });
  const isOpen = calls.some((call) => call?.['state'] !== 'result');
  const all = isOpen || !steps.length ? [...said, ...steps] : [...steps, step, ...said];
  return [...all, ...files];
}

/**
 * Applies the intended differences from the package `ai` to a history, or to the model messages that `ai` made from it.
 * Used by `history-differences.ts` only. It implements the documented rules independently of our code.
 */
import type { Message, ModelMessage, Part } from './peers';

const isCall = (part: Part): boolean => part.type === 'dynamic-tool' || part.type.startsWith('tool-');

type Approval = { id: string; approved?: boolean; reason?: string };
const approvalOf = (part: Part): Approval | undefined => part['approval'] as Approval | undefined;

/** Whether a call has no result, and no decision that a server could execute. */
export function isOpen(part: Part): boolean {
  if (part['state'] === 'input-available') return part['providerExecuted'] !== true;
  return part['state'] === 'approval-requested' || part['preliminary'] === true;
}

/**
 * Rewrites every call, or removes it if `rewrite` returns `undefined`. `isLast`: whether the call is in the last step
 * of the last message.
 */
export function mapCalls(
  history: readonly Message[],
  rewrite: (part: Part, isLast: boolean) => Part | undefined,
): Message[] {
  return history.map((message, index) => {
    const lastStep = message.parts.findLastIndex(({ type }) => type === 'step-start');
    const parts = message.parts.map((part, at) =>
      isCall(part) ? rewrite(part, index === history.length - 1 && at > lastStep) : part,
    );
    return { ...message, parts: parts.filter((part) => part !== undefined) };
  });
}

/** Closes a call without a result. */
export function closed(part: Part): Part {
  const close = (text: string, toolgate: object): Part => {
    const { approval: _approval, output: _output, preliminary: _preliminary, ...rest } = part;
    const callProviderMetadata = { ...(part['callProviderMetadata'] as object | undefined), toolgate };
    return { ...rest, type: part.type, state: 'output-error', errorText: text, callProviderMetadata };
  };
  const approved = approvalOf(part)?.approved;
  // The provider runs the call, and stores its result.
  const own = part['state'] === 'input-available' || (part['state'] === 'approval-responded' && approved);
  if (part['providerExecuted'] === true && own) return part;
  // The server itself was to decide, and may have approved it.
  const isAutomatic = (part['approval'] as { isAutomatic?: unknown } | undefined)?.isAutomatic === true;
  if (part['state'] === 'approval-requested' && !isAutomatic) {
    const reason = 'Its approval was superseded by a later message or step.';
    return close(`Error: Tool execution was interrupted. It did not run. ${reason}`, {
      outcome: 'interrupted',
      reason,
    });
  }
  if (
    part['state'] === 'input-available' ||
    part['state'] === 'approval-requested' ||
    part['preliminary'] === true ||
    (part['state'] === 'approval-responded' && approved)
  ) {
    return close('Error: Tool execution was interrupted. It may have run; its outcome is unknown.', {
      outcome: 'interrupted',
      mayHaveRun: true,
    });
  }
  return part;
}

/** Repairs a call that contradicts itself. */
export function mended(part: Part): Part {
  const { approval: _approval, ...rest } = part;
  const state = part['state'] ?? ('output' in part ? 'output-available' : 'input-available');
  if (state === 'output-denied' && approvalOf(part) === undefined) {
    return { ...part, approval: { id: part['toolCallId'], approved: false } };
  }
  if (approvalOf(part)?.approved === false && state !== 'output-denied') {
    const { output: _output, errorText: _errorText, ...denied } = part;
    return { ...denied, type: part.type, state: 'output-denied' };
  }
  if (state === 'output-available' && approvalOf(part)?.approved !== true) return { ...rest, type: part.type, state };
  return { ...part, state };
}

/**
 * Each call occurs once: at its first position, and settled if any copy is settled. A message without other content is
 * removed.
 */
export function withoutCopies(history: readonly Message[]): Message[] {
  const isSettled = (part: Part): boolean => String(part['state']).startsWith('output-');
  const all = history.flatMap(({ parts }) => parts.filter(isCall));
  const seen = new Set<unknown>();
  const kept = mapCalls(history, (part) => {
    if (seen.has(part['toolCallId'])) return undefined;
    seen.add(part['toolCallId']);
    const copies = all.filter((other) => other['toolCallId'] === part['toolCallId']);
    return copies.find(isSettled) ?? part;
  });
  return kept.filter(
    ({ parts }, index) => parts.some(({ type }) => type !== 'step-start') || history[index]!.parts.length === 0,
  );
}

type Content = { type: string; [key: string]: unknown }[];

const mapContent = (
  messages: readonly ModelMessage[],
  rewrite: (content: Content, message: ModelMessage) => Content,
): ModelMessage[] =>
  messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: rewrite(message.content as Content, message) } : message,
  );

/** Every denial as `execution-denied` with its reason, directly after its response. */
export function withDenials(messages: readonly ModelMessage[], history: readonly Message[]): ModelMessage[] {
  const denied = new Map(
    history
      .flatMap(({ parts }) => parts.filter(isCall))
      .filter(
        (part) =>
          part['state'] === 'output-denied' ||
          (part['state'] === 'approval-responded' && approvalOf(part)?.approved === false),
      )
      .map((part) => [approvalOf(part)?.id, part]),
  );
  const ids = new Set([...denied.values()].map((part) => part['toolCallId']));
  const result = (part: Part): Content[number] => {
    const reason = approvalOf(part)?.reason;
    return {
      type: 'tool-result',
      toolCallId: part['toolCallId'],
      toolName: part.type === 'dynamic-tool' ? part['toolName'] : part.type.slice('tool-'.length),
      output: { type: 'execution-denied', ...(reason === undefined ? {} : { reason }) },
      ...(part['callProviderMetadata'] == null ? {} : { providerOptions: part['callProviderMetadata'] }),
    };
  };
  return mapContent(messages, (content, { role }) =>
    role !== 'tool'
      ? content
      : content
          .filter((part) => part.type !== 'tool-result' || !ids.has(part['toolCallId']))
          .flatMap((part) => {
            const call = part.type === 'tool-approval-response' ? denied.get(part['approvalId'] as string) : undefined;
            return call === undefined ? [part] : [part, result(call)];
          }),
  );
}

/** Adds the input `null` to calls without an input. */
export const withInputs = (messages: readonly ModelMessage[]): ModelMessage[] =>
  mapContent(messages, (content) =>
    content.map((part) => (part.type === 'tool-call' && part['input'] === undefined ? { ...part, input: null } : part)),
  );

/** Writes the URLs of files as texts, as the history has them. */
export function withUrlsAsText(messages: readonly ModelMessage[], history: readonly Message[]): ModelMessage[] {
  const parts = history.flatMap((message) => message.parts);
  // Two files may have texts of the same URL, which only their order tells apart.
  const given = new Map<string, string[]>();
  for (const { type, url } of [...parts, ...parts.flatMap((part) => (part['parts'] as Part[] | undefined) ?? [])]) {
    if (typeof url !== 'string' || !/^(file|reasoning-file)$/.test(type)) continue;
    const { href } = new URL(url);
    given.set(href, [...(given.get(href) ?? []), url]);
  }
  return mapContent(messages, (content) =>
    content.map((part) => {
      const { url } = (part['data'] ?? {}) as { url?: unknown };
      return url instanceof URL ? { ...part, data: given.get(url.href)?.shift() } : part;
    }),
  );
}

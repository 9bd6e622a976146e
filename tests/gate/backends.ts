/**
 * A gate with a real `streamText` server of AI SDK 6 or 7 and a scripted model; `backend.ran` lists the tools that the
 * server ran. `expectAccepted` checks a request with the validators and converters of both versions.
 */
import { expect } from 'vitest';
import { ToolGate, type AiSdkBody, type Outgoing, type ToolGateOptions } from 'toolgate';

import { Backend, type ModelTurn } from '../bugs/backend';
import { peers, type Message } from '../interop/ai-sdk/peers';
import './support.js';

/** Both versions of the AI SDK. */
export const VERSIONS = [6, 7] as const;

/** A gate and its server. */
export interface Served {
  readonly gate: ToolGate;
  readonly backend: Backend;
  /** The sent items, in order. */
  readonly sent: Outgoing[];
  /** Sends the items that may be sent, and passes the replies to the gate. */
  deliver(): Promise<void>;
  /** The approval id of a pending call. */
  approvalOf(toolCallId: string): string;
}

/** A gate whose server replied to the first message. The tools `edit` and `send` need approval; `read` does not. */
export async function served(
  version: 6 | 7,
  model: readonly ModelTurn[],
  options: ToolGateOptions = {},
): Promise<Served> {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  const backend = new Backend(version, { model });
  const sent: Outgoing[] = [];
  const deliver = (): Promise<void> =>
    gate.deliver(async (item) => {
      sent.push(item);
      const { messages, trigger, messageId } = item.body as AiSdkBody;
      const stream = await backend.transport.sendMessages({
        messages,
        trigger,
        ...(messageId !== undefined && { messageId }),
      });
      for await (const chunk of stream as unknown as AsyncIterable<object>) gate.receive(chunk, { requestId: item.id });
      gate.streamEnded({ status: 'finished' }, { requestId: item.id });
    });
  const approvalOf = (toolCallId: string): string => {
    const found = gate.pending().find((entry) => entry.toolCallId === toolCallId);
    if (!found) throw new Error(`${toolCallId} is not pending`);
    return found.approvalId;
  };
  gate.sendUserMessage({ text: 'tidy up' });
  await deliver();
  return { gate, backend, sent, deliver, approvalOf };
}

/**
 * Fails unless both versions validate and convert the request, and call the model with it. A request with an approval
 * need not reach the model, because these servers have no tools to run.
 */
export async function expectAccepted(item: Outgoing | undefined): Promise<void> {
  const text = JSON.stringify((item as Outgoing).body, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  const { messages } = JSON.parse(text) as { messages: Message[] };
  const approves = messages
    .at(-1)
    ?.parts.some(
      (part) => part['state'] === 'approval-responded' && (part['approval'] as { approved: boolean }).approved,
    );
  for (const peer of peers) {
    expect(await peer.validates(messages), `ai ${peer.release}`).toBe(true);
    expect(await peer.toModelMessages(messages), `ai ${peer.release}`).not.toEqual([]);
    if (!approves) expect(await peer.refuses(messages), `ai ${peer.release}`).toBeUndefined();
  }
}

/** The results of a call in the last prompt of the model. */
export function resultsOf(backend: Backend, toolCallId: string): string[] {
  return (backend.saw.at(-1) ?? []).filter((line) => line.startsWith(`result ${toolCallId}:`));
}

/**
 * What the rigs of HTTP servers share: one request with an item's body, and the events of the reply fed to the gate.
 */
import type { Outgoing, ToolGate } from 'toolgate';

/** The events of a `text/event-stream`, as JSON; `[DONE]` is none. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('\n');
      if (data && data !== '[DONE]') yield JSON.parse(data);
    }
  }
}

/** Sends an item by `post`, and feeds the reply to the gate. A refused request is an error. */
export async function exchange(gate: ToolGate, { id: requestId, body }: Outgoing, post: (json: string) => Promise<Response>): Promise<void> {
  const response = await post(JSON.stringify(body));
  if (!response.ok || !response.body) throw new Error(`refused with ${response.status}: ${await response.text()}`);
  gate.markSent(requestId);
  try {
    for await (const event of eventsOf(response.body)) gate.receive(event, { requestId });
  } catch (error) {
    return gate.streamEnded({ status: 'error', error: String(error) }, { requestId });
  }
  gate.streamEnded({ status: 'finished' }, { requestId });
}

import { DatabaseSync } from 'node:sqlite';
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  validateUIMessages,
  type UIMessage,
} from 'ai';
import {
  recordRequests,
  recordSchema,
  ResolveError,
  resolveApprovalsStream,
  respondOnce,
  sqliteStore,
  StoredRecord,
  type ApprovalRecord,
} from 'toolgate/server';
import { z } from 'zod';
import { model } from './scripted-model.ts'; // a script: replace this line by `const model = 'anthropic/claude-sonnet-4.5';`

const tools = {
  deleteFile: tool({
    description: 'Deletes a file of the user',
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute: async ({ path }) => {
      console.log(`deleted ${path}`); // delete it here
      return `${path} is deleted`;
    },
  }),
};

// Remembers what was asked, ran and answered, also after a restart. Several servers need Redis or Postgres.
const database = new DatabaseSync('toolgate.db');
database.exec(recordSchema);
const store = sqliteStore(database);

/** The reply: what was approved runs first, if this server has asked for it. */
function reply(messages: UIMessage[], record: ApprovalRecord) {
  return createUIMessageStream({
    originalMessages: messages,
    onError: (error) => {
      if (error instanceof ResolveError) return error.message; // it is on the log already
      console.error(error);
      return 'The server failed.';
    },
    execute: async ({ writer }) => {
      const { stream, resolved } = resolveApprovalsStream(messages, { toolkit: tools, record });
      writer.merge(stream);
      const { messages: complete } = await resolved;
      const prompt = await convertToModelMessages(complete, { tools });
      const result = streamText({
        model,
        tools,
        messages: prompt,
        stopWhen: isStepCount(5),
        onStepFinish: recordRequests(record),
      });
      void result.consumeStream(); // finishes also when the page is closed
      writer.merge(result.toUIMessageStream({ originalMessages: complete }));
    },
  });
}

/** Answers `POST /api/chat`. Add your login: who may use this chat? */
export async function answer(request: Request): Promise<Response> {
  const key = request.headers.get('idempotency-key');
  if (!key) return new Response('the header idempotency-key is missing', { status: 400 });
  try {
    const { id, messages } = (await request.json()) as { id: string; messages: unknown };
    const checked = await validateUIMessages({ messages, tools });
    const user = 'everyone'; // your login: whose chat is it?
    const record = new StoredRecord(store, { user, chat: id });
    // The first request with a key runs; any other with the same key gets the same reply.
    return await respondOnce(
      store,
      { user, key },
      (run) => createUIMessageStreamResponse({ stream: reply(checked, run.record) }),
      { record },
    );
  } catch (error) {
    console.error(error);
    return new Response(String(error), { status: 400 });
  }
}

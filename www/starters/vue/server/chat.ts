import { DatabaseSync } from 'node:sqlite';
import { convertToModelMessages, isStepCount, streamText, tool, validateUIMessages } from 'ai';
import { recordSchema, respondOnce, sqliteStore } from 'toolgate/server';
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

// Remembers keys and replies, also after a restart. Several servers need Redis or Postgres.
const database = new DatabaseSync('toolgate.db');
database.exec(recordSchema);
const store = sqliteStore(database);

/** Answers `POST /api/chat`. Add your login: who may use this chat? */
export async function answer(request: Request): Promise<Response> {
  const key = request.headers.get('idempotency-key');
  if (!key) return new Response('the header idempotency-key is missing', { status: 400 });
  try {
    const { messages } = (await request.json()) as { messages: unknown };
    const checked = await validateUIMessages({ messages, tools });
    const prompt = await convertToModelMessages(checked, { tools });
    // The first request with a key runs; any other with the same key gets the same reply.
    return await respondOnce(store, { user: 'everyone', key }, () => {
      const result = streamText({ model, tools, messages: prompt, stopWhen: isStepCount(5) });
      void result.consumeStream(); // finishes also when the page is closed
      return result.toUIMessageStreamResponse({ originalMessages: checked });
    });
  } catch (error) {
    return new Response(String(error), { status: 400 });
  }
}

/**
 * docs/start-*.md: the scripted model calls the tool and repeats its result, in both versions of the AI SDK.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { expect, it } from 'vitest';
import { z } from 'zod';

import { block } from './support/pages.js';
import { run } from './support/run.js';

it.each([
  ['7', ai7, 'ai/test'],
  ['6', ai6 as unknown as typeof ai7, 'ai6/test'],
] as const)(
  'the scripted model of start-react.md works with version %s of the AI SDK',
  async (_version, { streamText, tool }, entry) => {
    const { model } = await run('start-react', block('start-react', "'ai/test'").replace('ai/test', entry));
    const deleteFile = tool({
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => `${path} is deleted`,
    });
    const first = streamText({ model, tools: { deleteFile }, prompt: 'Delete it' });
    expect(await first.toolCalls).toMatchObject([{ toolName: 'deleteFile', input: { path: 'notes.txt' } }]);
    const { messages } = await first.response;
    const second = streamText({
      model,
      tools: { deleteFile },
      messages: [{ role: 'user', content: 'Delete it' }, ...messages],
    });
    expect(await second.text).toContain('notes.txt is deleted');
  },
);

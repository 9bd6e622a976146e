/** `opencode acp` with three tools, and a scripted model on the loopback. */
import { rmSync } from 'node:fs';
import { program } from '../../../pkg-scripts/lib/opencode.mjs';
import { linesOf, replyOf } from '../../interop/openai-model';
import { callOf, prepareOpencode, toolOf } from '../../interop/opencode-home';
import { serve } from '../../interop/support';
import type { Connect } from '../wire';
import { connectAcp } from './acp';
import { runTool } from './served-model';

/** Starts the program with one session. */
export const connect: Connect = async (replies, happen) => {
  let next = 0;
  const model = await serve(async (body, request) => {
    if (request.url.endsWith('/run')) return runTool(body, happen);
    // Requests for titles and summaries have no tools.
    if (!body.tools?.length) return replyOf({ text: 'Title' });
    happen({ prompt: linesOf(body.messages, toolOf) });
    return replyOf(replies[next++], callOf);
  });
  const { home, project, env } = prepareOpencode(model.url);
  return connectAcp(
    {
      command: program,
      args: ['acp'],
      cwd: project,
      env,
      async close() {
        await model.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      },
    },
    happen,
  );
};

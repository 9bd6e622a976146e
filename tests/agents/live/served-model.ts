/** A scripted OpenAI-compatible model for a program's tools, which report their runs to it. */
import { linesOf, replyOf } from '../../interop/openai-model';
import type { Reply } from '../../interop/rig';
import { done, serve, slowly, type Data, type Served } from '../../interop/support';
import type { Frame } from '../wire';

/** Runs a tool for a program, and returns its output. */
export async function runTool({ tool, path }: Data, happen: (frame: Frame) => void): Promise<Response> {
  happen({ ran: `${tool} ${path}` });
  await slowly(path);
  return new Response(done(tool, path));
}

/** Serves the replies in order. `happen` receives what the model reads, and the tools that run. */
export function serveModel(replies: readonly Reply[], happen: (frame: Frame) => void): Promise<Served> {
  let next = 0;
  return serve(async (body, { url }) => {
    if (url.endsWith('/run')) return runTool(body, happen);
    happen({ prompt: linesOf(body.messages) });
    return replyOf(replies[next++]);
  });
}

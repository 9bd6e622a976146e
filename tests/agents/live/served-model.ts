/** A scripted OpenAI-compatible model for a program's tools, which report their runs to it. */
import { linesOf, replyOf } from '../../interop/openai-model';
import type { Reply } from '../../interop/rig';
import { done, serve, type Served } from '../../interop/support';
import type { Frame } from '../wire';

/** Serves the replies in order. `happen` receives what the model reads, and the tools that run. */
export function serveModel(replies: readonly Reply[], happen: (frame: Frame) => void): Promise<Served> {
  let next = 0;
  return serve(async (body, { url }) => {
    if (url.endsWith('/run')) {
      happen({ ran: `${body.tool} ${body.path}` });
      return new Response(done(body.tool, body.path));
    }
    happen({ prompt: linesOf(body.messages) });
    return replyOf(replies[next++]);
  });
}

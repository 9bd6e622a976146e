/** The backend of the demo (www/src/backend), with the model of the kit. It has one backend for each chat. */
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { createBackend, type Backend } from '../../../www/src/backend/handler';
import type { Model } from '../../../www/src/backend/model';
import { linesOf, partsOf } from '../../interop/ai-sdk.server';
import type { ScriptedCall } from '../../interop/rig';
import type { Data } from '../../interop/support';
import { callsIn, serveChat, type TestedServer } from './world';

/** The demo's tools delete files that exist. */
const TOOL = 'delete_file' as ScriptedCall['tool'];

function scripted(): { model: Model; prompts: () => string } {
  let prompts = '';
  const doStream = (async ({ prompt }: Data) => {
    prompts += linesOf(prompt)
      .map(({ kind, text = '' }) => `${kind}: ${text.replace(/^Deleted (.*)\.$/, 'removed $1')}\n`)
      .join('');
    const calls = callsIn(prompt.at(-1))?.map(({ id, path }) => ({ id, path, tool: TOOL }));
    return { stream: convertArrayToReadableStream(partsOf(calls ? { calls } : { text: 'done' })) };
  }) as never;
  return { model: new MockLanguageModelV4({ doStream }) as unknown as Model, prompts: () => prompts };
}

/** The server. */
export const demo: TestedServer = {
  name: 'the demo’s backend (`www/src/backend`)',
  baseline: 'server-demo',
  start: () => {
    const { model, prompts } = scripted();
    const backends = new Map<string, Backend>();
    const record = () => ({
      ran: [...backends.values()].flatMap(({ recorder }) =>
        recorder.get().toolRuns.map(({ input }) => (input as { path: string }).path),
      ),
      prompts: prompts(),
    });
    return serveChat({ record }, async (request) => {
      const { id, messages } = (await request.clone().json()) as Data;
      const [{ role, parts }] = messages;
      const paths = callsIn({ role, content: parts })?.map(({ path }) => [path, 'text'] as const) ?? [];
      const options = { model, modelName: 'scripted', files: Object.fromEntries(paths), pace: { word: 0, tool: 0 } };
      const known = backends.get(id) ?? createBackend(options);
      backends.set(id, known);
      return known.handle(request);
    });
  },
};

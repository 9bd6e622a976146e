/** Asks the user about the calls of registered tools that need approval. The gate makes the requests. */
import { internalsOf, type OptionLayer } from '../gate/internals.js';
import type { Tools } from './tool-types.js';
import { say } from '../types/say.js';

/**
 * Makes the gate ask about the calls of these tools that need approval, also about open calls. Returns a function that
 * ends this. Throws a `TypeError` for a tool that needs approval, if the gate takes it for a tool of the server.
 */
export function askAbout(gate: object, tools: Tools): (() => void) | undefined {
  const { commands, env, translator } = internalsOf(gate) ?? {};
  const rules = translator?.codec;
  const runsAll = rules?.capabilities.kind === 'raw-model';
  const names = Object.keys(tools);
  // Any other value than `false` asks: an app may pass a function, as for a tool of the AI SDK.
  const asked = names.filter((name) => (tools[name]?.needsApproval ?? false) !== false);
  for (const name of env?.given.needsApproval ? names : asked) {
    if (runsAll || env?.given.browserTools?.includes(name)) continue;
    throw new TypeError(say`registerTools: tool "${name}" needs approval, so list it in \`browserTools\`.`);
  }
  if (asked.length === 0) return undefined;
  const layer: OptionLayer = ({ needsApproval: below }) => ({
    needsApproval: (call) => asked.includes(call.toolName) || (below ? below(call) : runsAll && !rules.asksItself),
  });
  const stop = env?.override(layer, true);
  commands?.dispatch({ name: 'ask', args: [] });
  return stop;
}

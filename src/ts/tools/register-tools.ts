/**
 * `registerTools`: runs calls of browser tools when they may run, and adds their results to the gate. tool-runner.ts
 * decides which calls start.
 */
import { gateOfSource, pendingChat, type GateSource } from '../gate/gate-source.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { registerLater } from './register-later.js';
import { ToolRunner, type Registration } from './tool-runner.js';
import type { RegisteredTools, RegisterOptions, Tools } from './tool-types.js';
import { say } from '../types/say.js';

const OPTIONS: KnownOptions<RegisterOptions> = { concurrency: true, onEvent: true, claim: true };

const runners = new WeakMap<object, ToolRunner>();

/**
 * Runs tools in the browser for a gate or guarded chat. Also name the tools in the gate's option `browserTools`:
 * otherwise their approved calls are sent to the server, and are not run here. With a model's own API all tools are
 * browser tools. Register tools before the chat's first request; a guarded chat may still be loading its core. Returns
 * a function that disposes the registration. Running calls are aborted then, unless the same task
 * registers their tools again, as an effect of a framework does: these calls continue, and the new registration
 * receives their events. With `toolgate/persist` only the leader tab runs tools, and stores that a call is approved
 * before it starts. Throws a `TypeError` for a tool name that is registered already, an unknown option or an invalid
 * value, and for a tool that needs approval and is not in `browserTools`; a chat that is loading reports this last
 * error as uncaught.
 */
export function registerTools(
  source: NonNullable<GateSource>,
  tools: Tools,
  options: RegisterOptions = {},
): RegisteredTools {
  const pending = pendingChat(source);
  refuseUnknown('registerTools', options, OPTIONS);
  const { concurrency = Infinity } = options;
  if (!(concurrency === Infinity || (Number.isInteger(concurrency) && concurrency > 0))) {
    throw new TypeError(say`registerTools: invalid option \`concurrency\`. Expected a positive integer or Infinity.`);
  }
  for (const [name, { timeoutMs = 1 }] of Object.entries(tools)) {
    if (timeoutMs > 0) continue;
    throw new TypeError(say`registerTools: invalid \`timeoutMs\` of tool "${name}". Expected a number above 0.`);
  }
  let runner: ToolRunner | undefined;
  const registration: Registration = { tools, options };
  const register = (): void => {
    const gate = gateOfSource('registerTools', source);
    runner = runners.get(gate);
    if (!runner) runners.set(gate, (runner = new ToolRunner(gate)));
    runner.register(registration);
  };
  const stopWaiting = pending ? registerLater(pending, Object.keys(tools), register) : register();
  const dispose = (): void => {
    stopWaiting?.();
    runner?.dispose(registration);
  };
  return Object.defineProperties(dispose, {
    running: { get: () => runner?.running(registration) ?? [] },
    interrupted: { get: () => runner?.interrupted(registration) ?? [] },
    retry: { value: (toolCallId: string) => runner?.retry(registration, toolCallId) },
  }) as RegisteredTools;
}

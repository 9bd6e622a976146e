/** Checks the types of `toolgate/tools` with `tsc`, like a user's compiler. */
import type { GateSource, ToolGate } from 'toolgate';
import { registerTools, type BrowserToolEvent } from 'toolgate/tools';
import { expectTypeOf } from 'vitest';

// `registerTools` accepts a gate.
expectTypeOf<ToolGate>().toExtend<NonNullable<GateSource>>();
export const register = (gate: ToolGate): (() => void) =>
  registerTools(
    gate,
    {
      pick: {
        execute: async ({ from }: { from: string[] }, { signal, onProgress }) => (onProgress(signal.aborted), from[0]),
        timeoutMs: 5,
      },
    },
    { onEvent: (event: BrowserToolEvent) => void (event.type === 'ended' && event.how === 'aborted') },
  );
// @ts-expect-error `execute` is required
export const without = (gate: ToolGate): unknown => registerTools(gate, { pick: {} });

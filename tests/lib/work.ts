/**
 * Counts the work of the built package, so that a test can say how it grows, on any machine. Counted are the blocks of
 * code that V8 enters, and the elements that the native methods of arrays walk over. Import this file before the
 * package: V8 counts from here on.
 */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/** Methods that walk over an array without entering a block of our code. */
const WALKS = ['includes', 'indexOf', 'lastIndexOf', 'slice', 'splice', 'shift', 'unshift', 'concat', 'join'] as const;

// Counts of functions are lost when V8 optimizes them, or forgets their code.
for (const flag of ['--no-opt', '--no-maglev', '--no-flush-bytecode']) setFlagsFromString(flag);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The package that is imported: `./pkg-scripts/mutate server` names another build. */
const DIST = process.env['TOOLGATE_DIST'] ?? '/pkg/dist/';

/** The blocks of the package that were entered since the last call. */
async function entered(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result.filter(({ url }) => url.includes(DIST)).flatMap((script) => script.functions);
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

/** Runs `act`, and resolves to the work that it made in the package. */
export async function workOf(act: () => unknown): Promise<number> {
  const arrays = Array.prototype as unknown as Record<string, (this: unknown[], ...args: unknown[]) => unknown>;
  const natives = WALKS.map((name) => [name, arrays[name]!] as const);
  let walked = 0;
  await entered();
  for (const [name, native] of natives)
    arrays[name] = function (...args) {
      walked += this.length;
      return native.apply(this, args);
    };
  try {
    await act();
  } finally {
    for (const [name, native] of natives) arrays[name] = native;
  }
  return walked + (await entered());
}

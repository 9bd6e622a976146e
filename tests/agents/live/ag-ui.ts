/** An agent behind AG-UI: each body is the input of a run. */
import type { Data } from '../../interop/support';
import type { Agent, Frame } from '../wire';

/** Connects to an agent. `run` returns the events of a run. */
export const byRuns = (
  run: (input: Data) => AsyncIterable<Data>,
  happen: (frame: Frame) => void,
  close: () => Promise<void>,
): Agent => ({
  write(input) {
    const read = async (): Promise<void> => {
      for await (const event of run(input)) happen({ in: JSON.parse(JSON.stringify(event)) });
    };
    read().catch((error: unknown) => happen({ in: { type: 'RUN_ERROR', message: String(error) } }));
  },
  stored: () => Promise.reject(new Error('AG-UI has no request for a stored thread')),
  close,
});

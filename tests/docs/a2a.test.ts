/** docs/backends/a2a.md: its agent runs behind the server of `@a2a-js/sdk`, and its page connects a gate to it. */
import { expect, test } from 'vitest';
import { serveAgent } from '../interop/a2a.server';
import { openPage, runFile } from '../interop/pages/page';
import { until } from './support/world.js';

const page = 'backends/a2a';

test.each([
  ['approved', 'output-available', 'deleted notes.txt'],
  ['denied', 'output-denied', undefined],
  ['cancelled', 'output-error', undefined],
] as const)('the page and its agent: a request that is %s', async (decision, state, output) => {
  const { agent } = await runFile(page, 'src/agent.ts');
  const { url, close } = await serveAgent(agent);
  const gate = await openPage(page, { '/a2a': url });
  gate.sendUserMessage({ text: 'Tidy up.' });
  await until(() => gate.getSnapshot().status === 'awaiting-approval');
  const [{ approvalId, toolName, input } = { approvalId: '' }] = gate.pending();
  expect([toolName, input]).toEqual(['deleteFile', { path: 'notes.txt' }]);
  if (decision === 'cancelled') gate.cancel();
  else gate.respond(approvalId, { approved: decision === 'approved', reason: 'Keep it.' });
  await until(() => gate.getSnapshot().status === 'idle' && !gate.undelivered().length && !gate.outgoing().length);
  const part = gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .find((one) => 'toolCallId' in one);
  expect(part).toMatchObject({ state, outcome: { kind: decision === 'approved' ? 'executed' : decision } });
  if (output !== undefined) expect(part).toMatchObject({ output });
  await close();
});

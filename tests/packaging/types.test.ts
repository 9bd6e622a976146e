/** The installed package seen by a user's TypeScript, strict and without skipping library checks. */
import { test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { freshProject } from './support/project.js';

test.each(['bundler', 'nodenext'])('the declarations compile with moduleResolution %s', async (moduleResolution) => {
  const project = await freshProject({
    'main.ts': `
      import { init, ToolGate, ToolGateError } from 'toolgate';
      import { registerTools, resolveApprovals, ToolDelegate } from 'toolgate/resolve';
      await init();
      const gate = new ToolGate({ protocol: 'ai-sdk' });
      const answer: 'accepted' | 'duplicate' = gate.respond('id', { approved: false, reason: 'no' });
      const keys: string[] = gate.outgoing().map((item) => item.key);
      // @ts-expect-error an answer has to say whether it approves
      gate.respond('id', { reason: 'no' });
      export const results: unknown[] = [answer, keys, ToolGateError, gate.getSnapshot().status];
      const dispose: () => void = registerTools(gate, { pick: { execute: async ({ n }: { n: number }) => n } });
      export const texts: string[] = (await resolveApprovals(['a message'], { toolkit: { run: () => 1 } })).messages;
      export const ended: unknown[] = [dispose, await new ToolDelegate().wait<number>('c1')];
    `,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, skipLibCheck: false, types: [], target: 'es2022', lib: ['es2022', 'dom'] },
        ...{ module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution },
      },
      files: ['main.ts'],
    }),
  });
  await project.run(at('node_modules/.bin/tsc'), '-p', '.');
});

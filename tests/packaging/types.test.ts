/** The installed package seen by a user's TypeScript (the three latest minor versions), strict and without skipping library checks. */
import { expect, inject, test } from 'vitest';
import { rigProject } from './support/rig.js';

const compilers = ['typescript59', 'typescript60', 'typescript70'].flatMap((compiler) =>
  ['bundler', 'nodenext'].map((moduleResolution) => ({ compiler, moduleResolution })),
);

test.each(compilers)('the declarations compile with $compiler, moduleResolution $moduleResolution', async ({ compiler, moduleResolution }) => {
  const project = await rigProject('types', {
    'main.ts': `
      import { init, ToolGate, ToolGateError } from 'toolgate';
      import wasm from 'toolgate/toolgate.wasm';
      import { registerTools, resolveApprovals, ToolDelegate } from 'toolgate/resolve';
      await init(wasm);
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
  await project.run('node', `node_modules/${compiler}/bin/tsc`, '-p', '.');
});

test('attw finds nothing to say about the types', async () => {
  const project = await rigProject('types');
  // The package is for `import` alone, as its `exports` are: Node 10 and `require` of old are left out.
  const found = await project.run('attw', inject('tarball'), '--profile', 'esm-only', '--format', 'ascii', '--no-color');
  expect(found).toMatch(/"toolgate\/toolgate\.wasm"\s+node16 \(from ESM\): 🟢 \(ESM\)\s+bundler: 🟢/);
});

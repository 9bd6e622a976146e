/** The installed package in Node (the one that runs the tests and a newer one), Deno and Bun: `import`, without a flag or a loader. */
import { expect, test } from 'vitest';
import { runtime } from '../../pkg-scripts/lib/rigs.mjs';
import { freshProject } from './support/project.js';

const runtimes = [
  { name: 'Node', command: () => 'node', args: [] },
  { name: 'a newer Node', command: () => runtime('node'), args: [] },
  { name: 'Deno', command: () => runtime('deno'), args: ['run', '--quiet', '--cached-only', '--no-prompt', '--allow-read'] },
  { name: 'Bun', command: () => runtime('bun'), args: ['run'] },
];

test.each(runtimes)('a script in $name asks, answers and sees one complete submission', async ({ command, args }) => {
  const project = await freshProject({
    'main.js': `
      import { askedTwice, leaving } from './chat.js';
      const gate = await askedTwice();
      gate.respond('approval-a', { approved: true });
      const early = leaving(gate);
      gate.respond('approval-b', { approved: false, reason: 'keep it' });
      console.log(JSON.stringify({ early, sent: leaving(gate) }));
    `,
  });
  expect(JSON.parse(await project.run(command(), ...args, 'main.js'))).toMatchObject({
    early: [],
    sent: [
      {
        approvalIds: ['approval-a', 'approval-b'],
        parts: [
          { approval: { approved: true } },
          { state: 'approval-responded', approval: { approved: false, reason: 'keep it' } },
        ],
      },
    ],
  });
});

test('every entry point can be imported, and the wasm file can be given by hand', async () => {
  const project = await freshProject({
    'main.js': `
      import { readFileSync } from 'node:fs';
      import { fileURLToPath } from 'node:url';
      import manifest from 'toolgate/package.json' with { type: 'json' };
      import { askedTwice } from './chat.js';
      for (const [path, target] of Object.entries(manifest.exports)) {
        if (target.default?.endsWith('.js')) await import(path.replace('.', 'toolgate'));
      }
      const wasm = readFileSync(fileURLToPath(import.meta.resolve('toolgate/toolgate.wasm')));
      console.log((await askedTwice(wasm)).pending().length);
    `,
  });
  expect(await project.run('node', '--no-warnings', 'main.js')).toBe('2\n');
});

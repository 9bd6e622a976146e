/** The installed package as plain files: a page with an import map and without a build step. */
import { test } from 'vitest';
import { playUser } from './support/page.js';
import { freshProject } from './support/project.js';

test('a page without a bundler shows approvals and sends all decisions in one request', async () => {
  const project = await freshProject({
    'index.html': `<!doctype html><title>Plain</title><link rel="icon" href="data:,">
      <script type="importmap">{ "imports": { "toolgate": "/node_modules/toolgate/dist/index.js", "toolgate/element": "/node_modules/toolgate/dist/element/index.js" } }</script>
      <script type="module" src="/page.js"></script>`,
  });
  await playUser(project.folder, { looks: 'cards' });
});

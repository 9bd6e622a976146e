/**
 * Hot reloads: the quick starts of docs/ under Vite's development server, whose component file is edited while an
 * approval is pending and while a reply arrives. The chat is not created again, and nothing is sent twice.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { appOf } from '../docs/support/blocks.js';
import { write } from './support/project.js';
import { develop, startProject } from './support/start.js';
import { reply, say, startPages } from './support/start-page.js';

const pages = startPages();

// Vite polls the files, because containers lose notifications.
vi.stubEnv('CHOKIDAR_USEPOLLING', '1');
vi.stubEnv('CHOKIDAR_INTERVAL', '50');

/** `script`: an edit of the code after which the framework creates the component again. */
const FRAMEWORKS = [
  {
    name: 'react',
    file: 'src/App.tsx',
    // Fast Refresh keeps the state of a component only if its hooks are the same.
    script: ['const { retry }', 'useState(0);\n  const { retry }'],
    head: "import { useState } from 'react';\n",
    isKeptWithoutId: true,
  },
  {
    name: 'svelte',
    file: 'src/App.svelte',
    script: ["let text = $state('')", "let text = $state('edited')"],
    head: '',
    // Svelte creates the component again at each edit.
    isKeptWithoutId: false,
  },
  {
    name: 'vue',
    file: 'src/App.vue',
    script: ["const text = ref('')", "const text = ref('edited')"],
    head: '',
    isKeptWithoutId: true,
  },
] as const;

describe.each(FRAMEWORKS)('$name', ({ name, file, script, head, isKeptWithoutId }) => {
  test('an edit of the component keeps the pending approval and the messages, and sends nothing', async () => {
    const server = appOf('docs/start-react.md')['server.js'] as string;
    const app = appOf(`docs/start-${name}.md`)[file] as string;
    const first = head + app.replace('<main>', '<main><h1>Zero</h1>');
    const project = await startProject(name, { 'server.js': server, [file]: first });
    const url = await develop(project);

    let text = first;
    /** Edits the file not twice in a moment, which Vite would miss. Waits until the page shows the new heading. */
    const edit = async (title: string, ...changes: (readonly [from: string, to: string])[]): Promise<void> => {
      for (const [from, to] of changes) {
        expect(text.split(from)).toHaveLength(2);
        text = text.replace(from, to);
      }
      text = text.replace(/<h1>.*?<\/h1>/, `<h1>${title}</h1>`);
      await page.waitForTimeout(300);
      write(project.folder, file, text);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    };
    const markPage = (page: Page) => page.evaluate(() => void Object.assign(window, { isSamePage: true }));
    const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window);
    const approve = (page: Page) => page.getByRole('button', { name: /^Approve/ });

    // A chat without an id belongs to the component: it lives as long as the framework keeps the component's state.
    const { page, errors, keys } = await pages.open(url);
    await markPage(page);
    await say(page, 'Delete early.txt');
    await approve(page).waitFor();
    await edit('One');
    expect(await approve(page).count()).toBe(isKeptWithoutId ? 1 : 0);
    expect(await isSamePage(page)).toBe(true);

    await edit('With an id', ['useGuardedChat()', "useGuardedChat({ id: 'chat-1' })"]);
    await page.reload();
    await markPage(page);
    keys.splice(0);
    await say(page, 'Delete notes.txt');
    await approve(page).waitFor();
    await edit('Two');
    await edit('Three', script);
    expect(await page.getByLabel('user').allInnerTexts()).toEqual([expect.stringContaining('Delete notes.txt')]);
    expect(project.printed()).toEqual([]);
    expect(keys).toHaveLength(1);
    await approve(page).dblclick();
    await reply(page, '"notes.txt is deleted"');
    expect(project.printed()).toEqual(['deleted notes.txt']);
    expect(keys).toHaveLength(2);

    // A reply continues in the new component, which can stop it.
    await say(page, 'Wait');
    await reply(page, 'I am thinking');
    await edit('Four');
    await reply(page, 'I am thinking');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await say(page, 'Hello');
    await reply(page, 'Nothing to delete.');
    expect(new Set(keys).size).toBe(4);
    expect(keys).toHaveLength(4);
    expect(project.printed()).toEqual(['deleted notes.txt']);
    expect(await isSamePage(page)).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });
});

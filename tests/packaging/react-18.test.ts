/**
 * React 18.3 in a browser: the app of docs/start-react.md, whose form needs React 19, with the hook and both components
 * under Vite's development server. The bare tag, which gets an attribute for a property in React 18, says so.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { appOf } from '../docs/support/blocks.js';
import { develop, startProject } from './support/start.js';
import { reply, say, startPages } from './support/start-page.js';

const pages = startPages();

const rig = (name: string): string => `.cache/toolgate/react-18/node_modules/${name}`;

/** The app of the quick start. The address names what shows the approvals: `?card`, `?list` or `?tag`. */
function app(): string {
  const changes = [
    [
      'const send = (form: FormData) => void sendMessage({ text: String(form.get',
      'const send = (event: React.FormEvent<HTMLFormElement>) => { event.preventDefault(); const form = new FormData(event.currentTarget); event.currentTarget.reset(); void sendMessage({ text: String(form.get',
    ],
    ["('text')) });", "('text')) }); };"],
    ['<form action={send}>', '<form onSubmit={send}>'],
    ['return <ToolApproval ', "return location.search === '?card' && <ToolApproval "],
    [
      '<main>',
      "<main><h1>{version}</h1>{location.search === '?list' && <ToolApprovals chat={chat} />}{location.search === '?tag' && <tool-approvals gate={chat} />}",
    ],
    [
      'import { isToolUIPart }',
      "import { version } from 'react';\nimport { ToolApprovals } from 'toolgate/react';\nimport { defineToolApproval } from 'toolgate/element';\nif (location.search === '?tag') defineToolApproval();\nimport { isToolUIPart }",
    ],
  ] as const;
  let text = appOf('docs/start-react.md')['src/App.tsx'] as string;
  for (const [from, to] of changes) {
    expect(text.split(from), from).toHaveLength(2);
    text = text.replace(from, to);
  }
  return text;
}

const approve = (page: Page) => page.getByRole('button', { name: /^Approve/ });

test('the hook with <ToolApproval> and with <ToolApprovals>, and the tag without them', async () => {
  const packages = Object.fromEntries(['react', 'react-dom', 'scheduler'].map((name) => [name, rig(name)]));
  const project = await startProject('react', { 'src/App.tsx': app() }, packages);
  const url = await develop(project);

  for (const looks of ['card', 'list']) {
    const { page, errors, keys } = await pages.open(`${url}?${looks}`);
    await page.getByRole('heading', { name: '18.3.1' }).waitFor();
    const before = project.printed().length;
    await say(page, 'Delete notes.txt');
    await approve(page).waitFor();
    expect(await page.locator(looks === 'card' ? 'tool-approval' : 'tool-approvals').count()).toBe(1);
    await approve(page).dblclick();
    await reply(page, '"notes.txt is deleted"');
    expect(project.printed().slice(before)).toEqual(['deleted notes.txt']);
    await say(page, 'Delete taxes.pdf');
    await page.getByRole('button', { name: /^Reason/ }).click();
    await page.getByRole('textbox', { name: 'Why not?' }).fill('I need it');
    await page.getByRole('button', { name: /^Deny/ }).click();
    await reply(page, '"error-text","value":"I need it"');
    expect(project.printed().slice(before)).toEqual(['deleted notes.txt']);
    expect(new Set(keys).size).toBe(4);
    expect(keys).toHaveLength(4);
    expect(errors).toEqual([]);
    await page.close();
  }

  const { page, errors } = await pages.open(`${url}?tag`);
  await say(page, 'Delete notes.txt');
  await expect.poll(() => errors.join('\n')).toContain('use the components of toolgate/react');
  expect(await approve(page).count()).toBe(0);
  await page.close();
});

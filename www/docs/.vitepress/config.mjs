/**
 * How VitePress builds the documentation. It runs in a folder below target/ where pkg-scripts/lib/docs.mjs has put the
 * pages of docs/, the API reference and what the pages link to. Nothing is loaded from elsewhere: no fonts, no search
 * service.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { entries } from './entries.mjs';
import { tables } from './markdown.mjs';
import { GROUPS } from './pages.mjs';
import { search } from './search.mjs';
import { slug } from './slug.mjs';
import { themeChanges } from './theme-changes.mjs';

const isThere = (page) => existsSync(fileURLToPath(new URL(`../${page}.md`, import.meta.url)));
const link = (page) => (page === 'index' ? '/' : `/${page}.html`);

const guide = GROUPS.map(({ title, pages }) => ({
  text: title,
  items: pages.filter(([page]) => isThere(page)).map(([page, text]) => ({ text, link: link(page) })),
})).filter(({ items }) => items.length > 0);

const api = {
  text: 'API',
  items: [
    { text: 'All names', link: '/api/' },
    ...entries.map(({ name, page }) => ({ text: name, link: `/api/${page.replace(/md$/, 'html')}` })),
  ],
};
const changes = { text: 'Changes', link: '/changelog.html' };

export default {
  title: 'Toolgate',
  titleTemplate: ':title · Toolgate',
  // The first page has the title of the site, so the usual template would repeat it.
  transformPageData: (page) =>
    page.relativePath === 'index.md' ? { titleTemplate: ':title: documentation' } : undefined,
  description:
    'Approvals of an AI’s tool calls in a browser chat: each is decided once, and the model gets a complete history.',
  lang: 'en',
  base: '/docs/',
  outDir: '../dist',
  cacheDir: '../cache',
  head: [
    ['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Braces in a page are text. Only the API reference sets ids of headings. It writes them as `{:#id:}`, which occurs
    // in no other text.
    attrs: { leftDelimiter: '{:', rightDelimiter: ':}' },
    anchor: { slugify: slug },
    headers: { slugify: slug },
    config: tables,
  },
  vite: { plugins: [themeChanges] },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tool-approval') } } },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    // The documentation is the folder /docs/ of the demo's site, so `..` is the demo.
    nav: [
      { text: 'Guide', link: '/', activeMatch: '^/(?!api/|changelog)' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      changes,
      { text: 'What goes wrong', link: '/../museum.html', target: '_self' },
      { text: 'Demo', link: '/../demo.html', target: '_self' },
    ],
    sidebar: [...guide, api, { items: [changes] }],
    outline: { level: [2, 3], label: 'On this page' },
    search,
    externalLinkIcon: false,
  },
};

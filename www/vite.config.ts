/** How the demo's pages are built: static files that work from any folder. `vite build www` writes `www/dist`. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { factsModule } from './facts.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The content security policy of the built page: it may load its own files, and nothing else. Vite's development server
 * needs more.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
  ],
};

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [
    react(),
    svelte({ configFile: false }),
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tool-approval') } } }),
    contentSecurityPolicy,
    factsModule,
  ],
  // `toolgate` is the built package in pkg/. The demo imports no other file of the repository from
  // outside www/, except the museum the cases of tests/bugs.
  resolve: {
    alias: [
      { find: /^toolgate$/, replacement: here('../pkg/dist/index.js') },
      { find: /^toolgate\/(react|svelte|vue)$/, replacement: here('../pkg/dist/bindings/$1/index.js') },
      { find: /^toolgate\/(.+)$/, replacement: here('../pkg/dist/$1/index.js') },
    ],
  },
  build: {
    target: 'es2022',
    outDir: here('dist'),
    emptyOutDir: true,
    // The same chat in three frameworks; each page loads only its own framework.
    rolldownOptions: {
      input: ['index.html', 'demo.html', 'svelte.html', 'vue.html', 'museum.html'].map(here),
      checks: { pluginTimings: false },
    },
    chunkSizeWarningLimit: 1200, // kB: the page carries the AI SDK's whole `streamText`, as its backend
  },
});

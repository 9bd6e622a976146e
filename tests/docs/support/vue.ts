/**
 * Converts a Vue component to a TypeScript module: its script with the compiled template, as in a build with
 * `@vitejs/plugin-vue`, so that `tsc` checks the expressions of both.
 */
import { compileScript, parse } from 'vue/compiler-sfc';

/** The tags that are custom elements: the setting that docs/element.md requires. */
const isCustomElement = (tag: string): boolean => tag.startsWith('tool-approval');

/** The module of a component, or of a template alone. Throws the compiler's errors. */
export function vueModule(code: string, filename: string): string {
  const hasTemplate = /^<template\b/m.test(code);
  const hasScript = /^<script setup\b/m.test(code);
  if (!hasScript && /^<script\b/m.test(code)) throw new Error('a component of the docs must use <script setup>');
  const whole = `${hasTemplate || hasScript ? code : `<template>${code}</template>\n`}${hasScript ? '' : '<script setup lang="ts">\nvoid 0;\n</script>\n'}`;
  const { descriptor, errors } = parse(whole, { filename });
  if (errors[0]) throw errors[0];
  const { content } = compileScript(descriptor, {
    id: 'sample',
    inlineTemplate: true,
    templateOptions: { compilerOptions: { isCustomElement } },
  });
  return narrowing(content);
}

/**
 * Reads each ref once in the template's function: `v-if="error"` then narrows the type of `error`, as in `vue-tsc`.
 */
function narrowing(content: string): string {
  const names = new Set([...content.matchAll(/_unref\((\w+)\)/g)].map(([, name]) => name));
  const reads = [...names].map((name) => `const ${name}_ = _unref(${name});\n`).join('');
  return content
    .replaceAll(/_unref\((\w+)\)/g, '$1_')
    .replace(/(?<=return \(_ctx: any, ?_cache: any\) => \{\n)/, reads);
}

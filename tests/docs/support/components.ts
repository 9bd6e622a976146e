/**
 * Compiles Svelte and Vue samples as their bundler plugins do. Each function returns the problems, as `page:line:
 * problem`.
 */
import { compile } from 'svelte/compiler';
import type { Block } from './blocks.js';
import { vueModule } from './vue.js';

/** Svelte's errors and warnings, those about accessibility included. */
export function svelteErrors(block: Block): string[] {
  const filename = block.file ?? 'Sample.svelte';
  try {
    const { warnings } = compile(block.code, { filename, runes: true });
    return warnings.map(({ start, message }) => `${block.page}:${block.line + (start?.line ?? 1) - 1}: ${message}`);
  } catch (error) {
    const row = (error as { start?: { line: number } }).start?.line ?? 1;
    return [`${block.page}:${block.line + row - 1}: ${(error as Error).message}`];
  }
}

/** Vue's errors. */
export function vueErrors(block: Block): string[] {
  try {
    vueModule(block.code, block.file ?? 'Sample.vue');
    return [];
  } catch (error) {
    const row = (error as { loc?: { start?: { line: number } } }).loc?.start?.line ?? 1;
    return [`${block.page}:${block.line + row - 1}: ${(error as Error).message}`];
  }
}

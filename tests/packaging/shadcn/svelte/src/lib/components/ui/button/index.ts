export { default as Button } from './button.svelte';

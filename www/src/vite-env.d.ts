/**
 * Lets TypeScript accept what Vite bundles beside code: style sheets, files as text, and components of Svelte and Vue.
 */
/// <reference types="vite/client" />
/// <reference types="svelte" />
declare module '*.vue' {
  const component: import('vue').Component;
  export default component;
}

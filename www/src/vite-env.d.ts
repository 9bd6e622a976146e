/** Lets TypeScript accept style sheets as imports. Vite bundles them. */
declare module '*.css';

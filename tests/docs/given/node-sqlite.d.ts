/**
 * For all pages: what the samples use of `node:sqlite`. The types of the oldest Node that runs the tests lack it.
 * tests/packaging compiles and runs the starters with the real ones.
 */
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): {
      all(...values: (string | number)[]): Record<string, unknown>[];
      get(...values: (string | number)[]): Record<string, unknown> | undefined;
      run(...values: (string | number)[]): { readonly changes: number | bigint };
    };
  }
}

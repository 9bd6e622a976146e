/** The numbers of the first page: `www/facts.mjs` reads them from what the tests and the build have written. */
declare module 'virtual:facts' {
  const facts: {
    /** The number of cases of the bug table, and of those that go wrong with the AI SDK of `version` alone. */
    readonly cases: number;
    readonly wrong: number;
    readonly version: string;
    /** What `guard` adds before a page is shown, and in all, in KB after gzip. */
    readonly kilobytes: number;
    readonly whole: number;
    readonly languages: number;
    readonly backends: number;
    /** The version of the package. */
    readonly release: string;
  };
  export default facts;
}

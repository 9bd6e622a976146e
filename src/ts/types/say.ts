/**
 * The tag for a sentence that a developer reads in an error or a warning: say`load: expected an array, got ${what}.`
 *
 * Production bundles do not contain these sentences. The build gives each one an id, replaces the template with a call
 * of `say` in said.ts, and writes the sentences into dist/sentences/index.js. docs/messages.md lists them. A line break
 * in the template, with the spaces around it, is one space. Words for users and for the model must not have the tag.
 */
export const say = (sentence: TemplateStringsArray, ...values: readonly unknown[]): string =>
  String.raw({ raw: sentence.map((text) => text.replaceAll(/\s*\n\s*/g, ' ')) }, ...values);

/** The numbers of the first page, as a module for Vite. Tests and builds have written them: nothing is counted here. */
import { readdirSync, readFileSync } from 'node:fs';

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');
const sources = (folder) => readdirSync(at(folder)).filter((name) => /^(?!index\.).*\.ts$/.test(name));

/** The numbers. Their meaning is in src/home/virtual-facts.d.ts. */
export function facts() {
  const [head, , ...rows] = read('docs/bugs.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(2, -2).split(' | '));
  const { first, sum } = JSON.parse(read('pkg-scripts/size-budget.json')).pages['guard alone'];
  return {
    cases: sources('tests/bugs/cases').length,
    // A row has the AI SDK's two versions and Toolgate. The side that says something else is wrong.
    wrong: rows.filter(([, , plain, guarded]) => plain !== guarded).length,
    version: /[\d.]+/.exec(head[2])[0],
    kilobytes: Math.ceil(first.gzip / 1000),
    whole: Math.round(sum.gzip / 1000),
    languages: sources('src/ts/element/texts').length,
    // The AI SDK over HTTP needs no module of its own.
    backends: sources('src/ts/protocols').length + 1,
    release: JSON.parse(read('package.json')).version,
  };
}

/** The plugin: `virtual:facts` is a module whose default export are the numbers. */
export const factsModule = {
  name: 'facts',
  resolveId: (id) => (id === 'virtual:facts' ? `\0${id}` : undefined),
  load: (id) => (id === '\0virtual:facts' ? `export default ${JSON.stringify(facts())};` : undefined),
};

/**
 * A copy of the crate with mutations, compiled: most of them in one build, and those that cannot be switched alone,
 * when they are wanted.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, layOver } from './files.mjs';
import { compile } from './mutant-tests.mjs';
import { inOneBuild, mutantOfLine } from './mutants-in-one-build.mjs';
import { mutated } from './mutation.mjs';
import { at, Failure } from './shell.mjs';

export class MutantCrate {
  /** Of the copy. */
  folder = at('target/mutants');
  /** What the compiler says to mutations that do not compile, by mutation: mistakes in the list. */
  broken = new Map();
  #mutations;
  #targets;
  /** Numbers of mutations that are compiled alone. */
  #left = new Set();
  /** Executables by their targets: of all mutations that can be switched, and of others by their number. */
  #together;
  #alone = new Map();

  /**
   * Compiles the mutations.
   *
   * @param {{ file: string, find: string, put: string, says: string }[]} mutations
   * @param {string[]} targets names of tests
   */
  constructor(mutations, targets) {
    this.#mutations = mutations;
    this.#targets = targets;
    mkdirSync(this.folder, { recursive: true });
    for (const name of ['Cargo.toml', 'Cargo.lock']) cpSync(at(name), join(this.folder, name));
    rmSync(join(this.folder, 'tests'), { recursive: true, force: true });
    symlinkSync(at('tests'), join(this.folder, 'tests'));
    this.#together = this.#compileTogether();
  }

  /** The executables that run the code as it is, by target. */
  unmutated() {
    return this.#together;
  }

  /**
   * How to run a target as this mutant, for `runTests`; undefined if it does not compile, which is then in `broken`.
   */
  of(mutation, target) {
    const number = this.#mutations.indexOf(mutation) + 1;
    if (!this.#left.has(number)) return { executable: this.#together.get(target), folder: this.folder, mutant: number };
    if (!this.#alone.has(number)) this.#alone.set(number, this.#compileAlone(mutation, number));
    const executable = this.#alone.get(number)?.get(target);
    return executable && { executable, folder: this.folder, mutant: 0 };
  }

  #compileTogether() {
    for (;;) {
      const { sources } = inOneBuild(this.#mutations, this.#left);
      const { executables, errors } = this.#compileWith(sources);
      if (errors.length === 0) return this.#keep(executables, 'together');
      // What does not compile here may compile alone; if it does not, the list is wrong.
      for (const { file, line, text } of errors) {
        const number = mutantOfLine(sources.get(file) ?? readFileSync(join(this.folder, file), 'utf8'), line);
        if (number === 0) throw new Failure(`the code does not compile with its mutations:\n${text}`);
        this.#left.add(number);
      }
    }
  }

  #compileAlone(mutation, number) {
    const { executables, errors } = this.#compileWith(new Map([[mutation.file, mutated(mutation)]]));
    if (errors.length === 0) return this.#keep(executables, String(number));
    this.broken.set(mutation, `${mutation.says}\n${errors[0].text}`);
    return undefined;
  }

  /** Compiles the copy with the committed sources, but for these files. */
  #compileWith(sources) {
    const committed = [...filesOf(at('src'))].map(([path, contents]) => [`src/${path}`, contents]);
    const files = new Map([...committed, ...sources]);
    layOver(join(this.folder, 'src'), new Map([...files].map(([path, text]) => [path.slice('src/'.length), text])));
    return compile(this.folder, this.#targets);
  }

  /** Puts executables where another build does not write over them. */
  #keep(executables, name) {
    const folder = join(this.folder, 'kept', name);
    mkdirSync(folder, { recursive: true });
    return new Map(
      [...executables].map(([target, executable]) => {
        cpSync(executable, join(folder, target));
        return [target, join(folder, target)];
      }),
    );
  }
}

/**
 * Compiles a copy of the crate with mutations: most of them in one build, and each mutation that cannot be switched at
 * run time in a build of its own, on demand.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, layOver } from './files.mjs';
import { compile } from './mutant-tests.mjs';
import { inOneBuild, mutantOfLine } from './mutants-in-one-build.mjs';
import { mutated } from './mutation.mjs';
import { at, Failure } from './shell.mjs';

export class MutantCrate {
  /** The folder of the copy. */
  folder = at('target/mutants');
  /** The compiler's messages for mutations that do not compile, by mutation. These are mistakes in the list. */
  broken = new Map();
  #mutations;
  #targets;
  /** Numbers of mutations that are compiled alone. */
  #left = new Set();
  /**
   * Executables by target: one set for all mutations that can be switched on at run time, and one set for each other
   * mutation, by its number.
   */
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

  /** The executables of the unchanged code, by target. */
  unmutated() {
    return this.#together;
  }

  /** Whether the mutation is in the build that has all that compile together. */
  isSwitched(mutation) {
    return !this.#left.has(this.#mutations.indexOf(mutation) + 1);
  }

  /**
   * The arguments with which `runTests` runs a target with this mutation. Undefined if the mutation does not compile;
   * `broken` has the reason.
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
      // A mutation that does not compile here may still compile alone. If it does not, the mutation itself is wrong.
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

  /** Compiles the copy with the files of src/, except that `sources` replaces some of them. */
  #compileWith(sources) {
    const committed = [...filesOf(at('src'))].map(([path, contents]) => [`src/${path}`, contents]);
    const files = new Map([...committed, ...sources]);
    layOver(join(this.folder, 'src'), new Map([...files].map(([path, text]) => [path.slice('src/'.length), text])));
    return compile(this.folder, this.#targets);
  }

  /** Copies executables to a folder where other builds do not overwrite them. */
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

/**
 * `node pkg-scripts/lib/release-check.mjs v1.2.3`: refuses a release whose tag, versions, changelog and addresses do
 * not fit together. The release workflow runs it before it builds.
 */
import { readFileSync } from 'node:fs';
import { at, Failure, main, say } from './shell.mjs';

/**
 * Returns the problems of a release, one sentence each. `crate` and `changelog` are the texts of Cargo.toml and
 * CHANGELOG.md.
 */
export function problemsOf(tag, { manifest, crate, changelog }) {
  const { version, repository, bugs } = manifest;
  const crateVersion = /^version = "(.*)"$/m.exec(crate)?.[1];
  const crateRepository = /^repository = "(.*)"$/m.exec(crate)?.[1];
  const problems = [];
  if (tag !== `v${version}`)
    problems.push(`The tag is ${tag}, but package.json has ${version}. The tag must be v${version}.`);
  if (crateVersion !== version)
    problems.push(`Cargo.toml has version ${crateVersion}, but package.json has ${version}. They must be equal.`);
  if (!changelog.includes(`## ${version}`)) problems.push(`CHANGELOG.md has no section "## ${version}".`);
  for (const [file, field, value] of [
    ['package.json', 'repository.url', repository?.url],
    ['package.json', 'bugs.url', bugs?.url],
    ['package.json', 'bugs.email', bugs?.email],
    ['Cargo.toml', 'repository', crateRepository],
  ]) {
    if (!value || /\bexample\b/.test(value)) problems.push(`${file}: \`${field}\` is a placeholder: ${value}.`);
  }
  return problems;
}

if (process.argv[1] === import.meta.filename) {
  await main(() => {
    const read = (name) => readFileSync(at(name), 'utf8');
    const tag = process.argv[2] ?? '';
    const release = {
      manifest: JSON.parse(read('package.json')),
      crate: read('Cargo.toml'),
      changelog: read('CHANGELOG.md'),
    };
    const problems = problemsOf(tag, release);
    if (problems.length) throw new Failure(problems.join('\n          '));
    say(`${tag} can be released`);
  });
}

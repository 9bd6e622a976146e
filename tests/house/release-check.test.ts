/** The release check reports a tag, versions, a changelog or addresses that do not match. */
import { expect, test } from 'vitest';
import { problemsOf } from '../../pkg-scripts/lib/release-check.mjs';

const address = 'https://git.test/us/toolgate';
const release = {
  manifest: {
    version: '1.2.3',
    repository: { url: address },
    bugs: { url: `${address}/issues`, email: 'security@toolgate.test' },
  },
  crate: `[package]\nversion = "1.2.3"\nrepository = "${address}"\n`,
  changelog: '# Changelog\n\n## 1.2.3 (a date)\n',
};

test('a release whose tag, versions, changelog and addresses match has no problems', () => {
  expect(problemsOf('v1.2.3', release)).toEqual([]);
});

test.each([
  ['another tag', 'v1.2.4', {}, /The tag must be v1\.2\.3/],
  [
    'another version of the crate',
    'v1.2.3',
    { crate: release.crate.replace('1.2.3', '1.2.2') },
    /Cargo\.toml has version 1\.2\.2/,
  ],
  ['a changelog without the version', 'v1.2.3', { changelog: '## Unreleased' }, /no section "## 1\.2\.3"/],
  [
    'a placeholder',
    'v1.2.3',
    { manifest: { ...release.manifest, repository: { url: 'https://github.com/example/toolgate' } } },
    /`repository\.url`/,
  ],
  ['a placeholder in the crate', 'v1.2.3', { crate: 'version = "1.2.3"' }, /Cargo\.toml: `repository`/],
  ['no contact', 'v1.2.3', { manifest: { ...release.manifest, bugs: { url: address } } }, /`bugs\.email`/],
])('%s is a problem', (_name, tag, change, problem) => {
  expect(problemsOf(tag, { ...release, ...change })).toEqual([expect.stringMatching(problem)]);
});

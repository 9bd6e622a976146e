/**
 * The build gives some properties short names. None of them may be public,
 * stored or sent, or be read by another script.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { OF_CORE, OF_DRIVER, OF_PACKAGE, OF_PERSIST, OF_VIEWS } from '../../pkg-scripts/lib/minify.mjs';

const root = join(import.meta.dirname, '../..');

/** The names of the properties that the interfaces of a file declare, and those in its object literals of one line. */
const propertiesIn = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:readonly |[{,] |^ {2})(\w+)\??: /gm)].map(
    ([, name]) => name!,
  );

test('no public option, record or message has a short name', () => {
  const names = ['persist-options', 'tabs/tab-channel', 'storage/chat-record'].flatMap((file) =>
    propertiesIn(`src/ts/persist/${file}.ts`),
  );
  expect(names).toEqual(expect.arrayContaining(['onError', 'actions', 'epoch', 'snapshot']));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => OF_PERSIST.test(name))).toEqual([]);
});

test('no public member, record or message has a name that is short in all files', () => {
  const publicNames = readdirSync(join(root, 'tests/api'))
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, 'tests/api', file), 'utf8').matchAll(/[{;,(] *(?:readonly )?(\w+)\??[:(]/g),
    ])
    .map(([, name]) => name!);
  const stored = ['tabs/tab-channel', 'storage/chat-record'].flatMap((file) =>
    propertiesIn(`src/ts/persist/${file}.ts`),
  );
  expect(publicNames).toEqual(expect.arrayContaining(['approvalId', 'waitingFor', 'isWaiting']));
  expect([...publicNames, ...stored].filter((name) => OF_PACKAGE.test(name))).toEqual([]);
});

test('no text, option or member of an element that another script reads has a short name', () => {
  const others = [
    'base',
    'elements',
    'call-element',
    'host',
    'view-loader',
    '../approval/tool-cards',
    '../approval/texts',
    'question-types',
    'question-texts',
    'question-element',
    'card-events',
    '../types/approval-descriptor',
    '../describe/call-texts',
  ];
  const read = others.flatMap((file) =>
    [
      ...readFileSync(join(root, 'src/ts/element', `${file}.ts`), 'utf8').matchAll(
        /(?:\.|[{,] |readonly |^ {2})(\w+)/gm,
      ),
    ].map(([, name]) => name!),
  );
  expect(read).toEqual(expect.arrayContaining(['textsChanged', 'isDangerous', 'sendNow', 'deniedByServer']));
  expect(read.filter((name) => OF_VIEWS.test(name))).toEqual([]);
});

/** The members that a script reads or declares, by the rules of JavaScript. */
const membersIn = (code: string): string[] =>
  [...code.matchAll(/(?:\.|[{,] ?(?:get |set |async |\*)?)([A-Za-z_]\w*)/g)].map(([, name]) => name!);

test.each([
  ['the core', OF_CORE, '/gate/gate-core.ts'],
  ['the driver of a guarded chat', OF_DRIVER, '/ai-sdk/driver/driver.ts'],
])('%s shares no member that has a short name with another script of the package', (_, short, source) => {
  const all = readdirSync(join(root, 'pkg/dist'), { recursive: true, encoding: 'utf8' });
  const scripts = all.filter((file) => all.includes(`${file}.map`));
  const isOwn = (file: string): boolean =>
    readFileSync(join(root, 'pkg/dist', `${file}.map`), 'utf8').includes(`${source}"`);
  const [own, others] = [scripts.filter(isOwn), scripts.filter((file) => !isOwn(file))];
  expect(own).toHaveLength(1);
  expect(others.length).toBeGreaterThan(30);
  const shared = others.flatMap((file) => membersIn(readFileSync(join(root, 'pkg/dist', file), 'utf8')));
  expect(shared).toEqual(expect.arrayContaining(['getSnapshot', 'approvalId']));
  expect(shared.filter((name) => short.test(name))).toEqual([]);
  expect(membersIn(readFileSync(join(root, 'pkg/dist', own[0]!), 'utf8')).filter((name) => short.test(name))).toEqual(
    [],
  );
});

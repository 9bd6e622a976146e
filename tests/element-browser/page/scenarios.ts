/** The scenarios of the page: calls that wait for the user, and the options of their gate. */
import type { ToolGateOptions } from 'toolgate';
import { genkit } from 'toolgate/protocols/genkit';
import type { ApprovalTexts, ToolCards } from 'toolgate/element';
import { ar } from 'toolgate/element/texts/ar';
import { he } from 'toolgate/element/texts/he';
import { ja } from 'toolgate/element/texts/ja';

/** A call that needs an approval. */
export interface ScenarioCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly title?: string;
  readonly why?: string;
  /** More fields of the approval request. */
  readonly request?: object;
}

/** One scenario. */
export interface Scenario {
  readonly calls: readonly ScenarioCall[];
  readonly options?: ToolGateOptions;
  readonly theme?: 'light' | 'dark';
  readonly texts?: Partial<ApprovalTexts>;
  readonly tools?: ToolCards;
  /** Whether the reply has ended. Default: yes. */
  readonly ends?: boolean;
}

const EVIL = '<img src=x onerror="window.hit=1"><script>window.hit=1</script><style>*{display:none}</style>';

const plain: readonly ScenarioCall[] = [
  {
    id: 'c1',
    tool: 'delete_file',
    title: 'Delete a file',
    input: { path: 'notes/menu-2019.md', force: true },
    why: 'Deleting cannot be undone.',
  },
  {
    id: 'c2',
    tool: 'edit_file',
    input: {
      path: 'menu.md',
      old_text: '# Menu\n\nSoup\nBread\nWine\n',
      new_text: '# Menu\n\nSoup of the day\nBread\nWine\nCoffee\n',
    },
  },
  {
    id: 'c3',
    tool: 'send_mail',
    input: {
      to: ['ana@example.org', 'ben@example.org'],
      subject: 'Menu',
      body: `${'A letter of some length. '.repeat(80)}END`,
      options: { urgent: false, copies: 2 },
    },
  },
];

const many = <T>(length: number, each: (index: number) => T): T[] => Array.from({ length }, (_, index) => each(index));

/** The largest inputs, one of each kind. */
const HUGE: Readonly<Record<string, () => unknown>> = {
  names: () => Object.fromEntries(many(100_000, (index) => [`key${index}`, index])),
  diff: () => ({
    before: many(20_000, (index) => `old ${index}`).join('\n'),
    after: many(20_000, (index) => `new ${index}`).join('\n'),
  }),
  controls: () =>
    Object.fromEntries(many(2_000, (index) => [`a\u200b${'b\u200b'.repeat(90)}${index}`, 'c\u200b'.repeat(500)])),
  lists: () => many(600, () => many(600, (index) => [index, [index], { a: 'x'.repeat(2_000) }])),
  texts: () => many(3_000, () => 'word '.repeat(1_000)),
  edits: () => ({ edits: many(400, () => ({ before: 'a\n'.repeat(900), after: 'b\n'.repeat(900) })) }),
};

interface Tools {
  readonly delete_file: { readonly input: { readonly path: string } };
  readonly deploy: { readonly input: { readonly app: string } };
}

/** Summaries, a dangerous tool, a question with options, a rule of the server, and a sub-agent. */
const asked: readonly ScenarioCall[] = [
  {
    id: 'c1',
    tool: 'delete_file',
    title: 'Tidy up',
    input: { path: 'notes/menu-2019.md', force: true },
    request: { requestedBy: 'Research (subagent)' },
  },
  {
    id: 'c2',
    tool: 'deploy',
    input: { app: 'shop' },
    request: {
      approvalDescriptor: {
        prompt: 'Where should this version go?',
        options: [
          { id: 'staging', label: 'Staging', description: 'Only for us, with test data' },
          { id: 'prod', label: 'Production', description: 'For all customers' },
        ],
        allowFreeform: true,
      },
    },
  },
  {
    id: 'c3',
    tool: 'run_command',
    input: { command: 'git push origin main' },
    request: {
      approvalDescriptor: { options: [{ id: 'git', kind: 'allow-always', label: 'Always', grants: ['git push *'] }] },
    },
  },
];

/** Calls with left-to-right texts and with texts of the language. */
const mixed: Readonly<Record<string, readonly ScenarioCall[]>> = Object.fromEntries(
  Object.entries({ ar: 'احذف الملف', he: 'מחק את הקובץ' }).map(([name, words]) => [
    name,
    [
      {
        id: 'c1',
        tool: 'fs.delete_file()',
        title: 'Delete a file!',
        why: 'Not in git: src/main.ts.',
        input: {
          path: '/home/ann/notes.txt',
          glob: '*.{ts,js}',
          dryRun: false,
          count: -3,
          words,
          both: `${words}: notes.txt!`,
          code: `if (a < b) {\n  return [1, 2]; // ${words}\n}`,
          'key with dots...': ['one', { x: 1 }, []],
        },
      },
      {
        id: 'c2',
        tool: 'edit_file',
        title: words,
        input: { path: 'a.ts', old_text: `let a = (1);\n// ${words}`, new_text: `let b = (2);\n// ${words}` },
      },
      { id: 'c3', tool: 'run_(x)', input: { command: 'rm -rf ./dist && echo "done!"' } },
    ],
  ]),
);

const tools: ToolCards<Tools> = {
  delete_file: { summary: ({ path }) => `Delete the file ${path}`, isDangerous: true },
  deploy: { summary: ({ app }) => `Put a new version of “${app}” online` },
};

/** The scenarios by name. */
export const scenarios: Readonly<Record<string, () => Scenario>> = {
  plain: () => ({ calls: plain }),
  // The reply has not ended, so its calls can still change.
  changing: () => ({ calls: plain, ends: false }),
  asked: () => ({ calls: asked, tools }),
  ...Object.fromEntries(
    Object.entries({ ar, he, ja }).map(([name, texts]) => [`asked-${name}`, () => ({ calls: asked, tools, texts })]),
  ),
  ...Object.fromEntries(
    Object.entries({ ar, he }).map(([name, texts]) => [`mixed-${name}`, () => ({ calls: mixed[name]!, texts })]),
  ),
  deadline: () => ({ calls: plain.slice(0, 1), options: { approvalTimeoutMs: 90_000 } }),
  hurry: () => ({ calls: plain.slice(0, 1), options: { approvalTimeoutMs: 2_000 } }),
  editable: () => ({ calls: plain.slice(0, 1), options: { protocol: genkit } }),
  'asked-editable': () => ({
    calls: [{ ...asked[1]!, id: 'c1', request: { descriptor: { prompt: 'Where to?', allowFreeform: true } } }],
    options: { protocol: genkit },
  }),
  hostile: () => ({
    calls: [
      {
        id: '__proto__',
        tool: `delete\u202e${EVIL}`,
        title: `${EVIL}${'x'.repeat(500)}`,
        why: EVIL,
        input: JSON.parse(
          JSON.stringify({
            [EVIL]: EVIL,
            path: 'invoice\u202efdp.exe',
            'a\u2066b': 'y'.repeat(100_000),
            old: EVIL,
            new: `${EVIL}!`,
          }).replace('"path"', '"__proto__":{"x":1},"path"'),
        ),
      },
      { id: 'constructor', tool: 'y'.repeat(2000), input: 'z'.repeat(1_000_000) },
    ],
  }),
  ...Object.fromEntries(
    Object.entries(HUGE).map(([name, input]) => [
      `huge-${name}`,
      () => ({ calls: [{ id: 'c1', tool: 'write', input: input() }] }),
    ]),
  ),
  'huge-calls': () => ({ calls: many(2_100, (index) => ({ id: `c${index}`, tool: 'delete_file', input: {} })) }),
  titled: () => ({
    calls: [
      { id: 'c1', tool: 'delete_all_files', title: 'Read file', input: { path: '/' } },
      {
        id: 'c2',
        tool: 'read_file',
        title: 'Read file',
        input: { path: '/a\ufe00b', note: 'zalgo: a' + '\u0301\u0316'.repeat(20) },
      },
      {
        id: 'c3',
        tool: 'edit_file',
        input: {
          path: 'a.ts',
          before: many(2_000, (index) => `old ${index}`).join('\n'),
          after: many(2_000, (index) => `new ${index}`).join('\n'),
        },
      },
    ],
  }),
  thousand: () => ({
    calls: Array.from({ length: 1000 }, (_, index) => ({
      id: `c${index}`,
      tool: 'delete_file',
      input: { path: `${index}.md` },
    })),
  }),
};

/** What the page can begin with: calls that wait for the user, and how their gate is made. */
import type { ToolGateOptions } from 'toolgate';

/** A call that asks. */
export interface ScenarioCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly title?: string;
  readonly why?: string;
}

/** One beginning. */
export interface Scenario {
  readonly calls: readonly ScenarioCall[];
  readonly options?: ToolGateOptions;
  readonly theme?: 'light' | 'dark';
  /** Whether the reply has ended. Default: yes. */
  readonly ends?: boolean;
}

const EVIL = '<img src=x onerror="window.hit=1"><script>window.hit=1</script><style>*{display:none}</style>';

const plain: readonly ScenarioCall[] = [
  { id: 'c1', tool: 'delete_file', title: 'Delete a file', input: { path: 'notes/menu-2019.md', force: true }, why: 'Deleting cannot be undone.' },
  {
    id: 'c2',
    tool: 'edit_file',
    input: { path: 'menu.md', old_text: '# Menu\n\nSoup\nBread\nWine\n', new_text: '# Menu\n\nSoup of the day\nBread\nWine\nCoffee\n' },
  },
  {
    id: 'c3',
    tool: 'send_mail',
    input: { to: ['ana@example.org', 'ben@example.org'], subject: 'Menu', body: `${'A letter of some length. '.repeat(80)}END`, options: { urgent: false, copies: 2 } },
  },
];

/** By name. */
export const scenarios: Readonly<Record<string, () => Scenario>> = {
  plain: () => ({ calls: plain }),
  deadline: () => ({ calls: plain.slice(0, 1), options: { approvalTimeoutMs: 90_000 } }),
  hurry: () => ({ calls: plain.slice(0, 1), options: { approvalTimeoutMs: 2_000 } }),
  editable: () => ({ calls: plain.slice(0, 1), options: { protocol: 'genkit' } }),
  hostile: () => ({
    calls: [
      {
        id: '__proto__',
        tool: `delete\u202e${EVIL}`,
        title: `${EVIL}${'x'.repeat(500)}`,
        why: EVIL,
        input: JSON.parse(JSON.stringify({ [EVIL]: EVIL, path: 'invoice\u202efdp.exe', 'a\u2066b': 'y'.repeat(100_000), old: EVIL, new: `${EVIL}!` }).replace('"path"', '"__proto__":{"x":1},"path"')),
      },
      { id: 'constructor', tool: 'y'.repeat(2000), input: 'z'.repeat(1_000_000) },
    ],
  }),
  thousand: () => ({ calls: Array.from({ length: 1000 }, (_, index) => ({ id: `c${index}`, tool: 'delete_file', input: { path: `${index}.md` } })) }),
};

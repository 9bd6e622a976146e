/**
 * The tables about protocols in docs/backends.md and docs/backends/ equal what the code says, and the sample of
 * docs/backends.md works. `BLESS=1` writes the tables.
 */
import { init, ToolGate, type Capabilities, type Loss } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { anthropic } from 'toolgate/protocols/anthropic';
import { expect, test } from 'vitest';
import { expectSection } from '../lib/markdown-section';
import { capabilitiesOf, named, PROTOCOL_NAMES, type ProtocolName } from './all.js';
import { clients } from './clients';

await init();

const yes = (value: boolean): string => (value ? 'yes' : '–');

const LOSSES: Readonly<Record<Loss, string>> = {
  approval: 'that the user approved a call that ran',
  pending: 'approved calls that have not run (omitted)',
  failed: 'that a call failed (only its text shows it)',
  json: 'outputs that are not text (sent as JSON text)',
  input: 'inputs that are not objects (sent inside an object)',
  system: 'system messages, or some of them',
  reasoning: 'reasoning, or some of it',
  file: 'files, or some of them',
  custom: 'custom content, or some of it',
  content: 'images and files in results, or some of them (only the text is sent)',
  reason: 'the reason of a denial',
  option: 'whether a decision is to be remembered, if the agent does not offer the option that the user chose',
  id: 'call ids that the provider does not accept (replaced)',
};

/** What `cancel()` sends to a backend that has no message for it. */
const CANCELLATIONS: Readonly<Record<Capabilities['kind'], string>> = {
  answering: 'is sent at once, as a denial',
  resubmitting: 'is sent when the user writes again',
  'raw-model': 'is sent when the user writes again',
};

const REPEATS: Readonly<Record<Capabilities['repeat'], string>> = {
  ignored: 'nothing runs again',
  'runs-again': 'approved tools run again, unless your server records the idempotency key ([security](../security.md))',
  unknown: 'approved tools may run again: it depends on the receiver, and on whether the ids in the answers may repeat',
};

/** The table of a protocol's page: a row for each field of `Capabilities`. */
function facts(protocol: ProtocolName): string {
  const can = capabilitiesOf(protocol);
  const { client, passed } = clients[protocol] ?? {};
  const lost = can.lost.map((loss) => LOSSES[loss]).join('; ');
  const rows: readonly (readonly [what: string, says: string])[] = [
    [
      'A decision is sent',
      can.kind === 'answering'
        ? 'on its own, at once (`answering`)'
        : 'with all others of its step, in one request (`resubmitting`)',
    ],
    ['The reason of a denial', can.reason ? 'is sent' : 'is not sent; a `lossy` event reports it'],
    [
      'An edited input',
      can.editedInput ? 'is accepted where the approval is `editable`' : 'is refused with `edit-unsupported`',
    ],
    ['`cancel()`', can.cancel ? 'is sent at once, as something other than a denial' : CANCELLATIONS[can.kind]],
    ['`remember`', can.remember ? 'is passed on, and Toolgate remembers too' : 'is stored by Toolgate only'],
    ['If it receives the same answers twice', REPEATS[can.repeat]],
    [
      'The history',
      can.history === 'server'
        ? 'is stored by the backend: requests carry only the message and the answers'
        : 'is sent with every request',
    ],
    ...(can.historyChoices.length > 1
      ? [['The option `history`', "can be `'client'` or `'server'`: who stores the history"] as const]
      : []),
    ['A denial', `${can.denialVisible ? 'can' : 'cannot'} be recognized in the backend's stream or history`],
    ['What is lost or changed', lost || 'nothing'],
    ...(client ? [['It takes the place of', client] as const] : []),
    ...(passed
      ? [['Not in the view, but [`passthrough`](../errors.md) events', Object.keys(passed).join('; ')] as const]
      : []),
  ];
  return ['| | |', '|---|---|', ...rows.map(([what, says]) => `| ${what} | ${says} |`)].join('\n');
}

test.each(PROTOCOL_NAMES)('the page of %s matches the code', (protocol) => {
  expectSection(`docs/backends/${protocol}.md`, 'facts', facts(protocol));
});

test.each(PROTOCOL_NAMES)('%s passes on what its page says', async (protocol) => {
  for (const event of Object.values(clients[protocol]?.passed ?? {})) {
    const gate = new ToolGate({ chatId: 'chat', protocol: named(protocol) });
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(async ({ id }) => gate.markSent(id));
    const seen: unknown[] = [];
    gate.onEvent((happened) => happened.type === 'passthrough' && seen.push(happened.event));
    gate.receive(event);
    expect(seen).toEqual([event]);
  }
});

function row(protocol: ProtocolName): string {
  const can = capabilitiesOf(protocol);
  const cells = [
    `[\`${protocol}\`](backends/${protocol}.md)`,
    can.kind,
    yes(can.reason),
    yes(can.editedInput),
    yes(can.cancel),
    yes(can.remember),
    can.repeat,
    can.history,
    yes(can.denialVisible),
    can.lost.join(', ') || '–',
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the table of the docs matches the code', () => {
  const head =
    '| protocol | kind | reason | edits | cancel | remembers | a repeat | history | denial visible | cannot express |';
  expectSection(
    'docs/backends.md',
    'capabilities',
    [head, `|${'---|'.repeat(10)}`, ...PROTOCOL_NAMES.map(row)].join('\n'),
  );
});

test('every loss of a protocol is explained', () => {
  const named = new Set(PROTOCOL_NAMES.flatMap((protocol) => capabilitiesOf(protocol).lost));
  const rows = Object.entries(LOSSES).filter(([loss]) => named.has(loss as Loss));
  expect(rows.map(([loss]) => loss).sort()).toEqual([...named].sort());
  expectSection(
    'docs/backends.md',
    'losses',
    [
      '| word | what is lost or changed |',
      '|---|---|',
      ...rows.map(([loss, words]) => `| \`${loss}\` | ${words} |`),
    ].join('\n'),
  );
});

test('the sample: an edit that the protocol does not support is refused', () => {
  expect(acp.capabilities.editedInput).toBe(false);
  expect(new ToolGate({ protocol: acp, chatId: 'session-1' }).assemble(anthropic)).toEqual([]);
});

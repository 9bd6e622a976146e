/**
 * The README's section on turns: its code is compiled (as tests/unit/readme-policies.ts, which `BLESS=1` writes) and
 * run, and does what the words beside it say; its picture can be read in both of its colours.
 */
import { readFileSync } from 'node:fs';

import { initSync, ToolGate, type AiSdkBody } from 'toolgate';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { expectFile } from '../lib/markdown-section';
import { answers, options } from './readme-policies';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const section = readme.slice(readme.indexOf('## The life of a turn'), readme.indexOf('## What leaves, and when'));

initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

/** The gate's last reply asks about these calls; the approval of `c1` is `a1`. */
function ask(gate: ToolGate, calls: readonly string[], input: unknown = { to: 'all' }): void {
  for (const chunk of [
    { type: 'start' },
    { type: 'start-step' },
    ...calls.flatMap(call => [
      { type: 'tool-input-available', toolCallId: call, toolName: call === 'c2' ? 'send' : 'edit', input },
      { type: 'tool-approval-request', approvalId: call.replace('c', 'a'), toolCallId: call },
    ]),
    { type: 'finish-step' },
    { type: 'finish' },
  ]) {
    gate.receive(chunk);
  }
  gate.streamEnded({ status: 'finished' });
}

/** The user writes, and the request leaves. Returns its messages. */
function says(gate: ToolGate, text: string): unknown[] {
  gate.sendUserMessage({ text });
  const [item] = gate.outgoing();
  gate.markSent(item!.id);
  return (item!.body as AiSdkBody).messages;
}

/** How each call of the last reply settled: `c1 denied`. */
const outcomes = (gate: ToolGate): string[] =>
  gate.getSnapshot().messages.flatMap(({ parts }) =>
    parts.flatMap(part => ('toolCallId' in part ? [`${part.toolCallId} ${part.outcome?.kind ?? part.state}`] : [])),
  );

test('the code of the section is what is compiled and run here', () => {
  const samples = [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code.trimEnd().replaceAll(/^(?=.)/gm, '  '));
  expect(samples).toHaveLength(2);
  expectFile(
    'tests/unit/readme-policies.ts',
    [
      '/** The code of the README\'s section on turns, as it stands there. Written by `BLESS=1`, run by the test beside it. */',
      "import { runClock, ToolGate } from 'toolgate';",
      '',
      '/** The first sample. */',
      `export function options(): ToolGate {\n${samples[0]}\n  return gate;\n}`,
      '',
      '/** The second sample. */',
      `export function answers(gate: ToolGate): void {\n${samples[1]}\n}`,
      '',
    ].join('\n'),
  );
});

describe('the options', () => {
  let gate: ToolGate;
  beforeEach(() => {
    vi.useFakeTimers();
    gate = options();
    says(gate, 'Tidy up');
    ask(gate, ['c1', 'c2', 'c3']);
  });
  afterEach(() => void vi.useRealTimers());

  test('a denial without a reason ends the turn, one with a reason skips the rest and goes on', async () => {
    const other = ToolGate.restore(gate.toJSON(), { onDeny: 'by-reason' });
    gate.respond('a1', { approved: false });
    other.respond('a1', { approved: false, reason: 'No' });
    await vi.advanceTimersByTimeAsync(0);
    for (const one of [gate, other]) expect(outcomes(one)).toEqual(['c1 denied', 'c2 skipped', 'c3 skipped']);
    expect([gate.outgoing().length, other.outgoing().length]).toEqual([0, 1]);
  });

  test('a message cancels what nobody answered', async () => {
    gate.sendUserMessage({ text: 'Something else' });
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes(gate)).toEqual(['c1 cancelled', 'c2 cancelled', 'c3 cancelled']);
  });

  test('after ten minutes an approval expires', async () => {
    expect(gate.nextDeadline()).toBe(Date.now() + 600_000);
    await vi.advanceTimersByTimeAsync(599_000);
    expect(gate.pending()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes(gate)).toEqual(['c1 expired', 'c2 expired', 'c3 expired']);
    expect([gate.outgoing().length, gate.nextDeadline()]).toEqual([1, null]);
  });

  test('a result that no tool gave is rewritten before it leaves', async () => {
    gate.respondAll({ approved: false, reason: 'No' });
    expect(gate.outgoing()).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(JSON.stringify(gate.outgoing()[0]?.body)).toContain('edit: Error: Tool execution was denied by user. No');
  });
});

test('the answers: remembered for the input or the tool, listed, forgotten; and the rest cancelled', () => {
  const gate = new ToolGate();
  says(gate, 'Tidy up');
  ask(gate, ['c1', 'c2', 'c3'], { n: 1 });
  const listed = vi.spyOn(gate, 'remembered');
  const twin = gate.toJSON();
  answers(gate);
  expect(listed.mock.results[0]?.value).toMatchObject([
    { id: 'mem-0', toolName: 'edit', approved: true, for: 'chat', scope: 'input' },
    { toolName: 'send', approved: false, reason: 'No e-mails', for: 'always', scope: 'tool' },
  ]);
  // The third call is the first one's twin: the remembered answer is its answer too, and is shown as one.
  expect(outcomes(gate)).toEqual(['c1 cancelled', 'c2 denied', 'c3 cancelled']);
  const [left] = gate.remembered();
  expect(gate.remembered()).toMatchObject([{ toolName: 'send' }]);
  expect(gate.outgoing()).toEqual([]);

  const again = ToolGate.restore(twin, { remembered: [left!] });
  again.respond('a1', { approved: true, remember: 'chat' });
  const parts = again.getSnapshot().messages.flatMap(message => message.parts);
  expect(parts.find(part => 'toolCallId' in part && part.toolCallId === 'c3')).toMatchObject({ state: 'approval-responded', decidedBy: 'remembered' });
});

describe('the picture', () => {
  const [light, dark] = [read('docs/turn.svg'), read('docs/turn-dark.svg')];
  const style = (svg: string): string => /<style>([^]*?)<\/style>/.exec(svg)![1]!;
  const colour = (svg: string, name: string): string => new RegExp(`^ *\\.?${name} \\{ fill: (#[0-9a-f]{6})`, 'm').exec(style(svg))![1]!;

  test('the two files differ in their colours only', () => {
    expect(dark.replace(style(dark), style(light))).toBe(light);
    expect(style(dark).replaceAll(/#[0-9a-f]{6}/g, '')).toBe(style(light).replaceAll(/#[0-9a-f]{6}/g, ''));
  });

  test('it needs nothing from elsewhere, and no text is smaller than 12 px', () => {
    expect(light).not.toMatch(/href|@import|@font-face|url\((?!#tip)|<script/);
    const sizes = [...light.matchAll(/font(?:-size)?: (\d+)px/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  });

  test.each([
    ['light', light],
    ['dark', dark],
  ])('every text can be read on what is behind it: %s', (_, svg) => {
    const pairs = [
      ...['blue', 'green', 'red', 'amber'].map(name => [`on-${name}`, name]),
      ...['green', 'red', 'amber'].map(name => [`on-${name}`, 'blue']),
      ...['paper', 'panel', 'card', 'blue'].flatMap(behind => [['text', behind], ['muted', behind]]),
    ] as [string, string][];
    for (const [text, behind] of pairs) {
      const [a, b] = [luminance(colour(svg, text)), luminance(colour(svg, behind))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      expect(contrast, `${text} on ${behind}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('it says what the states and endings are called', () => {
    const texts = [...light.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    const words = ['approved', 'denied', 'skipped', 'expired', 'cancelled', 'finished', 'empty', 'failed', 'step limit'];
    expect(texts).toEqual(expect.arrayContaining([...words, 'interrupted', 'disconnected', 'done', 'stalled', 'incomplete', 'error']));
  });
});

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// @vitest-environment happy-dom
/** Data from a model is shown as text and completely, and cannot hide characters or inject markup. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines } from '../../src/ts/element/diff';
import { asking, card, part, parts, streaming, textOf } from './support';

/** A card for one call with this input. */
const shown = (input?: unknown, tool = 'edit_file', title?: string) =>
  card(
    asking([{ id: 'c1', input: input === undefined ? {} : input, tool, ...(title === undefined ? {} : { title }) }]),
  );

const rows = (element: HTMLElement) => parts(element, 'diff-line').map(({ textContent }) => textContent);

describe('inputs of edit tools are shown as a diff', () => {
  test.each([
    ['old_text', 'new_text'],
    ['oldText', 'newText'],
    ['old_string', 'new_string'],
    ['oldString', 'newString'],
    ['old_str', 'new_str'],
    ['before', 'after'],
  ])('%s, %s', (before, after) => {
    const element = shown({ path: 'menu.md', [before]: 'soup\nbread\nwine', [after]: 'soup\nrolls\nwine' });
    expect(rows(element)).toEqual([' soup', '−Removed: bread', '+Added: rolls', ' wine']);
    expect(parts(element, 'key').map(({ textContent }) => textContent)).toEqual(['path']);
  });

  test('each edit of a list is shown as a diff', () => {
    const element = shown({
      path: 'a',
      edits: [
        { old_text: 'a', new_text: 'b' },
        { old_text: '', new_text: 'c' },
      ],
    });
    expect(rows(element)).toEqual(['−Removed: a', '+Added: b', '+Added: c']);
  });

  test('values that are not strings, and an old text without a new one, are not an edit', () => {
    expect(parts(shown({ before: 1, after: 2 }), 'diff')).toEqual([]);
    expect(parts(shown({ old: 'x' }), 'diff')).toEqual([]);
  });

  test('unchanged lines between changes are omitted until the user opens the diff', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    const element = shown({ before: lines.join('\n'), after: lines.with(30, 'other').join('\n') });
    expect(rows(element)).toHaveLength(8);
    expect(parts(element, 'diff-gap').map(({ textContent }) => textContent)).toEqual(['⋯ 27', '⋯ 26']);
    part(element, 'more').click();
    expect(rows(element)).toHaveLength(61);
    expect(part(element, 'more').textContent).toBe('Show less');
  });

  test('common and removed lines give the old text; common and added lines give the new text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (kind: 'in' | 'out'): string =>
          lines
            .filter((line) => line.kind === kind || line.kind === 'same')
            .map((line) => line.text)
            .join('');
        expect([side('out'), side('in')]).toEqual([before, after]);
      }),
    );
  });

  test('a diff of thousands of lines contains every line', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index}\n`);
    const found = diffLines(lines.join(''), lines.map((line) => `x${line}`).join(''));
    expect(found.filter(({ kind }) => kind === 'in')).toHaveLength(20_000);
    expect(
      diffLines(lines.join(''), lines.with(9000, 'other\n').join('')).filter(({ kind }) => kind !== 'same'),
    ).toEqual([
      { kind: 'out', text: '9000\n' },
      { kind: 'in', text: 'other\n' },
    ]);
  });
});

test('markup is shown as text, anywhere in the input', () => {
  const evil = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script><style>*{display:none}</style>';
  const element = shown(
    { [evil]: evil, before: evil, after: `${evil}!`, list: [evil, { [evil]: evil }] },
    'tool',
    evil,
  );
  for (const more of parts(element, 'more')) more.click();
  expect([...(element.shadowRoot?.querySelectorAll('img, script, style, iframe, a, object, link') ?? [])]).toEqual([]);
  expect(part(element, 'title').textContent).toContain(evil);
  expect(part(element, 'body').textContent?.split(evil)).toHaveLength(8);
  expect(globalThis).not.toHaveProperty('hit');
});

test('invisible and bidirectional characters are escaped', () => {
  const element = shown({ path: 'invoice\u202efdp.exe', note: 'a\u200bb\u2066c\u0007d\u{e0041}e\ud800f\ufeff' });
  const [path, note] = parts(element, 'value');
  expect(path?.textContent).toBe('invoiceU+202Efdp.exe');
  expect(parts(element, 'control').map(({ textContent }) => textContent)).toEqual([
    'U+202E',
    'U+200B',
    'U+2066',
    'U+0007',
    'U+E0041',
    'U+D800',
    'U+FEFF',
  ]);
  expect(note?.textContent).toBe('aU+200BbU+2066cU+0007dU+E0041eU+D800fU+FEFF');
  expect(textOf(element)).not.toMatch(/[\u202e\u200b\u2066\u0007\ufeff]/);
});

test('names, titles and announcements are escaped too', () => {
  const element = shown({ 'a\u202eb': 1 }, 'edit\u202efile');
  expect(part(element, 'title').textContent).toContain('editU+202Efile');
  expect(part(element, 'key').textContent).toBe('aU+202Eb');
  expect(part(element, 'approve').getAttribute('aria-label')).toBe('Approve: edit[U+202E]file');
});

test('letters of every script, emoji and their joiners are not escaped', () => {
  const text = 'שלום مرحبا नमस्ते क्‍ष می‌خواهم 👩‍👩‍👧 👍🏽 e\u0301 日本語\ttab';
  const element = shown({ text });
  expect(part(element, 'body').textContent).toBe(`text${text}`);
  expect(parts(element, 'control')).toEqual([]);
});

test('a joiner between Latin letters is escaped, because it would hide a difference', () => {
  expect(part(shown({ host: 'exam\u200dple.org' }), 'value').textContent).toBe('examU+200Dple.org');
});

test('a long text is shortened; the user can open and close it', () => {
  const text = `${'😀\n word '.repeat(20_000)}${'x😀'.repeat(30_000)}END`;
  const element = shown({ text });
  expect(part(element, 'body').textContent?.length).toBeLessThan(1500);
  const more = part(element, 'more');
  expect(more.textContent).toBe(`Show all (${text.length} characters)`);
  expect(more.getAttribute('aria-expanded')).toBe('false');
  more.focus();
  more.click();
  expect(part(element, 'text').textContent).toBe(text);
  expect(element.shadowRoot?.activeElement).toBe(more);
  more.click();
  expect(part(element, 'body').textContent?.length).toBeLessThan(1500);
});

test('`__proto__` and similar keys are shown like any others', () => {
  const input = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":"x","toString":"y","hasOwnProperty":"z"}',
  ) as unknown;
  const element = shown(input);
  expect(parts(element, 'key').map(({ textContent }) => textContent)).toEqual([
    '__proto__',
    'polluted',
    'constructor',
    'toString',
    'hasOwnProperty',
  ]);
  expect({}).not.toHaveProperty('polluted');
  const own = shown(JSON.parse('{"before":"a","after":"b","__proto__":{"before":"c"}}'));
  expect(rows(own)).toEqual(['−Removed: a', '+Added: b']);
});

test.each([
  [{}, 'No input.'],
  [[], 'No input.'],
  ['', 'empty text'],
  ['just a text', 'just a text'],
  [42, '42'],
  [null, 'null'],
  [{ a: {}, b: [], c: '' }, 'a{}b[]cempty text'],
])('an input of %j is shown as %s', (input, words) => {
  expect(part(shown(input), 'body').textContent).toBe(words);
});

test('the backend’s reason is shown as text', () => {
  const request = {
    type: 'tool-approval-request',
    approvalId: 'ask-c1',
    toolCallId: 'c1',
    requestReason: '<b>costs</b>\u202emoney',
  };
  const input = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'pay', input: {} };
  const element = card(streaming([{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, input, request]));
  const reason = part(element, 'request-reason');
  expect(reason.hidden).toBe(false);
  expect(reason.textContent).toBe('<b>costs</b>U+202Emoney');
});

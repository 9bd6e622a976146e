/**
 * Every sequence of up to four keys after a reason for denying was typed, pressed in a real page: which of them decide
 * the call, and whether one of them reaches something that approves it. Sequences that lead to the same page go on as
 * one: a page is the same if its elements, their values and the focus are.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const KEYS = ['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape'] as const;

/** The text that is typed as the reason. */
export const REASON = 'No';

/** The keys that lead from the field for the reason back to the card: Escape from everywhere, and Back. */
export const WAYS_BACK: readonly (readonly string[])[] = [
  ['Escape'],
  ['Tab', 'Escape'],
  ['Tab', 'Tab', 'Escape'],
  ['Tab', 'Tab', 'Enter'],
  ['Tab', 'Tab', 'Space'],
];

/** Holds a key down for so long that it repeats. */
export async function hold(page: Page, key = 'Enter'): Promise<void> {
  for (let times = 0; times < 6; times++) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

/** What a user of the keyboard knows of a page. */
export interface KeyState {
  /** Whether the field for the reason is shown. */
  readonly isOpen: boolean;
  /** Whether the focus is on something that approves the call, alone or together with others. */
  readonly isOnApprove: boolean;
  /** The decision about the call; undefined while it waits. */
  readonly decision: { readonly approved: boolean; readonly reason?: string | undefined } | undefined;
}

/** A page with a call that waits. */
interface KeyPage {
  readonly page: Page;
  /** Shows the call as if nothing had happened, and focuses its Deny by keyboard or script. */
  readonly start: () => Promise<void>;
  readonly look: () => Promise<KeyState>;
}

/** What the sequences did. Each is written as its keys, with a space between them. */
export interface KeyPaths {
  /** Breaks of the rule: an approval, or the focus on one, that comes from an open reason. */
  readonly wrong: readonly string[];
  /** The sequences that closed the reason, moved to Approve and pressed it. */
  readonly approved: readonly string[];
  /** The sequences that denied, with the reason that was sent. */
  readonly denied: ReadonlyMap<string, string | undefined>;
}

/** The longest sequence. */
const LONGEST = 4;

/** Pages that are used at once. */
const PAGES = 3;

/** What a page shows: every element with its attributes, what was typed, and where the focus is. */
const shownBy = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const write = (node: Node): string => {
      const around = node as HTMLInputElement;
      const inside = [...(around.shadowRoot?.childNodes ?? []), ...node.childNodes].map(write).join('');
      if (!(node instanceof Element)) return node.textContent ?? '';
      const attributes = [...node.attributes].map(({ name, value }) => `${name}=${value}`).join(' ');
      const focus = (node.getRootNode() as Document | ShadowRoot).activeElement === node ? '*' : '';
      return `<${focus}${node.localName} ${attributes} ${around.value ?? ''} ${around.checked ?? ''}>${inside}`;
    };
    return write(document.body);
  });

/** Waits until the page was drawn: an observer of what is in view has then been told. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/**
 * Presses every sequence of keys, each from the start: Deny has the focus, Tab and Enter open the reason, and it is
 * typed. A sequence ends with a decision, or at a page that a shorter or an earlier one has reached. `open`: a page.
 */
export async function pressAll(open: () => Promise<KeyPage>): Promise<KeyPaths> {
  const [wrong, approved, denied] = [new Set<string>(), new Set<string>(), new Map<string, string | undefined>()];
  const pages = await Promise.all(Array.from({ length: PAGES }, open));
  const known = new Set<string>();

  /** Presses the keys. Returns what the page shows after the last one, or null if the sequence ends with it. */
  const press = async ({ page, start, look }: KeyPage, keys: readonly string[]): Promise<string | null> => {
    await start();
    await drawn(page);
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.type(REASON);
    let before = await look();
    if (!before.isOpen || before.isOnApprove || before.decision) throw new Error('Tab and Enter open no reason');
    for (const [at, key] of keys.entries()) {
      const path = keys.slice(0, at + 1).join(' ');
      await page.keyboard.press(key);
      const now = await look();
      if (now.isOpen && now.isOnApprove) wrong.add(`${path}: the reason is open, the focus is on Approve`);
      if (now.decision?.approved && (before.isOpen || !before.isOnApprove)) wrong.add(`${path}: approved`);
      if (now.decision?.approved) approved.add(path);
      else if (now.decision) denied.set(path, now.decision.reason);
      if (now.decision) return null;
      before = now;
    }
    return shownBy(page);
  };

  let going: readonly (readonly string[])[] = [[]];
  for (let length = 1; length <= LONGEST && going.length; length++) {
    const next = going.flatMap((keys) => KEYS.map((key) => [...keys, key]));
    const shown = new Map<readonly string[], string | null>();
    const left = [...next];
    await Promise.all(
      pages.map(async (page) => {
        for (let keys = left.shift(); keys; keys = left.shift()) shown.set(keys, await press(page, keys));
      }),
    );
    going = next.filter((keys) => {
      const page = shown.get(keys);
      return typeof page === 'string' && !known.has(page) && known.add(page);
    });
  }
  return { wrong: [...wrong], approved: [...approved], denied };
}

/**
 * Expects that no sequence leads from an open reason to an approval, and that what a user means is still possible: to
 * deny with the reason or, after the way back, without it, and to approve.
 */
export function expectOnlyMeant({ wrong, approved, denied }: KeyPaths): void {
  expect(wrong).toEqual([]);
  for (const keys of ['Enter', 'Tab Enter', 'Tab Space']) expect([...denied]).toContainEqual([keys, REASON]);
  expect([...denied]).toContainEqual(['Escape Shift+Tab Enter', undefined]);
  expect(approved).toContain('Escape Shift+Tab Shift+Tab Enter');
}

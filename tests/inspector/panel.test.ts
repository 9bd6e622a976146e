// @vitest-environment happy-dom
/** The panel with a real gate: the content of each tab, keyboard use, hostile texts, and the clean-up. */
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { inspect, replay, type Inspector } from 'toolgate/inspector';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { initFromFile } from '../ai-sdk/support/init.js';
import { PROTOCOL_NAMES, named } from '../protocols/all.js';

beforeAll(initFromFile);

const HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';

const open: Inspector[] = [];
afterEach(() => open.splice(0).forEach((inspector) => inspector.remove()));

/** A gate with two pending approvals. Its inspector was mounted before them. */
function shown(options: ToolGateOptions = {}, where?: Parameters<typeof inspect>[1]) {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  const inspector = inspect(gate, where);
  open.push(inspector);
  gate.sendUserMessage({ text: 'tidy up' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (const call of ['c1', 'c2']) {
    gate.receive({ type: 'tool-input-available', toolCallId: call, toolName: 'edit', input: { path: HOSTILE } });
    gate.receive({ type: 'tool-approval-request', approvalId: `approve-${call}`, toolCallId: call });
  }
  gate.streamEnded({ status: 'finished' });
  const root = inspector.element.shadowRoot!;
  const one = <E extends HTMLElement>(selector: string): E => root.querySelector<E>(selector)!;
  const all = (selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
  const tab = (name: string): void => one(`#tab-${name}`).click();
  return { gate, inspector, root, one, all, tab };
}

/** Waits for the next frame. */
const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

describe('the timeline', () => {
  it('has transitions, decisions, deliveries, results and anomalies, in order', async () => {
    const { gate, all } = shown();
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: false, reason: 'no' });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: { text: HOSTILE } });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c2', output: 1 });
    await frame();
    const lines = all('.line').map((line) => line.textContent);
    for (const words of [
      'approval-requested',
      'approved, by user',
      'denied, by user: no',
      'ready → in-flight',
      'executed',
      'already-settled',
    ]) {
      expect(
        lines.some((line) => line?.includes(words)),
        words,
      ).toBe(true);
    }
    expect(lines.findIndex((line) => line?.includes('approved, by user'))).toBeLessThan(
      lines.findIndex((line) => line?.includes('executed')),
    );
  });

  it('can be filtered by call, including the requests with its decision', async () => {
    const { gate, one, all } = shown();
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: true });
    await frame();
    const select = one<HTMLSelectElement>('select');
    expect([...select.options].map(({ textContent }) => textContent)).toEqual(['All calls', 'edit c1', 'edit c2']);
    const before = all('.line').length;
    select.value = 'call:c2';
    select.dispatchEvent(new Event('change'));
    const lines = all('.line').map((line) => line.textContent ?? '');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThan(before);
    expect(lines.filter((line) => line.includes('c1'))).toEqual([]);
    expect(lines.some((line) => line.includes('Request out-2'))).toBe(true);
  });

  it('omits deselected kinds', async () => {
    const { one, all } = shown();
    await frame();
    one<HTMLInputElement>('input[name=transition]').click();
    expect(all('.line.transition')).toEqual([]);
    expect(all('.line.delivery').length).toBeGreaterThan(0);
  });

  it('starts with the entries of the audit log', () => {
    const { gate } = shown();
    const later = inspect(gate);
    open.push(later);
    expect(later.element.shadowRoot?.querySelectorAll('.line').length).toBe(gate.auditLog().length);
  });
});

describe('the other tabs', () => {
  it('show ready and undelivered requests; retry sends one again', async () => {
    const { gate, one, all, tab } = shown();
    gate.respondAll({ approved: true });
    tab('outgoing');
    const key = gate.outgoing()[0]!.key;
    expect(one('.card').textContent).toContain(key);
    expect(one('.card').textContent).toContain('approve-c1, approve-c2');
    expect(all('.card button')).toEqual([]);
    gate.markFailed(gate.outgoing()[0]!.id, `offline ${HOSTILE}`);
    await frame();
    expect(one('.card').textContent).toContain(`offline ${HOSTILE}`);
    expect(one('#tab-outgoing .count').textContent).toBe('1');
    const details = one<HTMLDetailsElement>('.card details');
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
    expect(JSON.parse(one('.card pre').textContent ?? '')).toMatchObject({ id: 'chat', trigger: 'submit-message' });
    one('.card button').click();
    await frame();
    expect(gate.outgoing()[0]).toMatchObject({ key, attempt: 2 });
    expect(one('.card').textContent).toContain('ready');
    expect(one('[role=status]').textContent).toBe('out-2 will be sent again.');
  });

  it('show pending approvals', async () => {
    const { gate, one, all, tab } = shown();
    tab('approvals');
    expect(all('[data-approval]').map((card) => card.dataset['approval'])).toEqual(['approve-c1', 'approve-c2']);
    const first = one('[data-approval=approve-c2]');
    gate.respond('approve-c1', { approved: true });
    await frame();
    expect(all('[data-approval]')).toEqual([first]);
  });

  it('show the messages for each backend, loaded when it is selected', async () => {
    const { gate, one, all, tab } = shown();
    tab('messages');
    expect(all('fieldset input[type=checkbox]').map((box) => box.getAttribute('name'))).toEqual([...PROTOCOL_NAMES]);
    const wait = async (): Promise<void> => {
      for (let i = 0; i < 100 && all('.messages').length < all('.column').length; i++) await frame();
    };
    for (const protocol of PROTOCOL_NAMES.slice(1)) one(`input[name="${protocol}"]`).click();
    await wait();
    for (const protocol of PROTOCOL_NAMES) {
      const texts = all(`[data-backend="${protocol}"] pre`).map((pre) => JSON.parse(pre.textContent ?? '') as unknown);
      expect(texts, protocol).toEqual(JSON.parse(JSON.stringify(gate.assemble(named(protocol)))));
    }
    one('input[name=anthropic]').click();
    expect(all('[data-backend=anthropic]')).toEqual([]);
  });
});

describe('the panel', () => {
  it('never parses data of a model as HTML', async () => {
    const { gate, all, root, tab } = shown();
    gate.receive({ type: 'tool-input-available', toolCallId: HOSTILE, toolName: HOSTILE, input: {} });
    gate.receive({ type: 'data-x', data: HOSTILE });
    gate.respond('approve-c1', { approved: false, reason: HOSTILE });
    for (const name of ['timeline', 'outgoing', 'messages', 'approvals']) {
      tab(name);
      await frame();
      all('details').forEach((details) => {
        (details as HTMLDetailsElement).open = true;
        details.dispatchEvent(new Event('toggle'));
      });
      expect(root.querySelectorAll('img, script')).toHaveLength(0);
    }
    tab('timeline');
    expect(root.textContent).toContain(HOSTILE);
    expect((window as { hit?: number }).hit).toBeUndefined();
  });

  it('is usable by keyboard', () => {
    const { root, one } = shown();
    const press = (element: Element, key: string): boolean =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    one('#tab-timeline').focus();
    press(one('#tab-timeline'), 'ArrowRight');
    expect(root.activeElement?.id).toBe('tab-outgoing');
    expect(one('[role=tabpanel]').getAttribute('aria-labelledby')).toBe('tab-outgoing');
    press(one('#tab-outgoing'), 'End');
    expect(root.activeElement?.id).toBe('tab-approvals');
    press(one('#tab-approvals'), 'ArrowRight');
    expect(root.activeElement?.id).toBe('tab-timeline');
    expect([...root.querySelectorAll('[role=tab][tabindex="0"]')]).toHaveLength(1);
    const handle = one('[role=separator]');
    press(handle, 'ArrowUp');
    expect(handle.getAttribute('aria-valuenow')).toBe('344');
    press(handle, 'Home');
    expect(handle.getAttribute('aria-valuenow')).toBe('120');
  });

  it('shows the status when collapsed', async () => {
    const { gate, one } = shown();
    const fold = one('[aria-expanded]');
    fold.click();
    expect([fold.getAttribute('aria-expanded'), one('[role=tabpanel]').hidden]).toEqual(['false', true]);
    gate.respondAll({ approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    await frame();
    expect(one('[data-status]').textContent).toContain('submitted');
    one('#tab-outgoing').click();
    expect([fold.getAttribute('aria-expanded'), one('[role=tabpanel]').hidden]).toEqual(['true', false]);
  });

  it('adds padding to the page for the dock until it is removed', () => {
    const observed: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(heard: () => void) {
          observed.push(heard);
        }
        observe(element: HTMLElement): void {
          Object.defineProperty(element, 'offsetHeight', { value: 344 });
        }
        disconnect(): void {
          observed.length = 0;
        }
      },
    );
    document.body.style.paddingBottom = '1rem';
    const { inspector } = shown();
    observed.forEach((heard) => heard());
    expect(document.body.style.paddingBottom).toBe('344px');
    inspector.remove();
    expect([document.body.style.paddingBottom, observed.length]).toEqual(['1rem', 0]);
    document.body.style.paddingBottom = '';
    vi.unstubAllGlobals();
  });

  it('can be mounted in an element of the app', () => {
    const parent = document.body.appendChild(document.createElement('div'));
    const { inspector, one } = shown({}, { element: parent });
    expect(inspector.element.parentElement).toBe(parent);
    expect(inspector.element.hasAttribute('docked')).toBe(false);
    expect(one('[role=separator]')).toBeNull();
    parent.remove();
  });

  it('exports a file that replays', async () => {
    const { gate, one } = shown();
    gate.respondAll({ approved: true });
    const made: Blob[] = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      made.push(blob as Blob);
      return createObjectURL(blob);
    };
    try {
      [...open[0]!.element.shadowRoot!.querySelectorAll('button')]
        .find(({ textContent }) => textContent === 'Export recording')!
        .click();
    } finally {
      URL.createObjectURL = createObjectURL;
    }
    expect(one('[role=status]').textContent).toMatch(/^Saved as toolgate-.*\.json\.$/);
    const { difference, gate: again } = await replay(JSON.parse(await made[0]!.text()), { ToolGate });
    expect(difference?.message).toBeUndefined();
    expect(again.getSnapshot().messages).toEqual(gate.getSnapshot().messages);
  });
});

describe('the end of the panel or its gate', () => {
  it.each(['remove()', 'the button', 'the page itself'])(
    'after removal by %s, the gate and the page are unchanged',
    async (way) => {
      const { gate, inspector, one } = shown();
      const recorded = (): number => inspector.recording()?.steps.length ?? 0;
      const before = recorded();
      gate.stop();
      expect(recorded()).toBe(before + 1);
      if (way === 'remove()') inspector.remove();
      else if (way === 'the button')
        [...inspector.element.shadowRoot!.querySelectorAll('button')]
          .find(({ textContent }) => textContent === 'Close')!
          .click();
      else inspector.element.remove();
      await frame();
      expect(Reflect.ownKeys(gate)).toEqual([]);
      expect(document.querySelectorAll('toolgate-inspector')).toHaveLength(0);
      const lines = one('.lines').childElementCount;
      gate.respondAll({ approved: true });
      await frame();
      expect(one('.lines').childElementCount).toBe(lines);
      expect(recorded()).toBe(before + 1);
    },
  );

  it('the inspector stays mounted when its element is moved', async () => {
    const { gate, inspector, one } = shown();
    const parent = document.body.appendChild(document.createElement('div'));
    parent.append(inspector.element);
    await frame();
    gate.respondAll({ approved: true });
    await frame();
    expect(one('.lines').textContent).toContain('approved, by user');
    parent.remove();
  });

  it('the panel works with a freed gate', async () => {
    const { gate, one } = shown();
    gate.free();
    one('#tab-outgoing').click();
    one('#tab-messages').click();
    await frame();
    expect(one('[data-status]').textContent).toContain('crashed');
  });
});

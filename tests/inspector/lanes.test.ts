// @vitest-environment happy-dom
/** The lanes of the timeline: a lane for each call, requests and replies across them, and what waits for whom. */
import { ToolGate } from 'toolgate';
import { inspect, type Inspector } from 'toolgate/inspector';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { initFromFile } from '../ai-sdk/support/init.js';

beforeAll(initFromFile);

const open: Inspector[] = [];
afterEach(() => open.splice(0).forEach((inspector) => inspector.remove()));

/** A gate whose server has asked for the approval of these calls. */
function asked(...calls: string[]): ToolGate {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ text: 'tidy up' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (const call of calls) {
    gate.receive({ type: 'tool-input-available', toolCallId: call, toolName: 'edit', input: {} });
    gate.receive({ type: 'tool-approval-request', approvalId: `approve-${call}`, toolCallId: call });
  }
  gate.streamEnded({ status: 'finished' });
  return gate;
}

function look(gate: ToolGate) {
  const inspector = inspect(gate);
  open.push(inspector);
  const root = inspector.element.shadowRoot!;
  const all = (selector: string): Element[] => [...root.querySelectorAll(selector)];
  return {
    root,
    all,
    one: (selector: string): HTMLElement => root.querySelector<HTMLElement>(selector)!,
    lanes: () =>
      all('.names li')
        .slice(1)
        .map(({ textContent }) => textContent),
    now: () => root.querySelector('.now')!.textContent,
  };
}

/** Waits for the next frame. */
const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

describe('what waits for whom', () => {
  it('says in words whom the chat waits for, and marks the lanes', async () => {
    const gate = asked('c1', 'c2');
    const { lanes, now } = look(gate);
    expect(now()).toBe('Waits for the user (edit c1, edit c2).');
    expect(lanes()).toEqual(['edit c1● waits for the user', 'edit c2● waits for the user']);
    gate.respond('approve-c1', { approved: true });
    await frame();
    expect(now()).toBe('Waits for the user (edit c2).');
    expect(lanes()).toEqual(['edit c1', 'edit c2● waits for the user']);
    gate.respond('approve-c2', { approved: false });
    await frame();
    expect(now()).toBe('Waits for the app, to send (edit c1, edit c2).');
    gate.claim(gate.outgoing()[0]!.id);
    await frame();
    expect(now()).toBe('Waits for the reply.');
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 1 });
    gate.receive({ type: 'tool-output-denied', toolCallId: 'c2' });
    gate.receive({ type: 'finish', finishReason: 'stop' });
    gate.streamEnded({ status: 'finished' });
    await frame();
    expect(now()).toBe('Waits for nothing.');
  });

  it('draws it above the calls, and a reply as a band across them', async () => {
    const gate = asked('c1');
    const { all } = look(gate);
    gate.respond('approve-c1', { approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    await frame();
    const kinds = all('.wait title').map(({ textContent }) => textContent);
    expect(kinds.at(-1)).toBe('reply');
    expect(kinds).toContain('host');
    expect(all('.band')).toHaveLength(1);
  });

  it('names a request that needs a retry', async () => {
    const gate = asked('c1');
    const { now } = look(gate);
    gate.respond('approve-c1', { approved: true });
    const { id } = gate.outgoing()[0]!;
    gate.claim(id);
    gate.markFailed(id, 'offline');
    await frame();
    expect(now()).toBe('Waits for a retry (edit c1).');
  });
});

describe('the drawing', () => {
  it('has the states of each call in its lane, and its decision and result as signs', async () => {
    const gate = asked('c1', 'c2');
    const { all } = look(gate);
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: false });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 1 });
    await frame();
    expect(all('.span.approval-requested').length).toBe(2);
    expect(all('.span.approval-responded').length).toBe(2);
    expect(all('.mark.decision.approved').length).toBe(1);
    expect(all('.mark.decision.denied').length).toBe(1);
    expect(all('.mark.result.executed').length).toBe(1);
    expect(all('.mark.result.denied').length).toBe(1);
    const shapes = ['.approved', '.denied', '.executed', '.transition'].map((kind) =>
      all(`.mark${kind}`)[0]!.getAttribute('d'),
    );
    expect(new Set(shapes).size).toBe(4); // signs differ without their colours
  });

  it('has each request across the lanes of its decisions', async () => {
    const gate = asked('c1', 'c2', 'c3');
    const { all } = look(gate);
    gate.respondAll({ approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    await frame();
    const sent = all('.crossing.in-flight').at(-1)!;
    expect(sent.querySelectorAll('circle')).toHaveLength(3);
    expect(sent.querySelector('title')?.textContent).toContain('Request out-2');
  });

  it('has the lane of the chosen call only', async () => {
    const { one, lanes, all } = look(asked('c1', 'c2'));
    const select = one('select') as HTMLSelectElement;
    select.value = 'call:c2';
    select.dispatchEvent(new Event('change'));
    expect(lanes()).toEqual(['edit c2● waits for the user']);
    expect(all('.rule')).toHaveLength(1);
  });

  it('shows what happened before the inspector was opened', () => {
    const gate = asked('c1');
    gate.respond('approve-c1', { approved: true });
    const { all, lanes } = look(gate);
    expect(lanes()).toEqual(['edit c1● waits for the app, to send']);
    expect(all('.mark.decision.approved')).toHaveLength(1);
  });

  it('is bounded: thousands of events and calls', async () => {
    const gate = asked(...Array.from({ length: 1500 }, (_, i) => `c${i}`));
    const { all, now, lanes, one } = look(gate);
    gate.respondAll({ approved: true });
    await frame();
    expect(lanes().length).toBe(40);
    expect(all('.mark').length).toBeLessThanOrEqual(300);
    expect(all('svg *').length).toBeLessThan(1500);
    expect(Number(one('svg').getAttribute('width'))).toBeLessThan(300 * 16);
    expect(now()).toMatch(/earlier calls have no lane\.$/);
  });

  it('is drawn again only when something has changed', async () => {
    const gate = asked('c1');
    gate.respond('approve-c1', { approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive({ type: 'text-start', id: 't' });
    const { all } = look(gate);
    const [before] = all('.mark');
    gate.receive({ type: 'text-delta', id: 't', delta: 'Done' });
    await frame();
    expect(all('.mark')[0] === before).toBe(true);
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 1 });
    await frame();
    expect(all('.mark')[0] === before).toBe(false);
  });
});

describe('access', () => {
  it('hides the drawing from screen readers; names and waits are text; the scroller has a name and the focus', () => {
    const { one } = look(asked('c1'));
    expect(one('svg').getAttribute('aria-hidden')).toBe('true');
    const scroller = one('.lanes');
    expect([scroller.getAttribute('tabindex'), scroller.getAttribute('aria-label')]).toEqual([
      '0',
      'Lanes of the calls',
    ]);
    expect(one('.names').getAttribute('aria-label')).toBe('Calls');
  });

  it('marks the line in the list of a clicked sign', () => {
    const { all, root } = look(asked('c1', 'c2'));
    for (const mark of [all('.mark').at(0)!, all('.mark').at(-1)!]) {
      mark.dispatchEvent(new Event('click', { bubbles: true }));
      const chosen = root.querySelectorAll('.line[data-chosen]');
      expect([...chosen].map(({ id }) => id)).toEqual([`line-${mark.getAttribute('data-n')}`]);
      expect(mark.querySelector('title')!.textContent).toContain(chosen[0]!.querySelector('.subject')!.textContent);
    }
  });
});

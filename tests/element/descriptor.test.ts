// @vitest-environment happy-dom
/** What a backend asks besides "may it run": its prompt, options, a text, rules that it keeps, and sub-agents. */
import { expect, test } from 'vitest';
import { descriptorOf } from 'toolgate/element';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { card, choose, part, parts, sendNext, settle, streaming, textOf, type } from './support';

/** A gate with one approval request that has these fields. */
const asked = (fields: object, options: ToolGateOptions = {}): ToolGate =>
  streaming(
    [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'deploy', input: { app: 'shop' } },
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1', ...fields },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
    options,
  );

/** What the AI SDK's request says about the approval after the user's decision. */
function answer(gate: ToolGate): unknown {
  gate.streamEnded({ status: 'finished' });
  const body = gate.outgoing()[0]?.body as { messages: { parts: { approval?: object }[] }[] };
  const { approved, reason } = body.messages.at(-1)!.parts.find(({ approval }) => approval)!.approval as {
    approved?: boolean;
    reason?: string;
  };
  return { approved, reason };
}

const question = {
  approvalDescriptor: {
    prompt: 'Where to?\u202e',
    options: [
      { id: 'staging', label: 'Staging', description: 'for us' },
      { id: 'prod', kind: '_prod', label: 'Production <b>' },
      { id: '', label: 'no id' },
      null,
      { id: 'staging', label: 'again' },
    ],
    allowFreeform: true,
  },
};

test('the prompt and the options are shown as text; the id of the chosen one is the reason of the approval', () => {
  const gate = asked(question);
  const element = card(gate);
  expect(part(element, 'prompt').textContent).toBe('Where to?U+202E');
  expect(parts(element, 'option').map((radio) => (radio as HTMLInputElement).value)).toEqual(['staging', 'prod']);
  expect(part(element, 'options').textContent).toContain('Production <b>');
  expect(part(element, 'options').querySelector('b')).toBe(null);
  // The buttons keep the card's own words.
  expect(part(element, 'approve').textContent).toBe('Approve');
  part(element, 'approve').click();
  expect(gate.pending()).toHaveLength(1);
  expect(textOf(element)).toContain('Choose an option first.');
  part<HTMLInputElement>(element, 'option').checked = true;
  part(element, 'approve').click();
  expect(answer(gate)).toEqual({ approved: true, reason: 'staging' });
});

test('the options are a group with a visible name, described by the prompt and by what is wrong', () => {
  const element = card(asked(question));
  const group = part(element, 'options');
  const named = (attribute: string): (string | null | undefined)[] =>
    group
      .getAttribute(attribute)!
      .split(' ')
      .map((id) => element.shadowRoot!.getElementById(id)?.textContent);
  expect([group.localName, group.getAttribute('role')]).toEqual(['fieldset', 'radiogroup']);
  expect(named('aria-labelledby')).toEqual([group.querySelector('legend')!.textContent]);
  expect(named('aria-labelledby')).toEqual(['Your choice']);
  expect(named('aria-describedby')).toEqual(['Where to?U+202E', '', '']);
  part(element, 'approve').click();
  expect(group.getAttribute('aria-invalid')).toBe('true');
  expect(named('aria-describedby').at(-1)).toBe('Choose an option first.');
  expect(parts(element, 'option').some((radio) => radio.hasAttribute('aria-invalid'))).toBe(false);
});

test('a text is the reason, instead of an option; a denial needs neither', () => {
  const gate = asked(question);
  const element = card(gate);
  type(part<HTMLInputElement>(element, 'answer'), ' to the old server ');
  part(element, 'answer').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  expect(answer(gate)).toEqual({ approved: true, reason: 'to the old server' });
  const denied = asked(question);
  part(card(denied), 'deny').click();
  expect(answer(denied)).toEqual({ approved: false, reason: undefined });
});

test('a text that is the only answer is required; one that is offered is not', () => {
  const required = asked({ approvalDescriptor: { display: 'text' } });
  const element = card(required);
  part(element, 'approve').click();
  expect(required.pending()).toHaveLength(1);
  expect(part(element, 'answer').getAttribute('aria-invalid')).toBe('true');
  (element.shadowRoot?.activeElement as HTMLElement).blur();
  const offered = asked({ approvalDescriptor: { allowFreeform: true } });
  part(card(offered), 'approve').click();
  expect(answer(offered)).toEqual({ approved: true, reason: undefined });
});

test('what the user entered stays while the request is the same', async () => {
  const gate = asked(question);
  const element = card(gate);
  part<HTMLInputElement>(element, 'option').click();
  type(part<HTMLInputElement>(element, 'answer'), 'half a');
  document.body.append(element);
  await settle();
  expect(part<HTMLInputElement>(element, 'option').checked).toBe(true);
  expect(part<HTMLInputElement>(element, 'answer').value).toBe('half a');
});

test('the options that approve or deny once are the buttons; rules are choices to remember', () => {
  const gate = asked({
    approvalDescriptor: {
      options: [
        { id: 'yes', kind: 'allow-once', label: 'Sure' },
        { id: 'git', kind: 'allow-always', label: 'Always', grants: ['git *'] },
        { id: 'no', kind: 'reject-once' },
        { id: 'never', kind: 'reject-always', label: 'Never' },
      ],
    },
  });
  const element = card(gate);
  expect(parts(element, 'options')).toEqual([]);
  const remember = part<HTMLSelectElement>(element, 'remember');
  expect([...remember.options].map(({ text }) => text)).toEqual([
    'this call only',
    'the same input, in this chat',
    'every deploy call in this chat',
    'the server’s rule: Always · git *',
    'the server’s rule: Never',
  ]);
  // A rule that rejects does not apply to an approval.
  choose(element, 'remember', 'rule:never');
  expect(remember.value).toBe('rule:never');
  part(element, 'approve').click();
  expect(gate.remembered()).toEqual([]);
  expect(answer(gate)).toEqual({ approved: true, reason: undefined });
});

test('an approval with a rule sends its id, and the gate remembers the same input only', () => {
  const gate = asked({ approvalDescriptor: { options: [{ id: 'git', kind: 'allow-always', label: 'Always' }] } });
  const element = card(gate);
  choose(element, 'remember', 'rule:git');
  part(element, 'approve').click();
  expect(part(element, 'confirm').textContent).toBe('Approve: the server’s rule: Always');
  part(element, 'confirm').click();
  expect(gate.remembered()).toMatchObject([{ toolName: 'deploy', scope: 'input', for: 'chat' }]);
  expect(answer(gate)).toEqual({ approved: true, reason: 'git' });
});

test('a tool that is never remembered is not offered a rule', () => {
  const rule = { approvalDescriptor: { options: [{ id: 'git', kind: 'allow-always', label: 'Always' }] } };
  expect(parts(card(asked(rule, { neverRemember: ['deploy'] })), 'remember')).toEqual([]);
});

test.each([
  ['a text', 'Where to?'],
  ['a number', 7],
  ['null', null],
  ['fields of the wrong type', { prompt: 7, options: 'all', allowFreeform: 'yes', display: {} }],
])('a descriptor that is %s changes nothing', (_, approvalDescriptor) => {
  const element = card(asked({ approvalDescriptor }));
  for (const name of ['prompt', 'options', 'answer']) expect(parts(element, name)).toEqual([]);
});

/** A gate of an ACP agent that requests a permission with these options. */
function acpAsking(options: readonly object[]): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', protocol: acp });
  gate.sendUserMessage({ text: 'go' });
  sendNext(gate);
  gate.receive({
    jsonrpc: '2.0',
    id: 5,
    method: 'session/request_permission',
    params: { sessionId: 'chat', toolCall: { toolCallId: 'c1', title: 'Push', rawInput: { to: 'main' } }, options },
  });
  return gate;
}

const selected = (gate: ToolGate): unknown =>
  (gate.outgoing()[0]?.body as { result: { outcome: unknown } }).result.outcome;

test('ACP: the agent’s rule takes the place of the gate’s scopes, and its option is selected', () => {
  const gate = acpAsking([
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'b', name: 'Always allow git', kind: 'allow_always' },
    { optionId: 'c', name: 'Always allow everything', kind: 'allow_always' },
    { optionId: 'd', name: 'Reject', kind: 'reject_once' },
  ]);
  const element = card(gate, { toolCallId: 'c1' });
  const remember = part<HTMLSelectElement>(element, 'remember');
  expect([...remember.options].map(({ text }) => text)).toEqual([
    'this call only',
    'the server’s rule: Always allow git',
    'the server’s rule: Always allow everything',
  ]);
  choose(element, 'remember', 'rule:c');
  part(element, 'approve').click();
  part(element, 'confirm').click();
  expect(selected(gate)).toEqual({ outcome: 'selected', optionId: 'c' });
});

test('ACP: of several options that allow once, the chosen one is selected', () => {
  const gate = acpAsking([
    { optionId: 'edits', name: 'Yes, and accept edits', kind: 'allow_once' },
    { optionId: 'manual', name: 'Yes, and ask me', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ]);
  const element = card(gate, { toolCallId: 'c1' });
  const [, manual] = parts(element, 'option') as HTMLInputElement[];
  manual!.checked = true;
  part(element, 'approve').click();
  expect(selected(gate)).toEqual({ outcome: 'selected', optionId: 'manual' });
});

test('a protocol that can send no reason shows the prompt, but asks for no answer that it would lose', () => {
  const gate = acpAsking([{ optionId: 'a', name: 'Allow', kind: 'allow_once' }]);
  const element = card(gate, { toolCallId: 'c1' });
  expect(parts(element, 'answer')).toEqual([]);
  expect(descriptorOf({ id: 'x', descriptor: { prompt: 'Where to?' } })).toEqual({
    prompt: 'Where to?',
    options: [],
    acceptsText: false,
    requiresText: false,
    isOfProtocol: false,
  });
});

test('the sub-agent that asks is named, with its hidden characters', () => {
  expect(part(card(asked({ requestedBy: 'Research\u200bers' })), 'requested-by').textContent).toBe(
    'Asked by: ResearchU+200Bers',
  );
  expect(part(card(asked({ requestedBy: { name: 'x' } })), 'requested-by').hidden).toBe(true);
});

test('other options replace the form, and the card says what changed; a press on the old ones is refused', async () => {
  const options = (label: string) => ({
    approvalDescriptor: { prompt: 'May it?', options: [{ id: 'one', kind: 'allow-once', label }] },
  });
  const gate = asked(options('Once'));
  const element = card(gate);
  const before = part(element, 'approve');
  gate.receive({ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1', ...options('Every time') });
  before.click();
  expect(gate.pending()).toHaveLength(1);
  await settle();
  expect(part(element, 'approve')).not.toBe(before);
  expect(textOf(element)).toContain('This request has changed. Please review it again.');
  expect(textOf(element)).toContain('Once → Every time');
  part(element, 'approve').click();
  expect(gate.pending()).toHaveLength(0);
});

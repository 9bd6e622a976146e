/**
 * A client of our own that does everything right, and the same client with one fault at a time. Each fault breaks the
 * scenarios that are about it, and no others.
 */
import { expect, test } from 'vitest';
import { runScenario, scenarios, shownIn, type Adapter, type Chunk, type Client } from './kit/src/index';

type Fault =
  | 'none'
  | 'sends each click'
  | 'sends a denial as an output'
  | 'forgets a denial after a reload'
  | 'sends again after an empty reply'
  | 'does not wait for the whole step'
  | 'never stops loading'
  | 'throws';

interface Message {
  id: string;
  role: string;
  parts: (Chunk & { state?: string; toolCallId?: string; approval?: Record<string, unknown> })[];
}

/** A chat client in some fifty lines: what the tested scenarios need, and no more. */
function open(fault: Fault, url: string, messages: Message[] = []): Client {
  let isBusy = fault === 'never stops loading';
  const toolParts = () => (messages.at(-1)?.parts ?? []).filter(({ toolCallId }) => toolCallId !== undefined);
  const submit = async (): Promise<void> => {
    isBusy = true;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ id: 'chat', messages }) });
    const text = await response.text();
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Chunk);
    chunks.forEach(read);
    isBusy = fault === 'never stops loading';
    if (fault === 'sends again after an empty reply' && chunks.length === 2 && messages.length < 40) await submit();
  };
  const read = (chunk: Chunk): void => {
    const { type, toolCallId, messageId } = chunk;
    if (type === 'start' && messages.at(-1)?.role !== 'assistant')
      messages.push({ id: String(messageId), role: 'assistant', parts: [] });
    const { parts } = messages.at(-1)!;
    const part = parts.find((one) => one.toolCallId === toolCallId && toolCallId !== undefined);
    if (type === 'start-step') parts.push({ type: 'step-start' });
    if (type === 'text-delta') parts.push({ type: 'text', text: chunk['delta'] });
    if (type === 'tool-input-available')
      parts.push({ ...chunk, type: `tool-${String(chunk['toolName'])}`, state: 'input-available' });
    if (!part) return;
    if (type === 'tool-approval-request')
      Object.assign(part, { state: 'approval-requested', approval: { id: chunk['approvalId'] } });
    if (type === 'tool-output-available') Object.assign(part, { state: 'output-available', output: chunk['output'] });
    if (type === 'tool-output-denied') part.state = 'output-denied';
  };
  const decide = async (id: string, approved: boolean, reason?: string): Promise<void> => {
    if (fault === 'throws') throw new Error('no');
    const part = toolParts().find(({ approval }) => approval?.['id'] === id)!;
    if (part.state !== 'approval-requested' && fault !== 'sends each click') return;
    Object.assign(part, { state: 'approval-responded', approval: { id, approved, reason } });
    if (!approved && fault === 'sends a denial as an output')
      Object.assign(part, { state: 'output-available', approval: undefined, output: 'denied by the user' });
    const isWaiting = toolParts().some(({ state }) => state === 'approval-requested');
    if (!isWaiting || fault === 'does not wait for the whole step') await submit();
  };
  return {
    send: (text) => {
      messages.push({ id: `m-${messages.length}`, role: 'user', parts: [{ type: 'text', text }] });
      return submit();
    },
    approve: (id) => decide(id, true),
    deny: (id, reason) => decide(id, false, reason),
    state: () => ({ isBusy, ...shownIn(messages) }),
    reload: () => {
      const copy = JSON.parse(JSON.stringify(messages)) as Message[];
      if (fault === 'forgets a denial after a reload')
        for (const { parts } of copy)
          parts.forEach((part) => part.state === 'output-denied' && (part.state = 'input-available'));
      return open(fault, url, copy);
    },
  };
}

const adapterWith = (fault: Fault): Adapter => ({
  name: fault,
  versions: {},
  options: '',
  open: ({ url }) => open(fault, url),
});

/** The scenarios that the client can pass, and by which the faults are found. */
const TESTED = [
  'approval-runs-once',
  'double-click',
  'denial-is-a-decision',
  'denial-keeps-the-others',
  'one-request-for-a-step',
  'empty-reply',
  'reload-while-asked',
  'reload-after-denial',
];

const FOUND: Readonly<Record<Fault, readonly string[]>> = {
  none: [],
  'sends each click': ['double-click'],
  'sends a denial as an output': [
    'denial-is-a-decision',
    'denial-keeps-the-others',
    'one-request-for-a-step',
    'reload-while-asked',
    'reload-after-denial',
  ],
  'forgets a denial after a reload': ['reload-after-denial'],
  'sends again after an empty reply': ['empty-reply'],
  'does not wait for the whole step': ['denial-keeps-the-others', 'one-request-for-a-step', 'reload-while-asked'],
  'never stops loading': TESTED,
  throws: TESTED,
};

test.each(Object.entries(FOUND) as [Fault, readonly string[]][])(
  'a client with the fault: %s',
  async (fault, found) => {
    const chosen = scenarios.filter(({ id }) => TESTED.includes(id));
    const results = await Promise.all(chosen.map((scenario) => runScenario(adapterWith(fault), scenario)));
    const failed = results.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id).sort()).toEqual([...found].sort());
    for (const { broken } of failed) expect(broken[0]?.request?.body).toContain('"messages"');
  },
);

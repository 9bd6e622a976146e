/** An approval without the choice that its request requires is refused, and *Approve all* leaves such requests out. */
import { expect, test } from 'vitest';
import { ToolGate, type Decision, type ToolGateOptions } from 'toolgate';
import { agUi } from 'toolgate/protocols/ag-ui';
import { claudeAgentSdk } from 'toolgate/protocols/claude-agent-sdk';
import { langgraph } from 'toolgate/protocols/langgraph';
import { send } from './support';

interface Case {
  readonly name: string;
  readonly protocol?: ToolGateOptions['protocol'];
  /** The events of a reply whose request requires a choice. */
  readonly events: readonly unknown[];
  /** A decision that has one. */
  readonly complete: Decision;
}

const uiStream = (descriptor: object): readonly unknown[] => [
  { type: 'start', messageId: 'm1' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'deploy', input: {} },
  { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', approvalDescriptor: descriptor },
  { type: 'finish-step' },
  { type: 'finish' },
];
const questions = { questions: [{ question: 'Where?', options: [{ label: 'staging' }, { label: 'production' }] }] };
const text = { type: 'object', properties: { city: { type: 'string' } } };

const CASES: readonly Case[] = [
  {
    name: 'options without one that allows',
    events: uiStream({
      options: [
        { id: 'blue', kind: 'choice' },
        { id: 'red', kind: 'choice' },
      ],
    }),
    complete: { approved: true, reason: 'blue' },
  },
  { name: 'a text', events: uiStream({ display: 'text' }), complete: { approved: true, reason: 'On Monday.' } },
  {
    name: "Claude Code's questions",
    protocol: claudeAgentSdk,
    events: [
      {
        type: 'control_request',
        request_id: 'a1',
        request: { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: questions, tool_use_id: 'c1' },
      },
    ],
    complete: { approved: true, input: { ...questions, answers: { 'Where?': 'staging' } } },
  },
  {
    name: 'an action that LangGraph lets the user edit only',
    protocol: langgraph,
    events: [
      {
        event: 'updates',
        data: {
          __interrupt__: [
            {
              id: 'a1',
              value: {
                action_requests: [{ name: 'deploy', args: {} }],
                review_configs: [{ action_name: 'deploy', allowed_decisions: ['edit', 'reject'] }],
              },
            },
          ],
        },
      },
    ],
    complete: { approved: true, input: { to: 'staging' } },
  },
  {
    name: 'a form of AG-UI that a sub-agent asks for',
    protocol: agUi,
    events: [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      {
        type: 'RUN_FINISHED',
        threadId: 't',
        runId: 'r',
        outcome: {
          type: 'interrupt',
          interrupts: [{ id: 'a1', reason: 'input', subagentRunId: 's', responseSchema: text }],
        },
      },
    ],
    complete: { approved: true, input: { city: 'Rome' } },
  },
];

function asked({ protocol, events }: Case): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...(protocol && { protocol }) });
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  events.forEach((event) => gate.receive(event));
  gate.streamEnded({ status: 'finished' });
  expect(gate.pending()).toHaveLength(1);
  return gate;
}

test.each(CASES)('$name: a bare approval is refused, and an answer is sent', (given) => {
  const gate = asked(given);
  const [approval] = gate.pending();
  const refused = expect.objectContaining({ code: 'choice-required', approvalId: approval!.approvalId }) as Error;
  expect(() => gate.respond(approval!, { approved: true })).toThrow(refused);
  expect(gate.respondAll({ approved: true })).toBe(0);
  expect(gate.pending()).toHaveLength(1);
  expect(gate.outgoing()).toEqual([]);
  expect(gate.respond(approval!, given.complete)).toBe('accepted');
  expect(gate.outgoing()).toHaveLength(1);
});

test.each(CASES)('$name: a denial needs no choice', (given) => {
  const gate = asked(given);
  expect(gate.respondAll({ approved: false })).toBe(1);
  expect(gate.pending()).toEqual([]);
});

test('Approve all approves the requests that a yes answers', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const [start, step, call, request, ...end] = uiStream({ display: 'text' });
  const other = [
    { ...(call as object), toolCallId: 'c2' },
    { ...(request as object), toolCallId: 'c2', approvalId: 'a2', approvalDescriptor: undefined },
  ];
  [start, step, call, request, ...other, ...end].forEach((event) => gate.receive(event));
  gate.streamEnded({ status: 'finished' });
  expect(gate.respondAll({ approved: true })).toBe(1);
  expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['a1']);
});

test('a descriptor that cannot be read requires nothing', () => {
  const gate = asked({ name: '', events: uiStream({ options: [null] }), complete: { approved: true } });
  expect(gate.respond('a1', { approved: true })).toBe('accepted');
});

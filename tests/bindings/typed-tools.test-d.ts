/** Checks the types that the bindings take from the app's own tools. Only `tsc` checks this file. */
import type { Chat as ReactChat7 } from '@ai-sdk/react';
import type { Chat as SvelteChat6 } from 'ai-sdk-svelte6';
import { jsonSchema, tool, type InferUITools, type ToolUIPart, type UIDataTypes, type UIMessage } from 'ai';
import type { Chat as ReactChat6 } from 'ai-sdk-react6';
import type { Chat as VueChat6 } from 'ai-sdk-vue6';
import type { UIMessage as UIMessage6 } from 'ai6';
import {
  callsOfStep,
  type GateEvent,
  type GateMessage,
  type GateView,
  type OtherToolName,
  type PendingApproval,
  type ToolGate,
  type ToolPart,
} from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
import type { DecisionDetail } from 'toolgate/element';
import * as react from 'toolgate/react';
import * as svelte from 'toolgate/svelte';
import * as vue from 'toolgate/vue';
import { createElement } from 'react';
import { expectTypeOf } from 'vitest';
import { h, shallowRef, type ComputedRef } from 'vue';

const tools = {
  deleteFile: tool({ inputSchema: jsonSchema<{ path: string }>({}), execute: async ({ path }) => path.length }),
  sendMail: tool({ inputSchema: jsonSchema<{ to: string[] }>({}), outputSchema: jsonSchema<{ id: string }>({}) }),
};
type Tools = InferUITools<typeof tools>;
type Mine = UIMessage<{ at: number }, UIDataTypes, Tools>;
type Mine6 = UIMessage6<unknown, never, Tools>;
type Approvals = readonly PendingApproval<Mine>[];

declare const gate: ToolGate;
declare const chat7: ReactChat7<Mine>;
declare const svelte6: SvelteChat6<Mine6>;
declare const chat6: ReactChat6<Mine6>;
declare const vue6: VueChat6<Mine6>;
declare const approval: PendingApproval<Tools>;

// The tool's name determines the type of the input.
if (approval.toolName === 'deleteFile') expectTypeOf(approval.input).toEqualTypeOf<{ path: string }>();
else if (approval.toolName === 'sendMail') expectTypeOf(approval.input).toEqualTypeOf<{ to: string[] }>();
else {
  // Any other tool, such as one of an MCP server.
  expectTypeOf(approval.toolName).toEqualTypeOf<OtherToolName>();
  expectTypeOf(approval.input).toBeUnknown();
}
switch (approval.toolName) {
  case 'deleteFile':
    expectTypeOf(approval.input.path).toBeString();
    // @ts-expect-error no such field
    approval.input.to;
    break;
  // @ts-expect-error a misspelt name
  case 'deletFile':
    break;
  default:
    // @ts-expect-error the input of any other tool is unknown
    approval.input.path;
}
// @ts-expect-error the tool is not known yet
approval.input.path;
// @ts-expect-error a misspelt name
approval.toolName === 'deletFile';
expectTypeOf(approval.toolName satisfies string).not.toBeNever();

// Tools and message types give the same types.
expectTypeOf<PendingApproval<Mine>>().toEqualTypeOf<PendingApproval<Tools>>();
expectTypeOf<PendingApproval<Mine, 'deleteFile'>['input']>().toEqualTypeOf<{ path: string }>();
// @ts-expect-error no such tool
type _Wrong = PendingApproval<Mine, 'deletFile'>;
// @ts-expect-error neither tools nor a message
type _None = PendingApproval<{ at: number }>;
expectTypeOf<PendingApproval<Mine6, 'deleteFile'>['input']>().toEqualTypeOf<{ path: string }>();

// Without tools everything is as before.
expectTypeOf<PendingApproval<UIMessage>>().toEqualTypeOf<PendingApproval>();
expectTypeOf<PendingApproval<UIMessage6>>().toEqualTypeOf<PendingApproval>();
expectTypeOf<PendingApproval<GateMessage>>().toEqualTypeOf<PendingApproval>();
expectTypeOf<PendingApproval<never>>().toEqualTypeOf<PendingApproval>();
// eslint-disable-next-line @typescript-eslint/no-explicit-any
expectTypeOf<PendingApproval<any>>().toEqualTypeOf<PendingApproval>();
expectTypeOf<PendingApproval>().toHaveProperty('toolName').toBeString();
expectTypeOf<PendingApproval['input']>().toBeUnknown();
expectTypeOf<PendingApproval<Mine>>().toExtend<PendingApproval>();
expectTypeOf<ToolPart<Mine>>().toExtend<ToolPart>();
expectTypeOf<GateView<Mine>>().toExtend<GateView>();
expectTypeOf<GateEvent<Mine>>().toExtend<GateEvent>();
expectTypeOf<DecisionDetail<Mine>>().toExtend<DecisionDetail>();
expectTypeOf<GateMessage<Mine>>().toExtend<GateMessage>();

// Parts: the type determines the input and the output, and the fields of Toolgate are there.
declare const part: ToolPart<Mine>;
if (part.type === 'tool-deleteFile') {
  if (part.state === 'output-available') expectTypeOf(part.output).toEqualTypeOf<number>();
  if (part.state === 'approval-requested') expectTypeOf(part.input).toEqualTypeOf<{ path: string }>();
  if (part.state === 'output-error') expectTypeOf(part.input).toEqualTypeOf<{ path: string } | undefined>();
  if (part.state === 'input-streaming') expectTypeOf(part.input).toEqualTypeOf<{ path?: string } | undefined>();
  expectTypeOf(part.outcome?.kind).not.toBeNever();
} else if (part.type === 'dynamic-tool') expectTypeOf(part.input).toBeUnknown();
// @ts-expect-error no such tool
part.type === 'tool-deletFile';
declare const partOfSdk: ToolUIPart<Tools>;
expectTypeOf(partOfSdk).toExtend<ToolPart>();

// The gate.
expectTypeOf(gate.pending()).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(gate.pending<Mine>()).toEqualTypeOf<Approvals>();
expectTypeOf(gate.pending<Tools>()).toEqualTypeOf<Approvals>();
expectTypeOf(gate.approval<Tools>('c1')).toEqualTypeOf<PendingApproval<Tools> | undefined>();
expectTypeOf(gate.part<Mine>('c1')).toEqualTypeOf<ToolPart<Mine> | undefined>();
expectTypeOf(gate.getSnapshot<Mine>().pending).toEqualTypeOf<Approvals>();
expectTypeOf(callsOfStep(gate.getSnapshot<Mine>())).toEqualTypeOf<ToolPart<Mine>[]>();
gate.onEvent<Mine>((event) => {
  if (event.type !== 'tool-result') return;
  if (event.toolName === 'sendMail') expectTypeOf(event.result).toEqualTypeOf<{ id: string } | string>();
  else if (event.toolName !== 'deleteFile') expectTypeOf(event.result).toBeUnknown();
  // @ts-expect-error a misspelt name
  event.toolName === 'sendMial';
});
gate.onEvent((event) => event.type === 'tool-result' && expectTypeOf(event.toolName).toEqualTypeOf<string>());
gate.respondAll<Tools>({ approved: true, where: (one) => one.toolName === 'deleteFile' && one.input.path === 'a' });
gate.respondAll({ approved: true, where: ({ toolName }) => toolName === 'any' });

// An edited input has the type of the tool's input.
if (approval.toolName === 'deleteFile') {
  gate.respond(approval, { approved: true, input: { path: 'b.txt' } });
  // @ts-expect-error another type
  gate.respond(approval, { approved: true, input: { path: 1 } });
  // @ts-expect-error another type
  react.useGateActions().respond(approval, { approved: true, input: { to: [] } });
}
gate.respond('a1', { approved: true, input: { any: 'thing' } });
react.useGateActions().respondAll(gate.pending<Mine>(), { approved: false });

// The types come from the chat, or are named.
const own = react.useGuardedChat<Mine>();
expectTypeOf(react.useApprovals(own)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals(own.chat)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals(guard(chat7))).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals(chat6)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals<Mine>()).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals<Tools>()).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals<Mine>(gate)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals<Tools>(own.chat)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals<Mine>(react.useGuardedChat())).toEqualTypeOf<Approvals>();
expectTypeOf(react.useApprovals(react.useGuardedChat())).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(react.useApprovals(gate)).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(react.useApprovals(null)).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(react.useApproval('c1', own.chat)).toEqualTypeOf<PendingApproval<Mine> | undefined>();
expectTypeOf(react.useApproval(part, own)).toEqualTypeOf<PendingApproval<Mine> | undefined>();
expectTypeOf(react.useApproval<Mine>(partOfSdk)).toEqualTypeOf<PendingApproval<Mine> | undefined>();
expectTypeOf(react.useToolPart('c1', own)).toEqualTypeOf<ToolPart<Mine> | undefined>();
expectTypeOf(react.useMessages(own)).toEqualTypeOf<GateMessage<Mine>[]>();
expectTypeOf(react.useGateView<Mine>().pending).toEqualTypeOf<Approvals>();
expectTypeOf(react.useGateView((view) => view.pending, own)).toEqualTypeOf<Approvals>();
expectTypeOf(react.useGateView((view: GateView<Mine>) => view.pending[0])).toEqualTypeOf<
  Approvals[number] | undefined
>();
// @ts-expect-error neither tools nor a message
react.useApprovals<{ at: number }>();
for (const message of own.messages)
  for (const one of message.parts)
    if (one.type === 'tool-deleteFile')
      expectTypeOf(react.useApproval(one, own)?.toolCallId).toEqualTypeOf<string | undefined>();

const inVue = vue.useGuardedChat<Mine>();
expectTypeOf(vue.useApprovals(inVue).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals(inVue.chat).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals(() => inVue).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals(shallowRef(guard(vue6))).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals(vue.useGuardedChat(vue6)).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals<Mine>().value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useApprovals(gate).value).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(vue.useApproval('c1', inVue).value).toEqualTypeOf<PendingApproval<Mine> | undefined>();
expectTypeOf(vue.useToolPart('c1', inVue).value).toEqualTypeOf<ToolPart<Mine> | undefined>();
expectTypeOf(vue.useMessages(inVue).value).toEqualTypeOf<GateMessage<Mine>[]>();
expectTypeOf(vue.useGateView((view) => view.pending, inVue).value).toEqualTypeOf<Approvals>();
expectTypeOf(vue.useGateView<GateView<Mine>>().value.pending).toEqualTypeOf<Approvals>();

const inSvelte = svelte.useGuardedChat<Mine>();
expectTypeOf(svelte.useGate(inSvelte).pending).toEqualTypeOf<Approvals>();
expectTypeOf(svelte.useGate(() => inSvelte.chat).pending).toEqualTypeOf<Approvals>();
expectTypeOf(svelte.useGate(guard(svelte6)).part('c1')).toEqualTypeOf<ToolPart<Mine> | undefined>();
expectTypeOf(svelte.useGate<Mine>().approval('c1')).toEqualTypeOf<PendingApproval<Mine> | undefined>();
expectTypeOf(svelte.useGate<Mine>().messages).toEqualTypeOf<GateMessage<Mine>[]>();
expectTypeOf(svelte.useGate(gate).pending).toEqualTypeOf<readonly PendingApproval[]>();

// The components: the chat determines the type of the event.
const decided = ({ detail }: CustomEvent<DecisionDetail<Mine>>): boolean => detail.toolName === 'deleteFile';
createElement(react.ToolApprovals<Mine>, { chat: own, onDecision: decided });
createElement(react.ToolApprovals, { chat: null, onDecision: ({ detail }) => void (detail.toolName satisfies string) });
react.ToolApprovals({ chat: own, onDecision: ({ detail }) => void (detail.toolName === 'sendMail') });
// @ts-expect-error a misspelt name
react.ToolApprovals({ chat: own, onDecision: ({ detail }) => void (detail.toolName === 'sendMial') });
react.ToolApproval({ chat: own, part, onDecision: decided });
react.ToolApproval({ chat: gate, part, onDecision: ({ detail }) => void (detail.toolName === 'anything') });
h(vue.ToolApprovals, { chat: inVue, onDecision: ({ detail }) => void (detail.toolName satisfies string) });
vue.ToolApproval({ chat: inVue, part, onDecision: decided });
// @ts-expect-error a misspelt name
vue.ToolApproval({ chat: inVue, part, onDecision: ({ detail }) => void (detail.toolName === 'sendMial') });
declare const internals: Parameters<typeof svelte.ToolApprovals>[0];
svelte.ToolApprovals(internals, { chat: inSvelte, ondecision: decided });
// @ts-expect-error a misspelt name
svelte.ToolApprovals(internals, { chat: inSvelte, ondecision: ({ detail }) => void (detail.toolName === 'sendMial') });
svelte.ToolApprovals satisfies import('svelte').Component<svelte.ToolApprovalsProps>;

export type Unused = [_Wrong, _None, ComputedRef];

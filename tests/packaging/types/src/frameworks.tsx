/**
 * The types of the entry points for React, Svelte and Vue, compiled as in a user's project with the frameworks' own
 * types.
 */
import { StrictMode } from 'react';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GateStatus, GuardedMessage, Outcome, PendingApproval, ToolGate, ToolPart } from 'toolgate';
import { gateOf, guard, type AiSdkChat } from 'toolgate/ai-sdk';
import { GateProvider, useApproval, useApprovals, useGate, useGateActions, useGateView, useToolPart } from 'toolgate/react';
import * as svelte from 'toolgate/svelte';
import * as vue from 'toolgate/vue';
import type { InferUITools, UIDataTypes, UIMessage } from 'ai';
import type { Component } from 'svelte';
import { jsonSchema, tool } from 'ai';
import type { DecisionDetail } from 'toolgate/element';
import * as react from 'toolgate/react';
import { computed, h, shallowRef, type ShallowRef } from 'vue';
import { same } from './equal.js';

/** Replaces a `Chat` of the AI SDK, which tests/ai-sdk and tests/bindings check. */
interface MyChat extends AiSdkChat {
  messages: { mine: 1 }[];
  sendMessage: (message: string) => Promise<void>;
}

declare const gate: ToolGate;
declare const myChat: MyChat;
const chat = guard(myChat, { gate: { onUserMessage: 'block' } });
same<typeof chat, MyChat>();

export function App() {
  return (
    <StrictMode>
      <GateProvider gate={chat}>
        <Buttons />
      </GateProvider>
      <tool-approvals gate={gateOf(chat)} remember="none" className="cards" ondecision={({ detail }) => detail.approved satisfies boolean} />
      {/* @ts-expect-error `remember` has no value 'forever' */}
      <tool-approval gate={gate} remember="forever" />
      {/* @ts-expect-error the property `gate` is required */}
      <GateProvider>none</GateProvider>
    </StrictMode>
  );
}

function Buttons() {
  const { respond, respondAll } = useGateActions();
  same<ReturnType<typeof useGate>, ToolGate | null>();
  same<ReturnType<typeof useApproval>, PendingApproval | undefined>();
  same<ReturnType<typeof useToolPart>, ToolPart | undefined>();
  const status = useGateView((view) => view.status);
  same<typeof status, GateStatus>();
  // @ts-expect-error the view has no such property
  useGateView((view) => view.approvals);
  // @ts-expect-error the call is missing
  useApproval();
  const approvals = useApprovals();
  // @ts-expect-error the list of the shown approvals is missing
  respondAll({ approved: true });
  return approvals.map((approval) => (
    <button key={approval.approvalId} onClick={() => respond(approval, { approved: false, reason: 'no' })}>
      {approval.toolName}
      {/* @ts-expect-error an input is unknown until it is narrowed */}
      {approval.input.path}
    </button>
  ));
}

export function setup() {
  const opened = shallowRef<ToolGate | null>(null);
  vue.provideGate(opened);
  vue.provideGate(() => chat);
  // @ts-expect-error neither a gate nor a chat
  vue.provideGate({ messages: [] });
  const approvals = vue.useApprovals();
  same<typeof approvals, Readonly<ShallowRef<readonly PendingApproval[]>>>();
  const first = computed(() => approvals.value[0]?.toolName);
  const part = vue.useToolPart(() => 'c1', opened);
  same<typeof part.value, ToolPart | undefined>();
  // @ts-expect-error read only
  part.value = undefined;
  const { messages, sendMessage } = vue.useGuardedChat(() => chat);
  same<typeof messages.value, { mine: 1 }[]>();
  same<typeof sendMessage, MyChat['sendMessage']>();
  return { first, messages, part };
}

export function svelteSetup() {
  svelte.provideGate(() => chat);
  // @ts-expect-error neither a gate nor a chat
  svelte.provideGate({ messages: [] });
  const reactive = svelte.useGate(() => null);
  same<typeof reactive.pending, readonly PendingApproval[]>();
  // @ts-expect-error an approval id is not a number
  reactive.respond(1, { approved: true });
  // @ts-expect-error read only
  reactive.pending = [];
  // @ts-expect-error `remember` has no value 'forever'
  const tag: SvelteHTMLElements['tool-approval'] = { gate, remember: 'forever' };
  return tag;
}

// Types from the app's own tools.
const tools = {
  deleteFile: tool({ inputSchema: jsonSchema<{ path: string }>({}), execute: async ({ path }) => path.length }),
};
type MyMessage = UIMessage<unknown, UIDataTypes, InferUITools<typeof tools>>;

export function Typed() {
  const chat = react.useGuardedChat<MyMessage>();
  const [approval] = react.useApprovals(chat);
  same<typeof approval, PendingApproval<MyMessage>>();
  if (approval?.toolName === 'deleteFile') same<typeof approval.input, { path: string }>();
  // @ts-expect-error the name is misspelt
  if (approval?.toolName === 'deletFile') return null;
  // @ts-expect-error any tool
  approval?.input.path;
  const part = react.useToolPart<MyMessage>('c1');
  const [shown] = chat.messages[0]?.parts ?? [];
  if (shown?.type === 'tool-deleteFile') same<typeof shown.outcome, Outcome | undefined>();
  same<(typeof chat.messages)[number]['metadata'], MyMessage['metadata']>();
  chat.setMessages((messages) => [...messages, ...chat.messages]);
  if (part?.type === 'tool-deleteFile' && part.state === 'output-available') same<typeof part.output, number>();
  return (
    <>
      <react.ToolApprovals chat={chat} onDecision={({ detail }) => console.log(detail.toolName === 'deleteFile')} />
      {/* @ts-expect-error the name is misspelt */}
      <react.ToolApprovals chat={chat} onDecision={({ detail }) => console.log(detail.toolName === 'deletFile')} />
      <react.ToolApprovals chat={gate} onDecision={({ detail }) => console.log(detail.toolName === 'anything')} />
    </>
  );
}

export function typedSetup() {
  const inVue = vue.useGuardedChat<MyMessage>();
  same<typeof approvals.value, readonly PendingApproval<MyMessage>[]>();
  const approvals = vue.useApprovals(inVue);
  const decided = ({ detail }: CustomEvent<DecisionDetail<MyMessage>>) => void (detail.toolName === 'deleteFile');
  h(vue.ToolApprovals, { chat: inVue, onDecision: decided });
  // @ts-expect-error no such prop
  h(vue.ToolApprovals, { chat: 1 });
  inVue.messages.value = [] as MyMessage[];
  same<typeof inVue.messages.value, GuardedMessage<MyMessage>[]>();
  const inSvelte = svelte.useGuardedChat<MyMessage>();
  inSvelte.messages = [] as MyMessage[];
  same<typeof inSvelte.messages, GuardedMessage<MyMessage>[]>();
  same<ReturnType<typeof svelte.useGate<MyMessage>>['pending'], typeof approvals.value>();
  svelte.useGate(inSvelte).pending satisfies typeof approvals.value;
  const component: Component<svelte.ToolApprovalsProps> = svelte.ToolApprovals;
  return component;
}

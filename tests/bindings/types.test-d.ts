/** Checks the types of the bindings. Only `tsc` checks this file. */
import type { Chat as ReactChat7, UseChatHelpers as ReactHelpers7 } from '@ai-sdk/react';
import type { Chat as SvelteChat7 } from '@ai-sdk/svelte';
import type { Chat as VueChat7, UseChatHelpers } from '@ai-sdk/vue';
import { DefaultChatTransport, type ChatInit, type UIMessage } from 'ai';
import type { Chat as ReactChat6 } from 'ai-sdk-react6';
import type { Chat as SvelteChat6 } from 'ai-sdk-svelte6';
import type { Chat as VueChat6 } from 'ai-sdk-vue6';
import type { UIMessage as UIMessage6 } from 'ai6';
import type { GateMessage, GateStatus, GuardedMessage, GateView, PendingApproval, ToolGate, ToolPart } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import * as react from 'toolgate/react';
import * as svelte from 'toolgate/svelte';
import * as vue from 'toolgate/vue';
import { expectTypeOf } from 'vitest';
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';

type Mine = UIMessage<{ at: number }, { note: string }, { edit: { input: { file: string }; output: string } }>;
/** `@ai-sdk/vue` pins its own version of `ai`, whose message types differ slightly. */
type MineOfVue = InstanceType<typeof VueChat7>['messages'][number] & { metadata?: { at: number } };

declare const gate: ToolGate;
declare const react7: ReactChat7<Mine>;
declare const react6: ReactChat6<UIMessage6>;
declare const svelte7: SvelteChat7<never>;
declare const svelte6: SvelteChat6<UIMessage6>;
declare const vue7: VueChat7<MineOfVue>;
declare const vue6: VueChat6<UIMessage6>;
declare const approval: PendingApproval;
declare const part: ToolPart;

// React: a gate, any chat, or null.
for (const source of [gate, guard(react7), guard(react6), null]) react.GateProvider({ gate: source, children: 'x' });
react.GateProvider({ gate: undefined });
// @ts-expect-error the prop `gate` is required
react.GateProvider({});
// @ts-expect-error not a gate
react.useApprovals({ messages: [] });
expectTypeOf(react.useGate()).toEqualTypeOf<ToolGate | null>();
expectTypeOf(react.useApprovals(gate)).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(react.useApproval('c1')).toEqualTypeOf<PendingApproval | undefined>();
expectTypeOf(react.useToolPart('c1', gate)).toEqualTypeOf<ToolPart | undefined>();
expectTypeOf(react.useMessages()).toEqualTypeOf<GateMessage[]>();
expectTypeOf(react.useGateView()).toEqualTypeOf<GateView>();
expectTypeOf(react.useGateView((view) => view.status)).toEqualTypeOf<GateStatus>();

// The target of a decision is an approval, a part or an approval id.
const { respond, respondAll, cancel, retry } = react.useGateActions();
expectTypeOf(respond(approval, { approved: true, remember: 'chat', input: {} })).toEqualTypeOf<
  'accepted' | 'duplicate'
>();
expectTypeOf(respondAll([approval], { approved: false, reason: 'no' })).toEqualTypeOf<number>();
cancel('enough');
retry('out-1');
respond('ask-c1', { approved: true, inputDigest: 'x' });
respond(part, { approved: false });
// @ts-expect-error the decision is missing
respond(approval, { reason: 'x' });
// @ts-expect-error the shown approvals are missing
respondAll({ approved: true });

// Vue: also refs and getters.
for (const source of [gate, guard(vue7), guard(vue6), null, shallowRef(gate), () => vue7]) vue.provideGate(source);
expectTypeOf(vue.useApprovals()).toEqualTypeOf<Readonly<ShallowRef<readonly PendingApproval[]>>>();
expectTypeOf(vue.useToolPart(() => 'c1').value).toEqualTypeOf<ToolPart | undefined>();
expectTypeOf(vue.useToolPart(ref('c1'), gate).value).toEqualTypeOf<ToolPart | undefined>();
expectTypeOf(vue.useGateView().value).toEqualTypeOf<GateView>();
expectTypeOf(vue.useGateView((view) => view.turn.undecided).value).toEqualTypeOf<number>();
expectTypeOf(vue.useGate().value).toEqualTypeOf<ToolGate | undefined>();
// @ts-expect-error read-only
vue.useApprovals().value = [];

const chat = vue.useGuardedChat(guard(vue7));
expectTypeOf(chat.messages.value).toEqualTypeOf<GuardedMessage<MineOfVue>[]>();
expectTypeOf(chat.sendMessage).toEqualTypeOf<VueChat7<MineOfVue>['sendMessage']>();
expectTypeOf(chat.status.value).toEqualTypeOf<UseChatHelpers<MineOfVue>['status']['value']>();
expectTypeOf<keyof typeof chat>().toEqualTypeOf<keyof UseChatHelpers<MineOfVue> | 'chat'>();
expectTypeOf(vue.useGuardedChat(() => vue6).messages.value).toEqualTypeOf<GuardedMessage<UIMessage6>[]>();
expectTypeOf(vue.useGuardedChat(shallowRef<VueChat7<MineOfVue> | null>(null)).messages).toExtend<Ref<MineOfVue[]>>();

// Svelte.
for (const source of [gate, guard(svelte7), guard(svelte6), null, () => svelte7]) svelte.provideGate(source);
const tools = svelte.useGate(() => gate);
expectTypeOf(tools.pending).toEqualTypeOf<readonly PendingApproval[]>();
expectTypeOf(tools.part('c1')).toEqualTypeOf<ToolPart | undefined>();
expectTypeOf(tools.status).toEqualTypeOf<GateStatus>();
expectTypeOf(tools.respond).toEqualTypeOf<svelte.GateActions['respond']>();
// @ts-expect-error read-only
tools.pending = [];

// useGuardedChat(options) takes the options of the AI SDK's useChat and returns the same, and the chat.
const onToolCall: ChatInit<Mine>['onToolCall'] = ({ toolCall }) => void toolCall.toolName;
const own = react.useGuardedChat<Mine>({
  id: 'a',
  transport: new DefaultChatTransport({ api: '/api' }),
  messages: [],
  onToolCall,
  onFinish: ({ message }) => expectTypeOf(message).toEqualTypeOf<Mine>(),
  onData: (data) => expectTypeOf(data.data).toEqualTypeOf<string>(),
  experimental_queue: true,
  throttle: 50,
  resume: true,
  gate: { onDeny: 'skip-rest' },
  idempotencyHeader: false,
});
expectTypeOf(own).toExtend<ReactHelpers7<Mine>>();
expectTypeOf<keyof typeof own>().toEqualTypeOf<keyof ReactHelpers7<Mine> | 'chat'>();
expectTypeOf(own.sendMessage).toEqualTypeOf<ReactHelpers7<Mine>['sendMessage']>();
expectTypeOf(react.useGuardedChat().messages).toEqualTypeOf<GuardedMessage<UIMessage>[]>();
// @ts-expect-error an option of the gate
react.useGuardedChat({ onDeny: 'skip-rest' });
// @ts-expect-error the chat sets it
react.useGuardedChat({ gate: { chatId: 'a' } });
react.GateProvider({ gate: own });
react.useApprovals(own.chat);
gateOf(own);

const ownInVue = vue.useGuardedChat<Mine>(() => ({ id: 'a', transport: new DefaultChatTransport() }));
expectTypeOf(ownInVue.messages.value).toEqualTypeOf<GuardedMessage<Mine>[]>();
expectTypeOf(ownInVue.sendMessage).toEqualTypeOf<ReactHelpers7<Mine>['sendMessage']>();
expectTypeOf<keyof typeof ownInVue>().toEqualTypeOf<keyof UseChatHelpers<MineOfVue> | 'chat'>();
expectTypeOf(vue.useGuardedChat().messages.value).toEqualTypeOf<GuardedMessage<UIMessage>[]>();
vue.useApprovals(ownInVue);
vue.provideGate(ownInVue);

const ownInSvelte = svelte.useGuardedChat<Mine>(() => ({ id: 'a', transport: new DefaultChatTransport() }));
expectTypeOf(ownInSvelte.messages).toEqualTypeOf<GuardedMessage<Mine>[]>();
expectTypeOf(ownInSvelte.sendMessage).toEqualTypeOf<ReactHelpers7<Mine>['sendMessage']>();
expectTypeOf(ownInSvelte.lastMessage).toEqualTypeOf<Mine | undefined>();
svelte.useGate(ownInSvelte);

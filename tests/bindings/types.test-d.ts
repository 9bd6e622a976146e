/** Checks the types of the bindings. Only `tsc` checks this file. */
import type { Chat as ReactChat7 } from '@ai-sdk/react';
import type { Chat as SvelteChat7 } from '@ai-sdk/svelte';
import type { Chat as VueChat7, UseChatHelpers } from '@ai-sdk/vue';
import type { UIMessage } from 'ai';
import type { Chat as ReactChat6 } from 'ai-sdk-react6';
import type { Chat as SvelteChat6 } from 'ai-sdk-svelte6';
import type { Chat as VueChat6 } from 'ai-sdk-vue6';
import type { UIMessage as UIMessage6 } from 'ai6';
import type { GateMessage, GateStatus, GateView, PendingApproval, ToolGate, ToolPart } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
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
expectTypeOf(react.useApprovals(react7)).toEqualTypeOf<readonly PendingApproval[]>();
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
expectTypeOf(chat.messages.value).toEqualTypeOf<MineOfVue[]>();
expectTypeOf(chat.sendMessage).toEqualTypeOf<VueChat7<MineOfVue>['sendMessage']>();
expectTypeOf(chat.status.value).toEqualTypeOf<UseChatHelpers<MineOfVue>['status']['value']>();
expectTypeOf<keyof typeof chat>().toEqualTypeOf<keyof UseChatHelpers<MineOfVue>>();
expectTypeOf(vue.useGuardedChat(() => vue6).messages.value).toEqualTypeOf<UIMessage6[]>();
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

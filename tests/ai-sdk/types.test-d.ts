/** The types of `toolgate/ai-sdk`, checked by `tsc`: guard preserves the type of all six chats. */
import { type Chat as ReactChat7, useChat } from '@ai-sdk/react';
import type { Chat as SvelteChat7 } from '@ai-sdk/svelte';
import type { Chat as VueChat7 } from '@ai-sdk/vue';
import type { UIMessage } from 'ai';
import type { Chat as ReactChat6 } from 'ai-sdk-react6';
import type { Chat as SvelteChat6 } from 'ai-sdk-svelte6';
import type { Chat as VueChat6 } from 'ai-sdk-vue6';
import type { UIMessage as UIMessage6 } from 'ai6';
import type { ToolGate } from 'toolgate';
import { gateOf, guard, type GuardOptions } from 'toolgate/ai-sdk';
import { expectTypeOf } from 'vitest';

type Mine = UIMessage<{ at: number }, { note: string }, { edit: { input: { file: string }; output: string } }>;

declare const react7: ReactChat7<Mine>;
declare const react6: ReactChat6<UIMessage6>;
declare const svelte7: SvelteChat7<never>;
declare const svelte6: SvelteChat6<never>;
declare const vue7: VueChat7<never>;
declare const vue6: VueChat6<never>;

expectTypeOf(guard(react7)).toEqualTypeOf<ReactChat7<Mine>>();
expectTypeOf(guard(react6)).toEqualTypeOf<ReactChat6<UIMessage6>>();
expectTypeOf(guard(svelte7)).toEqualTypeOf<SvelteChat7<never>>();
expectTypeOf(guard(svelte6)).toEqualTypeOf<SvelteChat6<never>>();
expectTypeOf(guard(vue7)).toEqualTypeOf<VueChat7<never>>();
expectTypeOf(guard(vue6)).toEqualTypeOf<VueChat6<never>>();
expectTypeOf(gateOf(react7)).toEqualTypeOf<ToolGate>();

// `useChat` accepts the returned chat, with the app's message type.
expectTypeOf(useChat({ chat: guard(react7) }).messages).toEqualTypeOf<Mine[]>();

guard(react7, { gate: { onUserMessage: 'queue', browserTools: ['pick'], texts: { denied: 'No.' } } });
expectTypeOf<keyof NonNullable<GuardOptions['gate']>>().not.toEqualTypeOf<'protocol' | 'chatId' | 'generateId'>();
// @ts-expect-error the protocol and the chat's id come from the chat
guard(react7, { gate: { chatId: 'x' } });
// @ts-expect-error not a chat
guard({ messages: [] });
// @ts-expect-error a misspelt policy
guard(react7, { gate: { onUserMessage: 'ask' } });

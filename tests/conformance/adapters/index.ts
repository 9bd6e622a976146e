/** All adapters, in families: the columns of the table. */
import { chats } from '../../ai-sdk/support/chats';
import type { Adapter } from '../kit/src/index';
import { aiSdkAdapter } from './ai-sdk';
import { assistantUiAdapter, guardedAssistantUiAdapter } from './assistant-ui';
import { copilotKitAdapter } from './copilotkit';
import { agUiGateAdapter, gateAdapter, tanstackGateAdapter } from './gate';
import { tanstackAdapter } from './tanstack';

/** Adapters of one stack. */
export interface Family {
  /** The heading of the column. */
  readonly name: string;
  /** The adapters by the name of their baseline file. */
  readonly adapters: Readonly<Record<string, Adapter>>;
}

const aiSdk = (version: 6 | 7, isGuarded: boolean): Family => ({
  name: `${isGuarded ? 'Toolgate on ' : ''}AI SDK ${version}`,
  adapters: Object.fromEntries(
    chats
      .filter((chat) => chat.version === version)
      .map((chat) => [`ai-${version}-${chat.framework}${isGuarded ? '-toolgate' : ''}`, aiSdkAdapter(chat, isGuarded)]),
  ),
});

/** All families. */
export const families: readonly Family[] = [
  aiSdk(6, false),
  aiSdk(7, false),
  { name: 'assistant-ui', adapters: { 'assistant-ui': assistantUiAdapter } },
  { name: 'TanStack AI', adapters: { tanstack: tanstackAdapter } },
  { name: 'CopilotKit', adapters: { copilotkit: copilotKitAdapter } },
  aiSdk(6, true),
  aiSdk(7, true),
  { name: 'Toolgate in assistant-ui', adapters: { 'assistant-ui-toolgate': guardedAssistantUiAdapter } },
  { name: 'Toolgate without a framework', adapters: { toolgate: gateAdapter } },
  { name: 'Toolgate on AG-UI', adapters: { 'ag-ui-toolgate': agUiGateAdapter } },
  { name: 'Toolgate on TanStack AI', adapters: { 'tanstack-toolgate': tanstackGateAdapter } },
];

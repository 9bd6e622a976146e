/**
 * One chat with all its parts: the guarded AI SDK chat, its gate, the backend's record and the log of sent requests.
 * This is the only file that combines Toolgate and the AI SDK, and the one to copy from: `guard(new Chat({ transport
 * }))` makes a chat safe, and `persist` lets it survive a reload and shares it between tabs. The `Chat` is that of the
 * page's framework; nothing else here depends on a framework.
 */
import { createIdGenerator, DefaultChatTransport } from 'ai';
import type { OnDeny, ToolGate } from 'toolgate';
import { gateOf, guard, type AiSdkChat } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';
import type { RecordSource } from '../backend/record';
import type { Scenario } from '../scenarios/index';
import { begin, embedded, knows, remote, type SessionSettings } from './connection';
import type { ChatMessage } from './message-types';
import { PressLog } from './press-log';
import { storeChat, storedChat, type StoredChat } from './stored-chats';
import { WireLog } from './wire-log';

/** The members of the `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue` that all pages use. */
export interface DemoChat extends AiSdkChat {
  messages: ChatMessage[];
  stop: () => Promise<void>;
}

/** Makes the chat: `(options) => new Chat(options)`. */
export type MakeChat<CHAT extends DemoChat> = (options: {
  id: string;
  transport: DefaultChatTransport<ChatMessage>;
}) => CHAT;

/** A chat and its logs. */
export interface Session<CHAT extends DemoChat = DemoChat> {
  id: string;
  scenario: Scenario;
  onDeny: OnDeny;
  chat: CHAT;
  gate: ToolGate;
  record: RecordSource;
  wire: WireLog;
  log: PressLog;
  /** Whether this tab sends. The gate's listeners are called when that changes. */
  isLeader: () => boolean;
  /** Resolves when the present state is stored. */
  saved(): Promise<void>;
  /** Closes the session. The stored chat can be opened again. */
  close(): void;
  /** Closes the session, and deletes the stored chat, in this browser and at the backend. */
  discard(): Promise<void>;
}

/** The settings of a session. */
export interface Wish {
  /** Starts a new chat, even if one is stored. */
  fresh?: boolean;
  /** The policy for the other calls after a denial. */
  onDeny?: OnDeny;
}

/** Opens the chat of a scenario: the stored one, or a new one. Call `init()` of `toolgate` first. */
export async function openSession<CHAT extends DemoChat>(
  makeChat: MakeChat<CHAT>,
  scenario: Scenario,
  settings: SessionSettings,
  wish: Wish = {},
): Promise<Session<CHAT>> {
  const isEmbedded = settings.backend === 'embedded';
  const { id, onDeny } = isEmbedded ? freshChat(wish) : await chatOf(scenario, settings, wish);
  const connection = isEmbedded ? embedded(scenario, settings) : remote(id, scenario, settings);
  const wire = new WireLog();

  const chat = guard(
    makeChat({
      id,
      transport: new DefaultChatTransport({ api: connection.api, fetch: wire.around(connection.network) }),
    }),
    {
      gate: {
        onDeny,
        ...(scenario.approvalTimeoutMs === undefined ? {} : { approvalTimeoutMs: scenario.approvalTimeoutMs }),
      },
    },
  );
  const gate = gateOf(chat);
  const log = new PressLog();
  // A backend inside the page ends with it, so a stored chat could not continue.
  const onError = ({ message }: Error): void => log.add({ type: 'persist', message });
  const kept = isEmbedded ? undefined : await persist(gate, { name: `demo-${id}`, onError });

  const close = (): void => {
    connection.leave();
    // A stored chat can be opened again. A chat that is not stored must not stay open unseen: its approvals would still
    // expire.
    if (kept) kept.close();
    else gate.cancel();
    void chat.stop();
  };
  return {
    id,
    scenario,
    onDeny,
    chat,
    gate,
    record: connection.record([wire.subscribe, (listener) => gate.subscribe(listener)]),
    wire,
    log,
    isLeader: () => (kept?.state ?? 'leader') === 'leader',
    saved: () => kept?.flush() ?? Promise.resolve(),
    close,
    discard: async () => {
      await kept?.clear();
      close();
      await connection.forget();
    },
  };
}

/** Ids that another page cannot guess. */
const newId = createIdGenerator({ size: 24 });

const freshChat = ({ onDeny = 'continue' }: Wish): StoredChat => ({ id: newId(), onDeny });

/** The chat that this browser stores for the scenario, if the backend still has it; else a new one. */
async function chatOf(scenario: Scenario, settings: SessionSettings, wish: Wish): Promise<StoredChat> {
  const stored = storedChat(scenario.id);
  if (stored && !wish.fresh && (await knows(stored.id, settings))) return stored;
  const fresh = freshChat({ ...(stored ? { onDeny: stored.onDeny } : {}), ...wish });
  await begin(fresh.id, scenario, settings);
  storeChat(scenario.id, fresh);
  return fresh;
}

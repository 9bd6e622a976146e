/**
 * One chat with everything behind it: the guarded AI SDK chat, its gate, the backend's record and the log of
 * what left. This is the only file that puts Toolgate and the AI SDK together, and the one to copy from:
 * `guard(new Chat({ transport }))` makes a chat safe, and `persist` lets it survive a reload and share its tabs.
 * The `Chat` is that of the page's framework; nothing else here depends on one.
 */
import { createIdGenerator, DefaultChatTransport } from 'ai';
import { ToolGateError, type OnDeny, type Remember, type ToolGate } from 'toolgate';
import { gateOf, guard, type AiSdkChat } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';
import type { RecordSource } from '../backend/record';
import type { Scenario } from '../scenarios/index';
import { begin, embedded, knows, remote, type SessionSettings } from './connection';
import type { ChatMessage } from './message-types';
import { PressLog } from './press-log';
import { storeChat, storedChat, type StoredChat } from './stored-chats';
import { WireLog } from './wire-log';

/** An answer to one approval request. */
export interface Answer {
  approved: boolean;
  reason?: string | undefined;
  remember?: Remember | undefined;
}

/** What all pages use of the `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue`. */
export interface DemoChat extends AiSdkChat {
  messages: ChatMessage[];
  stop: () => Promise<void>;
}

/** Makes the chat: `(options) => new Chat(options)`. */
export type MakeChat<CHAT extends DemoChat> = (options: {
  id: string;
  transport: DefaultChatTransport<ChatMessage>;
}) => CHAT;

/** A chat and its instruments. */
export interface Session<CHAT extends DemoChat = DemoChat> {
  id: string;
  scenario: Scenario;
  onDeny: OnDeny;
  chat: CHAT;
  gate: ToolGate;
  record: RecordSource;
  wire: WireLog;
  log: PressLog;
  /** Whether this tab is the one that sends; the gate's listeners are told when that changes. */
  isLeader: () => boolean;
  /** Answers one approval request, and notes what became of it. */
  decide(approvalId: string, answer: Answer): void;
  /** Gives every pending request the same answer, all before anything leaves. */
  decideAll(approved: boolean): void;
  /** Resolves when all that is known now is stored. */
  saved(): Promise<void>;
  /** Ends here. What is kept can be opened again. */
  close(): void;
  /** Ends, and deletes what is kept: in this browser and at the backend. */
  discard(): Promise<void>;
}

/** What is wanted of a session. */
export interface Wish {
  /** A chat that has not begun, even if one is kept. */
  fresh?: boolean;
  /** What a denial means for the other calls. */
  onDeny?: OnDeny;
}

/** Opens the chat of a scenario: the one that is kept, or a fresh one. Call `init()` of `toolgate` before. */
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
  // A backend inside the page ends with it, so there would be nobody to go on with.
  const onError = ({ message }: Error): void => log.add({ type: 'keeper', message });
  const kept = isEmbedded ? undefined : await persist(gate, { name: `demo-${id}`, onError });

  const close = (): void => {
    connection.leave();
    // What is kept waits to be opened again. What is not must not go on unseen: its approvals would still expire.
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
    isLeader: () => kept?.isLeader ?? true,
    decide: (approvalId, answer) => {
      log.add({ type: 'press', approvalId, approved: answer.approved, result: respond(gate, approvalId, answer) });
    },
    decideAll: (approved) => {
      const ids = gate.pending().map(({ approvalId }) => approvalId);
      gate.respondAll({ approved });
      for (const approvalId of ids) log.add({ type: 'press', approvalId, approved, result: 'accepted' });
    },
    saved: () => kept?.saved() ?? Promise.resolve(),
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

/** The chat that this browser keeps for the scenario, if the backend still has it; else a fresh one. */
async function chatOf(scenario: Scenario, settings: SessionSettings, wish: Wish): Promise<StoredChat> {
  const stored = storedChat(scenario.id);
  if (stored && !wish.fresh && (await knows(stored.id, settings))) return stored;
  const fresh = freshChat({ ...(stored ? { onDeny: stored.onDeny } : {}), ...wish });
  await begin(fresh.id, scenario, settings);
  storeChat(scenario.id, fresh);
  return fresh;
}

/**
 * Gives the answer to the gate, with the digest of the input that was on the screen.
 * Returns `accepted` or `duplicate`, or the code of the error: a second, different answer is refused, not lost.
 */
function respond(gate: ToolGate, approvalId: string, { approved, reason, remember }: Answer): string {
  const inputDigest = gate.pending().find((pending) => pending.approvalId === approvalId)?.inputDigest;
  try {
    return gate.respond(approvalId, {
      approved,
      ...(reason ? { reason } : {}),
      ...(remember ? { remember } : {}),
      ...(inputDigest ? { inputDigest } : {}),
    });
  } catch (error) {
    if (error instanceof ToolGateError) return error.code;
    throw error;
  }
}

/**
 * One chat with everything behind it: the guarded AI SDK chat, its gate, the backend's record and the log of
 * what left. This is the only file that puts Toolgate and the AI SDK together, and the one to copy from:
 * `guard(new Chat({ transport }))` is all there is to it.
 */
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, generateId } from 'ai';
import { ToolGateError, type ToolGate } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { embeddedFetch } from '../backend/embedded-fetch';
import { createBackend } from '../backend/handler';
import { scriptedModel, type Pace } from '../backend/model';
import type { RecordSource } from '../backend/record';
import { scriptOf, type Scenario } from '../scenarios/index';
import { GateLog } from './gate-log';
import type { ChatMessage } from './message-types';
import { RemoteRecord } from './remote-record';
import { WireLog } from './wire-log';

/** Where the backend is, and how fast the scripted model writes. */
export interface SessionSettings {
  /** `embedded`: in this page. Otherwise the folder of the server's addresses, such as `/api`. */
  backend: string;
  pace: Pace;
}

/** A chat and its instruments. */
export interface Session {
  id: string;
  scenario: Scenario;
  chat: Chat<ChatMessage>;
  gate: ToolGate;
  record: RecordSource;
  wire: WireLog;
  log: GateLog;
  /** Answers one approval request, and notes what became of it. */
  decide(approvalId: string, approved: boolean, reason?: string): void;
  /** Stops what is running. The session is not used afterwards. */
  close(): void;
}

/** Opens a fresh chat for a scenario. Call `init()` of `toolgate` before. */
export function openSession(scenario: Scenario, settings: SessionSettings): Session {
  const id = generateId();
  const wire = new WireLog();
  const { api, network, record } =
    settings.backend === 'embedded' ? embedded(scenario, settings.pace) : remote(id, scenario, settings.backend, wire);

  const chat = guard(
    new Chat<ChatMessage>({
      id,
      transport: new DefaultChatTransport({ api, fetch: wire.around(network) }),
    }),
  );
  const gate = gateOf(chat);
  const log = new GateLog(gate);
  return {
    id,
    scenario,
    chat,
    gate,
    record,
    wire,
    log,
    decide: (approvalId, approved, reason) => {
      log.add({ type: 'press', approvalId, approved, result: answer(gate, approvalId, approved, reason) });
    },
    close: () => {
      log.close();
      void chat.stop();
    },
  };
}

/**
 * Gives the answer to the gate, with the digest of the input that was on the screen.
 * Returns `accepted` or `duplicate`, or the code of the error: a second, different answer is refused, not lost.
 */
function answer(gate: ToolGate, approvalId: string, approved: boolean, reason: string | undefined): string {
  const inputDigest = gate.pending().find((pending) => pending.approvalId === approvalId)?.inputDigest;
  try {
    return gate.respond(approvalId, { approved, ...(reason ? { reason } : {}), ...(inputDigest ? { inputDigest } : {}) });
  } catch (error) {
    if (error instanceof ToolGateError) return error.code;
    throw error;
  }
}

interface Connection {
  api: string;
  network: typeof fetch;
  record: RecordSource;
}

function embedded(scenario: Scenario, pace: Pace): Connection {
  const backend = createBackend({
    model: scriptedModel(scriptOf(scenario), pace),
    modelName: 'scripted, in this page',
    files: scenario.files,
    pace,
    faults: scenario.faults,
  });
  return { api: '/api/chat', network: embeddedFetch(backend), record: backend.recorder };
}

function remote(id: string, scenario: Scenario, base: string, wire: WireLog): Connection {
  return {
    api: `${base}/chat?scenario=${encodeURIComponent(scenario.id)}`,
    network: (input, init) => fetch(input, init),
    record: new RemoteRecord(`${base}/record?id=${encodeURIComponent(id)}`, scenario.files, wire),
  };
}

/**
 * The values of our protocols, by which a gate is typed: requests, answers, events and messages. They are structural,
 * so that no vendor's package is needed; a vendor's own values have these types. No code.
 */
import type { AiSdkBody } from './view.js';

/** A value with at least these fields: one of the vendor's types, or an object literal with more of them. */
type Open<T> = T | (T & { readonly [field: string]: unknown });

/** An event, a message or an item that names its type. */
export type Typed = Open<{ readonly type: string }>;
/** A message with an author. */
export type Said = Open<{ readonly role: string; readonly id?: string | undefined; readonly content?: unknown }>;
/** A message with an author, and parts. */
export type SaidInParts = Open<{ readonly role: string; readonly parts: readonly object[] }>;
/** The AI SDK's request inside of that of another transport, and a message of a history. */
export type AnyMessage = Said | SaidInParts;

/** An id of JSON-RPC. */
type RpcId = string | number | null | undefined;
/** A request or notification of JSON-RPC; Codex leaves out its version. */
interface RpcRequest<METHOD extends string, PARAMS> {
  readonly jsonrpc?: '2.0';
  readonly id?: RpcId;
  readonly method: METHOD;
  readonly params: PARAMS;
}
/** A response of JSON-RPC. */
interface RpcResponse<RESULT> {
  readonly jsonrpc?: '2.0';
  readonly id: RpcId;
  readonly result: RESULT;
}
/** Any message of JSON-RPC. */
export type Rpc = Open<{
  readonly id?: RpcId;
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}>;

/** OpenAI's Chat Completions API. */
export type OpenAiChunk = Open<{ readonly choices?: readonly object[] | null; readonly error?: unknown }>;
/** A message of OpenAI's Chat Completions API. Servers that imitate it add fields of their own. */
export type OpenAiMessage = Open<{
  readonly role: string;
  readonly content?: string | readonly object[] | null;
  readonly tool_calls?: readonly object[] | undefined;
  readonly tool_call_id?: string | undefined;
}>;
/** An item of OpenAI's Responses API. */
export type ResponsesItem = Open<{
  readonly type?: string | null | undefined;
  readonly id?: string | null | undefined;
}>;

/** Anthropic's Messages API. */
export interface AnthropicBody {
  readonly system?: Typed[];
  readonly messages: AnthropicMessage[];
}
/** A message of Anthropic's Messages API. */
export type AnthropicMessage = Open<{ readonly role: string; readonly content: string | readonly object[] }>;

/** A content of Google's Gemini API. */
export type GeminiContent = Open<{
  readonly role?: string | undefined;
  readonly parts?: readonly object[] | undefined;
}>;
/** An event of Google's Gemini API. */
export type GeminiEvent = Open<{ readonly candidates?: readonly object[] | undefined; readonly error?: unknown }>;

/** A request of Google's Agent Development Kit. */
export interface AdkBody {
  readonly session_id: string;
  readonly new_message: { readonly role: 'user'; readonly parts: readonly object[] };
  readonly streaming: true;
}
/** An event of Google's Agent Development Kit, in a stream or in a session. */
export type AdkEvent = Open<{ readonly author?: string | undefined; readonly content?: GeminiContent | undefined }>;

/** A2A: a message, or the cancellation of a task. */
export type A2aBody =
  | RpcRequest<'SendStreamingMessage', { readonly message: A2aMessage }>
  | RpcRequest<'CancelTask', { readonly id: string }>;
/** A message of A2A, or a task with a history of them. */
export type A2aMessage = Open<{ readonly messageId?: string; readonly parts?: readonly object[] | undefined }>;

/** The Agent Client Protocol: a prompt, or the response to a permission request or an elicitation. */
export type AcpBody =
  | RpcRequest<'session/prompt', { readonly sessionId: string; readonly prompt: readonly object[] }>
  | RpcRequest<'_toolgate/tool_result', { readonly sessionId: string; readonly toolCallId: string }>
  | RpcResponse<{ readonly outcome: object } | { readonly action: 'accept' | 'decline' | 'cancel' }>;
/** An update of a session, or its notification. */
export type AcpUpdate = Open<{ readonly sessionUpdate?: string; readonly update?: object; readonly params?: object }>;

/** Codex's app server: a turn, the response to a request, or items for the thread. */
export type CodexBody =
  | RpcRequest<
      'turn/start',
      { readonly threadId: string; readonly input: readonly object[]; readonly clientUserMessageId: string }
    >
  | RpcRequest<'thread/inject_items', { readonly threadId: string; readonly items: readonly object[] }>
  | RpcResponse<object>;
/** An item of a thread, or a turn with items. */
export type CodexItem = Open<{ readonly type?: string; readonly items?: readonly object[] }>;

/** AG-UI: `RunAgentInput`. */
export interface AgUiBody {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId?: string | undefined;
  readonly messages: readonly Said[];
  readonly resume?: readonly object[] | undefined;
  readonly forwardedProps?: unknown;
}

/** LangGraph: an input, or the answers to interrupts. */
export interface LangGraphBody {
  readonly config: { readonly configurable: { readonly thread_id: string } };
  readonly input?: { readonly messages: readonly Typed[] };
  readonly command?: { readonly resume: unknown; readonly update?: LangGraphBody['update'] };
  readonly responses?: readonly { readonly interrupt_id: string | undefined; readonly response: unknown }[];
  readonly update?: { readonly messages: readonly Typed[] };
}
/** An event of a LangGraph run or thread. */
export type LangGraphEvent = Open<{ readonly event: string } | { readonly method: string }>;

/** OpenAI Agents: the input of a run, or decisions about a run that waits. */
export interface OpenAiAgentsBody {
  readonly chatId: string;
  readonly input?: readonly ResponsesItem[];
  readonly decisions?: readonly { readonly callId: string; readonly approve: boolean; readonly message?: string }[];
}

/** Genkit. */
export interface GenkitBody {
  readonly messages: readonly Said[];
  readonly resume?: { readonly restart?: readonly object[]; readonly respond?: readonly object[] } | undefined;
}
/** A chunk, the result or an error of Genkit. */
export type GenkitEvent = Open<{ readonly message?: object; readonly result?: unknown; readonly error?: unknown }>;

/** Mastra: the route of the agent, and the body for it. */
export type MastraBody =
  | { readonly action: 'stream'; readonly body: { readonly messages: readonly Said[] } }
  | { readonly action: 'approve-tool-call' | 'decline-tool-call'; readonly body: MastraDecision };
interface MastraDecision {
  readonly runId: string | undefined;
  readonly toolCallId: string;
  readonly reason?: string;
}

/** The AI SDK over a WebSocket: a request, or the answer about one call. */
export type AiSdkWsBody =
  | { readonly type: 'message'; readonly data: AiSdkBody }
  | { readonly type: 'tool_result'; readonly data: Readonly<Record<string, unknown>> };

/** Cloudflare's chat agents: a request, a decision, or the result of a browser tool. */
export type CloudflareBody =
  | {
      readonly type: 'cf_agent_use_chat_request';
      readonly id: string;
      readonly init: { readonly method: 'POST'; readonly body: string };
    }
  | (CloudflareAnswer & { readonly type: 'cf_agent_tool_approval'; readonly approved: boolean })
  | (CloudflareAnswer & { readonly type: 'cf_agent_tool_result'; readonly toolName: string; readonly output: unknown });
interface CloudflareAnswer {
  readonly toolCallId: string;
  readonly autoContinue: true;
  readonly state?: 'output-error';
  readonly errorText?: string;
}

/** opencode's server: a message, or the answer to a permission request or a question. */
export type OpencodeBody =
  | { readonly sessionID: string; readonly parts: readonly object[]; readonly noReply?: true }
  | { readonly requestID: string; readonly sessionID?: string; readonly reply?: string; readonly message?: string };
/** A message of opencode. */
export type OpencodeMessage = Open<{ readonly info: { readonly role: string }; readonly parts: readonly object[] }>;

/** A message of VS Code's language-model chat. */
export type VscodeMessage = Open<{ readonly role: number; readonly content: string | readonly unknown[] }>;

/** Checks that a gate is typed by its protocol. Only `tsc` checks this file; it does not run. */
import { expectTypeOf } from 'vitest';
import type { Message as AgUiMessage, BaseEvent } from '@ag-ui/core';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type Anthropic from '@anthropic-ai/sdk';
import type { Content, GenerateContentResponse } from '@google/genai';
import type { Message as ThreadMessage } from '@langchain/langgraph-sdk';
import type OpenAI from 'openai';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { acp } from '../../src/ts/protocols/acp.js';
import { agUi } from '../../src/ts/protocols/ag-ui.js';
import { anthropic } from '../../src/ts/protocols/anthropic.js';
import { gemini } from '../../src/ts/protocols/gemini.js';
import { langgraph } from '../../src/ts/protocols/langgraph.js';
import { mastra } from '../../src/ts/protocols/mastra.js';
import { openaiChat } from '../../src/ts/protocols/openai-chat.js';
import { openaiResponses } from '../../src/ts/protocols/openai-responses.js';
import { defineProtocol } from '../../src/ts/protocols/shared/define-protocol.js';
import type { GateMessage, Protocol, SavedGate, TypesOf } from '../../src/ts/types/index.js';

interface Body {
  readonly messages: readonly Message[];
}
interface Event {
  readonly type: 'text' | 'end';
}
interface Message {
  readonly from: string;
}
declare const saved: SavedGate;
declare const event: Event;
declare const message: Message;

const mine = defineProtocol({
  name: 'mine',
  capabilities: { kind: 'answering' },
  createReader: () => (given: Event) => given.type === 'end',
  write: (): Message[] => [],
  body: (): Body => ({ messages: [] }),
  answer: ({ approvalId }) => ({ approvalId }),
});
expectTypeOf(mine).toEqualTypeOf<Protocol<Body | { approvalId: string }, Event, Message>>();

// With a protocol, the gate takes and returns what that protocol declares.
const gate = new ToolGate({ protocol: mine });
gate.receive(event);
// @ts-expect-error
gate.receive({ type: 'other' });
gate.load([message]);
gate.load([] as GateMessage[]);
// @ts-expect-error
gate.load([{ to: 'me' }]);
expectTypeOf(gate.outgoing()[0]?.body).toEqualTypeOf<Body | { approvalId: string } | undefined>();
expectTypeOf(gate.assemble()).toEqualTypeOf<Message[]>();
expectTypeOf(ToolGate.restore(saved, { protocol: mine }).assemble()).toEqualTypeOf<Message[]>();
expectTypeOf(gate.assemble('ai-sdk')).toEqualTypeOf<unknown[]>();
expectTypeOf(gate.protocol.name).toBeString();

// Without one, or with one of no declared types, everything is unknown, as in a gate of any protocol.
const plain = new ToolGate();
plain.receive('anything');
plain.load(['anything']);
expectTypeOf(plain.outgoing()[0]?.body).toBeUnknown();
expectTypeOf(plain.assemble()).toEqualTypeOf<unknown[]>();
expectTypeOf(plain.assemble(mine)).toEqualTypeOf<Message[]>();
expectTypeOf(gate).toExtend<ToolGate>();
expectTypeOf(mine).toExtend<Protocol>();

// Our own protocols: the vendors' events and messages are accepted, and those of another kind are not.
type EventOf<P extends Protocol> = TypesOf<P>['event'];
type MessageOf<P extends Protocol> = TypesOf<P>['message'];
type BodyOf<P extends Protocol> = TypesOf<P>['body'];
expectTypeOf<OpenAI.ChatCompletionChunk>().toExtend<EventOf<typeof openaiChat>>();
expectTypeOf<OpenAI.ChatCompletionMessageParam>().toExtend<MessageOf<typeof openaiChat>>();
expectTypeOf<OpenAI.Responses.ResponseStreamEvent>().toExtend<EventOf<typeof openaiResponses>>();
declare const item: OpenAI.Responses.ResponseInputItem;
new ToolGate({ protocol: openaiResponses }).load([item]);
expectTypeOf<Anthropic.RawMessageStreamEvent>().toExtend<EventOf<typeof anthropic>>();
expectTypeOf<Anthropic.MessageParam>().toExtend<MessageOf<typeof anthropic>>();
expectTypeOf<GenerateContentResponse>().toExtend<EventOf<typeof gemini>>();
expectTypeOf<Content>().toExtend<MessageOf<typeof gemini>>();
expectTypeOf<BaseEvent>().toExtend<EventOf<typeof agUi>>();
expectTypeOf<AgUiMessage>().toExtend<MessageOf<typeof agUi>>();
expectTypeOf<SessionUpdate>().toExtend<MessageOf<typeof acp>>();
expectTypeOf<ThreadMessage>().toExtend<MessageOf<typeof langgraph>>();
expectTypeOf<BodyOf<typeof agUi>['threadId']>().toBeString();
expectTypeOf<BodyOf<typeof openaiChat>['messages']>().toEqualTypeOf<MessageOf<typeof openaiChat>[]>();

const chat = new ToolGate({ protocol: openaiChat });
chat.receive({ id: '1', choices: [{ index: 0, delta: { content: 'Hi' } }] });
// @ts-expect-error
chat.receive('data: {}');
chat.load([{ role: 'user', content: 'Hi', name: 'Ann' }]);
// @ts-expect-error
chat.load([{ text: 'Hi' }]);
expectTypeOf(chat.outgoing()[0]?.body.messages[0]?.role).toEqualTypeOf<string | undefined>();

// The answers of protocols that send each decision on its own are told apart by their fields.
const agent = new ToolGate({ protocol: acp }).outgoing()[0]?.body;
if (agent && 'method' in agent && agent.method === 'session/prompt') expectTypeOf(agent.params.sessionId).toBeString();
const opened = new ToolGate({ protocol: mastra }).outgoing()[0]?.body;
if (opened?.action === 'approve-tool-call') expectTypeOf(opened.body.toolCallId).toBeString();

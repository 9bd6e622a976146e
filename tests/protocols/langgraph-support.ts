/**
 * Decisions on LangGraph's interrupts, for the tests of its codec.
 */
import { langgraph } from '../../src/ts/protocols/langgraph.js';
import type { Data } from './support';
import { codecOf } from './codecs.js';

const codec = codecOf(langgraph);

/** The result text of a call that the middleware dropped. */
export const INTERRUPTED = 'Error: Tool execution was interrupted. It did not run.';

/** Returns the tool parts of a gate. */
export const parts = (gate: { getSnapshot(): Data }): Data[] =>
  gate.getSnapshot().messages.flatMap((message: Data) => message.parts.filter((part: Data) => part.toolCallId));

/** Returns a decision on a pending approval, as the core passes it to a codec. */
export const decided = (gate: Data, place: number, more: Data): Data => {
  const { approvalId, toolCallId, toolName, input } = gate.pending()[place];
  const approval = parts(gate).find((part) => part.toolCallId === toolCallId)?.approval;
  return { approvalId, toolCallId, toolName, input, approval, ...more };
};

/** Returns the body of a request with these decisions. */
export const bodyFor = (decisions: Data[], texts?: Data): Data =>
  codec.body([], {
    chatId: 'chat',
    history: 'server',
    decisions,
    newMessages: [],
    texts,
    item: {},
    request: { messages: [] },
    reportLoss: () => {},
  } as Data);

/** Returns the decisions of a resume that answers one interrupt by id. */
export const decisionsOf = ({ command }: Data): Data[] => {
  const [answer, ...more] = Object.values<Data>(command.resume);
  if (more.length || command.resume.decisions)
    throw new Error(`expected exactly one answer, with the interrupt's id: ${JSON.stringify(command)}`);
  return answer.decisions;
};

/** The pairing rules of histories that a backend stores: a history must look like one that the backend wrote. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

type Rule = (messages: readonly Data[]) => string[];

const same = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

const doubles = (ids: readonly string[], what: string): string[] =>
  new Set(ids).size === ids.length ? [] : [`${what} twice`];

/** The rules of AI SDK 5: no approvals, and the results of a step are in the next message, in order. */
export const mastra: Rule = (messages) => {
  const broken: string[] = [];
  const all: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (typeof content === 'string') return;
    if (content.length === 0) broken.push('empty content');
    const next = messages[place + 1]?.role === 'tool' ? messages[place + 1].content : [];
    const idsOf = (parts: readonly Data[], type: string): string[] =>
      parts.filter((part) => part.type === type).map((part) => part.toolCallId);
    const [calls, hosted] = [idsOf(content, 'tool-call'), idsOf(content, 'tool-result')];
    all.push(...calls);
    if (content.some(({ type }: Data) => /approval/.test(type))) broken.push('an approval');
    if (
      role === 'assistant' &&
      !same(
        calls.filter((id) => !hosted.includes(id)),
        idsOf(next, 'tool-result'),
      )
    )
      broken.push(`the calls are ${calls}, the results ${idsOf(next, 'tool-result')}`);
    if (role === 'tool' && messages[place - 1]?.role !== 'assistant') broken.push('results without a call');
  });
  return [...broken, ...doubles(all, 'a call')];
};

/** Every call is a part of an assistant message, and has its result in the same part. */
export const opencode: Rule = (messages) => {
  const tools: Data[] = messages.flatMap(({ info, parts }) =>
    parts.filter(({ type }: Data) => type === 'tool').map((part: Data) => ({ ...part, role: info.role })),
  );
  const broken = messages
    .filter(({ info, parts }) => !parts.length || !/^(user|assistant)$/.test(info.role))
    .map(() => 'an empty message');
  for (const { callID, role, state } of tools) {
    if (role !== 'assistant') broken.push('a call in a user message');
    if (typeof (state.status === 'completed' ? state.output : state.error) !== 'string')
      broken.push(`${callID} is empty`);
  }
  return [
    ...broken,
    ...doubles(
      tools.map(({ callID }) => callID),
      'a call',
    ),
  ];
};

/** A session of the Claude Agent SDK: its messages contain those of the Messages API. */
export const claudeAgentSdk =
  (ofMessages: Rule): Rule =>
  (items) => [
    ...items.filter(({ type, message }) => type !== message.role).map(() => 'a message of another role'),
    ...items.filter(({ type }) => !/^(user|assistant)$/.test(type)).map(() => 'a message without a role'),
    ...ofMessages(items.map(({ message }) => message)),
  ];

/** Every call of a Codex thread is an item that is over, and every text has content. */
export const codex: Rule = (items) => {
  const broken: string[] = [];
  for (const { type, id, status, content, text } of items) {
    if (typeof id !== 'string') broken.push(`a ${type} without an id`);
    if (/Call$|^commandExecution$|^fileChange$/.test(type) && !/^(completed|failed|declined)$/.test(status))
      broken.push(`${id} is ${status}`);
    if (type === 'userMessage' && !content.length) broken.push('an empty message');
    if (type === 'agentMessage' && !text) broken.push('an empty text');
  }
  return [
    ...broken,
    ...doubles(
      items.map(({ id }) => id),
      'an item',
    ),
  ];
};

/**
 * A tool use that needs approval has a confirmation or a result before the next message of the user. Every answer
 * belongs to a tool use, and no use has two answers.
 */
export const claudeManagedAgents: Rule = (events) => {
  const broken: string[] = [];
  const uses = new Set<string>();
  const answered: string[] = [];
  const open = new Set<string>();
  for (const event of events) {
    const { type, id, tool_use_id: use = event.mcp_tool_use_id ?? event.custom_tool_use_id } = event;
    if (type === 'user.message' || type === 'agent.message') {
      if (open.size && type === 'user.message') broken.push(`${[...open]} dangle`);
      if (event.content.length === 0) broken.push('empty content');
    } else if (/tool_use$/.test(type)) {
      if (uses.has(id)) broken.push('a repeated call');
      uses.add(id);
      if (event.evaluated_permission === 'ask') open.add(id);
    } else if (type === 'user.tool_confirmation') {
      if (!open.delete(use)) broken.push(`${use} has no open approval`);
      if (event.result === 'deny') answered.push(use);
    } else if (/tool_result$/.test(type)) {
      if (!uses.has(use)) broken.push(`${use} has no call`);
      answered.push(use);
      open.delete(use);
    }
  }
  return [...broken, ...doubles(answered, 'an answer')];
};

/**
 * Every request of A2A's convention has an answer or a result before the user's next text. Every answer and result
 * belongs to a call, and no call has two of a kind.
 */
export const a2a: Rule = (messages) => {
  const broken: string[] = [];
  /** The calls of the step: ids may repeat in the next one. */
  let calls = new Set<string>();
  let answered: string[] = [];
  const asked = new Set<string>();
  for (const { role, parts, messageId } of messages) {
    if (!parts.length || typeof messageId !== 'string') broken.push('an empty message');
    if (role !== 'ROLE_USER' && role !== 'ROLE_AGENT') broken.push(`a message of ${role}`);
    for (const { text, data } of parts) {
      const { type, toolCallId: id, toolName, approvalId } = data ?? {};
      if (text !== undefined && !text) broken.push('an empty text');
      if (text !== undefined && role === 'ROLE_USER' && asked.size) broken.push(`${[...asked]} dangle`);
      if (type === 'tool-call' || type === 'tool-approval-request') {
        if (answered.length) [calls, answered] = [new Set(), []];
        if (role !== 'ROLE_AGENT' || calls.has(id) || typeof toolName !== 'string') broken.push(`a wrong call ${id}`);
        calls.add(id);
        if (approvalId !== undefined) asked.add(id);
      } else if (/^tool-(result|approval-response)$/.test(type)) {
        if (!calls.has(id)) broken.push(`${id} has no call`);
        answered.push(`${type} of ${id}`);
        asked.delete(id);
      }
    }
    broken.push(...doubles(answered, 'an answer'));
  }
  const ids = messages.map(({ messageId }) => messageId);
  return [...broken, ...doubles(ids, 'a message')];
};

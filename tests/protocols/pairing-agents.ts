/** The pairing rules of two agent frameworks: LangChain's messages, and the items of the OpenAI Agents SDK. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

type Rule = (messages: readonly Data[]) => string[];

const same = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

const doubles = (ids: readonly string[], what: string): string[] =>
  new Set(ids).size === ids.length ? [] : [`${what} twice`];

/** A message of the model is followed by one tool message for each of its calls, in order. Results are texts. */
export const langgraph: Rule = (messages) => {
  const broken: string[] = [];
  const all: string[] = [];
  messages.forEach(({ type, content, tool_calls: calls, tool_call_id: id, status }, place) => {
    if (!['human', 'ai', 'tool', 'system'].includes(type)) broken.push(`type ${type}`);
    if (type === 'tool' && (typeof content !== 'string' || !['success', 'error'].includes(status)))
      broken.push('a result that is not text, or without a valid status');
    if (type === 'tool' && !all.includes(id)) broken.push(`${id} has no call`);
    if (calls && type !== 'ai') broken.push(`a call of ${type}`);
    const asked: string[] = (calls ?? []).map((call: Data) => call.id);
    all.push(...asked);
    if (type !== 'ai') return;
    const answers = messages.slice(place + 1, place + 1 + asked.length).map((message) => message.tool_call_id);
    if (!same(asked, answers)) broken.push(`asked ${asked}, answered ${answers}`);
    if (messages[place + 1 + asked.length]?.type === 'tool') broken.push('more results than calls');
    for (const { args } of calls ?? [])
      if (typeof args !== 'object' || args === null || Array.isArray(args)) broken.push('args that are not an object');
  });
  return [...broken, ...doubles(all, 'a call')];
};

/** Every function call has one result, in the order of the calls, before the next message that is not the model's. */
export const openaiAgents: Rule = (items) => {
  const broken: string[] = [];
  const asked: string[] = [];
  const answered: string[] = [];
  for (const { type, callId, content, output, arguments: args } of items) {
    if (type === 'function_call') asked.push(callId);
    if (type === 'function_call') JSON.parse(args);
    if (type === 'function_call_result') {
      if (!asked.includes(callId)) broken.push(`${callId} has no call`);
      if (typeof output?.text !== 'string') broken.push('a result that is not text');
      answered.push(callId);
    }
    if (type === 'message' && content.length === 0) broken.push('an empty message');
    if (type === 'message' && asked.length > answered.length && content[0].type !== 'output_text')
      broken.push('a message before the results');
  }
  if (!same(asked, answered)) broken.push(`asked ${asked}, answered ${answered}`);
  return [...broken, ...doubles(asked, 'a call')];
};

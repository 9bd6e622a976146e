/** A scripted model behind an OpenAI-compatible API, for programs that run outside of the tests' process. */
import type { Line, Reply } from './rig';
import type { Data } from './support';

/** Returns the model's call for a call of a scenario. Default: the tool with its path. */
export type CallOf = (tool: string, path: string) => { readonly name: string; readonly input: Data };

/** What the model received, from the messages of a request. `toolOf`: the tool of a call, by the call's name. */
export function linesOf(messages: readonly Data[], toolOf = (name: string): string => name): Line[] {
  const calls = new Map<string, string>();
  const textOf = (content: Data): string =>
    typeof content === 'string' ? content : (content ?? []).map((part: Data) => part.text ?? '').join('');
  return messages.flatMap(({ role, content, tool_calls: asked, tool_call_id: id }: Data): Line[] => {
    if (role === 'system' || role === 'developer') return [];
    const text = textOf(content);
    // LlamaIndex writes results as messages of the user.
    if (id) return [{ kind: 'result', call: calls.get(id) ?? `? ${id}`, text }];
    const made = (asked ?? []).map((call: Data): Line => {
      const name = `${toolOf(call.function.name)} ${JSON.parse(call.function.arguments).path}`;
      calls.set(call.id, name);
      return { kind: 'call', call: name };
    });
    return [...(text ? [{ kind: role === 'user' ? 'user' : 'text', text } as Line] : []), ...made];
  });
}

/** A reply as the events of a stream; an error, which no client repeats, if the model fails. */
export function replyOf(
  reply: Reply | undefined,
  callOf: CallOf = (name, path) => ({ name, input: { path } }),
): Response {
  if (!reply || 'error' in reply)
    return Response.json(
      { error: { message: 'The scripted model fails.', type: 'invalid_request_error' } },
      { status: 400 },
    );
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  // Each call has a chunk of its own: LlamaIndex reads no more of a chunk.
  const said =
    'text' in reply
      ? [{ content: reply.text }]
      : reply.calls.map(({ id, tool, path }, index) => {
          const { name, input } = callOf(tool, path);
          return {
            tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
          };
        });
  const deltas = said.map((delta) => chunk({ role: 'assistant', content: '', ...delta }));
  const chunks = [...deltas, chunk({}, 'text' in reply ? 'stop' : 'tool_calls')].map((one) => JSON.stringify(one));
  const text = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

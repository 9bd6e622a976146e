/** Shows the states of a chat's tool calls, for the pages without a framework. */

/** A line with the state of each tool call, now and after every change. */
export function showCalls(messages, subscribe) {
  const lines = document.createElement('div');
  document.body.append(lines);
  const draw = () => {
    const calls = messages()
      .flatMap(({ parts }) => parts)
      .filter(({ toolCallId }) => toolCallId);
    lines.replaceChildren(
      ...calls.map(({ toolCallId, state }) => {
        const line = document.createElement('p');
        line.id = toolCallId;
        line.textContent = state;
        return line;
      }),
    );
  };
  subscribe(draw);
  draw();
}

/**
 * A chat in plain JavaScript, the lower bound for the rows of the page: it reads the stream of the scenario into
 * messages, replaces the changed ones, and calls its listeners. It handles only the events of the scenario.
 */

/** Creates the chat. `transport` has the interface of the AI SDK's transports. */
export function createPlainChat({ transport }) {
  const chat = {
    messages: [],
    waiting: 0,
    listeners: new Set(),
    subscribe: (listener) => (chat.listeners.add(listener), () => chat.listeners.delete(listener)),
    /** The messages, which are replaced by each change. */
    get: () => chat.messages,
    respond: (part, approved) => {
      chat.waiting--;
      replace(chat, part.place, { ...part, state: 'approval-responded', approval: { ...part.approval, approved } });
    },
    sendMessage: async () => {
      const reader = (await transport.sendMessages()).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) receive(chat, next.value);
    },
  };
  return chat;
}

function change(chat, parts) {
  chat.messages = [{ ...chat.messages[0], parts }];
  for (const listener of chat.listeners) listener();
}

function replace(chat, place, part) {
  const parts = chat.messages[0].parts.slice();
  parts[place] = part;
  change(chat, parts);
}

function receive(chat, event) {
  const parts = chat.messages[0]?.parts ?? [];
  const last = parts.length - 1;
  switch (event.type) {
    case 'start':
      chat.messages = [{ id: event.messageId, role: 'assistant', parts: [] }];
      break;
    case 'tool-input-available': {
      const { toolCallId, toolName, input } = event;
      const part = { type: `tool-${toolName}`, toolCallId, input, state: 'input-available', place: parts.length };
      change(chat, [...parts, part]);
      break;
    }
    case 'tool-approval-request':
      chat.waiting++;
      replace(chat, last, { ...parts[last], state: 'approval-requested', approval: { id: event.approvalId } });
      break;
    case 'text-start':
      change(chat, [...parts, { type: 'text', text: '' }]);
      break;
    case 'text-delta':
      replace(chat, last, { ...parts[last], text: parts[last].text + event.delta });
      break;
  }
}

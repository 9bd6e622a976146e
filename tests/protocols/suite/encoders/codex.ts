/** The messages of Codex's app server about one turn: the calls of its MCP servers, and commands that it asks about. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const codex: Encoder = {
  protocol: 'codex',
  features: { results: true, steps: true, textBeginsStep: true, reasoning: true },
  wire() {
    let items = 0;
    const message = (method: string, params: object): object => ({
      method,
      params: { threadId: 't', turnId: 'turn-1', ...params },
    });
    const itemOf = ({ id, name, input }: ScriptedCall, more: object): object => ({
      type: 'mcpToolCall',
      id,
      server: 'files',
      tool: name,
      arguments: input,
      status: 'inProgress',
      ...more,
    });
    const turn = (more: object): object => message('turn/completed', { turn: { id: 'turn-1', ...more } });
    return {
      open: () => [message('turn/started', { turn: { id: 'turn-1', status: 'inProgress' } })],
      text({ kind, pieces }) {
        const itemId = `text-${items++}`;
        const method = kind === 'text' ? 'item/agentMessage/delta' : 'item/reasoning/summaryTextDelta';
        const item =
          kind === 'text'
            ? { type: 'agentMessage', id: itemId, text: pieces.join('') }
            : { type: 'reasoning', id: itemId, summary: [pieces.join('')], content: [] };
        return [...pieces.map((delta) => message(method, { itemId, delta })), message('item/completed', { item })];
      },
      call: (call: ScriptedCall) => [message('item/started', { item: itemOf(call, {}) })],
      result: (call) => {
        const { value, failed } = call.result!;
        const more = failed
          ? { status: 'failed', error: { message: value } }
          : { status: 'completed', result: { content: [{ type: 'text', text: value }] } };
        return [message('item/completed', { item: itemOf(call, more) })];
      },
      close: () => [turn({ status: 'completed' })],
      fail: () => [turn({ status: 'failed', error: { message: 'overloaded' } })],
    };
  },
  noise: [{ method: 'thread/tokenUsage/updated', params: { threadId: 't' } }],
};

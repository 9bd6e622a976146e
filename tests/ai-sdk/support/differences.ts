/**
 * Intended differences between a guarded and an unguarded chat. Each has a scenario, the lines that appear in the trace
 * of only one of the chats, and the reason.
 */
import type { AnyChat } from './chats';
import { type Scenario, send } from './scenarios';
import { turns } from '../../lib/waiting';
import { asks, calls, goesOn, says } from './transport';

const text = says('x');

/** Parts of lines of a trace, for both versions or for each version. */
type Lines = readonly string[] | Readonly<Record<6 | 7, readonly string[]>>;

/** A scenario with an intended difference. */
export interface Difference extends Scenario {
  /** The reason. */
  readonly because: string;
  /** The lines that only the unguarded chat has, in order. */
  readonly bare: Lines;
  /** The lines that only the guarded chat has, in order. */
  readonly guarded: Lines;
}

const approve =
  (options: object) =>
  async (chat: AnyChat): Promise<void> => {
    await send(chat);
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, ...options });
    await turns();
  };

/** All differences that an app can see. */
export const differences: readonly Difference[] = [
  {
    name: 'an approval without a predicate',
    because: 'the gate knows when a step is complete; no predicate is needed',
    replies: [asks(['c1']), goesOn({ c1: 42 })],
    act: approve({}),
    bare: ['end ready'],
    guarded: [
      'status submitted',
      'id g2',
      'send submit-message a1',
      'status streaming',
      'status ready',
      'onFinish a:a1',
      'end ready',
    ],
  },
  {
    name: 'an approval that does not exist',
    because: 'a decision of an unknown approval rejects instead of being ignored',
    replies: [asks(['c1'])],
    act: approve({ id: 'c1' }),
    bare: ['resolved'],
    guarded: ['rejected: "c1" is the id of a tool call, not of an approval'],
  },
  {
    name: 'two messages at once',
    because: 'one request at a time; both messages are shown at once, and the second is sent after the reply',
    replies: [text, says('y', 'a2')],
    act: (chat) => Promise.all([chat.sendMessage({ text: '1' }), chat.sendMessage({ text: '2' })]),
    bare: [
      'send submit-message undefined u:u0[text=old] u:g0[text=1] u:g2[text=2] body',
      'onFinish a:a1[step-start text=x.done] of 5',
      'end ready error=undefined u:u0[text=old] u:g0[text=1] u:g2[text=2] a:a1[step-start text=x.done] a:a2[step-start text=y.done]',
    ],
    guarded: [
      'onFinish a:a1[step-start text=x.done] of 4',
      'status submitted',
      'send submit-message undefined u:u0[text=old] u:g0[text=1] a:a1[step-start text=x.done] u:g2[text=2] body',
      'status streaming',
      'status ready',
      'end ready error=undefined u:u0[text=old] u:g0[text=1] a:a1[step-start text=x.done] u:g2[text=2] a:a2[step-start text=y.done]',
    ],
  },
  {
    name: 'an edit of a message that does not exist',
    because: 'both versions reject; 7 has a longer text',
    act: (chat) => chat.sendMessage({ text: 'new', messageId: 'nope' }),
    bare: { 6: [], 7: ['rejected: Invalid argument for parameter message.messageId: message with id nope not found'] },
    guarded: { 6: [], 7: ['rejected: message with id nope not found'] },
  },
  {
    name: 'onError throws',
    because: 'the chat must not remain in `submitted`',
    replies: [new Error('R')],
    throws: 'onError',
    bare: [
      'onFinish a:g1[] of 2 abort=false disconnect=false error=true reason=undefined status=submitted',
      'end submitted',
    ],
    guarded: [
      'status error',
      'onFinish a:g1[] of 2 abort=false disconnect=false error=true reason=undefined status=error',
      'end error',
    ],
  },
  {
    name: 'onToolCall throws',
    because: 'the reply is read to its end: it may ask for an approval',
    replies: [calls(['c1'])],
    throws: 'onToolCall',
    bare: [
      'status error',
      'onFinish a:a1[step-start tool-pick.input-available] of 3 abort=false disconnect=false error=true reason=undefined status=error this=true',
      'end error error=onToolCall threw',
    ],
    guarded: [
      'status ready',
      'onFinish a:a1[step-start tool-pick.input-available] of 3 abort=false disconnect=false error=false reason=tool-calls status=ready this=true',
      'end ready error=undefined',
    ],
  },
  {
    name: 'onData throws',
    because: 'a part is applied completely or not at all',
    replies: [[text[0], { type: 'data-w', id: '1', data: 1 }, text[6]]],
    throws: 'onData',
    bare: ['onFinish a:a1[data-w:1]', 'end error error=onData threw u:u0[text=old] u:g0[text=hi] a:a1[data-w:1]'],
    guarded: ['onFinish a:a1[]', 'end error error=onData threw u:u0[text=old] u:g0[text=hi] a:a1[]'],
  },
  {
    name: 'a delta of an unknown text',
    because: 'the delta becomes an anomaly, and the reply continues',
    replies: [[text[0], { type: 'text-delta', id: 'none', delta: '?' }, ...text.slice(1)]],
    bare: ['onError', 'status error', 'onFinish', 'end error'],
    guarded: ['status streaming', 'status ready', 'onFinish', 'end ready'],
  },
  {
    name: 'a repeated call',
    because: 'a browser tool must not run twice',
    replies: [[...calls(['c1']).slice(0, 3), ...calls(['c1']).slice(2)]],
    bare: ['onToolCall {"toolCall":{"type":"tool-input-available","toolCallId":"c1"'],
    guarded: [],
  },
];

/**
 * What an interrupt of LangGraph asks for: decisions about actions, or the answer to a question. Sources: the
 * middleware (see decision.ts), `HumanInterrupt` of `@langchain/langgraph` 1.4, which Agent Inbox reads, and
 * `interrupt(value)` with any other value.
 */
import type { Data } from '../shared/codec.js';
import { asList } from '../shared/history.js';
import { questionFor, type AskedQuestion } from '../shared/questions.js';
import { allowedBy } from './decision.js';

/** An action that waits for a decision. */
export interface Action {
  readonly name: string;
  readonly args: Data;
  /** The call, if the interrupt names it. */
  readonly named: string | undefined;
  /** What the answer needs. Stored with the approval. */
  readonly own: Data;
}

/** What an interrupt asks for. */
export interface Request {
  readonly actions: readonly Action[];
  /** The question, if there are no actions, and what its answer needs. */
  readonly asked?: AskedQuestion & { readonly own: Data };
}

/** Agent Inbox's permissions, by the middleware's words for the same decisions. */
const INBOX = { approve: 'allow_accept', edit: 'allow_edit', respond: 'allow_respond', reject: 'allow_ignore' };

/** Reads an interrupt. Throws for an action without a name. */
export function requestOf({ id, value, namespace, response_schema: schema }: Data): Request {
  const { type, action_requests: snake, actionRequests: camel, review_configs, reviewConfigs }: Data = Object(value);
  const interrupt = typeof id === 'string' && id ? id : undefined;
  const isSingle = type === 'tool_approval';
  const alone = { interrupt, namespace, position: 0, count: 1, shape: 'value' };
  // Agent Inbox's requests, in the middleware's form.
  const inbox = asList(value).flatMap((one) => {
    const { action: name, args } = one?.action_request ?? {};
    return name === undefined ? [] : { ...one, name, args };
  });
  const list = isSingle ? [value] : inbox.length ? inbox : asList(snake ?? camel);
  const edit = [camel && 'editedAction', (isSingle || snake) && 'edited_action'].filter(Boolean);
  const shape = inbox.length ? 'inbox' : isSingle ? 'single' : undefined;
  const actions = list.map(({ name, args, config, description, tool_call_id: named }, position): Action => {
    if (typeof name !== 'string') throw new TypeError('expected an action with a name');
    const about = asList(review_configs ?? reviewConfigs).find((one) => (one?.action_name ?? one?.actionName) === name);
    const allowed = inbox.length
      ? Object.entries(INBOX).flatMap(([kind, word]) => (config?.[word] ? kind : []))
      : allowedBy(about, schema);
    const own = { interrupt, namespace, position, count: list.length, allowed, edit, shape, description };
    return { name, args, named, own };
  });
  const [first] = actions;
  // Agent Inbox's form for a question: only a response is accepted.
  const isQuestion = inbox.length === 1 && first?.own.allowed.every((kind: string) => /^(respond|reject)$/.test(kind));
  if (first && !isQuestion) return { actions };
  const asked = first
    ? questionFor({ description: first.own.description ?? first.name, ...first.args })
    : questionFor(value, schema);
  return { actions: [], asked: { ...asked, own: { ...(first?.own ?? alone), form: asked.form } } };
}

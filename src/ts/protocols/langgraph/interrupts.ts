/**
 * What an interrupt of LangGraph asks for: decisions about actions, or the answer to a question. Sources: the
 * middleware (see decision.ts), `HumanInterrupt` of `@langchain/langgraph` 1.4, which Agent Inbox reads, and
 * `interrupt(value)` with any other value.
 */
import type { HumanInterruptConfig } from '@langchain/langgraph/prebuilt';
import { asList } from '../shared/history.js';
import { questionFor, type AskedQuestion } from '../shared/questions.js';
import { allowedBy, type Needed, type ReviewConfig } from './decision.js';
import type { GivenMessage } from './message.js';

/** An interrupt of a graph (`Interrupt` of the SDK), with the namespace of a subgraph. */
export interface GraphInterrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
  readonly namespace?: readonly string[];
  readonly response_schema?: unknown;
}

/** The fields of a state, of an update or of an error, in an event of a run. */
export interface RunFields {
  readonly messages?: readonly GivenMessage[] | GivenMessage | null;
  readonly __interrupt__?: readonly GraphInterrupt[] | null;
  readonly message?: string;
  readonly error?: string;
}

/** An action, in all the forms that ask for a decision about it. */
interface AskedAction {
  readonly name?: string;
  readonly args?: unknown;
  readonly description?: unknown;
  readonly config?: Partial<HumanInterruptConfig>;
  readonly tool_call_id?: string;
  readonly action_request?: { readonly action?: string; readonly args?: unknown };
}

/** The value of an interrupt that asks for decisions: `HITLRequest`, in both languages. */
interface Asking extends AskedAction {
  readonly type?: unknown;
  readonly action_requests?: readonly AskedAction[];
  readonly actionRequests?: readonly AskedAction[];
  readonly review_configs?: readonly (ReviewConfig | null)[];
  readonly reviewConfigs?: readonly (ReviewConfig | null)[];
}

/** An action that waits for a decision. */
export interface Action {
  readonly name: string;
  readonly args: unknown;
  /** The call, if the interrupt names it. */
  readonly named: string | undefined;
  /** What the answer needs. Stored with the approval. */
  readonly own: Needed;
}

/** What an interrupt asks for. */
export interface Request {
  readonly actions: readonly Action[];
  /** The question, if there are no actions, and what its answer needs. */
  readonly asked?: AskedQuestion & { readonly own: Needed };
}

/** Agent Inbox's permissions, by the middleware's words for the same decisions. */
const INBOX = {
  approve: 'allow_accept',
  edit: 'allow_edit',
  respond: 'allow_respond',
  reject: 'allow_ignore',
} as const;

/** Reads an interrupt. Throws for an action without a name. */
export function requestOf({ id, value, namespace, response_schema: schema }: GraphInterrupt): Request {
  const {
    type,
    action_requests: snake,
    actionRequests: camel,
    review_configs,
    reviewConfigs,
  } = Object(value) as Asking;
  const interrupt = typeof id === 'string' && id ? id : undefined;
  const isSingle = type === 'tool_approval';
  const alone: Needed = { interrupt, namespace, position: 0, count: 1, shape: 'value' };
  // Agent Inbox's requests, in the middleware's form.
  const inbox = asList(value as AskedAction | null).flatMap((one) => {
    const { action: name, args } = one?.action_request ?? {};
    return name === undefined ? [] : { ...one, name, args };
  });
  const list: readonly AskedAction[] = isSingle
    ? [value as AskedAction]
    : inbox.length
      ? inbox
      : asList(snake ?? camel);
  const edit = [camel && 'editedAction', (isSingle || snake) && 'edited_action'].filter(Boolean) as string[];
  const shape = inbox.length ? 'inbox' : isSingle ? 'single' : undefined;
  const actions = list.map(({ name, args, config, description, tool_call_id: named }, position): Action => {
    if (typeof name !== 'string') throw new TypeError('expected an action with a name');
    const about = asList(review_configs ?? reviewConfigs).find((one) => (one?.action_name ?? one?.actionName) === name);
    const allowed = inbox.length
      ? Object.entries(INBOX).flatMap(([kind, word]) => (config?.[word] ? kind : []))
      : allowedBy(about, schema);
    const own: Needed = { interrupt, namespace, position, count: list.length, allowed, edit, shape, description };
    return { name, args, named, own };
  });
  const [first] = actions;
  // Agent Inbox's form for a question: only a response is accepted.
  const isQuestion = inbox.length === 1 && first?.own.allowed?.every((kind) => /^(respond|reject)$/.test(kind));
  if (first && !isQuestion) return { actions };
  const asked = first
    ? questionFor({ description: first.own.description ?? first.name, ...(first.args as object) })
    : questionFor(value, schema);
  return { actions: [], asked: { ...asked, own: { ...(first?.own ?? alone), form: asked.form } } };
}

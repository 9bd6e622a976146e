/**
 * Google's ADK behind its own API server, with a scripted model (`python/adk.py`). All chats of a test file use one
 * server, and each chat is a session of a separate app.
 */
import type { ToolGateOptions } from 'toolgate';
import type { PythonServer } from './python';
import type { Line, Reply, Rig, Session } from './rig';
import { exchange, gateFor, openCalls, type Data } from './support';

/** The options of the app. */
export interface Manner {
  /** Whether the model gives its calls ids. Otherwise ADK generates them. */
  readonly ids?: boolean;
  /** `ResumabilityConfig(is_resumable=True)`. */
  readonly resumable?: boolean;
  /** Whether replies are streamed in pieces. Default: yes. */
  readonly streams?: boolean;
  /** The app's name. Default: a new one. */
  readonly name?: string;
}

/** A session of ADK. */
export interface AdkSession extends Session {
  /** The requests to the model. */
  readonly raw: readonly Data[];
  /** Sends a request directly, not from the gate. Returns the status and the events. */
  post(path: string, body: unknown): Promise<Data>;
  /** The path of the session on the server. */
  readonly path: string;
  /** The fields of a request that the app adds to the gate's body. */
  readonly mine: { readonly app_name: string; readonly user_id: string };
  look(): Promise<void>;
}

/**
 * The content that the model receives, part by part. ADK omits generated ids: results are then matched by name and
 * order.
 */
function linesOf(contents: readonly Data[]): Line[] {
  const calls = openCalls();
  return contents.flatMap(({ role, parts }: Data) =>
    parts.map(({ text, function_call: asked, function_response: answer }: Data): Line => {
      if (text !== undefined) return { kind: role === 'user' ? 'user' : 'text', text };
      if (asked) return { kind: 'call', call: calls.made(asked.name, asked.id, asked.args.path) };
      if (!answer) return { kind: 'other' };
      const { result, error } = answer.response;
      return { kind: 'result', call: calls.answered(answer.name, answer.id), text: String(result ?? error) };
    }),
  );
}

/** A new chat with ADK. */
export async function openAdk(
  { url }: Pick<PythonServer, 'url'>,
  replies: readonly Reply[],
  options: ToolGateOptions,
  { streams = true, ...manner }: Manner = {},
): Promise<AdkSession> {
  const post = async (path: string, body: unknown): Promise<Data> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return response.headers.get('content-type')?.includes('json')
      ? JSON.parse(text)
      : text.split('\n\n').flatMap((block) => (block ? JSON.parse(block.slice('data: '.length)) : []));
  };
  const app: string = await post('/script', { replies, ...manner });
  const path = `/apps/${app}/users/user/sessions/chat`;
  await post(path, {});
  const mine = { app_name: app, user_id: 'user' };
  const ran: string[] = [];
  const raw: Data[] = [];
  const look = async (): Promise<void> => {
    const seen: Data = await (await fetch(`${url}/seen/${app}`)).json();
    ran.splice(0, Infinity, ...seen.ran);
    raw.splice(0, Infinity, ...seen.seen);
  };
  const gate = gateFor('adk', options);
  return {
    gate,
    url: `${url}/`,
    async refill() {
      gate.load((await (await fetch(url + path)).json()).events);
    },
    ran,
    raw,
    get prompts() {
      return raw.map(linesOf);
    },
    async send(item) {
      try {
        await exchange(
          gate,
          { ...item, body: { ...mine, ...(item.body as object), ...(!streams && { streaming: false }) } },
          `${url}/run_sse`,
        );
      } finally {
        await look();
      }
    },
    post,
    path,
    mine,
    look,
  };
}

/** What follows when a connection ends while ADK runs tools. */
const why = 'ADK cancels a run with its connection, and stores no result of its step';
const TWICE = { why, ran: ['read /r', 'remove /slow', 'remove /slow', 'send /c', 'send /c'] };
const UNTOLD = { why, untold: ['remove /slow', 'send /c'] };

/** ADK on a running server. */
export const adk = (title: string, server: () => PythonServer, manner?: Manner): Rig => ({
  name: `ADK, ${title}`,
  protocol: 'adk',
  waiting: 'with the server',
  open: (replies, options) => openAdk(server(), replies, options, manner),
  losesReasons: true,
  quirks: {
    'a lost reply, then again': TWICE,
    'a lost reply, then again at once': TWICE,
    'a lost reply, then a message': UNTOLD,
    'a lost reply, when it has ended, then a message': UNTOLD,
  },
});

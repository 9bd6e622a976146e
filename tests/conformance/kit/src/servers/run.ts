/** Runs the cases against a server. */
import type { Broken } from '../client/judge.js';
import type { Answer, Case, Post } from './cases.js';
import { Chat, reasonOf } from './chat.js';

/** The result of one case. */
export interface CaseResult {
  readonly id: string;
  readonly verdict: 'pass' | 'fail';
  readonly broken: readonly Broken[];
  /** The bodies of all posted requests. */
  readonly posted: readonly string[];
  /** The paths that the server removed. */
  readonly ran: readonly string[];
}

/** What a server answers at `GET <url>/record`. */
interface ServerState {
  /** The paths that the tool has removed, in order, of all chats. */
  readonly ran: readonly string[];
  /** All prompts of the model, as text. */
  readonly prompts: string;
}

/** How cases run. */
export interface CaseOptions {
  /** The longest wait for an answer of the server, in milliseconds. Default: 10000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

let runs = 0;

/** Runs one case. Never rejects because of the server: its errors are failures. */
export async function runCase(
  url: string,
  one: Case,
  { timeoutMs = TIMEOUT_MS }: CaseOptions = {},
): Promise<CaseResult> {
  const { id, rule, calls, posts, expect } = one;
  // Chats and paths of their own, so that a server can be tested again without a restart.
  const name = `${id}-${Date.now().toString(36)}-${runs++}`;
  const folder = `/${name}`;
  const chat = new Chat(url, name, timeoutMs);
  const broken: Broken[] = [];
  const fail = (found: string): void => {
    const request = chat.posted.at(-1);
    broken.push({ rule, found, ...(request && { request: { number: chat.posted.length, body: request.body } }) });
  };
  let ran: string[] = [];
  try {
    await chat.ask(calls.map((call) => ({ id: call, path: `${folder}/${call}` })));
    for (const post of posts) await send(chat, name, post);
    const state = await stateOf(url, timeoutMs);
    ran = state.ran.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length));
    const expected = expect.ran?.map((call) => `/${call}`);
    if (expected && [...ran].sort().join() !== [...expected].sort().join())
      fail(`it removed ${ran.join(', ') || 'nothing'}; expected: ${expected.join(', ') || 'nothing'}`);
    for (const path of expect.never ?? []) if (ran.includes(path)) fail(`it removed ${path}`);
    for (const call of expect.atMostOnce ?? []) {
      const times = ran.filter((path) => path === `/${call}`).length;
      if (times > 1) fail(`it removed /${call} ${times} times`);
    }
    const read = expect.read?.replace('removed /', `removed ${folder}/`);
    if (read !== undefined && !state.prompts.includes(read)) fail(`the model has not read “${expect.read}”`);
  } catch (error) {
    fail((error as Error).message);
  }
  const verdict = broken.length === 0 ? 'pass' : 'fail';
  return { id, verdict, broken, posted: chat.posted.map(({ body }) => body), ran };
}

async function send(chat: Chat, name: string, post: Post): Promise<void> {
  if (post.message !== undefined) return void (await chat.post(chat.moved(post.message)));
  const answers = Object.entries(post.answers ?? {}).map(([id, answer]): [string, Answer] => [
    id,
    inFolder(answer, name),
  ]);
  const messages = chat.answered(Object.fromEntries(answers));
  const first = chat.post(messages, post.inAnotherChat ? { chat: `${name}-other` } : {});
  const { body, key } = chat.posted.at(-1)!;
  if (post.again === 'at the same time') return void (await Promise.all([first, chat.post(body, { key })]));
  await first;
  if (post.again === 'after the reply') await chat.post(body, { key });
  if (post.again === 'with a new key') await chat.post(body);
}

/** The answer with a path of this run. */
function inFolder(answer: Answer, name: string): Answer {
  if ('approveWith' in answer) return { approveWith: `/${name}${answer.approveWith}` };
  return 'invent' in answer ? { invent: `/${name}${answer.invent}` } : answer;
}

async function stateOf(url: string, timeoutMs: number): Promise<ServerState> {
  const address = `${url.replace(/\/$/, '')}/record`;
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    throw new Error(`GET ${address}: ${reasonOf(error, timeoutMs)}`);
  });
  const text = await response.text();
  const state = parsed(text) as Partial<ServerState> | null | undefined;
  if (response.ok && Array.isArray(state?.ran) && typeof state.prompts === 'string') return state as ServerState;
  const found = `${response.status} ${text.slice(0, 200)}`;
  throw new Error(`GET ${address} must answer { "ran": ["/a"], "prompts": "…" }; it answered ${found}`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Rejects, with the reason, if the server cannot be reached or does not answer at `<url>/record`. */
export async function checkServer(url: string, { timeoutMs = TIMEOUT_MS }: CaseOptions = {}): Promise<void> {
  await stateOf(url, timeoutMs);
}

/** Runs cases one after another. */
export async function runCases(url: string, cases: readonly Case[], options: CaseOptions = {}): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) results.push(await runCase(url, one, options));
  return results;
}

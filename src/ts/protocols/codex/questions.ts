/**
 * The questions of Codex's app server and of its MCP servers. They become calls for a page that lists their names in
 * `browserTools`. The output of such a call is a `QuestionAnswer`.
 */
import { asksForSecret } from '../../types/secret-field.js';
import type { ItemDecision } from '../shared/codec.js';
import { answerOf } from '../shared/questions.js';
import type { Message } from './frames.js';

/** The names of the calls, by the methods of the requests. */
const NAMES: Readonly<Record<string, string>> = {
  'item/tool/requestUserInput': 'request_user_input',
  'mcpServer/elicitation/request': 'mcp_elicitation',
};

/**
 * Reads a request that asks the user: the name and the id of its call, its input, and the server that asks. Undefined
 * for other requests, and for those that only the app can answer: a question for a secret, which Toolgate would store,
 * and an elicitation that is not a form. Throws a `TypeError` for damaged questions.
 */
export function questionOf(
  { method = '', id, params }: Message,
  runsInPage: (name: string) => boolean,
): { readonly name: string; readonly call: string; readonly input: unknown; readonly title?: string } | undefined {
  const name = Object.hasOwn(NAMES, method) ? (NAMES[method] as string) : undefined;
  if (name === undefined || !runsInPage(name)) return undefined;
  if (name === 'mcp_elicitation') {
    const { mode, turnId, serverName: server, message, requestedSchema } = params;
    if (mode !== 'form' || asksForSecret(requestedSchema)) return undefined;
    // After a restart, Codex uses the same request ids again.
    return { name, call: `elicitation-${turnId}-${id}`, input: { server, message, requestedSchema }, title: server };
  }
  const { itemId: call, questions } = params;
  if (!questions.every(({ id: key, question }) => typeof key === 'string' && typeof question === 'string'))
    throw new TypeError('expected questions with ids');
  return questions.some(({ isSecret }) => isSecret) ? undefined : { name, call, input: { questions } };
}

/** Returns the response to a request that asks the user. Without an answer of the user it has none. */
export function responseTo(decision: ItemDecision): object {
  const { action, value: given = null } = answerOf(decision);
  if (decision.toolName === 'mcp_elicitation') return { action, content: given, _meta: null };
  const answers = Object.entries(given ?? {}).map(([id, value]) => [id, { answers: [value].flat().map(String) }]);
  return { answers: Object.fromEntries(answers) };
}

/**
 * The scripted model's answers to prompts for which a scenario has no reply of its own. It understands a handful of
 * requests about files, and summarizes the results of its tool calls as the prompt shows them.
 */
import type { PromptView, ScriptedReply } from '../backend/model';

type Result = PromptView['results'][number];

const HELP =
  'I look after the files of this café. Ask me to show a file, to add something to it, to change one text to ' +
  'another, to create a file or to delete one. I read at once, and ask before I change anything.';

/** Chooses a reply from the latest user message and the results after it. */
export function freeReply(view: PromptView): ScriptedReply {
  const request = understand(view.userText);
  if (!view.continues) return begin(request);
  const last = view.results.at(-1);
  if (request.kind === 'add' && last?.toolName === 'read_file' && last.output.type === 'text') {
    const lines = String(last.output.value).trimEnd();
    const tail = lines.slice(lines.lastIndexOf('\n') + 1);
    const bullet = tail.startsWith('- ') ? '- ' : '';
    return edit(request.path, tail, `${tail}\n${bullet}${request.text}`);
  }
  return { text: summary(view.results) };
}

type Request =
  | { kind: 'show' | 'delete'; path: string }
  | { kind: 'add' | 'create'; path: string; text: string }
  | { kind: 'change'; path: string; from: string; to: string }
  | { kind: 'list' | 'other' };

/** Finds one of the known requests in a user's words. */
function understand(words: string): Request {
  const text = words.trim().replace(/[.!]$/, '');
  const path = /\b[\w-]+\.(?:md|json|txt)\b/.exec(text)?.[0];
  if (!path) return /\b(list|files)\b/i.test(text) ? { kind: 'list' } : { kind: 'other' };
  const unquote = (quoted: string): string => quoted.trim().replace(/^["“'](.*)["”']$/, '$1');
  const change = /\b(?:change|replace)\s+(.+?)\s+(?:to|with|by)\s+(.+?)\s+in\s+(?:the\s+)?\S+$/i.exec(text);
  if (change) return { kind: 'change', path, from: unquote(change[1] ?? ''), to: unquote(change[2] ?? '') };
  const add = /\badd\s+(.+?)\s+to\s+(?:the\s+)?\S+$/i.exec(text);
  if (add) return { kind: 'add', path, text: unquote(add[1] ?? '') };
  if (/\b(?:delete|remove)\b/i.test(text)) return { kind: 'delete', path };
  const create = /\b(?:create|write)\s+\S+(?:\s+(?:with|saying)\s+(.+))?$/i.exec(text);
  if (create) return { kind: 'create', path, text: unquote(create[1] ?? 'Nothing yet') };
  return { kind: 'show', path };
}

function begin(request: Request): ScriptedReply {
  switch (request.kind) {
    case 'list':
      return { calls: [{ tool: 'list_files', input: {} }] };
    case 'show':
    case 'add':
      return { calls: [{ tool: 'read_file', input: { path: request.path } }] };
    case 'change':
      return edit(request.path, request.from, request.to);
    case 'create':
      return { calls: [{ tool: 'write_file', input: { path: request.path, content: `${request.text}\n` } }] };
    case 'delete':
      return {
        text: 'I need your approval for that.',
        calls: [{ tool: 'delete_file', input: { path: request.path } }],
      };
    case 'other':
      return { text: HELP };
  }
}

function edit(path: string, from: string, to: string): ScriptedReply {
  return {
    text: 'I suggest this edit.',
    calls: [{ tool: 'edit_file', input: { path, old_text: from, new_text: to } }],
  };
}

/** One sentence or two about what ran, what did not, and why. */
function summary(results: readonly Result[]): string {
  const done = results.filter(({ output }) => output.type === 'text' || output.type === 'json');
  const shown = done.findLast(({ toolName }) => toolName === 'read_file' || toolName === 'list_files');
  const changed = done.filter(({ toolName }) => toolName !== 'read_file' && toolName !== 'list_files');

  const sentences: string[] = [];
  if (changed.length > 0) sentences.push(`Done: ${names(changed)}.`);
  sentences.push(...results.filter((result) => !done.includes(result)).map(notDone));
  if (sentences.length === 0 && shown) sentences.push(`Here it is:\n\n${String(shown.output.value).trimEnd()}`);
  return sentences.join(' ') || HELP;
}

/** Recognizes results that Toolgate wrote, by their documented texts. */
const CLOSED: readonly (readonly [words: RegExp, meaning: string])[] = [
  [/execution was skipped/, 'was skipped, because you denied another call'],
  [/not approved in time/, 'was not approved in time, so I did not change it'],
  [/execution was cancelled/, 'was cancelled'],
];

/** One sentence about a call that did not succeed. */
function notDone({ input, output }: Result): string {
  const subject = typeof input['path'] === 'string' ? input['path'] : 'that';
  const words = String(output.reason ?? output.value ?? '');
  const closed = CLOSED.find(([known]) => known.test(words));
  if (closed) return `The change of ${subject} ${closed[1]}.`;
  if (output.type.startsWith('error')) return `${subject} did not work: ${words}`;
  return words ? `I did not change ${subject}, as you asked: “${words}”.` : `I did not change ${subject}.`;
}

function names(results: readonly Result[]): string {
  const verbs: Record<string, string> = { edit_file: 'edited', write_file: 'wrote', delete_file: 'deleted' };
  return results
    .map(({ toolName, input }) => `${verbs[toolName] ?? toolName} ${String(input['path'] ?? '')}`)
    .join(', ');
}

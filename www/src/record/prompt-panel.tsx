/**
 * “What the model saw”: the exact prompt of each model call, from the backend's own record. Messages that the
 * previous call contained too are collapsed, so that only the new ones are open.
 */
import type { ModelCall, PromptMessage, PromptPart } from '../backend/record';
import { Icon } from '../chat/icons';
import { Json } from './json';

export function PromptPanel({ calls, model }: { calls: readonly ModelCall[]; model: string }) {
  return (
    <>
      <p className="panel-note">Model: {model}</p>
      {calls.length === 0 ? (
        <p className="blank">
          The model has not been called yet. Each call is listed here, with the exact messages it received.
        </p>
      ) : null}
      <ol className="sheets" reversed>
        {[...calls].reverse().map((call) => (
          <Call key={call.n} call={call} before={calls.find(({ n }) => n === call.n - 1)} />
        ))}
      </ol>
    </>
  );
}

function Call({ call, before }: { call: ModelCall; before: ModelCall | undefined }) {
  const known = sharedStart(before?.prompt ?? [], call.prompt);
  const [old, fresh] = [call.prompt.slice(0, known), call.prompt.slice(known)];
  const paths = pathsOf(call.prompt);
  return (
    <li className="sheet" data-model-call={call.n}>
      <header className="sheet-head">
        <h3>Model call {call.n}</h3>
        <span className="pill tone-quiet">request {call.request}</span>
      </header>
      {old.length > 0 ? (
        <details className="known">
          <summary>
            {old.length} {old.length === 1 ? 'message' : 'messages'} as in call {call.n - 1}
          </summary>
          <Messages messages={old} paths={paths} />
        </details>
      ) : null}
      <Messages messages={fresh} paths={paths} />
      <Balance prompt={call.prompt} />
      <Json label="The exact prompt" value={call.prompt} />
    </li>
  );
}

/** How many messages at the start of both prompts are equal. */
function sharedStart(a: readonly PromptMessage[], b: readonly PromptMessage[]): number {
  let n = 0;
  while (n < a.length && n < b.length && JSON.stringify(a[n]) === JSON.stringify(b[n])) n++;
  return n;
}

/** The `path` of each call's input, by the call's id, because a result does not contain it. */
function pathsOf(prompt: readonly PromptMessage[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const part of prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content))) {
    const path = part.type === 'tool-call' ? (part.input as { path?: unknown } | null)?.path : undefined;
    if (part.toolCallId && typeof path === 'string') paths.set(part.toolCallId, path);
  }
  return paths;
}

/** Shows whether each tool call in a prompt has exactly one result, as providers require. */
function Balance({ prompt }: { prompt: readonly PromptMessage[] }) {
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const ids = (type: string): (string | undefined)[] =>
    parts.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId);
  const [calls, results] = [ids('tool-call'), ids('tool-result')];
  if (calls.length === 0) return null;
  const isEven =
    results.length === calls.length && calls.every((id) => results.filter((other) => other === id).length === 1);
  return (
    <p className={`balance tone-${isEven ? 'yes' : 'bad'}`}>
      <Icon name={isEven ? 'check' : 'alert'} />
      {calls.length === 1 ? '1 call' : `${calls.length} calls`},{' '}
      {results.length === 1 ? '1 result' : `${results.length} results`}
      {isEven ? ': exactly one each' : ': not one each'}
    </p>
  );
}

function Messages({ messages, paths }: { messages: readonly PromptMessage[]; paths: ReadonlyMap<string, string> }) {
  return (
    <dl className="prompt">
      {messages.map((message, index) => (
        <div key={index} className={`prompt-message role-${message.role}`}>
          <dt>{message.role}</dt>
          <dd>
            {typeof message.content === 'string' ? (
              <p>{message.content}</p>
            ) : (
              message.content.map((part, at) => (
                <Part key={at} part={part} path={paths.get(part.toolCallId ?? '') ?? ''} />
              ))
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Part({ part, path }: { part: PromptPart; path: string }) {
  switch (part.type) {
    case 'text':
      return <p>{part.text}</p>;
    case 'tool-call':
      return (
        <p className="prompt-part">
          <span className="tag">call</span> <code>{part.toolName}</code>{' '}
          <code className="soft">{JSON.stringify(part.input)}</code>
        </p>
      );
    case 'tool-result': {
      const output = part.output ?? { type: 'missing' };
      const tone = output.type === 'execution-denied' ? 'no' : output.type.startsWith('error') ? 'bad' : 'yes';
      const value = output.reason ?? output.value;
      return (
        <p className="prompt-part">
          <span className={`tag tone-${tone}`}>{output.type}</span>{' '}
          <code>
            {part.toolName} {path}
          </code>
          {value === undefined ? null : (
            <span className="prompt-value">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
          )}
        </p>
      );
    }
    default:
      return <p className="prompt-part">{JSON.stringify(part)}</p>;
  }
}

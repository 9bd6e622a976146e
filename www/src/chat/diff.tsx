/** Shows what a tool call would change, as lines. Text only: nothing from a model becomes markup. */
import type { CallView } from '../session/message-types';
import { diffLines, type DiffLine } from './line-diff';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The body of a tool card: a diff for edits and new files, otherwise the plain input. */
export function CallBody({ call }: { call: CallView }) {
  switch (call.toolName) {
    case 'edit_file':
      return <Diff lines={diffLines(text(call.input['old_text']), text(call.input['new_text']))} />;
    case 'write_file':
      return <Diff lines={diffLines('', text(call.input['content']))} />;
    case 'delete_file':
      return <p className="call-plain">Removes the whole file.</p>;
    case 'read_file':
    case 'list_files':
      return null;
    default:
      return <pre className="call-json">{JSON.stringify(call.input, null, 2)}</pre>;
  }
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="diff">
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </div>
  );
}

const WORDS = { same: '', out: 'Removed: ', in: 'Added: ' } as const;
const SIGNS = { same: ' ', out: '−', in: '+' } as const;

function Line({ line }: { line: DiffLine }) {
  const [from, to] = line.mark ?? [0, 0];
  const marked = line.text.slice(from, to);
  return (
    <div className={`diff-line diff-${line.kind}`}>
      <span className="diff-sign" aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      <span className="hidden">{WORDS[line.kind]}</span>
      <code>
        {line.text.slice(0, from)}
        {marked ? <span className="diff-mark">{marked}</span> : null}
        {line.text.slice(to) || (line.text ? null : '\u00a0')}
      </code>
    </div>
  );
}

/** The workspace: every file, what changed in it since the chat began, and its text. From the backend's record. */
import { diffLines } from './line-diff';
import type { Files } from '../backend/workspace';
import type { Session } from '../session/session';
import { useRecord } from '../chat/use-session';

export function FilesPanel({ session }: { session: Session }) {
  const { files } = useRecord(session);
  const before = session.scenario.files;
  const paths = [...new Set([...Object.keys(before), ...Object.keys(files)])].sort();
  return (
    <section className="files" aria-label="Files">
      <h2>Files</h2>
      <ul>
        {paths.map((path) => (
          <File key={path} path={path} before={before} after={files} />
        ))}
      </ul>
    </section>
  );
}

function File({ path, before, after }: { path: string; before: Files; after: Files }) {
  const [was, is] = [before[path], after[path]];
  const state = was === undefined ? 'new' : is === undefined ? 'deleted' : was === is ? 'unchanged' : 'changed';
  const lines = diffLines(was ?? '', is ?? '');
  return (
    <li className={`file file-${state}`} data-file={path} data-state={state}>
      <details>
        <summary>
          <span className="file-name">{path}</span>
          <span className="file-state">{state}</span>
        </summary>
        <div className="diff">
          {lines.map(({ kind, text }, index) => (
            <div key={index} className={`diff-line diff-${kind}`}>
              <span className="diff-sign" aria-hidden="true">
                {kind === 'in' ? '+' : kind === 'out' ? '−' : ' '}
              </span>
              <code>{text || '\u00a0'}</code>
            </div>
          ))}
        </div>
      </details>
    </li>
  );
}
